"""What reproduces a state elsewhere: a command line, Python, a study, and the map as a table."""

from __future__ import annotations

import io
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from pprint import pformat
from typing import Any

import numpy as np

from visavis.comparing import CompareOptions, Comparison
from visavis.errors import InvalidParameter
from visavis.explore.query import State
from visavis.explore.scene import Scene
from visavis.report.text import heading, iso_date, outlet
from visavis.shared.extras import needs

SAMPLE = "articles.csv"
NOT_TOLD = ("command", "jobs", "title", "headline", "editor")  # said elsewhere, or no part of picking
SWITCHES = {"strict": True, "allow_broken": True, "pairs": True}  # options without a value
SPELLED = {"groups": "group"}  # where the command's name for an option is another
STUDIED = (
    "by", "groups", "only", "versus", "min_size", "small", "filter", "embedder", "lead", "boilerplate", "columns",
    "sql", "strict", "date_order", "encoding", "allow_broken", "size", "contrast", "gamma", "seed",
)  # fmt: skip
BESIDE = "kmeans"  # what a study asks about beside the method
Ids = Mapping[str, Sequence[str]]


def command_line(
    source: Sequence[str], state: State, ids: Ids | None = None, *more: str, is_sample: bool = False
) -> str:
    """The call of `visavis compare` that gives the same picks; `ids` are those of the sets that are compared.

    Raises InvalidParameter where a command line cannot say it.
    """
    words = ["visavis", "compare", *source, *_words(_told(_of_sets(state.options, ids)))]
    if ids is None:
        return _after_sample(is_sample, shlex.join([*words, *more]))
    _check_lists(ids)
    files = {name: f"set{number}.txt" for number, name in enumerate(ids, 1)}
    words += [word for name, file in files.items() for word in ("--group", f"{name}=@{file}")]
    lists = [f"cat > {file} <<'END-OF-IDS'\n" + "\n".join(ids[name]) + "\nEND-OF-IDS" for name, file in files.items()]
    return "\n".join([*lists, _after_sample(is_sample, shlex.join([*words, *more]))])


def command_or_why(
    source: Sequence[str], state: State, ids: Ids | None = None, *, is_sample: bool = False
) -> tuple[str | None, str | None]:
    """The command line, or why there is none."""
    try:
        return command_line(source, state, ids, is_sample=is_sample), None
    except InvalidParameter as refused:
        return None, str(refused)


def python_lines(source: Sequence[str], state: State, ids: Ids | None = None, *, is_sample: bool = False) -> str:
    """A few lines of Python that give the same picks and write the page."""
    told = _told(_of_sets(state.options, ids))
    lines = ["from pathlib import Path", "", "from visavis import compare", ""]
    if ids is not None:
        _check_lists(ids)
        lines += [f"sets = {pformat({name: list(own) for name, own in ids.items()}, width=110, sort_dicts=False)}"]
        lines += ["for number, own in enumerate(sets.values(), 1):"]
        lines += ['    Path(f"set{number}.txt").write_text("\\n".join(own), encoding="utf-8")']
        told["groups"] = [f"{name}=@set{number}.txt" for number, name in enumerate(ids, 1)]
    if is_sample:
        lines += ["from visavis.comparing.demos import sample_articles", ""]
        lines += [f'Path({SAMPLE!r}).write_text(sample_articles(), encoding="utf-8", newline="")']
    files = repr(source[0]) if len(source) == 1 else "[" + ", ".join(f"Path({name!r})" for name in source) + "]"
    named = [f"    {name}={_plain(value)!r}," for name, value in told.items()]
    return "\n".join([*lines, "comparison = compare(", f"    {files},", *named, ")", "print(comparison)",
                      'comparison.write("report.html")', ""])  # fmt: skip


def study_line(source: Sequence[str], state: State, ids: Ids | None = None, *, is_sample: bool = False) -> str:
    """The call of `visavis study design` that asks people about the same comparison."""
    options = _of_sets(state.options, ids)
    told = {name: value for name, value in _told(options).items() if name in STUDIED}
    told |= {"size": _study_size(options), "contrast": options.contrast, "gamma": options.gamma}
    methods = [options.method, BESIDE if options.method != BESIDE else CompareOptions.method]
    words = ["visavis", "study", "design", *source, *_words(told), "--methods", ",".join(methods), "--pairs", "all"]
    if ids is not None:
        raise InvalidParameter("a study asks about groups; sets that were drawn or searched for differ by construction")
    return _after_sample(is_sample, shlex.join([*words, "--out", "study.db"]))


def _study_size(options: CompareOptions) -> int:
    if isinstance(options.size, Mapping):
        return int(max(options.size.values()))
    return 4 if options.size == "auto" else int(options.size)


def _of_sets(options: CompareOptions, ids: Ids | None) -> CompareOptions:
    if ids is None:
        return options
    return replace(options, by=None, groups=(), only=(), versus=None, filter=None, min_size=1)


def _after_sample(is_sample: bool, line: str) -> str:
    """The sample is written first, as no file of that name need be there."""
    return f"visavis demo --articles {SAMPLE}\n{line}" if is_sample else line


def _told(options: CompareOptions) -> dict[str, Any]:
    """The options that are not as usual."""
    usual = CompareOptions()
    names = [field.name for field in fields(options) if field.name not in NOT_TOLD]
    return {name: getattr(options, name) for name in names if getattr(options, name) != getattr(usual, name)}


def _words(told: Mapping[str, Any]) -> list[str]:
    """Options as the command is given them."""
    words: list[str] = []
    for name, value in told.items():
        option = f"--{SPELLED.get(name, name).replace('_', '-')}"
        if name == "duplicates":
            words.append("--keep-duplicates")
        elif name in SWITCHES:
            words.append(option)
        elif name == "columns":
            words += [word for role, column in value.items() for word in (f"--{role}", column)]
        elif name == "size" and isinstance(value, Mapping):
            words += [option, ",".join(f"{group}={count}" for group, count in value.items())]
        elif name == "only":
            words += [word for one in value for word in (option, _without_comma(one))]
        elif isinstance(value, tuple):
            words += [word for one in value for word in (option, one)]
        else:
            words += [option, "all" if value is None else str(value)]
    return words


def _without_comma(name: str) -> str:
    if "," in name:
        raise InvalidParameter(f"the command line cannot name the group {name!r}, which holds a comma: take the Python")
    return name


def _check_lists(ids: Ids) -> None:
    for name, own in ids.items():
        if "=" in name:
            raise InvalidParameter(f"the set {name!r} has a name with '=', which no list of ids can be given")
        if any(len(id_.splitlines()) != 1 or id_ != id_.strip() for id_ in own):
            raise InvalidParameter("an id holds a line break, or a blank at an end: it cannot be written into a list")


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else dict(value) if isinstance(value, Mapping) else value


def parquet(scene: Scene, ground: Scene, summary: Comparison) -> bytes:
    """Every point of the map as a row: x, y, group, pick, and what can be read of it. Raises MissingExtra."""
    with needs("tables", "writing Parquet"):
        import pyarrow as pa
        import pyarrow.parquet as pq
    picks = {(pick.document.id, group.name) for group in summary.groups for pick in group.picks}
    picked = {id_ for id_, _ in picks}
    groups: dict[str, list[str]] = {}
    for document, code in zip(scene.documents, scene.codes.tolist(), strict=True):
        groups.setdefault(document.id, []).append(scene.names[code])
    own = scene is ground
    shown = [scene.names[code] for code in ground.codes.tolist()] if own else [
        ", ".join(groups.get(document.id, ())) for document in ground.documents
    ]  # fmt: skip
    documents = [ground.named(row) for row in range(len(ground.documents))]
    table = pa.table(
        {
            "x": np.asarray(ground.map[:, 0], np.float32),
            "y": np.asarray(ground.map[:, 1], np.float32),
            "group": shown,
            "pick": [
                (document.id, group) in picks if own else document.id in picked
                for document, group in zip(documents, shown, strict=True)
            ],
            "id": [_text(document.id) for document in documents],
            "title": [_text(heading(document)) for document in documents],
            "text": [_text(document.text) for document in documents],
            "source": [_text(outlet(document)) for document in documents],
            "date": [iso_date(document.date) or None for document in documents],
        }
    )
    file = io.BytesIO()
    pq.write_table(table, file)
    return file.getvalue()


def _text(text: str) -> str:
    return text.encode("utf-8", "replace").decode()

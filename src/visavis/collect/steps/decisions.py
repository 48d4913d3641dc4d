"""What a person decides about a topic's queries, in a file: two lists, keep and exclude."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from pathlib import Path

from visavis.collect.steps.expand import Expanded
from visavis.collect.text.queries import normal
from visavis.corpus.errors import Unreadable
from visavis.errors import InvalidParameter
from visavis.shared.files import replace_file
from visavis.shared.text import line


@dataclass(frozen=True)
class Decisions:
    """Queries to keep whatever they are, and queries to leave out."""

    keep: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()


def read_decisions(path: Path) -> Decisions:
    """Read the lists `keep` and `exclude` of a TOML file. Raises Unreadable or InvalidParameter, which name it."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise Unreadable(str(path), error.strerror or "it cannot be opened") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Unreadable(str(path), f"not TOML ({error})") from error
    unknown = sorted(set(table) - {"keep", "exclude"})
    if unknown:
        raise InvalidParameter(
            f"{path}: unknown entry {unknown[0]!r}; there are: keep, exclude, each a list of queries"
        )
    return Decisions(*(_queries(path, name, table.get(name, [])) for name in ("keep", "exclude")))


def _queries(path: Path, name: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise InvalidParameter(f'{path}: {name} must be a list of queries, as ["#tag", "some words"]')
    return tuple(normal(one) for one in value)


def write_proposal(path: Path, found: Expanded) -> None:
    """Write what the snowball found as such a file: move queries between the lists, and give it back."""
    lines = [
        f"# Queries for the topic {line(found.topic)!r}, from {line(found.query)!r}. Move them between the lists,",
        f"# then: visavis collect expand --topic … --query … --decisions {path.name}",
    ]
    for name, kept in (("keep", True), ("exclude", False)):
        lines.append(f"{name} = [")
        lines += [
            f"  {json.dumps(line(one.query), ensure_ascii=False)},  # {line(one.why)}"
            for one in found.verdicts
            if one.kept is kept
        ]
        lines.append("]")
    replace_file(path, lambda: "\n".join(lines) + "\n")

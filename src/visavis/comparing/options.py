"""Everything a comparison can be told."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from numbers import Integral
from typing import TYPE_CHECKING, Any

from visavis.comparing.blocks import check_blocks
from visavis.comparing.documents import DocumentOptions, Reading, as_texts, check_choice
from visavis.corpus.grouping import GroupOptions
from visavis.engines.choosing import check_device, check_engine
from visavis.errors import InvalidParameter, UnknownName
from visavis.inputs import check_compute, check_whole
from visavis.kernel import kernel_kind
from visavis.kernel.bandwidth import check_gamma
from visavis.select.parameters import applicable, create_method, part_parameters
from visavis.select.sampling import check_exact
from visavis.shared.memory import check_memory

if TYPE_CHECKING:
    from visavis.chat import Endpoint
    from visavis.contracts import ChatModel

CANDIDATES = ("worthy", "all")


@dataclass(frozen=True)
class CompareOptions(DocumentOptions):
    """Everything a comparison can be told; the command's options have the same names.

    Reading: `columns` (role → column), `sql`, `strict`, `date_order`, `encoding`, `allow_broken`. Grouping: `by`,
    `groups`, `only`, `versus`, `min_size`, `small`, `filter`. Embedding: `embedder` ("auto", a name, a file,
    "column:NAME", an .npy), `lead` sentences (None for all, or "auto"), `boilerplate` dropped or kept, `duplicates`
    folded or not.
    Selecting: `size` (a number, "auto", or one per group), `budget`, `method`, `contrast`, `gamma`, `kernel`,
    `sharpness`, `parameters` (whatever else the method or the kernel declares, by name), `tune`, `candidates`
    ("worthy", or "all" where every document may be picked, and several of one story), the ids to `pin` or `ban`, and a
    column over whose values each group's picks are to `spread`. Assessing: `blocks` of documents that are not
    independent (columns, coarse to fine, "auto" or "none"), columns to hold constant (`given`), `pairs` of groups to
    test. Computing: `exact` ("auto" looks at all pairs of documents unless there are very many, "yes" always, "no" at
    samples), the `memory` that may be used ("4GB"), `seed`, `jobs` (threads; -1 is all cores), the `device` ("auto",
    "cpu" or "cuda") and the `engine` ("threads", "dask://host:port"). Showing: `title`, `colors` of groups on the page,
    by name ("#c33" or "#cc3333"), and whether the page is `live`: whether its readers can choose anew. Asking: a model
    that is `editor`, who reads the picks and refuses those that are odd, and one that writes a `headline` from them (an
    Endpoint, or what keeps the contract of a ChatModel; without one nothing is sent anywhere).
    """

    size: Any = 4
    budget: int | None = None
    method: Any = "mmd-diff-greedy"
    contrast: float = 0.3
    gamma: float | str = "median"
    kernel: Any = "rbf"
    sharpness: float | str = "auto"
    parameters: Mapping[str, Any] = field(default_factory=dict)
    tune: bool = False
    pin: tuple[str, ...] = ()
    ban: tuple[str, ...] = ()
    candidates: str = "worthy"
    spread: str | None = None
    blocks: tuple[str, ...] = ("auto",)
    given: tuple[str, ...] = ()
    pairs: bool = False
    headline: Endpoint | ChatModel | None = None
    editor: Endpoint | ChatModel | None = None
    exact: str | bool = "auto"
    memory: str | int | None = None
    seed: int = 0
    jobs: int = -1
    device: str = "auto"
    engine: Any = "threads"
    title: str | None = None
    colors: Mapping[str, str] = field(default_factory=dict)
    live: bool = True
    command: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("pin", "ban", "blocks", "given"):
            object.__setattr__(self, name, as_texts(getattr(self, name)))
        _check(self)

    @property
    def reading(self) -> Reading:
        """What decides what is read, and by how many processes."""
        return replace(super().reading, processes=check_compute("float32", self.jobs, 512).threads)

    @property
    def grouping(self) -> GroupOptions:
        """What decides the groups; a document may be in several. Raises InvalidParameter if nothing does."""
        return replace(super().grouping, several=True)

    @property
    def common(self) -> dict[str, Any]:
        """The parameters that have options of their own."""
        return {"contrast": self.contrast, "sharpness": self.sharpness}

    @property
    def choice_parameters(self) -> dict[str, Any]:
        """What the method is told: those of the common parameters that it has, and whatever else was set."""
        given = {**applicable(self.method, self.common), **self.parameters}
        return part_parameters(self.method, self.kernel, given)[1]

    @property
    def chosen_kernel(self) -> Any:
        """The kernel with those of the parameters that were set and are its own."""
        return part_parameters(self.method, self.kernel, self.parameters)[0]


def make_options(**options: Any) -> CompareOptions:
    """Options by name, lists welcome. Raises UnknownName if no such option exists, InvalidParameter for a bad value."""
    known = {option.name for option in fields(CompareOptions)}
    unknown = [name for name in options if name not in known]
    if unknown:
        raise UnknownName(f"unknown option {unknown[0]!r}. There are: {', '.join(sorted(known))}")
    return CompareOptions(**options)


def _check(options: CompareOptions) -> None:
    """Refuse, before anything is read, what no documents could make right."""
    if options.title is not None and not isinstance(options.title, str):
        raise InvalidParameter(f"title must be text, got {options.title!r}")
    if options.jobs is not None and (not isinstance(options.jobs, Integral) or options.jobs == 0):
        raise InvalidParameter(f"jobs must be a number of threads, or -1 for all cores, got {options.jobs!r}")
    check_device(options.device)
    check_engine(options.engine)
    check_whole("seed", options.seed, low=0)
    check_exact(options.exact)
    check_memory(options.memory)
    check_blocks(options.blocks)
    check_choice("candidates", options.candidates, CANDIDATES)
    if options.spread is not None and not isinstance(options.spread, str):
        raise InvalidParameter(f"spread must be a column, such as 'source', got {options.spread!r}")
    if not isinstance(options.parameters, Mapping):
        raise InvalidParameter(f"parameters must map names to values, got {options.parameters!r}")
    _check_colors(options.colors)
    for name, model in (("headline", options.headline), ("editor", options.editor)):
        if model is not None:
            from visavis.comparing.by_model.model import as_model

            as_model(model, name)
    check_gamma(options.gamma)
    kernel_kind(options.chosen_kernel)
    create_method(options.method, options.choice_parameters)


def _check_colors(colors: Any) -> None:
    if not isinstance(colors, Mapping):
        raise InvalidParameter(f"colors must map groups to colors, such as {{'right': '#c33'}}, got {colors!r}")
    for name, color in colors.items():
        if not isinstance(color, str) or not re.fullmatch(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})", color):
            raise InvalidParameter(f"the color of {name!r} must be written like #c33 or #cc3333, got {color!r}")

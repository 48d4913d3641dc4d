"""What a study can be told before it is designed."""

from __future__ import annotations

from dataclasses import InitVar, asdict, dataclass, replace
from typing import Any

from visavis.comparing.documents import DocumentOptions, embedder_name
from visavis.errors import InvalidParameter
from visavis.inputs import check_whole
from visavis.select.methods import row_of
from visavis.study.shape import PER_SHEET
from visavis.study.tasks import SORT, TASKS

STUDY_METHODS = ("kmeans", "nn-comp-greedy", "mmd-diff-greedy", "mmd-diff-grad")
SAMPLINGS = ("balanced", "uniform")
_LEAST = (
    ("size", 1), ("questions", 1), ("judgements", 1), ("seed", 0), ("comparisons", 1), ("documents", 1), ("checks", 0),
)  # fmt: skip


@dataclass(frozen=True)
class StudyPlan(DocumentOptions):
    """How a corpus becomes a study: DocumentOptions say which documents take part, and the rest what is made of them.

    The command's options have the same names, but for --pairs (`top`); `test_share` cannot be set there. `top` is how
    many of the best pairs each method brings (None takes all pairs); pairs below `min_accuracy` are too hard for
    people. `questions` test articles a pair, `judgements` for every question and method. `sampling` is "balanced" (at
    least two test articles of each group; one where there are three questions) or "uniform" (as in the paper).
    `mask_dates` and `mask_names` hide dates and the groups' names in all texts, golds included; `also_mask` holds
    further names, "GROUP=NAME" or "NAME". `lead` is also what workers read of an article, so that it is never "auto";
    `sentences` is another name for it.

    Of a study of preferences (`task` "prefer"), `comparisons` sets of documents are summarized by all methods; every
    method is compared with every other, or all with the one that `against` names. `documents` of each group, drawn at
    random, say what it is; `checks` golds are made where none are given.
    """

    methods: tuple[str, ...] = STUDY_METHODS
    lead: int | None = 3
    size: int = 4
    top: int | None = 10
    min_accuracy: float = 0.65
    questions: int = 6
    judgements: int = 3
    sampling: str = "balanced"
    mask_dates: bool = False
    mask_names: bool = False
    also_mask: tuple[str, ...] = ()
    seed: int = 0
    gamma: float | str = "median"
    contrast: float = 0.1
    test_share: float = 0.2
    few_golds: bool = False
    task: str = SORT
    against: str = ""
    comparisons: int = 24
    documents: int = 4
    checks: int = 16
    sentences: InitVar[int | None] = None

    def __post_init__(self, sentences: int | None) -> None:
        if sentences is not None:
            object.__setattr__(self, "lead", sentences)
        super().__post_init__()
        if isinstance(self.lead, str):
            raise InvalidParameter(f"lead must be the sentences that people read, or all, got {self.lead!r}")
        for name in self.methods:
            row_of(name)  # raises for a name that is none
        if not self.methods or len(set(self.methods)) != len(self.methods):
            raise InvalidParameter(f"methods must be distinct names, got {', '.join(self.methods) or 'none'}")
        for name, low in _LEAST:
            check_whole(name, getattr(self, name), low=low)
        if self.questions % PER_SHEET:
            raise InvalidParameter(
                f"questions={self.questions} do not fill questionnaires of {PER_SHEET}: take a multiple of {PER_SHEET}"
            )
        if self.also_mask and not self.mask_names:
            raise InvalidParameter(f"also_mask={', '.join(self.also_mask)} needs mask_names: say --mask-names as well")
        if self.task not in TASKS:
            raise InvalidParameter(f"task must be 'sort' or 'prefer', got {self.task!r}")
        if self.sampling not in SAMPLINGS:
            raise InvalidParameter(f"sampling must be 'balanced' or 'uniform', got {self.sampling!r}")
        if not 0 <= self.min_accuracy <= 1:
            raise InvalidParameter(f"min_accuracy must lie in 0..1, got {self.min_accuracy!r}")
        if not 0 < self.test_share < 1:
            raise InvalidParameter(f"test_share must lie between 0 and 1, got {self.test_share!r}")

    def describe(self) -> dict[str, Any]:
        """The plan in JSON's types."""
        return asdict(replace(self, embedder=embedder_name(self.embedder)))


def read_pairs(written: str) -> int | None:
    """How many pairs each method brings: "top:10", or None for "all"."""
    if written == "all":
        return None
    word, _, number = written.partition(":")
    if word != "top" or not number.isdigit() or int(number) < 1:
        raise InvalidParameter(f"pairs must be 'all' or 'top:N', for instance top:10, got {written!r}")
    return int(number)

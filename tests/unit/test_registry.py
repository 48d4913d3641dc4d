from importlib.metadata import EntryPoint

import numpy as np
import pytest

from visavis import registry
from visavis.errors import MissingExtra, UnknownName
from visavis.registry import Registry, Row
from visavis.select import METHODS, OBJECTIVES, OPTIMIZERS, ComparativeSummarizer
from visavis.select.methods import Pair

SHELVES = Registry(
    "container",
    {
        "list": Row("builtins:list", "a list"),
        "fraction": Row("fractions:Fraction", "a fraction"),
        "neural": Row("a_module_that_nobody_has:Thing", "a thing", extra="neural"),
        "broken": Row("another_module_that_nobody_has:Thing", "a thing of our own"),
    },
)

OUTSIDE = Pair("mmd", "greedy", "a method of another package")


def outside(monkeypatch, group, **targets):
    entries = [EntryPoint(name.replace("_", "-"), target, group) for name, target in targets.items()]
    monkeypatch.setattr(registry, "entry_points", lambda group: [e for e in entries if e.group == group])


def test_a_name_becomes_the_object_behind_it():
    assert SHELVES.load("list") is list
    assert SHELVES.create("fraction", 1, denominator=2) == 0.5


def test_a_table_tells_what_it_holds():
    assert list(SHELVES) == ["list", "fraction", "neural", "broken"]
    assert "list" in SHELVES
    assert "tuple" not in SHELVES


def test_a_near_name_is_suggested_and_all_are_listed():
    with pytest.raises(UnknownName, match=r"^unknown container 'lisst'; did you mean 'list'\?") as refused:
        SHELVES.load("lisst")
    assert str(refused.value).endswith("There are: list, fraction, neural, broken")


def test_a_name_like_no_other_is_answered_by_the_list_alone():
    with pytest.raises(UnknownName, match=r"^unknown container 'qqq'[.;:] There are: list, fraction") as refused:
        SHELVES.load("qqq")
    assert "did you mean" not in str(refused.value)


@pytest.mark.parametrize("name", [None, 3, ""])
def test_what_is_no_name_is_unknown(name):
    with pytest.raises(UnknownName, match="unknown container"):
        SHELVES.load(name)


def test_a_missing_extra_is_answered_by_the_command_that_installs_it():
    with pytest.raises(MissingExtra, match=r"a_module_that_nobody_has.*pip install 'visavis\[neural\]'$") as refused:
        SHELVES.create("neural")
    assert isinstance(refused.value, ImportError)
    assert isinstance(refused.value, ValueError)


def test_a_fault_of_our_own_is_not_blamed_on_an_extra():
    with pytest.raises(ModuleNotFoundError, match="another_module_that_nobody_has"):
        SHELVES.load("broken")


def test_another_package_may_add_a_row(monkeypatch):
    outside(monkeypatch, "visavis.container", ordered_dict="collections:OrderedDict")
    assert SHELVES.create("ordered-dict", a=1) == {"a": 1}
    with pytest.raises(UnknownName, match=r"did you mean 'ordered-dict'\?.*broken, ordered-dict$"):
        SHELVES.load("ordered-dicts")


def test_another_package_may_not_replace_a_row(monkeypatch):
    outside(monkeypatch, "visavis.container", list="builtins:tuple")
    assert SHELVES.load("list") is list


def test_a_table_tells_what_other_packages_add(monkeypatch):
    outside(monkeypatch, "visavis.container", ordered_dict="collections:OrderedDict", list="builtins:tuple")
    assert SHELVES.names() == tuple(SHELVES) == ("list", "fraction", "neural", "broken", "ordered-dict")
    assert "ordered-dict" in SHELVES
    with pytest.raises(UnknownName, match=r"did you mean 'ordered-dict'\?"):
        SHELVES.load("ordered-dicts")


def test_other_packages_are_looked_for_once_and_not_for_what_is_known(monkeypatch):
    asked = []
    monkeypatch.setattr(registry, "entry_points", lambda group: asked.append(group) or [])
    assert "list" in SHELVES
    assert SHELVES.load("list") is list
    assert asked == []
    assert "tuple" not in SHELVES
    assert "deque" not in SHELVES
    assert len(list(SHELVES)) == 4
    assert asked == ["visavis.container"]


def test_rows_of_another_kind_are_not_seen(monkeypatch):
    outside(monkeypatch, "visavis.other", dict="builtins:dict")
    with pytest.raises(UnknownName):
        SHELVES.load("dict")


def test_a_method_of_another_package_is_found_by_name(monkeypatch):
    outside(monkeypatch, "visavis.method", our_own=f"{__name__}:OUTSIDE")
    X, y = np.random.default_rng(0).normal(size=(12, 3)), np.repeat([0, 1], 6)
    picked = [ComparativeSummarizer(method, 2).fit(X, y).prototype_indices_ for method in ("our-own", "mmd+greedy")]
    assert picked[0].tolist() == picked[1].tolist()


def test_an_objective_and_an_optimizer_of_another_package_are_found_by_name(monkeypatch):
    X, y = np.random.default_rng(0).normal(size=(12, 3)), np.repeat([0, 1], 6)
    expected = ComparativeSummarizer("nearest+greedy", 2).fit(X, y).prototype_indices_.tolist()
    outside(monkeypatch, "visavis.optimizer", keen="visavis.select.optimizers.greedy:Greedy")
    assert ComparativeSummarizer("nearest+keen", 2).fit(X, y).prototype_indices_.tolist() == expected
    outside(monkeypatch, "visavis.objective", own="visavis.select.objectives.mmd:MMDPlain")
    assert ComparativeSummarizer("own+greedy", 2).fit(X, y).objective_value_ < 2.0


@pytest.mark.parametrize("table", [OBJECTIVES, OPTIMIZERS], ids=lambda table: table.kind)
def test_every_row_of_our_tables_loads(table):
    assert all(callable(table.load(name)) for name in table)


def test_every_method_says_what_it_is():
    assert all(row.about for row in METHODS.values())
    assert len({row.about for row in METHODS.values()}) == len(METHODS)

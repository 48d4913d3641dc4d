from __future__ import annotations

import sys

import pytest

from visavis.errors import MissingExtra
from visavis.shared.extras import command, needs, require
from visavis.shared.names import did_you_mean, nearest, unknown


def test_an_unknown_name_is_told_with_the_nearest_and_all_there_are() -> None:
    assert str(unknown("fruit", "aple", ["apple", "pear"])) == (
        "unknown fruit 'aple'; did you mean 'apple'? There are: apple, pear"
    )
    assert str(unknown("fruit", "xyz", ["apple", "pear"])) == "unknown fruit 'xyz'. There are: apple, pear"
    assert str(unknown("fruit", "xyz", [])) == "unknown fruit 'xyz'. There are: none"
    assert str(unknown("number", "x", map(str, range(40)))).endswith("28, 29 and 10 more")
    assert "'a\\nb'" in str(unknown("fruit", "x", ["a\nb"]))


def test_the_nearest_is_none_where_nothing_is_like_it() -> None:
    assert nearest("aple", ["pear", "apple"]) == "apple"
    assert nearest("aple", ["pear", "apple"], cutoff=0.95) is None
    assert did_you_mean("xyz", ["apple"]) == ""


def test_what_an_extra_would_bring_is_told_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "altair", None)
    told = r"^a figure needs altair, which is not installed: pip install 'visavis\[figures\]'$"
    with pytest.raises(MissingExtra, match=told) as refused, needs("figures", "a figure"):
        import altair  # noqa: F401
    assert isinstance(refused.value.__cause__, ImportError)
    with pytest.raises(MissingExtra, match=told):
        require("json", "altair", extra="figures", what="a figure")
    with pytest.raises(MissingExtra, match=r"nobody_has\.this"):
        require("nobody_has.this", extra="figures", what="a figure")
    require("json", extra="figures", what="a figure")
    assert command("web") == "pip install 'visavis[web]'"


def test_a_fault_of_our_own_is_not_blamed_on_an_extra() -> None:
    with pytest.raises(ModuleNotFoundError, match=r"visavis\.nowhere") as refused, needs("figures", "a figure"):
        import visavis.nowhere  # noqa: F401
    assert not isinstance(refused.value, MissingExtra)
    with pytest.raises(MissingExtra, match="one"), needs("web", "two"), needs("figures", "one"):
        import a_module_that_nobody_has  # noqa: F401

from __future__ import annotations

import inspect

import pytest

from walking import walk


@pytest.mark.parametrize("method", ["a", "b"])
@walk("left, right", [(1, 2), (2, 4)])
def test_a_walk_stands_beside_parameters_and_fixtures(method, left, right, tmp_path):
    assert method in "ab"
    assert 2 * left == right
    assert tmp_path.is_dir()


def test_every_case_runs_and_those_that_fail_are_told_by_name():
    seen = []

    @pytest.mark.parametrize("method", ["a"])
    @walk("number", range(4))
    def walked(method, number):
        seen.append((method, number))
        assert number != 2, "it is two"
        assert number != 3, "it is three"

    assert list(inspect.signature(walked).parameters) == ["method"]
    assert [mark.name for mark in walked.pytestmark] == ["parametrize"]
    with pytest.raises(AssertionError, match="it is two") as failed:
        walked(method="a")
    assert seen == [("a", number) for number in range(4)]
    notes = "\n".join(failed.value.__notes__)
    assert "in the case of number=2; 2 of 4 cases fail" in notes
    assert "so does number=3: AssertionError: it is three" in notes


def test_what_should_have_been_raised_and_was_not_is_a_failure():
    @walk("text", ["x", "3"], ids=str.upper)
    def walked(text):
        with pytest.raises(ValueError, match="invalid"):
            int(text)

    with pytest.raises(pytest.fail.Exception, match="DID NOT RAISE") as failed:
        walked()
    assert failed.value.__notes__ == ["in the case of text=3; 1 of 2 cases fail"]


def test_a_walk_over_nothing_is_refused():
    with pytest.raises(AssertionError, match="over nothing"):
        walk("number", [])


def test_a_case_that_skips_hides_no_failure():
    @walk("number", range(3))
    def walked(number):
        if number == 1:
            pytest.skip("not here")
        assert number != 0

    with pytest.raises(AssertionError) as failure:
        walked()
    assert "2 of 3 cases fail" in failure.value.__notes__[0]

"""What every embedder, reader and report format promises; a new row of a table is tested without being told."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from unit.report.summaries import news, outlets
from visavis.contracts import Cacheable
from visavis.corpus import read_corpus
from visavis.corpus.readers import PICTURE_SUFFIXES, READERS, TEXT_SUFFIXES, ZIPPED_SUFFIXES
from visavis.embed import EMBEDDERS
from visavis.errors import MissingExtra, VisavisError
from visavis.records import SetAside, Term
from visavis.report import RENDERERS, facts, render, write

# --- embedders --------------------------------------------------------------------------------------------------------
pytestmark = pytest.mark.usefixtures("forked_parsers")
OF_PICTURES = ("pixels",)
TEXTS = [
    "The minister spoke to the party about a new law",
    "Snow fell on the glacier and the river froze",
    "",
    "The company sold a million shares of its stock",
    "A storm flooded the streets of the old town",
    "   ",
    "Voters chose a new government in the spring",
    "Fish and coral die where the sea grows warm",
]
every_embedder = pytest.mark.parametrize("name", list(EMBEDDERS))


def embedder_of(name):
    try:
        return EMBEDDERS.create(name)
    except MissingExtra as missing:
        told = str(missing)
    assert "pip install 'visavis[" in told
    return pytest.skip(told)


@pytest.fixture
def given(tmp_path):
    """What an embedder is given: texts, two of them blank, or as many pictures, two of which cannot be read."""

    def make(name):
        if name not in OF_PICTURES:
            return list(TEXTS)
        image = pytest.importorskip("PIL.Image")
        rng = np.random.default_rng(0)
        paths = []
        for n, text in enumerate(TEXTS):
            path = tmp_path / f"{n}.png"
            if text.strip():
                image.fromarray(rng.integers(0, 255, (20, 20), np.uint8)).save(path)
            else:
                path.write_text("no picture")
            paths.append(str(path))
        return paths

    return make


@every_embedder
def test_an_embedder_gives_finite_vectors_and_a_reason_for_each_that_is_missing(name, given):
    found = embedder_of(name).embed(given(name))
    assert found.vectors.dtype == np.float32
    assert found.vectors.ndim == 2
    assert np.isfinite(found.vectors).all()
    assert found.kept.tolist() == [0, 1, 3, 4, 6, 7]
    assert len(found.vectors) == 6
    assert [place for place, _ in found.missing] == [2, 5]
    assert all(reason for _, reason in found.missing)
    assert len(np.unique(found.vectors, axis=0)) == 6


@every_embedder
def test_an_embedder_gives_the_same_again_and_says_what_made_it(name, given):
    what = given(name)
    first, second = (embedder_of(name).embed(what) for _ in range(2))
    assert np.array_equal(first.vectors, second.vectors)
    assert first.parameters == second.parameters
    assert json.loads(json.dumps(first.parameters)) == first.parameters
    assert embedder_of(name).name


@every_embedder
def test_what_an_embedder_is_not_fitted_on_does_not_touch_the_others(name, given):
    embedder = embedder_of(name)
    what = given(name)
    rows = np.array([0, 1, 3, 4])
    before = embedder.embed(what, rows)
    after = embedder.embed([*what[:6], what[0], what[1]], rows)
    assert np.allclose(before.vectors[:4], after.vectors[:4], atol=1e-6)
    assert np.allclose(after.vectors[4:], after.vectors[:2], atol=1e-6)  # equal texts have equal vectors


@every_embedder
def test_an_embedder_refuses_rows_that_are_not_there(name, given):
    with pytest.raises(VisavisError, match="fit_on"):
        embedder_of(name).embed(given(name), np.array([0, 99]))


@every_embedder
def test_nothing_to_embed_gives_nothing(name):
    found = embedder_of(name).embed([])
    assert len(found.vectors) == len(found.kept) == len(found.missing) == 0


@every_embedder
def test_a_cacheable_embedder_has_a_fingerprint_that_stays(name, given):
    embedder = embedder_of(name)
    if not isinstance(embedder, Cacheable):
        pytest.skip("it is not kept")
    what = given(name)
    assert embedder.fingerprint(what) == embedder_of(name).fingerprint(what) != ""


# --- readers ----------------------------------------------------------------------------------------------------------
GARBAGE = {
    "empty": b"",
    "spaces": b" \n \n",
    "zeros": b"\0" * 500,
    "noise": np.random.default_rng(0).bytes(4000),
    "zip": b"PK\x03\x04" + b"\0" * 200,
    "hdf5": b"\x89HDF\r\n\x1a\n" + b"\xff" * 200,
    "sqlite": b"SQLite format 3\0" + b"\xff" * 200,
    "parquet": b"PAR1" + b"\xff" * 40 + b"PAR1",
    "png": b"\x89PNG\r\n\x1a\n" + b"\xff" * 40,
    "brackets": b"[" * 3000,
}
every_reader = pytest.mark.parametrize("suffix", list(READERS))


def one_line_about(error, name):
    assert str(error).isprintable()
    assert name in str(error)


@every_reader
def test_a_reader_is_there_and_says_what_it_reads(suffix):
    assert suffix.startswith(".")
    assert suffix == suffix.lower()
    assert callable(READERS.load(suffix))


@every_reader
@pytest.mark.parametrize("kind", ["empty", "noise"])
def test_a_reader_refuses_garbage_in_one_line_that_names_the_file(suffix, kind, tmp_path):
    path = tmp_path / f"thing{suffix}"
    path.write_bytes(GARBAGE[kind])
    with pytest.raises(VisavisError) as caught:
        read_corpus(path)
    one_line_about(caught.value, path.name)
    assert path.read_bytes() == GARBAGE[kind]


@pytest.mark.parametrize("kind", sorted(GARBAGE))
@pytest.mark.parametrize("target", sorted({READERS.load(suffix).__module__ for suffix in READERS}))
def test_a_file_of_another_kind_is_refused_or_read_but_never_a_fault(target, kind, tmp_path):
    suffix = next(suffix for suffix in READERS if READERS.load(suffix).__module__ == target)
    path = tmp_path / f"thing{suffix}"
    path.write_bytes(GARBAGE[kind])
    try:
        corpus = read_corpus(path)
    except VisavisError as error:
        one_line_about(error, path.name)
    else:
        assert corpus.documents
        assert all(document.title or document.text for document in corpus.documents)


@every_reader
def test_a_missing_file_and_a_folder_of_that_name_are_refused(suffix, tmp_path):
    with pytest.raises(VisavisError, match="no such file"):
        read_corpus(tmp_path / f"thing{suffix}")
    (tmp_path / f"thing{suffix}").mkdir()
    with pytest.raises(VisavisError, match="the folder is empty"):
        read_corpus(tmp_path / f"thing{suffix}")


def test_the_lists_of_suffixes_name_readers():
    assert {*PICTURE_SUFFIXES, *TEXT_SUFFIXES, *ZIPPED_SUFFIXES} <= set(READERS)


# --- reports ----------------------------------------------------------------------------------------------------------
HOSTILE = "<script>alert(1)</script> \ud800 =1+1 \u202e | `x` \x00 ](javascript:x)"


def hostile():
    """A summary in which every text is against us."""
    summary = outlets()
    group = summary.groups[0]
    document = replace(group.picks[0].document, title=HOSTILE, text=HOSTILE, source=HOSTILE, url="javascript:x")
    pick = replace(group.picks[0], document=document, words=(HOSTILE,))
    group = replace(
        group, name=HOSTILE, picks=(pick, *group.picks[1:]), terms=(Term(HOSTILE, 3, 0.5, 0, 0.0, telling=True),)
    )
    away = (SetAside(HOSTILE, (HOSTILE,)),)
    return replace(
        summary, title=HOSTILE, by=HOSTILE, groups=(group, *summary.groups[1:]), warnings=(HOSTILE,), set_aside=away
    )


def bare():
    """A summary of one group, with nothing that may be missing."""
    summary = news(1, 1)
    group = summary.groups[0]
    pick = replace(group.picks[0], stability=None, words=(), scores=replace(group.picks[0].scores, diversity=None))
    return replace(
        summary, groups=(replace(group, picks=(pick,), terms=()),), test=(), accuracy=None, ceiling=None, common=(),
        set_aside=(), folded=0, warnings=(), notes=(), size_curve=(), timeline=None, map=None, command="",
    )  # fmt: skip


every_format = pytest.mark.parametrize("suffix", list(RENDERERS))
every_summary = pytest.mark.parametrize("make", [news, outlets, hostile, bare])


@every_format
@every_summary
def test_a_report_is_the_same_each_time_and_is_written_as_rendered(suffix, make, tmp_path):
    rendered = render(make(), suffix)
    assert rendered == render(make(), suffix)
    content = rendered.encode() if isinstance(rendered, str) else rendered
    write(make(), tmp_path / f"report{suffix}")
    assert (tmp_path / f"report{suffix}").read_bytes() == content
    assert len(content) > 100


@every_format
def test_a_report_names_every_pick(suffix):
    rendered = render(news(), suffix)
    content = rendered.encode() if isinstance(rendered, str) else rendered
    for group in news().groups:
        assert group.name.encode() in content or facts.group_name(group).encode() in content
        for pick in group.picks:
            assert pick.document.url.encode() in content


@every_format
def test_a_format_says_what_it_is(suffix):
    assert suffix.startswith(".")


@pytest.mark.parametrize("suffix", [suffix for suffix in RENDERERS if suffix in (".html", ".md")])
def test_formats_that_are_shown_carry_no_script_of_others(suffix):
    shown = render(hostile(), suffix)
    assert "<script>alert" not in shown
    assert "\u202e" not in shown
    assert 'href="javascript:' not in shown

"""What packages outside add to our tables, and objects given where names are."""

from importlib.metadata import EntryPoint

import numpy as np
import pytest

import visavis
from visavis import registry, report
from visavis.cli.main import main
from visavis.comparing.options import make_options
from visavis.corpus import ReadOptions, read_corpus
from visavis.corpus.errors import Unreadable
from visavis.corpus.readers.base import Table
from visavis.datasets import sample_path
from visavis.embed import EMBEDDERS, create_embedder
from visavis.embed.cache import embed_cached
from visavis.embed.fitting import fit_then_embed
from visavis.embed.storing import load_embedder, store_embedder
from visavis.errors import InvalidParameter, UnknownName
from visavis.records import Embedded

pytestmark = pytest.mark.usefixtures("brief_assessment")
SAMPLE = str(sample_path())
QUICK = {"by": "outlet", "method": "mmd-diff-greedy", "size": 2, "jobs": 1}


def read_xyz(source, options):  # noqa: ARG001
    """One document a line, its outlet before a colon."""
    with source.open() as stream:
        lines = stream.read().decode().splitlines()
    rows = [(n, dict(zip(("outlet", "text"), line.split(": ", 1), strict=True))) for n, line in enumerate(lines, 1)]
    return Table(source.name, source.stem, ("outlet", "text"), rows)


def render_foo(summary):
    return "\n".join(f"{group.name}: {pick.document.id}" for group in summary.groups for pick in group.picks)


class Letters:
    """How often a text has each letter, less their mean among the texts it is fitted on."""

    name = "my-embedder"
    needs_fitting = True
    embed = fit_then_embed

    def fit(self, texts):
        return FittedLetters(np.array([count(text) for text in texts], np.float32).reshape(-1, 26).mean(axis=0))

    def restore(self, parameters, arrays):  # noqa: ARG002
        return FittedLetters(arrays["mean"])


class FittedLetters:
    parameters = {"embedder": "my-embedder"}  # noqa: RUF012

    def __init__(self, mean):
        self.mean = mean

    def embed(self, texts):
        vectors = np.array([count(text) for text in texts], np.float32).reshape(-1, 26) - self.mean
        return Embedded(vectors, np.arange(len(texts)), (), (), self.parameters, self)

    def arrays(self):
        return {"mean": self.mean}


def count(text):
    return [text.lower().count(letter) for letter in "abcdefghijklmnopqrstuvwxyz"]


@pytest.fixture
def installed(monkeypatch):
    """As if another package were installed that offers a reader, a report format and an embedder."""
    offered = [("reader", ".xyz", "read_xyz"), ("report", ".foo", "render_foo"), ("embedder", "my-embedder", "Letters")]
    entries = [EntryPoint(name, f"{__name__}:{target}", f"visavis.{kind}") for kind, name, target in offered]
    monkeypatch.setattr(registry, "entry_points", lambda group: [e for e in entries if e.group == group])


@pytest.fixture
def lines(tmp_path):
    path = tmp_path / "news.xyz"
    path.write_text("\n".join(f"{'AB'[n % 2]}: story {n} of {'sea law sun war'.split()[n % 4]}" for n in range(12)))  # noqa: SIM905
    return path


# --- readers ----------------------------------------------------------------------------------------------------------
@pytest.mark.usefixtures("installed")
def test_a_reader_from_outside_reads_its_suffix(lines):
    assert [document.fields["outlet"] for document in read_corpus(lines).documents[:3]] == ["A", "B", "A"]
    assert len(read_corpus([str(lines), SAMPLE]).documents) > 12  # a list of names of files, not of texts
    assert len(visavis.compare(str(lines), **QUICK).groups) == 2


def test_without_it_the_suffix_is_refused(lines):
    with pytest.raises(Unreadable, match=r"no reader for the suffix '\.xyz'"):
        read_corpus(lines)


def test_a_reader_may_be_given(lines, tmp_path):
    options = ReadOptions(readers={".xyz": read_xyz, ".png": read_xyz})
    assert len(read_corpus(lines, options).documents) == 12
    assert len(read_corpus(str(tmp_path / "*.xyz"), options).documents) == 12
    (tmp_path / "lines.png").write_text("A: no picture")
    assert read_corpus(tmp_path / "lines.png", options).documents[0].text == "no picture"
    assert len(read_corpus([str(lines), str(tmp_path / "lines.png")], options).documents) == 13
    (tmp_path / "news.zzz").write_text("A: x")
    with pytest.raises(Unreadable, match=r"\.zzz.*there are \.csv.*\.xyz"):
        read_corpus(tmp_path / "news.zzz", options)


@pytest.mark.parametrize("readers", [{".xyz": "read_xyz"}, {"xyz": read_xyz}, {".XYZ": read_xyz}])
def test_readers_that_could_never_read_are_refused(readers, lines):
    with pytest.raises(InvalidParameter, match="readers maps suffixes"):
        read_corpus(lines, ReadOptions(readers=readers))


# --- report formats ---------------------------------------------------------------------------------------------------
@pytest.mark.usefixtures("installed")
def test_the_command_writes_a_format_from_outside(tmp_path, capsys):
    words = [SAMPLE, "--by", "outlet", "--method", "mmd-diff-greedy", "--size", "2", "--jobs", "1"]
    with pytest.raises(SystemExit) as done:
        main(["compare", *words, "-o", str(tmp_path / "x.foo")])
    assert done.value.code == 0, capsys.readouterr().err
    assert (tmp_path / "x.foo").read_text() == render_foo(visavis.compare(SAMPLE, **QUICK))


def test_without_it_the_command_refuses_at_once(tmp_path, capsys):
    with pytest.raises(SystemExit) as done:
        main(["compare", SAMPLE, "--by", "outlet", "-o", str(tmp_path / "x.foo")])
    assert done.value.code == 2
    assert "has no known format; end it in one of .html, .md" in capsys.readouterr().err


def test_a_format_may_be_given(tmp_path):
    summary = visavis.compare(SAMPLE, **QUICK)
    report.write_as(summary, tmp_path / "x.txt", render_foo)
    assert (tmp_path / "x.txt").read_text() == report.render(summary, render_foo) == render_foo(summary)
    with pytest.raises(InvalidParameter, match="a report format is a suffix"):
        report.write_as(summary, tmp_path / "x.txt", 3)
    with pytest.raises(UnknownName, match=r"'\.foo'"):
        report.render(summary, ".foo")


# --- embedders --------------------------------------------------------------------------------------------------------
@pytest.mark.usefixtures("installed")
def test_an_embedder_from_outside_is_found_by_a_name_with_dashes(tmp_path):
    assert "my-embedder" in EMBEDDERS
    assert isinstance(create_embedder("my-embedder"), Letters)
    assert visavis.compare(SAMPLE, embedder="my-embedder", **QUICK).parameters["embedder"] == "my-embedder"
    with pytest.raises(UnknownName, match="did you mean 'my-embedder'"):
        create_embedder("my-embeder")
    texts = ["one", "two", "three"]
    fitted = create_embedder("my-embedder").embed(texts, np.array([0, 2])).fitted
    store_embedder(fitted, tmp_path / "fitted.npz")
    assert np.array_equal(load_embedder(tmp_path / "fitted.npz").embed(texts).vectors, fitted.embed(texts).vectors)


def test_an_embedder_may_be_given():
    mine = Letters()
    assert create_embedder(mine) is mine
    assert make_options(embedder=mine, by="outlet").embedder is mine
    assert embed_cached(create_embedder(mine), ["one", "two"]).vectors.shape == (2, 26)


@pytest.mark.parametrize("thing", [3, None, np.eye(3), Letters, FittedLetters(0), object()])
def test_what_is_no_embedder_is_refused(thing):
    with pytest.raises(InvalidParameter, match=r"embedder must be a name or a file, got .* needs_fitting"):
        create_embedder(thing)

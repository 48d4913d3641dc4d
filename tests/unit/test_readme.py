"""Documentation runs: every Python block, and every line that calls visavis, in the order of its page."""

from __future__ import annotations

import contextlib
import io
import pkgutil
import re
import shlex
import sys
import tomllib
from importlib.metadata import EntryPoint
from types import ModuleType

import click
import pytest

from conftest import ROOT
from unit.desks import DESKS, explore, put_articles, serve
from unit.pages import PAGES, blocks, parse, read, stray_lines, visavis_lines, visavis_words
from visavis import registry
from visavis.cli.main import COMMANDS, command, main
from visavis.collect.sources import SOURCES
from visavis.corpus.readers import READERS
from visavis.embed import EMBEDDERS
from visavis.evaluate.classifiers import CLASSIFIERS
from visavis.kernel import KERNELS
from visavis.report import RENDERERS
from visavis.select import OBJECTIVES, OPTIMIZERS
from walking import walk

pytestmark = pytest.mark.usefixtures("brief_assessment", "figures_undrawn", "one_reader")

NOT_RUN = {  # the only lines that are read and not run, with the reason
    "visavis evaluate --dataset usps --methods paper --out usps": "9,298 digits and ten splits: most of an hour",
    "visavis compare '/shared/news/*.parquet' --by published:year --engine dask://10.0.0.5:8786 -o news.html": (
        "another machine's cluster; tests/unit/engines/test_cluster.py has one of its own"
    ),
}
SHORTER = {  # minutes as they stand: what is added to them here
    "visavis study design articles.csv --task prefer --by outlet --methods mmd-diff-grad,kmeans,random "
    "--comparisons 24 --out readers.db": "--comparisons 3",
    "visavis study simulate study.db --accuracy 0.8 --workers 200 --concurrency 20 --abandon 0.3": (
        "--workers 12 --concurrency 4"
    ),
    "visavis study simulate readers.db --accuracy 0.8 --workers 60 --out rehearsed.db": "--workers 10",
    "visavis evaluate articles.csv --by published:month --out months": "--splits 2 --sizes 2 --grid fixed",
    "visavis evaluate articles.csv --by published:month --embedder glove --out months-glove": (
        "--splits 2 --sizes 2 --grid fixed"
    ),
    "visavis evaluate articles.csv --by outlet --blocks published:week --out weeks-apart": (
        "--splits 1 --sizes 2 --grid fixed --no-ceilings"
    ),
    "visavis evaluate articles.csv --by outlet --candidates worthy --out as-compared": (
        "--splits 1 --sizes 2 --grid fixed --no-ceilings"
    ),
    "visavis update week.state articles.csv --by outlet --size 3 -o week.html": "--quick",
    "visavis update week.state new.csv -o week.html -o week.md": "--quick",
    "visavis evaluate --dataset digits --methods paper --out digits": "--splits 1 --sizes 2 --grid fixed --no-ceilings",
}
KINDS = ("objective", "optimizer", "method", "kernel", "embedder", "reader", "report", "classifier", "source")
# options that name what is written
WRITTEN = ("-o", "--out", "--chart", "--table", "--articles", "--html", "--propose")


def python_blocks():
    for page in PAGES:
        for number, block in enumerate(blocks(page, "python")):
            yield pytest.param(block, id=f"{page.name}-{number}")


def documented_options(name):
    """What the page says of a command's options: how each is written → its description."""
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    section = re.search(rf"^## visavis {name}\n(.*?)(?=^## |\Z)", page, re.M | re.S)
    if section is None:
        return {}
    items = re.findall(r"^- `([^`]+)`: (.*?)(?=^\S|^$|\Z)", section.group(1), re.M | re.S)
    return {written: " ".join(description.split()) for written, description in items}


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """A working folder that holds articles.csv, the bundled sample; whoever asks is answered yes."""
    put_articles(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\n"))
    return tmp_path


@pytest.mark.parametrize("block", list(python_blocks()))
def test_python_block_runs(block, desk):
    exec(compile(block, "documentation", "exec", dont_inherit=True), {"__name__": "documentation"})
    for name in re.findall(r'(?:to_\w+|write)\("([^"]+)"\)', block):
        assert (desk / name).stat().st_size > 0


def test_the_objective_of_the_page_is_found_by_name_as_the_page_says(desk, monkeypatch, capsys):
    page = ROOT / "docs" / "extending.md"
    package = ModuleType("my_package")
    monkeypatch.setitem(sys.modules, "my_package", package)
    exec(compile(blocks(page, "python")[0], "documentation", "exec", dont_inherit=True), package.__dict__)
    declared = tomllib.loads(blocks(page, "toml")[0])["project"]["entry-points"]
    offered = [EntryPoint(name, at, group) for group, entries in declared.items() for name, at in entries.items()]
    monkeypatch.setattr(registry, "entry_points", lambda group: [entry for entry in offered if entry.group == group])
    (line,) = [words for words in visavis_words(page) if "saturated+greedy" in words]
    run([*line, "--json"], desk, capsys)


@pytest.mark.parametrize("page", [pytest.param(page, id=page.name) for page in PAGES if visavis_lines(page)])
def test_documented_lines_run_in_the_order_of_their_page(page, desk, monkeypatch, capsys):
    with DESKS.get(page.name, lambda *_: contextlib.nullcontext())(desk, monkeypatch):
        for line in visavis_lines(page):
            words = shlex.split(line, comments=True)
            if line in NOT_RUN:
                parse(words)
            elif words[1:3] == ["study", "serve"]:
                serve(words, desk)
            elif words[1] == "explore":
                explore(words, desk)
            else:
                run([*words, *shlex.split(SHORTER.get(line, ""))], desk, capsys)


def run(words, folder, capsys):
    with pytest.raises(SystemExit) as done:
        main(words[1:])
    said = capsys.readouterr()
    assert not done.value.code, f"{shlex.join(words)}: {said.err}"
    written = [words[place + 1] for place, word in enumerate(words) if word in WRITTEN]
    assert [name for name in written if not (folder / name).exists()] == []
    assert said.out or written, words


@walk("page", PAGES, ids=lambda page: page.name)
def test_calls_inside_sentences_name_commands_and_options_that_exist(page):
    for words in visavis_words(page):
        parse(words)
    assert stray_lines(page) == [], "put them into a block of sh, where they are run"


def test_a_renamed_command_or_option_would_be_noticed():
    for written in ("visavis comprae x.csv", "visavis compare x.csv --bye outlet", "visavis study gold improt s.db g"):
        with pytest.raises(click.UsageError):
            parse(written.split())


def test_exceptions_are_lines_of_the_pages():
    lines = {line for page in PAGES for line in visavis_lines(page)}
    assert {*NOT_RUN, *SHORTER} <= lines


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_documented_options_agree_with_the_help(name):
    context = click.Context(command, info_name="visavis", **command.context_settings)
    chosen = command.get_command(context, name)
    inner = click.Context(chosen, parent=context, info_name=name)
    records = [option.get_help_record(inner) for option in chosen.get_params(inner) if isinstance(option, click.Option)]
    helped = {written: " ".join(text.split()) for written, text in records if not written.endswith("--help")}
    documented = documented_options(name)
    documented.pop("-h, --help")
    assert documented.keys() == helped.keys()
    assert [written for written in helped if not documented[written].startswith(helped[written])] == []


def test_pages_link_to_files_that_exist():
    for page in PAGES:
        for target in re.findall(r"\]\((?!https?:)([^)#\s]+)", read(page)):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


@walk("page", PAGES, ids=lambda page: page.name)
def test_names_of_the_library_on_a_page_exist(page):
    groups = {f"visavis.{kind}" for kind in KINDS}  # of entry points
    for name in set(re.findall(r"(?<![\w/.-])visavis(?:\.[A-Za-z_]\w*)+", read(page))) - groups:
        assert pkgutil.resolve_name(name) is not None, name


def test_the_page_on_extending_lists_every_kind():
    tables = [EMBEDDERS, KERNELS, OBJECTIVES, OPTIMIZERS, CLASSIFIERS, READERS, RENDERERS, SOURCES]
    assert {table.kind for table in tables} | {"method"} == set(KINDS)
    assert re.findall(r"^\| `visavis\.(\w+)` \|", read(ROOT / "docs" / "extending.md"), re.M) == list(KINDS)


def test_scripts_that_pages_name_exist():
    named = {name for page in PAGES for name in re.findall(r"\bscripts/\w+\.py", read(page))}
    assert named
    assert [name for name in named if not (ROOT / name).is_file()] == []

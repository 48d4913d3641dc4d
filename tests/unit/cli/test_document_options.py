"""The options that say which documents take part are the same in every command that reads documents."""

from __future__ import annotations

import json
import sqlite3

import click
import pytest
from click.testing import CliRunner

from unit.comparisons import ROWS
from visavis.cli.compare import compare
from visavis.cli.documents import ROLES, document_choices
from visavis.cli.evaluate import evaluate
from visavis.cli.study_design import design
from visavis.comparing.documents import DocumentOptions
from visavis.corpus.readers.base import ROLES as READ_ROLES

pytestmark = pytest.mark.usefixtures("brief_assessment")

COMMANDS = {"compare": compare, "evaluate": evaluate, "study design": design}
SHARED = (
    *(f"--{role}" for role in ROLES), "--sql", "--strict", "--date-order", "--encoding", "--allow-broken", "--by",
    "--group", "--only", "--versus",
    "--min-size", "--small", "--filter", "--embedder",
)  # fmt: skip


def options_of(command):
    context = click.Context(command)
    return {option.opts[0]: option.get_help_record(context) for option in command.params if option.opts[0][0] == "-"}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_every_option_and_words_it_alike(name):
    usual, found = options_of(compare), options_of(COMMANDS[name])
    assert {option: found.get(option) for option in SHARED} == {option: usual[option] for option in SHARED}


def test_as_much_is_read_as_there_is_room_for_unless_people_read_it():
    found = {name: options_of(command)["--lead"] for name, command in COMMANDS.items()}
    assert found["compare"] == found["evaluate"]
    assert "[default: auto]" in found["compare"][1]
    assert "[default: 3]" in found["study design"][1]


def test_roles_are_those_that_reading_knows():
    assert ROLES == READ_ROLES


def test_choices_are_fields_and_names_may_be_repeated_or_joined():
    words = ["x.csv", "--only", "a,b", "--only", "c", "--lead", "all", "--text", "story", "--keep-duplicates"]
    given = compare.make_context("compare", words).params
    chosen = DocumentOptions(**document_choices(given))
    assert chosen == DocumentOptions(only=("a", "b", "c"), lead=None, columns={"text": "story"}, duplicates=False)
    assert not {"only", "lead", "text", "by", "filter_"} & set(given)


@pytest.fixture
def database(tmp_path):
    """Articles whose columns have names that nobody would guess."""
    path = tmp_path / "news.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE news (name, story, place)")
        rows = [(row["id"], f"{row['title']}. {row['text']}", row["place"]) for row in ROWS]
        connection.executemany("INSERT INTO news VALUES (?, ?, ?)", rows)
    return path


READING = ["--sql", "SELECT * FROM news WHERE place != 'none'", "--id", "name", "--text", "story", "--lead", "all"]
GROUPS = ["--by", "place", "--versus", "east", "--min-size", "2", "--filter", "place != 'west'"]
QUICK = {
    "compare": ["--size", "2", "--method", "kmeans", "--jobs", "1"],
    "evaluate": ["--methods", "random", "--sizes", "2", "--splits", "1", "--no-ceilings", "--jobs", "1"],
    "study design": ["--methods", "kmeans", "--size", "2", "--questions", "3", "--min-accuracy", "0"],
}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_reads_and_groups_as_it_is_told(name, database, tmp_path):
    out = {"evaluate": ["--out", str(tmp_path / "run")], "study design": ["--out", str(tmp_path / "s.db")]}
    words = [str(database), *READING, *GROUPS, *QUICK[name], *out.get(name, []), "--json"]
    done = CliRunner().invoke(COMMANDS[name], words)
    assert done.exit_code == 0, (done.output, done.exception)
    found = json.loads(done.stdout)
    groups = {
        "compare": lambda: [group["name"] for group in found["groups"]],
        "evaluate": lambda: list(found["facts"]["groups"]),
        "study design": lambda: found["pairs"][0],
    }[name]()
    assert groups == ["east", "rest"]

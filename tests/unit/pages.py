"""What the README and the pages of docs/ say, as the tests read it: blocks of code, and lines that call visavis."""

from __future__ import annotations

import re
import shlex

import click

from conftest import ROOT
from visavis.cli.main import command

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
SHELLS = ("sh", "console")
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.M | re.S)


def read(page):
    return page.read_text(encoding="utf-8")


def blocks(page, *languages):
    """The blocks of code in these languages, in order."""
    return [body for language, body in FENCE.findall(read(page)) if language in languages]


def visavis_lines(page):
    """Every line of a block that calls visavis, in order, continued lines joined, without the prompt."""
    joined = (re.sub(r"\\\n\s*", "", block) for block in blocks(page, *SHELLS))
    lines = [line.removeprefix("$ ") for block in joined for line in block.splitlines()]
    return [line for line in lines if line.startswith("visavis ")]


def stray_lines(page):
    """Lines that call visavis where no test would find them: in blocks of no language, or indented."""
    outside = "".join(body for language, body in FENCE.findall(read(page)) if language not in SHELLS)
    indented = "\n".join(re.findall(r"^ {4}(.*)$", FENCE.sub("", read(page)), re.M))
    return re.findall(r"^(?:\$ )?visavis .*$", f"{outside}\n{indented}", re.M)


def visavis_words(page):
    """Calls of visavis inside a sentence or a table, as words."""
    return [shlex.split(written) for written in re.findall(r"`(visavis [^`]+)`", FENCE.sub("", read(page)))]


def parse(words):
    """Read a call as the command would, without running it: commands and options must exist, files need not.

    Words in capitals stand for a name and are not looked up. Raises click.UsageError.
    """
    found, rest = command, list(words[1:])
    while isinstance(found, click.Group) and rest and not rest[0].startswith("-"):
        context = click.Context(found)
        inner = found.get_command(context, rest[0])
        if inner is None:
            if rest[0].isupper():
                return
            raise click.UsageError(f"no command {rest[0]!r} in {shlex.join(words)}")
        found, rest = inner, rest[1:]
    found.make_parser(click.Context(found, help_option_names=["-h", "--help"])).parse_args(rest)

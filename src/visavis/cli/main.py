"""`visavis`: the subcommands, loaded when called, and one way to fail."""

from __future__ import annotations

import codecs
import importlib
import io
import os
import sys
import traceback
import warnings
from typing import Any

import click

from visavis._version import __version__
from visavis.errors import VisavisError

_shown_by_python = warnings.showwarning

COMMANDS = {
    "study": ("visavis.cli.study:study", "Ask people: a blind study of summaries, and its analysis."),
    "collect": ("visavis.cli.collect:collect", "Build a corpus on a topic."),
    "evaluate": ("visavis.cli.evaluate:evaluate", "Find out which method tells groups apart best."),
    "compare": ("visavis.cli.compare:compare", "Compare groups of documents and say what tells them apart."),
    "update": ("visavis.cli.update:update", "Say what is new since last time; a state file remembers."),
    "ledger": ("visavis.cli.ledger:ledger", "List the past summaries of a state."),
    "diff": ("visavis.cli.ledger:diff", "Put two past summaries of a state face to face."),
    "explore": ("visavis.cli.explore:explore", "Explore a comparison live in the browser."),
    "demo": ("visavis.cli.demo:demo", "See it work on bundled data."),
    "methods": ("visavis.cli.methods:methods", "List the methods."),
}


class LazyGroup(click.Group):
    """Knows its subcommands by name and imports one only when it runs, so that --help stays quick."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """All names."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The subcommand of that name."""
        if cmd_name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(importlib.import_module(module), attribute)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """The list of subcommands, without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name][1]) for name in sorted(COMMANDS)])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="visavis")
@click.option("--debug", is_flag=True, help="Show the traceback of an error; may stand anywhere.")
def command(debug: bool) -> None:
    """Put groups of documents face to face: pick the few that represent each and tell it apart."""


def main(arguments: list[str] | None = None) -> Any:
    """Run the command; exit 2 for what the user can mend, 1 for a failure of ours, 130 when interrupted."""
    _print_what_can_be_printed()
    given = list(sys.argv[1:] if arguments is None else arguments)
    debug = "--debug" in given
    try:
        words = [word for word in given if word != "--debug"]
        with warnings.catch_warnings():
            warnings.showwarning = _show_warning
            returned = command.main(words, prog_name="visavis", standalone_mode=False)
        status = returned if isinstance(returned, int) else 0
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        status = 2
    except click.ClickException as error:
        click.echo(f"visavis: {_one_line(error.format_message())}{_where_to_look(error)}", err=True)
        status = 2
    except (click.Abort, KeyboardInterrupt):
        click.echo("visavis: interrupted", err=True)
        status = 130
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 0
    except SystemExit as error:
        if not isinstance(error.__context__, BrokenPipeError):  # rich leaves so where its reader has seen enough
            raise
        status = 0
    except Exception as error:
        if debug:
            traceback.print_exc()
        ours = not isinstance(error, VisavisError | OSError)  # a full disk or a closed terminal is no fault of ours
        note = " (a fault of visavis; --debug shows where)" if ours and not debug else ""
        click.echo(f"visavis: {_one_line(str(error) or type(error).__name__)}{note}", err=True)
        status = 1 if ours else 2
    sys.exit(status)


def _print_what_can_be_printed() -> None:
    """Where a terminal cannot show all characters, question marks stand for those it cannot."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and codecs.lookup(stream.encoding).name != "utf-8":
            stream.reconfigure(errors="replace")


def _show_warning(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
    """What visavis itself warns of takes one line; the rest is shown as Python does."""
    if category.__module__ == VisavisError.__module__:
        click.echo(f"visavis: {_one_line(str(message))}", err=True)
    else:
        _shown_by_python(message, category, *place, **more)


def _where_to_look(error: click.ClickException) -> str:
    context = error.ctx if isinstance(error, click.UsageError) else None
    return f" (`{context.command_path} --help` lists what there is)" if context is not None else ""


def _one_line(message: str) -> str:
    return " ".join(message.split())

"""Print the options of a command as docs/commands.md lists them: `python scripts/command_docs.py evaluate`."""

from __future__ import annotations

import sys
import textwrap

import click

from visavis.cli.main import command


def entries(found: click.Command) -> list[str]:
    """One list item an option, as --help words it."""
    context = click.Context(found)
    rows = (option.get_help_record(context) for option in found.get_params(context) if isinstance(option, click.Option))
    return [
        textwrap.fill(f"- `{written}`: {' '.join(text.split())}", 120, subsequent_indent="  ", break_on_hyphens=False)
        for written, text in filter(None, rows)
    ]


def main() -> None:
    """Print the section of every command named."""
    for name in sys.argv[1:]:
        found: click.Command | None = command
        for word in name.split():
            found = found.get_command(click.Context(found), word) if isinstance(found, click.Group) else None
        if found is None:
            sys.exit(f"no command {name!r}")
        print(f"## visavis {name}\n\n{found.help}\n")
        print("\n".join(entries(found)), end="\n\n")


if __name__ == "__main__":
    main()

"""The command: one thin file a subcommand, each parsing, calling one library function, and writing."""

from visavis.cli.main import main

__all__ = ["main"]

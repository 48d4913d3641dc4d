"""Optional dependencies: asking for one that is missing says the exact command that installs it."""

from __future__ import annotations

import contextlib
import importlib.util
from collections.abc import Iterator

from visavis.errors import MissingExtra


@contextlib.contextmanager
def needs(extra: str, what: str) -> Iterator[None]:
    """In this block `what` imports what only an extra brings. Raises MissingExtra where that is not installed."""
    try:
        yield
    except ImportError as error:
        if isinstance(error, MissingExtra) or (error.name or "").partition(".")[0] == "visavis":
            raise  # told already, or a fault of our own
        raise missing(extra, what, error.name or "a component") from error


def require(*modules: str, extra: str, what: str) -> None:
    """Raise MissingExtra unless these modules can be imported; none is."""
    for module in modules:
        if not is_there(module):
            raise missing(extra, what, module)


def missing(extra: str, what: str, module: str) -> MissingExtra:
    """The error where a module is not installed."""
    return MissingExtra(f"{what} needs {module}, which is not installed: {command(extra)}")


def command(extra: str) -> str:
    """What installs an extra."""
    return f"pip install 'visavis[{extra}]'"


def is_there(module: str) -> bool:
    """Whether a module can be imported; it is not."""
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):  # its package is missing, or it was blocked
        return False

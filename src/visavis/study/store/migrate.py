"""Bringing a database to the form this version works with, or saying why that cannot be."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util.exc import CommandError
from sqlalchemy import Connection, inspect

from visavis.errors import VisavisError

MIGRATIONS = Path(__file__).parent / "migrations"


class WrongDatabase(VisavisError):
    """The database holds something other than a study of this or an earlier version."""


def migrate(connection: Connection, name: str, *, create: bool, more: tuple[Path, ...] = ()) -> None:
    """Make or update the tables over a connection that is inside a transaction.

    Raises WrongDatabase for a database of a later version, for one that is no study, and, unless `create`, for an
    empty one. `more` are folders with further steps.
    """
    config = _config(connection, more)
    scripts = ScriptDirectory.from_config(config)
    current = MigrationContext.configure(connection).get_current_revision()
    if current is None:
        tables = inspect(connection).get_table_names()
        if tables:
            raise WrongDatabase(f"{name} is no study: it holds the tables {', '.join(sorted(tables)[:5])}")
        if not create:
            raise WrongDatabase(f"{name} is empty: make a study with `visavis study design`")
    else:
        _check_known(scripts, current, name)
    if current != scripts.get_current_head():
        command.upgrade(config, "head")


def _config(connection: Connection, more: tuple[Path, ...]) -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.set_main_option("path_separator", "newline")
    places = (MIGRATIONS / "versions", *more)
    config.set_main_option("version_locations", "\n".join(map(str, places)))
    config.attributes["connection"] = connection
    return config


def _check_known(scripts: ScriptDirectory, revision: str, name: str) -> None:
    try:
        scripts.get_revision(revision)
    except CommandError as error:
        head = scripts.get_current_head()
        raise WrongDatabase(
            f"{name} was made by a later version of visavis (tables {revision}, this version knows up to {head}): "
            "update visavis"
        ) from error

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import insert, select

from unit.study import studies
from unit.study.stage import Stage, fill
from visavis.cli.study import study as command
from visavis.errors import InvalidParameter
from visavis.shared.locks import InUse
from visavis.study.store import Store, WrongDatabase, open_store, schema, set_fact
from visavis.study.store.alone import alone
from visavis.study.store.backup import back_up, restore

pytest_plugins = ("unit.study.fixtures",)


def content(store: Store) -> dict[str, list]:
    with store.reading() as connection:
        return {
            table.name: [tuple(row) for row in connection.execute(select(table).order_by(*table.primary_key.columns))]
            for table in schema.metadata.sorted_tables
        }


def check_round_trip(store: Store, where: str | Path, folder: Path) -> None:
    """A backup made beside a server holds all that was finished; put back, the study goes on from there."""
    stage = Stage(store)
    stage.finish(stage.next(stage.worker("quiz")))
    before = content(store)
    with alone(store):
        assert back_up(open_store(where), folder / "b.db") == 1
        with pytest.raises(InUse):
            restore(folder / "b.db", open_store(where), replace=True)
    stage.finish(stage.next(stage.worker("quiz")))
    assert content(store) != before
    with pytest.raises(InvalidParameter, match="2 workers"):
        restore(folder / "b.db", store, replace=False)
    assert restore(folder / "b.db", store, replace=True) == 1
    assert content(store) == before
    fill(stage)  # numbers go on where the backup ends


def test_a_study_is_backed_up_beside_its_server_and_restored_without_it(where: str, tmp_path: Path) -> None:
    store = studies.make_study(where, n_pairs=1)
    check_round_trip(store, where, tmp_path)
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(("b.db", ".b.db"))] == ["b.db"]
    assert stat.S_IMODE((tmp_path / "b.db").stat().st_mode) == 0o600
    assert len(content(open_store(tmp_path / "b.db"))["worker"]) == 1  # a file, wherever the study was
    with pytest.raises(InvalidParameter, match="exists already"):
        back_up(store, tmp_path / "b.db")
    with store.writing() as connection:
        set_fact(connection, "id", "another")
    with pytest.raises(WrongDatabase, match="another study"):
        restore(tmp_path / "b.db", store, replace=True)
    store.close()


def test_the_commands_make_a_study_of_a_backup(tmp_path: Path) -> None:
    store = studies.make_study(tmp_path / "s.db", n_pairs=1)
    with store.writing() as connection:
        connection.execute(insert(schema.event).values(at=0.0, kind="x", note="kept"))
    source, backup, made = (str(tmp_path / name) for name in ("s.db", "b.db", "new.db"))
    for words in (["backup", source, "-o", backup], ["restore", backup, made]):
        run = CliRunner().invoke(command, words)
        assert run.exit_code == 0, run.output
    assert content(open_store(tmp_path / "new.db")) == content(store)

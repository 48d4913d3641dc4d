from __future__ import annotations

import sqlite3
import stat
import threading
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import create_engine, insert, inspect, select

from unit.study import studies
from unit.study.databases import SHARED
from unit.study.stage import Stage
from visavis.shared.locks import InUse
from visavis.study.fieldwork import quality
from visavis.study.store import NoStudy, Store, WrongDatabase, open_store, read_facts, schema
from visavis.study.store.alone import alone
from visavis.study.store.copying import copy_design
from visavis.study.store.designs import read_sheets
from visavis.study.store.golds import count_golds
from visavis.study.store.judgements import judgements, material
from visavis.study.store.migrate import _config, migrate
from visavis.study.store.workers import gold_answers

NEXT_STEP = """
import sqlalchemy as sa
from alembic import op
revision, down_revision, branch_labels, depends_on = "9000", "{head}", None, None
def upgrade():
    op.add_column("worker", sa.Column("note", sa.Text))
"""


def test_the_migrations_make_exactly_the_tables_the_code_uses(tmp_path: Path) -> None:
    store = open_store(tmp_path / "s.db", create=True)
    with store.reading() as connection:
        assert compare_metadata(MigrationContext.configure(connection), schema.metadata) == []


def test_sqlite_is_durable_overwrites_what_it_deletes_and_keeps_foreign_keys(tmp_path: Path) -> None:
    store = open_store(tmp_path / "s.db", create=True)
    with store.reading() as connection:
        found = {name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
                 for name in ("journal_mode", "synchronous", "secure_delete", "foreign_keys")}  # fmt: skip
    assert found == {"journal_mode": "wal", "synchronous": 2, "secure_delete": 1, "foreign_keys": 1}


def test_writers_wait_for_each_other_and_none_is_lost(tmp_path: Path) -> None:
    stores = [studies.make_study(tmp_path / "s.db"), open_store(tmp_path / "s.db")]

    def write(store: object) -> None:
        for _ in range(25):
            with store.writing() as connection:
                connection.execute(insert(schema.event).values(at=0.0, kind="x", note=""))

    threads = [threading.Thread(target=write, args=(store,)) for store in stores * 4]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with stores[0].reading() as connection:
        assert len(connection.execute(select(schema.event)).all()) == 200


def test_what_is_no_study_is_refused_clearly(tmp_path: Path) -> None:
    with pytest.raises(NoStudy, match="visavis study design"):
        open_store(tmp_path / "none.db")
    assert not (tmp_path / "none.db").exists()
    other = sqlite3.connect(tmp_path / "other.db")
    other.execute("CREATE TABLE songs (a)")
    other.commit()
    before = (tmp_path / "other.db").read_bytes()
    with pytest.raises(WrongDatabase, match="songs"):
        open_store(tmp_path / "other.db")
    assert (tmp_path / "other.db").read_bytes() == before
    (tmp_path / "text.db").write_text("hello " * 1000)
    for name in ("text.db", "other.db"):
        (tmp_path / name).chmod(0o644)
        with pytest.raises(WrongDatabase):
            open_store(tmp_path / name)
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o644  # not ours: left as it is
    with pytest.raises(WrongDatabase, match="no SQLite database"):
        open_store(tmp_path / "text.db")
    with pytest.raises(NoStudy, match="mysql"):
        open_store("mysql://localhost/x")


def test_a_database_of_a_later_version_is_refused(tmp_path: Path) -> None:
    studies.make_study(tmp_path / "s.db").close()
    raw = sqlite3.connect(tmp_path / "s.db")
    raw.execute("UPDATE alembic_version SET version_num = '9999'")
    raw.commit()
    raw.close()
    with pytest.raises(WrongDatabase, match=r"later version.*9999"):
        open_store(tmp_path / "s.db")


def revision_of(store: Store) -> str:
    with store.reading() as connection:
        return str(connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar())


def test_an_older_database_is_brought_up_to_date_and_keeps_its_rows(tmp_path: Path) -> None:
    store = studies.make_study(tmp_path / "s.db")
    steps = tmp_path / "steps"
    steps.mkdir()
    (steps / "r9000_next.py").write_text(NEXT_STEP.replace("{head}", revision_of(store)))
    with store.writing() as connection:
        migrate(connection, "s.db", create=False, more=(steps,))
    with store.reading() as connection:
        assert connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar() == "9000"
        assert connection.exec_driver_sql("SELECT note FROM worker").all() == []
        assert len(read_facts(connection)["methods"]) == 4


def go_back_to_the_first_version(connection: object) -> None:
    """Undo all that later versions added to the tables."""
    with create_engine("sqlite://").connect() as scratch:
        command.upgrade(_config(scratch, ()), "0001")
        first = {name: {one["name"] for one in inspect(scratch).get_columns(name)}
                 for name in inspect(scratch).get_table_names()}  # fmt: skip
    for table in reversed(schema.metadata.sorted_tables):
        if table.name not in first:
            connection.exec_driver_sql(f"DROP TABLE {table.name}")
            continue
        later = [column for column in table.columns if column.name not in first[table.name]]
        for index in table.indexes:
            if set(index.columns) & set(later):
                connection.exec_driver_sql(f"DROP INDEX {index.name}")
        for column in later:
            connection.exec_driver_sql(f"ALTER TABLE {table.name} DROP COLUMN {column.name}")
    connection.exec_driver_sql("UPDATE alembic_version SET version_num = '0001'")


def check_second_step(store: object, where: str | Path) -> None:
    """A database of the first version learns who was judged: by 18 golds, or by an exclusion for them."""
    stage = Stage(store)
    judged, excluded, fresh = stage.worker("quiz"), stage.worker(), stage.worker()
    for _ in range(5):
        stage.finish(stage.next(judged))
    stage.finish(stage.next(fresh))
    with store.writing() as connection:
        quality.exclude(connection, excluded, "9 of 18 golds right", 0.0)
        assert len(gold_answers(connection, judged)) == 18
    before = judgements(store)
    with store.writing() as connection:
        go_back_to_the_first_version(connection)
    store.close()
    again = open_store(where)
    with again.reading() as connection:
        assert compare_metadata(MigrationContext.configure(connection), schema.metadata) == []
        rows = {row.id: row.judged for row in connection.execute(select(schema.worker))}
    assert rows == {judged: True, excluded: True, fresh: False}
    assert judgements(again) == before
    again.close()


def test_a_database_of_the_first_version_learns_who_was_judged(tmp_path: Path) -> None:
    check_second_step(studies.make_study(tmp_path / "s.db", n_pairs=12), tmp_path / "s.db")


def test_postgresql_learns_it_too_and_a_reader_sees_one_state_throughout() -> None:
    url = SHARED.url_to_be()
    store = studies.make_study(url, n_pairs=12)
    with store.reading() as connection:
        before = count_golds(connection)
        with store.writing() as writer:
            studies.add_gold(writer, studies.gold(99), 0.0)
        assert count_golds(connection) == before
    check_second_step(store, url)


def test_a_design_moves_to_postgresql_once_and_another_is_refused(tmp_path: Path) -> None:
    source = studies.make_study(tmp_path / "s.db")
    url = SHARED.empty_url()
    target = open_store(url, create=True)
    copy_design(source, target)
    copy_design(source, target)
    with source.reading() as left, target.reading() as right:
        assert read_sheets(left) == read_sheets(right)
        assert read_facts(left) == read_facts(right)
    with target.writing() as connection:
        studies.add_gold(connection, studies.gold(99), 0.0)
    assert material(source).rows == material(target).rows
    with source.writing() as connection:
        studies.set_fact(connection, "id", "another")
    with pytest.raises(WrongDatabase, match="another study"):
        copy_design(source, target)
    with alone(target):
        second = open_store(url)
        with pytest.raises(InUse), alone(second):
            pass
        second.close()
    target.close()


def test_one_process_at_a_time_serves_a_file(tmp_path: Path) -> None:
    store = studies.make_study(tmp_path / "s.db")
    with alone(store), pytest.raises(InUse, match="stop the server"), alone(open_store(tmp_path / "s.db")):
        pass
    with alone(store):
        pass


def test_a_study_without_answers_has_no_judgements_but_all_its_material(tmp_path: Path) -> None:
    store = studies.make_study(tmp_path / "s.db")
    assert judgements(store) == []
    found = material(store)
    assert len(found.shown) == 3 * 4
    assert found.vectors.shape == (14 * 22, 3)
    assert set(found.train) | set(found.test) == set(found.rows)


def test_nobody_else_can_read_the_database(tmp_path: Path) -> None:
    store = studies.make_study(tmp_path / "s.db")
    Stage(store).worker()
    files = sorted(tmp_path.iterdir())
    assert {"s.db", "s.db-wal"} <= {path.name for path in files}
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
    store.close()
    (tmp_path / "s.db").chmod(0o644)  # as earlier versions made it
    open_store(tmp_path / "s.db").close()
    assert stat.S_IMODE((tmp_path / "s.db").stat().st_mode) == 0o600

"""The state file: all of it or nothing, nobody else's business, and never trusted."""

import json
import os
import shutil
import signal
import sqlite3
import stat
import threading
from contextlib import closing
from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from types import SimpleNamespace

import numpy as np
import pytest

from unit.updating.updates import MONDAY, articles, picks, settings, step
from visavis import ledger, update
from visavis.errors import InvalidParameter
from visavis.records import Document
from visavis.shared.locks import InUse
from visavis.updating import state as states
from visavis.updating.cells import read_document, write_document
from visavis.updating.documents import join
from visavis.updating.options import check_fields
from visavis.updating.state import BadState, alone_with, read_entries, read_state, write_state


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """A state of two updates, and what it was made of."""
    path = tmp_path_factory.mktemp("states") / "week.state"
    first, _ = step(None, articles(range(12)), now=MONDAY)
    write_state(path, None, first)
    second, summary = step(first, articles(range(10, 18)), now=MONDAY)
    write_state(path, first, second)
    return path, second, summary


@pytest.fixture
def path(written, tmp_path):
    shutil.copy(written[0], tmp_path / "copy.state")
    return tmp_path / "copy.state"


def test_what_is_written_comes_back(written):
    path, state, _ = written
    found = read_state(path)
    assert found.settings == state.settings
    assert (found.gamma, found.median, found.origin, found.columns) == (
        state.gamma, state.median, state.origin, state.columns,
    )  # fmt: skip
    np.testing.assert_array_equal(found.center, state.center)
    np.testing.assert_array_equal(found.sums.values, state.sums.values)
    np.testing.assert_array_equal(found.sums.vectors, state.sums.vectors)
    assert found.sums.names == state.sums.names
    assert found.learned.boilerplate == state.learned.boilerplate
    assert found.learned.parameters == dict(state.learned.parameters)
    assert found.entries == state.entries
    for one, other in zip(found.items, state.items, strict=True):
        told = ("written", "lead", "batch", "known", "cleaned", "words", "removed", "bare", "missing", "document")
        assert [getattr(one, name) for name in told] == [getattr(other, name) for name in told]
        np.testing.assert_array_equal(one.vector, other.vector)


def test_a_state_that_was_kept_goes_on_as_if_it_had_not_been(written):
    path, state, _ = written
    kept, one = step(read_state(path), articles(range(18, 24)))
    there, other = step(state, articles(range(18, 24)))
    assert picks(one) == picks(other)
    np.testing.assert_array_equal(kept.sums.values, there.sums.values)


def test_only_its_owner_may_read_it(written):
    assert stat.S_IMODE(written[0].stat().st_mode) == 0o600


def test_a_known_id_replaces_its_document_in_its_place(written):
    _, state, _ = written
    ids = [item.document.id for item in state.items]
    assert ids == [f"n{n}" for n in range(18)]
    assert [item.batch for item in state.items] == [1] * 12 + [2] * 6


def test_no_option_of_a_comparison_is_forgotten():
    assert check_fields() == set()


# --- killed in the middle -----------------------------------------------------------------------------------------
def write_and_die(path, before, after, count):
    """Write a state in a process that kills itself at the count-th statement of SQL; the signal it ended by, if any."""
    child = os.fork()
    if child == 0:
        states.sqlite3 = SimpleNamespace(connect=dying(count), Error=sqlite3.Error)
        try:
            write_state(path, before, after)
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0


def dying(count):
    """A way to connect, and to end this process at the count-th statement."""
    left = [count]

    def count_down(_):
        left[0] -= 1
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def connect(*place, **told):
        database = sqlite3.connect(*place, **told)
        database.set_trace_callback(count_down)
        return database

    return connect


def test_a_state_that_is_killed_while_it_is_made_is_not_there_or_whole(tmp_path):
    path = tmp_path / "new.state"
    after, _ = step(None, articles(range(8)))
    for count in range(1, 200):
        if write_and_die(path, None, after, count) != signal.SIGKILL:
            break
        assert not path.exists()
    assert count > 20  # every statement was tried
    assert len(read_state(path).entries) == 1


def test_a_state_that_is_killed_while_it_is_updated_is_the_old_one_or_the_new_one(tmp_path):
    path, old = tmp_path / "week.state", tmp_path / "old.state"
    first, _ = step(None, articles(range(8)))
    write_state(old, None, first)
    before = read_state(old)
    after, _ = step(before, articles(range(6, 12), seed=1))
    for count in range(1, 200):
        for leftover in tmp_path.glob("week.state*"):
            leftover.unlink()
        shutil.copy(old, path)
        ended = write_and_die(path, before, after, count)
        found = read_state(path)
        if ended != signal.SIGKILL:
            break
        assert len(found.entries) == 1
        assert [item.written for item in found.items] == [item.written for item in before.items]
        np.testing.assert_array_equal(found.sums.values, before.sums.values)
    assert count > 20
    assert (len(found.entries), len(found.items)) == (2, 12)


# --- one at a time ------------------------------------------------------------------------------------------------
def test_two_updates_at_once_are_refused(path):
    with alone_with(path), pytest.raises(InUse, match="another process is updating"):
        update(path, articles(range(3)))


def test_another_name_of_the_same_state_is_no_way_around(path, tmp_path):
    (tmp_path / "link.state").symlink_to(path)
    with alone_with(path), pytest.raises(InUse):
        update(tmp_path / "link.state", articles(range(3)))


def test_whoever_reads_is_not_in_the_way(path):
    with alone_with(path):
        assert len(ledger(path)) == 2


# --- foreign, damaged, hostile ------------------------------------------------------------------------------------
def bad(path):
    with pytest.raises(BadState) as told:
        read_state(path)
    assert "\n" not in str(told.value)
    return str(told.value)


def test_a_file_that_is_none(tmp_path):
    assert "there is no state" in bad(tmp_path / "nowhere.state")
    assert "is a folder" in bad(tmp_path)
    text = tmp_path / "text.state"
    text.write_text("id,title\n1,Hello\n" * 100, encoding="utf-8")
    assert "no state of visavis" in bad(text)
    (tmp_path / "empty.state").touch()
    assert "something else" in bad(tmp_path / "empty.state")
    with pytest.raises(BadState):
        update(text, articles(range(3)), by="side")
    assert not (tmp_path / "text.state.lock").exists()


def test_another_database(tmp_path):
    other = tmp_path / "other.db"
    with closing(sqlite3.connect(other)) as database:
        database.execute("CREATE TABLE about (name TEXT)")
    assert "SQLite file of something else" in bad(other)


def test_a_newer_one(path):
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA user_version = 99")
    assert "newer visavis" in bad(path)


def test_an_earlier_one_whose_texts_were_read_in_another_way_tells_its_summaries_alone(path):
    before = ledger(path)
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA user_version = 1")
    assert "make a new state of all files" in bad(path)
    assert ledger(path) == before


@pytest.mark.parametrize("where", [0.3, 0.6, 0.9])
def test_a_damaged_one(path, where):
    content = bytearray(path.read_bytes())
    place = int(where * len(content)) // 4096 * 4096
    content[place : place + 600] = b"\xff" * 600
    path.write_bytes(content)
    bad(path)


def test_a_cut_one(path):
    path.write_bytes(path.read_bytes()[: 4096 * 5])
    bad(path)


HOSTILE = {
    "a view": "CREATE VIEW more AS SELECT 1",
    "a trigger": "CREATE TRIGGER more AFTER INSERT ON sums BEGIN DELETE FROM about; END",
    "another table": "CREATE TABLE more (x)",
    "an index that is not ours": "CREATE INDEX more ON documents (batch)",
    "no settings": "DELETE FROM about WHERE name = 'settings'",
    "settings that are a list": "UPDATE about SET value = '[1]' WHERE name = 'settings'",
    "settings nested too deep": "UPDATE about SET value = '" + "[" * 100_000 + "' WHERE name = 'settings'",
    "gamma that is none": "UPDATE about SET value = '[-1, null]' WHERE name = 'gamma'",
    "a center of another width": "UPDATE about SET value = x'00000000' WHERE name = 'center'",
    "an embedder that is none": "UPDATE about SET value = x'80049511' WHERE name = 'embedder'",
    "a document that is none": "UPDATE documents SET written = '{}' WHERE place = 1",
    "a document of a wrong kind": "UPDATE documents SET written = 7 WHERE place = 1",
    "a mark that is none": """UPDATE documents SET written = replace(written, '"date": null', '"date": {"$x": 1}')""",
    "an id twice": "UPDATE documents SET written = (SELECT written FROM documents WHERE place = 0)",
    "a document missing": "DELETE FROM documents WHERE place = 2",
    "a vector cut short": "UPDATE documents SET vector = x'0000' WHERE place = 1",
    "a vector without numbers": "UPDATE documents SET vector = zeroblob(4) WHERE place = 1",
    "sums of nobody": "UPDATE sums SET place = 4000 WHERE place = 1",
    "sums that are no numbers": "UPDATE sums SET sums = x'000000000000f07f000000000000f07f'",
    "a weight below zero": "UPDATE sums SET weights = x'000000000000f0bf000000000000f0bf'",
    "a summary that is none": "UPDATE summaries SET entry = '{}'",
    "a summary of wrong kinds": 'UPDATE summaries SET entry = replace(entry, \'"number": 1\', \'"number": "x"\')',
    "summaries out of number": "UPDATE summaries SET number = 40, entry = replace(entry, '\"number\": 2', "
    "'\"number\": 40') WHERE number = 2",
    "boilerplate that is none": 'UPDATE about SET value = \'{"sentences": [-1], "runs": {}}\' '
    "WHERE name = 'boilerplate'",
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_one(path, what):
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(HOSTILE[what])
    with pytest.raises((BadState, InvalidParameter)) as told:
        read_state(path)
    assert "\n" not in str(told.value)


def test_settings_that_no_option_has_are_refused(path):
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE about SET value = ? WHERE name = 'settings'", (json.dumps({"by": "side", "evil": 1}),))
    with pytest.raises(Exception, match="'evil', which no update keeps"):
        update(path)


def test_the_ledger_alone_reads_no_documents(path):
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE documents SET written = 'x'")
    assert [entry.number for entry in read_entries(path)] == [1, 2]


def test_a_disk_that_cannot_be_written_leaves_the_state(path, monkeypatch):
    before = path.read_bytes()
    state = read_state(path)
    after, _ = step(state, articles(range(20, 22)))

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(states, "_stored", full)
    with pytest.raises(BadState, match="it is as it was before"):
        write_state(path, state, after)
    assert path.read_bytes() == before


def test_many_threads_take_turns(tmp_path):
    path, errors = tmp_path / "week.state", []
    update(path, articles(range(8)), by="side", size=1, quick=True, live=False)

    def work(number):
        try:
            update(path, articles(range(number, number + 2), seed=number))
        except InUse as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in (10, 20, 30)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(ledger(path)) == 1 + 3 - len(errors)


# --- documents ----------------------------------------------------------------------------------------------------
def test_whatever_a_column_held_comes_back():
    fields = {
        "text": "Said.", "when": datetime(2024, 2, 1, 3, tzinfo=UTC), "day": date(2024, 2, 1), "n": 3, "x": 0.1,
        "nan": float("inf"), "money": Decimal("1.10"), "raw": b"\x00\xff", "list": ["a", [1, None]],
        "object": {"$date": "evil", "b": {"c": 1}}, "yes": True, "none": None, "array": np.array([1.5, 2.5]),
    }  # fmt: skip
    document = Document("1", "T", "Said.", fields["when"], "S", "u", weight=2.0, fields=fields)
    found = read_document(write_document(document))
    assert {**found.fields, "array": 0} == {**fields, "array": 0}
    assert found.fields["array"] == [1.5, 2.5]
    assert replace(found, fields={}) == replace(document, fields={})
    assert write_document(found) == write_document(document)


def test_documents_without_ids_are_known_by_what_they_say():
    told = settings()
    rows = [{key: value for key, value in row.items() if key != "id"} for row in articles(range(12))]
    state, _ = step(None, rows, told)
    turned, summary = step(state, list(reversed(rows)))
    assert (summary.changes.arrivals.new, summary.changes.arrivals.same) == (0, 12)
    _, more = step(turned, [*rows[:3], *({**row, "title": "Another"} for row in rows[:2])])
    assert (more.changes.arrivals.new, more.changes.arrivals.same) == (2, 3)


def test_pictures_are_refused():
    from visavis.records import Corpus
    from visavis.updating.documents import Learned

    with pytest.raises(InvalidParameter, match="not pictures"):
        join((), Corpus((Document("1", image="a.png"),), "x"), 3, Learned(), True)


# --- vectors ------------------------------------------------------------------------------------------------------
def test_other_embedders_are_kept_too(tmp_path):
    path, told = tmp_path / "glove.state", settings(embedder="glove")
    state, _ = step(None, articles(range(12)), told)
    write_state(path, None, state)
    kept, summary = step(read_state(path), articles(range(12, 16)))
    assert summary.parameters["embedder"] == "glove"
    assert len(kept.items) == 16
    assert all(item.vector is not None and len(item.vector) == 100 for item in kept.items)


def test_vectors_of_a_column_need_no_embedder(tmp_path):
    rng, path = np.random.default_rng(0), tmp_path / "given.state"
    rows = [{**row, "place": rng.normal(size=3).tolist()} for row in articles(range(16))]
    state, _ = step(None, rows[:12], settings(embedder="column:place"))
    write_state(path, None, state)
    kept, _ = step(read_state(path), rows[12:])
    np.testing.assert_allclose(
        np.stack([item.vector for item in kept.items]), [row["place"] for row in rows], rtol=1e-6
    )
    with pytest.raises(InvalidParameter, match="numbers"):
        step(kept, [{**articles([20])[0], "place": [1.0, 2.0]}])

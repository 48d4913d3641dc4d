"""A Dask cluster picks what this machine picks, whatever its workers are, and whatever becomes of them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from importlib.resources import files

import numpy as np
import pytest

from conftest import local_cluster
from engines.rounds import HereRounds
from visavis.comparing import compare
from visavis.corpus.errors import Unreadable
from visavis.corpus.reading import _read
from visavis.engines import LocalEngine
from visavis.engines.cluster import ClusterEngine
from visavis.engines.cluster.rounds import Held, Rounds, connect
from visavis.errors import Incompatible, InvalidParameter
from visavis.inputs import Grouped
from visavis.records import Compute, Points
from visavis.select import Request, pose, select

N = 600
RNG = np.random.default_rng(3)
CODES = np.arange(N) % 2
X = RNG.normal(size=(N, 8)) + RNG.normal(size=(12, 8))[RNG.integers(0, 12, N)] + 0.4 * CODES[:, None]
GROUPED = Grouped(np.array(["a", "b"], dtype=object), CODES)


def pick(engine, method="mmd-diff-greedy", exact="yes"):
    session = pose(Points.of(X), GROUPED, gamma="median", engine=engine, compute=Compute(), exact=exact)
    return select(session, Request(method=method, size=4)).rows.tolist()


@pytest.fixture(scope="module")
def client():
    with local_cluster(workers=4) as found:
        yield found


@pytest.mark.parametrize("method", ["mmd-diff-greedy", "nn-comp-greedy"])
def test_four_workers_pick_what_none_and_this_machine_pick(client, method):
    expected = pick(LocalEngine(), method)
    assert pick(ClusterEngine(Compute(), client, chunk=128), method) == expected
    assert pick(ClusterEngine(Compute(), HereRounds(), chunk=128), method) == expected


@pytest.mark.parametrize("chunk", [130, 250, 10_000])
@pytest.mark.parametrize("exact", ["yes", "no"])
def test_picks_do_not_depend_on_how_documents_are_parted(monkeypatch, chunk, exact):
    monkeypatch.setattr("visavis.select.session.SAMPLE", 100)
    expected = pick(LocalEngine(), "softmin-exchange", exact)
    assert pick(ClusterEngine(Compute(), HereRounds(), chunk=chunk), "softmin-exchange", exact) == expected


def test_a_pick_is_one_round_over_the_chunks_of_its_group():
    rounds = HereRounds()
    engine = ClusterEngine(Compute(), rounds, chunk=100)
    session = pose(Points.of(X), GROUPED, gamma=0.1, engine=engine, compute=Compute())
    select(session, Request(method="mmd-diff-greedy", size=2))
    before = rounds.asked
    select(session, Request(method="mmd-diff-greedy", size=3))
    assert rounds.asked - before <= 2 * (3 + 1) * 3  # each group lies in three chunks, and no pass over pairs is made


def test_a_worker_that_dies_in_the_middle_changes_nothing():
    with local_cluster(workers=2, processes=True) as client:
        killed = []

        class Dying(Rounds):
            """Kills a worker while its answers are on their way, and all that lay there is gone."""

            def ask(self, calls):
                for number, answer in enumerate(super().ask(calls)):
                    if number == 1 and not killed:
                        address = next(iter(client.scheduler_info(n_workers=-1)["workers"]))
                        killed.append(client.submit(os.getpid, workers=[address], pure=False).result(timeout=30))
                        os.kill(killed[-1], signal.SIGKILL)
                    yield answer

        assert pick(ClusterEngine(Compute(), Dying(client), chunk=150)) == pick(LocalEngine())
        assert len(killed) == 1


def test_what_was_lost_is_sent_again(client):
    held = Held(np.arange(5))
    rounds = Rounds(client)
    assert list(rounds.ask([(np.sum, (held,))])) == [10]
    held.sent.cancel()
    assert list(rounds.ask([(np.sum, (held,)), (np.max, (held,))])) == [10, 4]


def test_an_error_of_a_question_is_told_as_it_is(client):
    with pytest.raises(InvalidParameter, match="no good"):
        list(Rounds(client).ask([(_fail, ("no good",))]))
    with pytest.raises(TimeoutError, match="too late"):
        list(Rounds(client).ask([(_be_late, ())]))


def _fail(why):
    raise InvalidParameter(why)


def _be_late():
    raise TimeoutError("too late")


def test_long_tasks_go_to_the_cluster_and_come_back_in_order(client):
    engine = ClusterEngine(Compute(), client)
    assert list(engine.each(abs, range(-20, 0), long=True)) == list(range(20, 0, -1))
    assert list(engine.each(abs, [-1, -2])) == [1, 2]


def test_no_scheduler_and_no_workers_are_said(monkeypatch):
    monkeypatch.setattr("visavis.engines.cluster.rounds.WAIT", 0.5)
    with pytest.raises(InvalidParameter, match=r"no Dask scheduler answers at 127\.0\.0\.1:9"):
        connect("127.0.0.1:9")
    with pytest.raises(InvalidParameter, match="address of a scheduler"):
        ClusterEngine(chunk=9).bind(*_bindable())
    with local_cluster(workers=0) as empty:
        address = empty.scheduler.address.removeprefix("tcp://")
        with pytest.raises(InvalidParameter, match=f"at {address} has no workers"):
            connect(address)


def _bindable():
    from visavis.kernel import kernel_at
    from visavis.records import Frame

    return kernel_at("rbf", 1.0), ClusterEngine(chunk=9).place(X, np.arange(N)), Frame(kernel_at("rbf", 1.0), 1.0)


def test_a_matrix_of_similarities_stays_here():
    session = pose(Points.of(X @ X.T), GROUPED, kernel="precomputed", engine=ClusterEngine(Compute(), HereRounds()))
    with pytest.raises(Incompatible, match="engine='threads'"):
        select(session, Request(method="mmd-diff-greedy", size=2))


def test_a_cluster_reads_and_embeds_partitions_where_they_lie_and_compares_alike(client, tmp_path):
    sample = (files("visavis.datasets") / "data" / "sample.jsonl").read_text("utf-8")
    records = [json.loads(line) for line in sample.splitlines()]
    for k in range(3):
        part = "\n".join(json.dumps(record) for record in records[k::3])
        (tmp_path / f"part-{k}.jsonl").write_text(part, "utf-8")
    seen = []

    class Watching(Rounds):
        def ask(self, calls):
            calls = list(calls)
            seen.extend(getattr(work, "args", (work,))[0] for work, _ in calls)
            return super().ask(calls)

    options = {"by": "published:month", "size": 2, "live": False}
    engine = ClusterEngine(Compute(), Watching(client))
    there = compare(str(tmp_path / "*.jsonl"), engine=engine, **options)
    here = compare(str(tmp_path / "*.jsonl"), **options)
    assert [pick.document.id for group in there.groups for pick in group.picks] == [
        pick.document.id for group in here.groups for pick in group.picks
    ]
    assert sum(getattr(work, "func", None) is _read for work in seen) == 3


def test_a_file_that_cannot_be_read_on_the_cluster_is_told_here(client, tmp_path):
    for k in range(2):
        (tmp_path / f"part-{k}.jsonl").write_text("no json\n", "utf-8")
    with pytest.raises(Unreadable, match=r"part-0\.jsonl"):
        compare(str(tmp_path / "*.jsonl"), engine=ClusterEngine(Compute(), client))


def test_what_workers_keep_is_kept_apart_for_all_who_ask():
    setting = "from visavis.engines.cluster.engine import ClusterEngine; import numpy as np; "
    asked = setting + "print(ClusterEngine().place(np.zeros((3, 2)), np.arange(3)).chunks[0].value.key)"
    runs = [subprocess.run([sys.executable, "-c", asked], capture_output=True, check=True) for _ in range(2)]
    assert runs[0].stdout != runs[1].stdout

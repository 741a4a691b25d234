"""Ensembles on a Dask cluster: complete, and equal to the local result to the bit."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from distributed import Client, LocalCluster

import polhode
import polhode.dask
from polhode._ensemble import _bodies, _task

GENERATOR = np.random.default_rng(11)
N = 600
MOMENTA = GENERATOR.normal(size=(N, 3))
MOMENTS = np.sort(GENERATOR.uniform(1, 1.9, size=(N, 3)))
PROBLEM: dict[str, Any] = {
    "momentum": MOMENTA,
    "torque": {"kind": "heavy-top"},
    "method": "rkn6-14+exact",
    "step": 0.01,
    "until": 50.0,
    "every": 2500,
}


@pytest.fixture(scope="module")
def local() -> polhode.EnsembleResult:
    return polhode.ensemble(MOMENTS, **PROBLEM)


@contextmanager
def started() -> Iterator[tuple[LocalCluster, Client]]:
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as two,
        Client(two) as client,
    ):
        yield two, client


@pytest.fixture
def cluster() -> Iterator[tuple[LocalCluster, Client]]:
    """One whose workers may be killed."""
    with started() as both:
        yield both


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with started() as (_, client):
        yield client


def same(a: polhode.EnsembleResult, b: polhode.EnsembleResult) -> bool:
    names = ("t", "momentum", "omega", "attitude", "energy")
    return all(np.asarray(getattr(a, n)).tobytes() == getattr(b, n).tobytes() for n in names)


class Killer(threading.Thread):
    """Kills a worker with SIGKILL as soon as something is true."""

    def __init__(self, cluster: LocalCluster, when: Callable[[], bool]) -> None:
        super().__init__(daemon=True)
        self.victim = next(iter(cluster.workers.values())).pid
        self.when = when
        self.run_is_done = threading.Event()
        self.was_in_time = False
        self.start()

    def run(self) -> None:
        while not self.when():
            time.sleep(0.01)
        os.kill(self.victim, signal.SIGKILL)
        self.was_in_time = not self.run_is_done.is_set()

    def check(self) -> None:
        """The run is done now, and was not when the worker was killed."""
        self.run_is_done.set()
        self.join()
        assert self.was_in_time


def test_a_worker_is_killed_in_the_middle(
    cluster: tuple[LocalCluster, Client], local: polhode.EnsembleResult, tmp_path: Path
) -> None:
    two, client = cluster
    written_when_killed = []

    def some_are_there() -> bool:
        written = len(list(tmp_path.glob("chunk-*.npz")))
        written_when_killed.append(written)
        return written >= 4

    killer = Killer(two, some_are_there)
    files = polhode.dask.ensemble(client, MOMENTS, **PROBLEM, chunk=20, directory=tmp_path)
    killer.check()
    assert 4 <= written_when_killed[-1] < 30
    assert files.computed == len(files.paths) == 30
    # Nothing half-written is left.
    assert sorted(path.name for path in tmp_path.iterdir()) == [*(path.name for path in files.paths), "ensemble.json"]
    assert same(files.load(), local)

    # What is there is not computed again; what is not, is.
    before = files.paths[0].stat().st_mtime_ns
    files.paths[7].unlink()
    again = polhode.dask.ensemble(client, MOMENTS, **PROBLEM, directory=tmp_path)
    assert again.computed == 1 and again.paths[0].stat().st_mtime_ns == before
    assert same(again.load(), local)

    for argument, change in [("chunk", {"chunk": 30}), ("directory", {"until": 51.0})]:
        with pytest.raises(polhode.InvalidInput) as error:
            polhode.dask.ensemble(client, MOMENTS, **{**PROBLEM, **change}, directory=tmp_path)
        assert error.value.argument == argument
    (tmp_path / "ensemble.json").write_text(json.dumps([]))
    with pytest.raises(polhode.InvalidInput, match="no plan"):
        polhode.dask.ensemble(client, MOMENTS, **PROBLEM, directory=tmp_path)


def test_arrays_survive_a_killed_worker_too(
    cluster: tuple[LocalCluster, Client], local: polhode.EnsembleResult
) -> None:
    two, client = cluster
    arrays = polhode.dask.ensemble(client, MOMENTS, **PROBLEM, chunk=20)
    assert arrays.attitude.shape == local.attitude.shape and arrays.attitude.numblocks[0] == 30
    begun = time.monotonic()
    killer = Killer(two, lambda: time.monotonic() > begun + 0.5)
    result = arrays.compute()
    killer.check()
    assert same(result, local)


def test_failures_and_empty_ensembles(client: Client, tmp_path: Path) -> None:
    momenta = np.tile(MOMENTA, (50, 1))
    momenta[12345] = [1e20, 2e20, 3e20]
    arrays = polhode.dask.ensemble(client, [1, 2, 2.5], momentum=momenta, times=np.arange(1.0, 21.0))
    kept = arrays.persist()
    assert [failure.body for failure in kept.failures()] == [12345]
    whole = kept.compute()
    local = polhode.ensemble([1, 2, 2.5], momentum=momenta, times=np.arange(1.0, 21.0))
    assert same(whole, local) and whole.failures == local.failures
    empty = polhode.dask.ensemble(client, [1, 2, 2.5], momentum=np.zeros((0, 3)), times=[1.0])
    assert empty.attitude.shape == (0, 1, 4)
    files = polhode.dask.ensemble(client, [1, 2, 2.5], momentum=np.zeros((0, 3)), times=[1.0], directory=tmp_path)
    assert files.paths == () and same(files.load(), empty.compute())
    # The last chunk has three bodies, whose moments are as many numbers as a tensor.
    seven = polhode.dask.ensemble(client, MOMENTS[:7], momentum=MOMENTA[:7], times=[1.0], chunk=4)
    assert same(seven.compute(), polhode.ensemble(MOMENTS[:7], momentum=MOMENTA[:7], times=[1.0]))


def test_callables_and_own_methods_go_to_the_cluster(client: Client, tmp_path: Path) -> None:
    mine = polhode.Scheme("mine", 2, [("drift", 0.5), ("kick", 1), ("drift", 0.5)])
    few: dict[str, Any] = {"momentum": MOMENTA[:30], "method": mine, "step": 0.1, "until": 0.3}
    drag: dict[str, Any] = {**few, "torque": lambda t, m, q: -0.1 * m}
    there = polhode.dask.ensemble(client, MOMENTS[:30], **drag, chunk=8).compute()
    assert same(there, polhode.ensemble(MOMENTS[:30], **drag))
    # Files could not be told from those of another callable.
    with pytest.raises(polhode.InvalidInput, match="a callable, or a scenario's, has no name") as error:
        polhode.dask.ensemble(client, MOMENTS[:30], **drag, chunk=8, directory=tmp_path / "none")
    assert error.value.argument == "torque" and not (tmp_path / "none").exists()
    model: dict[str, Any] = {**few, "torque": [{"kind": "heavy-top"}, {"kind": "damping", "coefficient": 0.1}]}
    files = polhode.dask.ensemble(client, MOMENTS[:30], **model, chunk=8, directory=tmp_path / "some")
    assert same(files.load(), polhode.ensemble(MOMENTS[:30], **model))
    other = polhode.Scheme("mine", 2, [("kick", 0.5), ("drift", 1), ("kick", 0.5)])
    with pytest.raises(polhode.InvalidInput, match="another ensemble"):
        polhode.dask.ensemble(client, MOMENTS[:30], **{**model, "method": other}, directory=tmp_path / "some")


def test_bad_input_is_refused_here_and_at_once(client: Client, tmp_path: Path) -> None:
    momenta = MOMENTA.copy()
    momenta[555] = np.nan
    moments = MOMENTS.copy()
    moments[444] = [1, 2, 30]
    for argument, text, changed in [
        ("momentum", "body 555", {"momentum": momenta}),
        ("inertia", "body 444", {"inertia": moments}),
        ("times", "times", {"times": [np.nan]}),
        ("chunk", "chunk", {"chunk": 0}),
        ("method", "exakt", {"times": None, "method": "exakt", "step": 0.1, "until": 1.0}),
        ("torque", "spring", {"times": None, "torque": {"kind": "spring"}, "step": 0.1, "until": 1.0}),
    ]:
        arguments: dict[str, Any] = {"inertia": MOMENTS, "momentum": MOMENTA, "times": [1.0], "chunk": 100}
        for where in ({}, {"directory": tmp_path / "none"}):
            with pytest.raises(polhode.InvalidInput, match=text) as error:
                polhode.dask.ensemble(client, **{**arguments, **changed}, **where)
            assert error.value.argument == argument
    assert not (tmp_path / "none").exists()
    for wrong in (None, "tcp://127.0.0.1", [1, 2]):
        with pytest.raises(TypeError, match="client: must be a distributed.Client"):
            polhode.dask.ensemble(wrong, MOMENTS, momentum=MOMENTA, times=[1.0])
    with pytest.raises(TypeError, match="directory"):
        polhode.dask.ensemble(client, MOMENTS, momentum=MOMENTA, times=[1.0], directory=3)  # type: ignore[arg-type]
    # A part knows its place, should a worker ever have to complain.
    part = _bodies(MOMENTS, momenta, None, None, False).part(550, 560)
    with pytest.raises(polhode.InvalidInput, match="body 555"):
        _task([1.0], None, None, None, None, None, None, None).run(part, 1)


def test_a_trial_has_the_stops_that_it_reaches() -> None:
    task = _task([1.0, 2.0, 3.0], 1e-9, {"kind": "heavy-top"}, None, None, None, None, 0.5, [0.5, 0.75, 1.5])
    assert task.shortened(1).stops == (0.5, 0.75) and task.shortened(3).stops == task.stops
    bodies = _bodies(MOMENTS, MOMENTA, None, None, False).part(0, 3)
    assert task.shortened(1).run(bodies, 1).attitude.shape == (3, 1, 4)


def test_a_long_run_does_not_keep_the_caller_waiting(client: Client) -> None:
    clock = time.monotonic()
    # A body takes minutes.
    arrays = polhode.dask.ensemble(
        client, MOMENTS, momentum=MOMENTA, torque={"kind": "heavy-top"}, method="rkn6-14+exact", step=1e-6, until=1e3
    )
    # Only a caller that waits takes minutes.
    assert time.monotonic() - clock < 60
    assert arrays.t.tolist() == [0.0, 1e3] and arrays.attitude.shape == (N, 2, 4)
    assert arrays.attitude.numblocks[0] == N


@pytest.mark.parametrize(
    "problem",
    [
        {"times": np.array([1.0])},
        {"torque": {"kind": "heavy-top"}, "method": "rkn6-14+exact", "step": 0.01, "until": 50.0},
        # Steps enough that the time is the limit, not the size of the results.
        {"method": "dmv", "step": 0.01, "until": 5.0},
    ],
)
def test_chunks_take_about_a_second(problem: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    # More bodies than a chunk could have.
    bodies = _bodies([1, 2, 2.5], np.tile(MOMENTA, (5000, 1)), None, None, False)
    arguments = dict.fromkeys(("times", "tolerance", "torque", "method", "step", "until", "every", "t0"))
    task = _task(**{**arguments, **problem})
    whole = task.length()
    clock = [0.0]

    class Pretended:
        """A trial whose every body takes two milliseconds for the whole length, by a clock of its own."""

        def __init__(self, length: int) -> None:
            self.length = length

        def run(self, part: Any, threads: int) -> None:
            clock[0] += 2e-3 * len(part) * self.length / whole

    monkeypatch.setattr(type(task), "shortened", lambda self, length: Pretended(length))
    monkeypatch.setattr(time, "perf_counter", lambda: clock[0])
    assert abs(polhode.dask._chunk(bodies, task, 2) - 500 * polhode.dask.TASK_SECONDS) <= 1
    # With more results to a body, what a message holds is the limit.
    assert polhode.dask._chunk(bodies, task, 10**5) == polhode.dask.MOST_BYTES // (8 * 11 * 10**5)


def test_files(client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    problem: dict[str, Any] = {"momentum": MOMENTA, "times": [1.0, 2.0], "chunk": 150}
    local = polhode.ensemble(MOMENTS, momentum=MOMENTA, times=[1.0, 2.0])
    # The workers were started elsewhere.
    monkeypatch.chdir(tmp_path)
    files = polhode.dask.ensemble(client, MOMENTS, **problem, directory="here")
    assert files.directory == (tmp_path / "here").resolve() and files.computed == 4
    mask = os.umask(0)
    os.umask(mask)
    for path in files.directory.iterdir():
        assert path.stat().st_mode & 0o777 == 0o666 & ~mask, path

    first, second, third, fourth = files.paths
    left = files.directory / f".{first.name}.0123.part"
    left.write_bytes(b"half a chunk")
    # Cut short; changed in one byte; of another chunk; and good.
    first.write_bytes(first.read_bytes()[:-100])
    content = bytearray(second.read_bytes())
    content[len(content) // 2] ^= 1
    second.write_bytes(content)
    third.write_bytes(fourth.read_bytes())
    untouched = fourth.stat().st_mtime_ns
    again = polhode.dask.ensemble(client, MOMENTS, **problem, directory=files.directory)
    assert again.computed == 3 and fourth.stat().st_mtime_ns == untouched
    assert same(again.load(), local)
    assert not left.exists()
    # To a tolerance they are others, and so they are where steps end elsewhere.
    for change in ({"tolerance": 1e-9}, {"tolerance": 1e-9, "stops": [0.5]}):
        with pytest.raises(polhode.InvalidInput) as error:
            polhode.dask.ensemble(client, MOMENTS, **problem, **change, directory=files.directory)
        assert error.value.argument == "directory"
    solved = polhode.dask.ensemble(client, MOMENTS, **problem, tolerance=1e-9, directory="solved")
    for change in ({"tolerance": 1e-8}, {"tolerance": 1e-9, "stops": [0.5]}):
        with pytest.raises(polhode.InvalidInput) as error:
            polhode.dask.ensemble(client, MOMENTS, **problem, **change, directory=solved.directory)
        assert error.value.argument == "directory"

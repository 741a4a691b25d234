"""Ensembles on a Dask cluster: complete, and equal to the local result to the bit."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from distributed import Client, LocalCluster

import polhode
import polhode.dask

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


@pytest.fixture
def cluster() -> Iterator[tuple[LocalCluster, Client]]:
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as two,
        Client(two) as client,
    ):
        yield two, client


def same(a: polhode.EnsembleResult, b: polhode.EnsembleResult) -> bool:
    names = ("t", "momentum", "omega", "attitude", "energy")
    return all(np.asarray(getattr(a, n)).tobytes() == getattr(b, n).tobytes() for n in names)


def kill_one(cluster: LocalCluster, when: Any) -> threading.Thread:
    """Kills a worker with SIGKILL as soon as something is true."""
    victim = next(iter(cluster.workers.values())).pid

    def watch() -> None:
        while not when():
            time.sleep(0.01)
        os.kill(victim, signal.SIGKILL)

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    return thread


def test_a_worker_is_killed_in_the_middle(
    cluster: tuple[LocalCluster, Client], local: polhode.EnsembleResult, tmp_path: Path
) -> None:
    two, client = cluster
    killed = kill_one(two, lambda: len(list(tmp_path.glob("chunk-*.npz"))) >= 4)
    files = polhode.dask.ensemble(client, MOMENTS, **PROBLEM, chunk=20, directory=tmp_path)
    killed.join()
    assert files.computed == len(files.paths) == 30
    assert sorted(path.name for path in tmp_path.glob("chunk-*")) == [path.name for path in files.paths]
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
    killed = kill_one(two, lambda: time.monotonic() > begun + 0.5)
    result = arrays.compute()
    killed.join()
    assert same(result, local)


def test_chunks_of_a_second_failures_and_empty_ensembles(cluster: tuple[LocalCluster, Client]) -> None:
    _, client = cluster
    momenta = np.tile(MOMENTA, (50, 1))
    momenta[12345] = [1e20, 2e20, 3e20]
    arrays = polhode.dask.ensemble(client, [1, 2, 2.5], momentum=momenta, times=np.arange(1.0, 101.0))
    # 3e6 states of 0.3 us each, or twice that on a busy machine: a few tasks.
    assert 1 <= arrays.momentum.numblocks[0] <= 40
    kept = arrays.persist()
    assert [failure.body for failure in kept.failures()] == [12345]
    whole = kept.compute()
    local = polhode.ensemble([1, 2, 2.5], momentum=momenta, times=np.arange(1.0, 101.0))
    assert same(whole, local) and whole.failures == local.failures
    empty = polhode.dask.ensemble(client, [1, 2, 2.5], momentum=np.zeros((0, 3)), times=[1.0])
    assert empty.attitude.shape == (0, 1, 4)
    with pytest.raises(polhode.InvalidInput) as error:
        polhode.dask.ensemble(client, [1, 2, 2.5], momentum=momenta, times=[np.nan])
    assert error.value.argument == "times"

"""The same ensemble on a Dask cluster.

>>> import numpy as np
>>> from dask.distributed import Client
>>> import polhode.dask
>>> spins = np.random.default_rng(1).normal(size=(1000, 3))
>>> with Client(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as client:
...     there = polhode.dask.ensemble(client, [1, 2, 2.5], momentum=spins, times=[1.0, 1e6], chunk=300)
...     numbers = there.attitude.compute()
>>> numbers.shape, there.attitude.numblocks
((1000, 2, 4), (4, 1, 1))

Bodies are divided into chunks of about a second each, or of 64 MiB of results if that is less, which
workers compute on one thread. The result has the bits of `polhode.ensemble`. With a ``directory`` every
chunk becomes a file there, written whole or not at all; what is there already is not computed again.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import Doubles, count
from ._chunks import COLUMNS, ChunkFiles, Chunks, columns_of
from ._ensemble import EnsembleResult, Failure, _Bodies, _bodies, _Task, _task, warn_of_failures
from ._errors import missing
from ._methods import MethodLike
from .torques import TorqueLike

try:
    import dask
    import dask.array as da
    from distributed import Client
except ModuleNotFoundError as error:
    raise missing("polhode.dask", "dask", error) from None

if TYPE_CHECKING:
    from scipy.spatial.transform import Rotation

__all__ = ["ChunkFiles", "EnsembleArrays", "ensemble"]

#: How long a task should take, in seconds: long against what Dask spends on one, short against a wait.
TASK_SECONDS = 1.0
#: The most bodies whose results fit a message well.
MOST_BYTES = 64 * 2**20


@dataclass(frozen=True)
class EnsembleArrays:
    """States of n bodies at k times as Dask arrays, in chunks of bodies; see `polhode.EnsembleResult`."""

    t: Doubles
    momentum: Any
    omega: Any
    attitude: Any
    energy: Any
    _failures: tuple[Any, ...]
    _client: Any

    def failures(self) -> tuple[Failure, ...]:
        """The bodies that could not go to the end; computes all chunks."""
        return tuple(f for some in self._client.gather(self._client.compute(list(self._failures))) for f in some)

    def persist(self) -> EnsembleArrays:
        """The same, computed once and kept on the cluster."""
        kept = self._client.persist([*(getattr(self, name) for name in COLUMNS), *self._failures])
        columns = dict(zip(COLUMNS, kept, strict=False))
        return EnsembleArrays(self.t, **columns, _failures=tuple(kept[len(columns) :]), _client=self._client)

    def compute(self) -> EnsembleResult:
        """All of it, here."""
        *columns, failures = self._client.gather(
            self._client.compute([*(getattr(self, name) for name in COLUMNS), dask.delayed(_flat)(self._failures)])
        )
        warn_of_failures(failures, len(columns[0]))
        return EnsembleResult(t=self.t, **dict(zip(COLUMNS, columns, strict=True)), failures=failures)


@overload
def ensemble(
    client: Any,
    inertia: ArrayLike,
    *,
    momentum: ArrayLike | None = None,
    omega: ArrayLike | None = None,
    attitude: ArrayLike | Rotation | None = None,
    allow_unphysical: bool = False,
    times: ArrayLike | None = None,
    tolerance: ArrayLike | None = None,
    torque: TorqueLike = None,
    method: MethodLike | None = None,
    step: ArrayLike | None = None,
    until: ArrayLike | None = None,
    every: int | None = None,
    t0: ArrayLike | None = None,
    stops: ArrayLike | None = None,
    chunk: int | None = None,
    directory: None = None,
) -> EnsembleArrays: ...
@overload
def ensemble(
    client: Any,
    inertia: ArrayLike,
    *,
    momentum: ArrayLike | None = None,
    omega: ArrayLike | None = None,
    attitude: ArrayLike | Rotation | None = None,
    allow_unphysical: bool = False,
    times: ArrayLike | None = None,
    tolerance: ArrayLike | None = None,
    torque: TorqueLike = None,
    method: MethodLike | None = None,
    step: ArrayLike | None = None,
    until: ArrayLike | None = None,
    every: int | None = None,
    t0: ArrayLike | None = None,
    stops: ArrayLike | None = None,
    chunk: int | None = None,
    directory: str | os.PathLike[str],
) -> ChunkFiles: ...
def ensemble(
    client: Any,
    inertia: ArrayLike,
    *,
    momentum: ArrayLike | None = None,
    omega: ArrayLike | None = None,
    attitude: ArrayLike | Rotation | None = None,
    allow_unphysical: bool = False,
    times: ArrayLike | None = None,
    tolerance: ArrayLike | None = None,
    torque: TorqueLike = None,
    method: MethodLike | None = None,
    step: ArrayLike | None = None,
    until: ArrayLike | None = None,
    every: int | None = None,
    t0: ArrayLike | None = None,
    stops: ArrayLike | None = None,
    chunk: int | None = None,
    directory: str | os.PathLike[str] | None = None,
) -> EnsembleArrays | ChunkFiles:
    """Moves many bodies through time on the cluster of a ``distributed.Client``.

    Parameters
    ----------
    client : distributed.Client
    inertia, momentum, omega, attitude, allow_unphysical, times, tolerance, torque, method, step, until, every, t0
        As for `polhode.ensemble`.
    stops
        Likewise.
    chunk : int, optional
        Bodies in a task; by default as many as take about a second.
    directory : path, optional
        Where chunks are written, on a file system that all workers see.

    Returns
    -------
    EnsembleArrays
        Without a directory: Dask arrays that are computed when asked for.
    ChunkFiles
        With one, when all chunks are there. A run that was interrupted goes on where it was.

    Examples
    --------
    >>> import tempfile
    >>> spins = np.random.default_rng(1).normal(size=(100, 3))
    >>> with (
    ...     Client(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as client,
    ...     tempfile.TemporaryDirectory() as directory,
    ... ):
    ...     files = ensemble(client, [1, 2, 2.5], momentum=spins, times=[1.0], chunk=30, directory=directory)
    ...     there, again = files.load(), ensemble(client, [1, 2, 2.5], momentum=spins, times=[1.0], directory=directory)
    >>> there.attitude.shape, files.computed, again.computed
    ((100, 1, 4), 4, 0)
    """
    _check_client(client)
    bodies = _bodies(inertia, momentum, omega, attitude, allow_unphysical)
    task = _task(times, tolerance, torque, method, step, until, every, t0, stops)
    # Refuses what is wrong before anything is sent: each of the bodies here, and with none of them
    # what is done with all, which also tells the times.
    bodies.core().validate()
    none = task.run(bodies.part(0, 0), 1)
    size = count("chunk", chunk) if chunk is not None else None
    if directory is not None:
        if not isinstance(directory, (str, os.PathLike)):
            raise TypeError(f"directory: must be a path, not {type(directory).__name__}")
        # Workers have working directories of their own.
        chunks = Chunks(bodies, task, none.t, Path(directory).resolve())
        chunks.plan(size, lambda: _chunk(bodies, task, len(none.t)))
        return chunks.complete(client)
    size = size or _chunk(bodies, task, len(none.t))
    parts = [bodies.part(start, min(start + size, len(bodies))) for start in range(0, len(bodies), size)]
    results = [dask.delayed(columns_of, pure=True)(part, task) for part in parts]

    def column(name: str, tail: tuple[int, ...]) -> Any:
        if not results:
            return da.from_array(getattr(none, name))
        blocks = [
            da.from_delayed(result[name], (len(part), len(none.t), *tail), dtype=np.float64)
            for result, part in zip(results, parts, strict=True)
        ]
        return da.concatenate(blocks)

    columns = {name: column(name, tail) for name, tail in COLUMNS.items()}
    return EnsembleArrays(
        t=none.t, **columns, _failures=tuple(result["failures"] for result in results), _client=client
    )


def _check_client(client: Any) -> None:
    if not isinstance(client, Client):
        raise TypeError(f"client: must be a distributed.Client, not {type(client).__name__}")
    if client.asynchronous:
        raise TypeError("client: must not be asynchronous")


def _chunk(bodies: _Bodies, task: _Task, kept: int) -> int:
    """As many bodies as take about a second on one thread, tried out on a few and for a short time."""
    some, whole = min(64, len(bodies)), task.length()
    length = min(16, whole)
    while True:
        clock = time.perf_counter()
        task.shortened(length).run(bodies.part(0, some), 1)
        seconds = time.perf_counter() - clock
        if seconds > 0.05 * TASK_SECONDS or (length >= whole and some >= len(bodies)):
            break
        if length < whole:
            length = min(4 * length, whole)
        else:
            some = min(4 * some, len(bodies))
    each = seconds / max(some, 1) * whole / max(length, 1)
    by_time = int(TASK_SECONDS / max(each, 1e-12))
    by_size = MOST_BYTES // (8 * 11 * max(kept, 1))
    return max(1, min(by_time, by_size))


def _flat(parts: Any) -> tuple[Failure, ...]:
    return tuple(failure for part in parts for failure in part)

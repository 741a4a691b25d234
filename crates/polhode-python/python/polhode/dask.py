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

Bodies are divided into chunks of about a second each, which workers compute on one thread. The
result has the bits of `polhode.ensemble`. With a ``directory`` every chunk becomes a file there,
written whole or not at all; what is there already is not computed again.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import dask
import dask.array as da
import numpy as np
from numpy.typing import ArrayLike

from . import __version__
from ._arrays import Doubles, count
from ._ensemble import EnsembleResult, Failure, _Bodies, _bodies, _Task, _task
from ._errors import InvalidInput
from .torques import TorqueLike

if TYPE_CHECKING:
    from scipy.spatial.transform import Rotation

__all__ = ["ChunkFiles", "EnsembleArrays", "ensemble"]

#: How long a task should take, in seconds: long against what Dask spends on one, short against a wait.
TASK_SECONDS = 1.0
#: The most bodies whose results fit a message well.
MOST_BYTES = 64 * 2**20
_COLUMNS = {"momentum": (3,), "omega": (3,), "attitude": (4,), "energy": ()}


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
        kept = self._client.persist([*(getattr(self, name) for name in _COLUMNS), *self._failures])
        columns = dict(zip(_COLUMNS, kept, strict=False))
        return EnsembleArrays(self.t, **columns, _failures=tuple(kept[len(columns) :]), _client=self._client)

    def compute(self) -> EnsembleResult:
        """All of it, here."""
        *columns, failures = self._client.gather(
            self._client.compute([*(getattr(self, name) for name in _COLUMNS), dask.delayed(_flat)(self._failures)])
        )
        return EnsembleResult(t=self.t, **dict(zip(_COLUMNS, columns, strict=True)), failures=failures)


@dataclass(frozen=True)
class ChunkFiles:
    """Files of an ensemble, one for every chunk of bodies."""

    directory: Path
    paths: tuple[Path, ...]
    #: How many of them this run has computed; the others were there.
    computed: int

    def __iter__(self) -> Iterator[EnsembleResult]:
        """Chunk by chunk."""
        return (_read(path) for path in self.paths)

    def load(self) -> EnsembleResult:
        """All of it, in memory."""
        parts = list(self)
        columns = {name: np.concatenate([getattr(part, name) for part in parts]) for name in _COLUMNS}
        return EnsembleResult(t=parts[0].t, **columns, failures=_flat([part.failures for part in parts]))


def ensemble(
    client: Any,
    inertia: ArrayLike,
    *,
    momentum: ArrayLike | None = None,
    omega: ArrayLike | None = None,
    attitude: ArrayLike | Rotation | None = None,
    allow_unphysical: bool = False,
    times: ArrayLike | None = None,
    torque: TorqueLike = None,
    method: str = "exact",
    step: ArrayLike | None = None,
    until: ArrayLike | None = None,
    every: int | None = None,
    t0: ArrayLike = 0.0,
    chunk: int | None = None,
    directory: str | os.PathLike[str] | None = None,
) -> Any:
    """Moves many bodies through time on the cluster of a ``distributed.Client``.

    Parameters
    ----------
    client : distributed.Client
    inertia, momentum, omega, attitude, allow_unphysical, times, torque, method, step, until, every, t0
        As for `polhode.ensemble`.
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
    """
    bodies = _bodies(inertia, momentum, omega, attitude, allow_unphysical)
    task = _task(times, torque, method, step, until, every, t0)
    # Refuses what is wrong before anything is sent; also tells the times.
    probe = task.run(bodies.part(0, 1), 1) if len(bodies) else task.run(bodies, 1)
    size = count("chunk", chunk) if chunk is not None else None
    if directory is not None:
        return _to_files(client, bodies, task, size, Path(directory))
    size = size or _chunk(bodies, task, len(probe.t))
    results = [_delayed(bodies.part(start, stop), task, start) for start, stop in _ranges(len(bodies), size)]
    rows = [stop - start for start, stop in _ranges(len(bodies), size)]

    def column(name: str, tail: tuple[int, ...]) -> Any:
        if not results:
            return da.from_array(getattr(probe, name))
        blocks = [
            da.from_delayed(result[name], (n, len(probe.t), *tail), dtype=np.float64)
            for result, n in zip(results, rows, strict=True)
        ]
        return da.concatenate(blocks)

    columns = {name: column(name, tail) for name, tail in _COLUMNS.items()}
    return EnsembleArrays(
        t=probe.t, **columns, _failures=tuple(result["failures"] for result in results), _client=client
    )


def _ranges(n: int, size: int) -> list[tuple[int, int]]:
    return [(start, min(start + size, n)) for start in range(0, n, size)]


def _chunk(bodies: _Bodies, task: _Task, kept: int) -> int:
    """As many bodies as take about a second on one thread, tried out on a few."""
    some = 8
    while True:
        clock = time.perf_counter()
        task.run(bodies.part(0, some), 1)
        seconds = time.perf_counter() - clock
        if seconds > 0.05 * TASK_SECONDS or some >= len(bodies):
            break
        some *= 4
    by_time = int(min(some, len(bodies)) * TASK_SECONDS / max(seconds, 1e-9))
    by_size = MOST_BYTES // (8 * 11 * max(kept, 1))
    return max(1, min(by_time, by_size))


def _delayed(bodies: _Bodies, task: _Task, first: int) -> Any:
    return dask.delayed(_columns, pure=True)(bodies, task, first)


def _columns(bodies: _Bodies, task: _Task, first: int) -> dict[str, Any]:
    """What a worker does."""
    found = task.run(bodies, 1)
    columns: dict[str, Any] = {name: getattr(found, name) for name in _COLUMNS}
    columns["t"] = found.t
    columns["failures"] = tuple(f._replace(body=f.body + first) for f in found.failures)
    return columns


def _flat(parts: Any) -> tuple[Failure, ...]:
    return tuple(failure for part in parts for failure in part)


def _to_files(client: Any, bodies: _Bodies, task: _Task, size: int | None, directory: Path) -> ChunkFiles:
    directory.mkdir(parents=True, exist_ok=True)
    size = _plan(bodies, task, size, directory)
    ranges = _ranges(len(bodies), size)
    paths = [directory / f"chunk-{index:06d}.npz" for index in range(len(ranges))]
    missing = [index for index, path in enumerate(paths) if not path.exists()]
    futures = [
        client.submit(_write, bodies.part(*ranges[index]), task, ranges[index][0], str(paths[index]), pure=False)
        for index in missing
    ]
    client.gather(futures)
    return ChunkFiles(directory, tuple(paths), len(missing))


def _plan(bodies: _Bodies, task: _Task, size: int | None, directory: Path) -> int:
    """The size of a chunk: that of the run that is gone on with, if there is one."""
    path = directory / "ensemble.json"
    print_of = _fingerprint(bodies, task)
    if path.exists():
        try:
            plan = json.loads(path.read_text())
            fingerprint, known = plan["fingerprint"], int(plan["chunk"])
        except (ValueError, KeyError, TypeError):
            raise InvalidInput("directory", f"directory: {path} is no plan of an ensemble") from None
        if fingerprint != print_of:
            raise InvalidInput("directory", f"directory: {directory} holds another ensemble; take another one")
        if size is not None and size != known:
            raise InvalidInput("chunk", f"chunk = {size}: {directory} holds chunks of {known}")
        return known
    size = size or _chunk(bodies, task, len(task.run(bodies.part(0, 1), 1).t))
    text = json.dumps({"fingerprint": print_of, "chunk": size, "bodies": len(bodies), "version": __version__})
    _atomically(path, text.encode())
    return size


def _fingerprint(bodies: _Bodies, task: _Task) -> str:
    """Of all that the numbers depend on."""
    digest = hashlib.sha256(__version__.encode())
    turned = bodies.attitude if bodies.attitude is not None else np.empty(0)
    times = task.times if task.times is not None else np.empty(0)
    for array in (bodies.inertia, bodies.spin, turned, times):
        digest.update(f"{array.shape}".encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    rest = (bodies.is_omega, bodies.allow_unphysical, task.times is None, task.torque, task.method)
    numbers = (task.step, task.until, task.every, task.t0)
    digest.update(repr((rest, numbers)).encode())
    return digest.hexdigest()


def _write(bodies: _Bodies, task: _Task, first: int, path: str) -> str:
    """What a worker does: computes a chunk into a file."""
    columns = _columns(bodies, task, first)
    failures = columns.pop("failures")
    columns["failures"] = np.array(json.dumps(failures))
    _atomically(Path(path), columns)
    return path


def _read(path: Path) -> EnsembleResult:
    with np.load(path) as archive:
        failures = tuple(Failure(*failure) for failure in json.loads(str(archive["failures"])))
        return EnsembleResult(t=archive["t"], **{name: archive[name] for name in _COLUMNS}, failures=failures)


def _atomically(path: Path, content: bytes | dict[str, Any]) -> None:
    """Writes a file that is there whole or not at all, whatever happens to us."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            if isinstance(content, bytes):
                file.write(content)
            else:
                np.savez(file, **content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise

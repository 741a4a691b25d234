"""Ensembles as files, one for every chunk of bodies: written whole or not at all, and continued by a later run."""

from __future__ import annotations

import hashlib
import json
import os
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ._arrays import Doubles, count
from ._ensemble import EnsembleResult, Failure, _Bodies, _Task, warn_of_failures
from ._errors import InvalidInput
from ._polhode import VERSION

#: What there is of every body at every time, and of which shape.
COLUMNS = {"momentum": (3,), "omega": (3,), "attitude": (4,), "energy": ()}


@dataclass(frozen=True)
class ChunkFiles:
    """Files of an ensemble, one for every chunk of bodies."""

    directory: Path
    paths: tuple[Path, ...]
    #: How many of them this run has computed; the others were there.
    computed: int
    #: The times of all.
    t: Doubles

    def __iter__(self) -> Iterator[EnsembleResult]:
        """Chunk by chunk."""
        return (_read(path) for path in self.paths)

    def load(self) -> EnsembleResult:
        """All of it, in memory."""
        parts = list(self)
        none = {name: np.empty((0, len(self.t), *tail)) for name, tail in COLUMNS.items()}
        columns = {name: np.concatenate([empty, *(getattr(p, name) for p in parts)]) for name, empty in none.items()}
        failures = tuple(failure for part in parts for failure in part.failures)
        warn_of_failures(failures, len(columns["momentum"]))
        return EnsembleResult(t=self.t.copy(), **columns, failures=failures)


class Chunks:
    """The chunks of an ensemble in a directory."""

    def __init__(self, bodies: _Bodies, task: _Task, t: Doubles, directory: Path) -> None:
        # A model is a kind and its keys; of a function there is more to say, and a scenario's has no name.
        if any(not isinstance(part, tuple) or len(part) > 2 for part in task.torque):
            raise InvalidInput(
                "torque",
                "torque: a callable, or a scenario's, has no name by which files could be known to belong to it; "
                "take a model, or no directory",
            )
        self.bodies, self.task, self.t, self.directory = bodies, task, t, directory
        self.fingerprint = _fingerprint(bodies, task)
        self.size = 1

    def plan(self, size: int | None, by_default: Callable[[], int]) -> None:
        """Decides on the size of a chunk: that of the run that is continued, if there is one."""
        path = self.directory / "ensemble.json"
        if path.exists():
            try:
                plan = json.loads(path.read_text())
                fingerprint, known = plan["fingerprint"], count("chunk", plan["chunk"])
            except (ValueError, KeyError, TypeError):
                raise InvalidInput("directory", f"directory: {path} is no plan of an ensemble") from None
            if fingerprint != self.fingerprint:
                raise InvalidInput("directory", f"directory: {self.directory} holds another ensemble; take another one")
            if size is not None and size != known:
                raise InvalidInput("chunk", f"chunk = {size}: {self.directory} holds chunks of {known}")
            self.size = known
            return
        self.size = size or by_default()
        self.directory.mkdir(parents=True, exist_ok=True)
        plan = {"fingerprint": self.fingerprint, "chunk": self.size, "bodies": len(self.bodies), "version": VERSION}
        _atomically(path, json.dumps(plan).encode())

    def complete(self, client: Any) -> ChunkFiles:
        """Has every chunk computed that is not there, or not whole."""
        starts = range(0, len(self.bodies), self.size)
        parts = [self.bodies.part(start, min(start + self.size, len(self.bodies))) for start in starts]
        paths = [self.directory / f"chunk-{index:06d}.npz" for index in range(len(parts))]
        keys = [f"{self.fingerprint}:{part.first}+{len(part)}" for part in parts]
        there = [index for index, path in enumerate(paths) if path.exists()]
        shapes = {index: (len(parts[index]), len(self.t)) for index in there}
        checks = [client.submit(is_whole, str(paths[i]), keys[i], shapes[i], pure=False) for i in there]
        good = {index for index, whole in zip(there, _gathered(client, checks), strict=True) if whole}
        missing = [index for index in range(len(parts)) if index not in good]
        work = [client.submit(_write, parts[i], self.task, str(paths[i]), keys[i], pure=False) for i in missing]
        _gathered(client, work)
        # What workers that were killed have left.
        for pattern in (".chunk-*.npz.*.part", ".ensemble.json.*.part"):
            for stale in self.directory.glob(pattern):
                stale.unlink(missing_ok=True)
        return ChunkFiles(self.directory, tuple(paths), len(missing), self.t)


def _gathered(client: Any, futures: list[Any]) -> list[Any]:
    try:
        found: list[Any] = client.gather(futures)
    except BaseException:
        client.cancel(futures)
        raise
    return found


def columns_of(bodies: _Bodies, task: _Task) -> dict[str, Any]:
    """What a worker does."""
    found = task.run(bodies, 1)
    columns: dict[str, Any] = {name: getattr(found, name) for name in COLUMNS}
    return {**columns, "t": found.t, "failures": found.failures}


def _write(bodies: _Bodies, task: _Task, path: str, key: str) -> None:
    """What a worker does: computes a chunk into a file."""
    columns = columns_of(bodies, task)
    columns["failures"] = np.array(json.dumps(columns["failures"]))
    _atomically(Path(path), {**columns, "key": np.array(key)})


def is_whole(path: str, key: str, shape: tuple[int, int]) -> bool:
    """Whether a file holds that chunk: of this ensemble, of its size, and with the checksums it was written with."""
    try:
        with np.load(path, allow_pickle=False) as archive:
            json.loads(str(archive["failures"]))
            found = {name: (archive[name].shape, archive[name].dtype) for name in (*COLUMNS, "t")}
            same = str(archive["key"]) == key
    except Exception:  # a broken archive raises whatever its decoder stumbles over
        return False
    wanted = {name: (*shape, *tail) for name, tail in COLUMNS.items()} | {"t": shape[1:]}
    return same and found == {name: (want, np.dtype(np.float64)) for name, want in wanted.items()}


def _read(path: Path) -> EnsembleResult:
    with np.load(path, allow_pickle=False) as archive:
        failures = tuple(Failure(*failure) for failure in json.loads(str(archive["failures"])))
        return EnsembleResult(t=archive["t"], **{name: archive[name] for name in COLUMNS}, failures=failures)


def _fingerprint(bodies: _Bodies, task: _Task) -> str:
    """Of all that the numbers depend on."""
    digest = hashlib.sha256(VERSION.encode())
    turned = bodies.attitude if bodies.attitude is not None else np.empty(0)
    times = task.times if task.times is not None else np.empty(0)
    for array in (bodies.inertia, bodies.spin, turned, times):
        digest.update(f"{array.shape}".encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    rest = (bodies.is_omega, bodies.allow_unphysical, task.times is None, task.torque, task.method)
    numbers = (task.step, task.until, task.every, task.t0, task.tolerance, task.stops)
    digest.update(repr((rest, numbers)).encode())
    return digest.hexdigest()


def _atomically(path: Path, content: bytes | dict[str, Any]) -> None:
    """Writes a file that is there whole or not at all, whatever happens to us."""
    temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex}.part")
    try:
        # New, with the permissions that the umask leaves.
        with open(temporary, "xb") as file:
            if isinstance(content, bytes):
                file.write(content)
            else:
                np.savez(file, **content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except FileNotFoundError:
        # Somebody else has done the same chunk meanwhile, and tidied up.
        if not path.exists():
            raise
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise

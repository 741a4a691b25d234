"""States as tables of other libraries, and in files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _polhode
from ._errors import InvalidInput, missing

if TYPE_CHECKING:
    import os

    from ._states import States

_COLUMNS = {"momentum": ("m1", "m2", "m3"), "omega": ("w1", "w2", "w3"), "attitude": ("q0", "q1", "q2", "q3")}


def _arrays(states: States) -> dict[str, Any]:
    """The quantities that have a number for each state, by name."""
    names = ("step", "energy")
    return {name: getattr(states, name) for name in names if getattr(states, name, None) is not None}


def _index(states: States) -> dict[str, Any]:
    """Time, and the number of the body where there are many."""
    shape = states.attitude.shape[:-1]
    if shape == np.shape(states.t):
        return {"t": np.ravel(states.t)}
    bodies = np.broadcast_to(np.arange(shape[0]).reshape((-1,) + (1,) * (len(shape) - 1)), shape)
    return {"body": bodies.ravel(), "t": np.broadcast_to(states.t, shape).ravel()}


def columns(states: States) -> dict[str, Any]:
    """A column for each number of a state, named as in files of the program."""
    found = _index(states)
    shape = states.attitude.shape[:-1]
    for name, parts in _COLUMNS.items():
        numbers = getattr(states, name).reshape(-1, len(parts))
        found.update({part: numbers[:, i] for i, part in enumerate(parts)})
    for name, numbers in _arrays(states).items():
        found[name] = np.broadcast_to(numbers, shape).ravel()
    return found


def to_pandas(states: States) -> Any:
    try:
        import pandas
    except ModuleNotFoundError as error:
        raise missing("to_pandas()", "tables", error) from None
    index = list(_index(states))
    return pandas.DataFrame(columns(states)).set_index(index if len(index) > 1 else index[0])


def to_xarray(states: States) -> Any:
    try:
        import xarray
    except ModuleNotFoundError as error:
        raise missing("to_xarray()", "tables", error) from None
    times = np.shape(states.t)
    if len(times) > 1:
        raise InvalidInput("states", f"states: at times of shape {times}; to_xarray() takes them in a row")
    shape = states.attitude.shape[:-1]
    dimensions = (() if shape == times else ("body",)) + (("t",) if times else ())
    data: dict[str, Any] = {
        "momentum": ((*dimensions, "axis"), states.momentum, {"frame": "body"}),
        "omega": ((*dimensions, "axis"), states.omega, {"frame": "body"}),
        "attitude": ((*dimensions, "quaternion"), states.attitude, {"frame": "body to space", "order": "wxyz"}),
    }
    for name, numbers in _arrays(states).items():
        data[name] = (dimensions if np.ndim(numbers) == len(dimensions) else ("t",), numbers)
    coordinates = {"t": states.t, "axis": ["x", "y", "z"], "quaternion": ["w", "x", "y", "z"]}
    attributes = {"polhode": _polhode.VERSION, **_made(states)}
    return xarray.Dataset(data, coordinates, attributes)


def _made(states: States) -> dict[str, Any]:
    method = getattr(states, "method", None)
    return {} if method is None else {"method": str(method)}


def save(states: States, path: str | os.PathLike[str]) -> None:
    target = Path(path)
    meta = {
        "schema": 1,
        "polhode": _polhode.VERSION,
        **_made(states),
        "attitude": {"form": "quaternion", "columns": list(_COLUMNS["attitude"])},
        "units": {"angle": "radian", "omega": "radian per unit of time"},
        "frames": {"momentum": "body", "omega": "body", "attitude": "body to space"},
    }
    text = json.dumps(meta)
    if target.suffix == ".npz":
        index = _index(states)
        shape = states.attitude.shape[:-1]
        rows = {name: getattr(states, name).reshape(-1, len(parts)) for name, parts in _COLUMNS.items()}
        more = {name: np.broadcast_to(numbers, shape).ravel() for name, numbers in _arrays(states).items()}
        everything: dict[str, Any] = {**index, **rows, **more, "meta": np.bytes_(text.encode())}
        # Through an open file: NumPy would change the name.
        with target.open("wb") as file:
            np.savez(file, **everything)
    elif target.suffix == ".csv":
        table = columns(states)
        with target.open("w", encoding="utf-8", newline="\n") as lines:
            lines.write(",".join(table) + "\n")
            for row in zip(*(column.tolist() for column in table.values()), strict=True):
                lines.write(",".join(map(repr, row)) + "\n")
        Path(f"{target}.meta.json").write_text(text + "\n", encoding="utf-8")
    else:
        raise InvalidInput("path", f"path = {str(path)!r}: the extension says the format, .csv or .npz")

"""Motions as pages in which the body turns."""

from __future__ import annotations

import html
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _polhode
from ._arrays import Doubles, flat, real
from ._errors import InvalidInput
from .torques import _parts

if TYPE_CHECKING:
    from ._body import Body
    from ._states import States

#: Between two moments of a film of a dense solution the body turns by about this, in radians.
TURN = 0.1
#: A film has so many moments at most, and at least.
MOST, LEAST = 24_000, 1_000


class View:
    """A page in which the body turns: a notebook shows it, ``save`` writes it as one HTML file without links."""

    __slots__ = ("html",)

    def __init__(self, text: str) -> None:
        #: The text of the page.
        self.html = text

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the page to a file."""
        Path(path).write_text(self.html, encoding="utf-8")

    def _repr_html_(self) -> str:
        # In a frame of its own: its style and script do not meet those of the notebook.
        page = html.escape(self.html, quote=True)
        return (
            f'<iframe srcdoc="{page}" sandbox="allow-scripts" title="The motion of a body" '
            'style="width: 100%; height: 820px; border: 0"></iframe>'
        )

    def __repr__(self) -> str:
        return f"<View of {len(self.html)} characters: save(path) writes it, a notebook shows it>"


def view(
    states: States,
    body: Body | None,
    watch: Mapping[str, Any] | Sequence[str],
    shape: Any,
    title: str,
    beside: Mapping[str, States],
) -> View:
    """The page of states, and of others beside them."""
    from ._states import States

    runs = [_run(title, states, body, watch, shape)]
    for name, other in beside.items():
        if not isinstance(other, States):
            raise TypeError(f"beside: {name}: must be polhode States, not {type(other).__name__}")
        runs.append(_run(str(name), other, body, watch, shape))
    return View(_polhode.page(title, "", runs))


def _run(name: str, states: States, body: Body | None, watch: Mapping[str, Any] | Sequence[str], shape: Any) -> Any:
    from ._body import Body

    torque = None
    if body is None:
        if states._run is None:
            raise TypeError("body: needed here, as the states are of no run that knows it")
        body, torque, _ = states._run
    if not isinstance(body, Body):
        raise TypeError(f"body: must be a polhode.Body, not {type(body).__name__}")
    times = np.shape(states.t)
    if len(times) != 1 or not times[0] or np.shape(states.momentum) != (*times, 3):
        raise InvalidInput("states", f"states: must be a row of states of one body, not of shape {times}")
    if isinstance(watch, str) or not isinstance(watch, Sequence | Mapping):
        raise TypeError("watch: must be a list of expressions, or a dict of expressions or arrays by their names")
    wanted = watch if isinstance(watch, Mapping) else {text: text for text in watch}
    # Numbers that are given belong to the states there are.
    if all(isinstance(value, str) for value in wanted.values()):
        states = _dense(states, body, torque)
    watched = []
    for label, value in wanted.items():
        if isinstance(value, str):
            row = states.observe(value, body=body, torque=torque)
        else:
            row = real(f"watch[{label!r}]", value)
        if np.shape(row) != np.shape(states.t):
            wrong = f"watch: {label!r} must have shape {np.shape(states.t)}, not {np.shape(row)}"
            raise InvalidInput("watch", wrong)
        watched.append((str(label), flat(np.asarray(row))))
    look, mesh = _shape(shape)
    return SimpleNamespace(
        name=name,
        body=body._core,
        torqued=torque is not None,
        torque=_parts(torque),
        shape=look,
        mesh=mesh,
        t=flat(np.asarray(states.t)),
        momentum=flat(states.momentum),
        attitude=flat(states.attitude),
        watched=watched,
    )


def _dense(states: States, body: Body, torque: Any) -> States:
    """Where the solution is known at every time, as many states as show it; those there are, otherwise."""
    solution = getattr(states, "sol", None)
    if solution is None or len(states) < 2:
        return states
    fastest = float(np.linalg.norm(states.omega, axis=-1).max())
    span = abs(float(states.t[-1] - states.t[0]))
    count = int(np.clip(fastest * span / TURN, LEAST, MOST))
    fine: States = solution(np.linspace(states.t[0], states.t[-1], count))
    return fine._of(body, torque)


def _shape(shape: Any) -> tuple[str | None, Any]:
    """The name of a look, and a mesh in its place; neither where the look that suits the torque is wanted."""
    if shape is None:
        return None, None
    if isinstance(shape, str):
        return shape, None
    try:
        vertices, triangles = shape
        corners: Doubles = real("shape", vertices)
        return "", (corners.reshape(-1, 3).tolist(), np.asarray(triangles, dtype=np.intp).reshape(-1, 3).tolist())
    except (TypeError, ValueError, OverflowError):
        raise TypeError("shape: must be a name, or a pair (vertices, triangles)") from None

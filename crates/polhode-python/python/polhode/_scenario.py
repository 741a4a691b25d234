"""Scenario files."""

from __future__ import annotations

import hashlib
import json
import os
import struct
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np

from . import _polhode
from ._arrays import Doubles
from ._body import Body
from ._errors import InvalidInput
from ._free import FreeMotion
from ._simulate import Trajectory, _trajectory
from ._solve import Solution, _solution
from ._states import States
from .shape import MassProperties


class _Reached(NamedTuple):
    """Where a checkpoint was taken."""

    step: int
    momentum: list[float]
    attitude: list[float]


_Run = TypeVar("_Run", bound=States)
# Of the span, how exactly the times of events are known.
_EVENT_TIME = 1e-12


class Scenario:
    """A scenario file, as `polhode run` takes it: a body, its start, a torque, and how its motion is computed.

    >>> text = '''
    ... body.inertia = { box = [1, 2, 3], mass = 12 }
    ... start.omega = { rpm = [0.1, 30, 0] }
    ... run = { until = 10, interval = 0.5 }
    ... '''
    >>> scenario = Scenario.parse(text)
    >>> scenario.body.moments
    array([13., 10.,  5.])
    >>> scenario.run().momentum.shape
    (21, 3)
    """

    __slots__ = ("_core", "_reached")

    def __init__(self, core: _polhode.Scenario, reached: _Reached | None = None) -> None:
        self._core = core
        self._reached = reached

    @classmethod
    def load(cls, path: str | os.PathLike[str], overrides: Iterable[str] = ()) -> Scenario:
        """Reads a file; ``overrides`` are as of ``--set``: ``["method.step=0.1"]``.

        Raises
        ------
        InvalidInput
            With line, place and remedy, if what it says cannot be run.
        """
        return cls(_polhode.Scenario.load(os.fspath(path), list(overrides)))

    @classmethod
    def parse(cls, text: str, overrides: Iterable[str] = (), name: str = "scenario") -> Scenario:
        """Reads a text; the name is for messages."""
        return cls(_polhode.Scenario.parse(text, name, list(overrides)))

    @classmethod
    def from_checkpoint(cls, path: str | os.PathLike[str]) -> Scenario:
        """The rest of a run that `polhode run` has saved: `run` then begins where it was.

        The states are those of `polhode resume`, which also completes the files. A method that carries more than
        the state from step to step (a compensated one) can be resumed by the program alone.
        """
        heading, _, body = Path(path).read_bytes().partition(b"\n")
        words = heading.decode("utf-8", "replace").split()
        if words[:2] != ["polhode-checkpoint", "1"] or len(words) != 3:
            raise InvalidInput("path", f"path = {os.fspath(path)!r}: no checkpoint of polhode, or of a later version")
        if hashlib.sha256(body).hexdigest() != words[2]:
            raise InvalidInput("path", f"path = {os.fspath(path)!r}: damaged, its checksum is another one")
        saved = json.loads(body)
        core = _polhode.Scenario.parse(saved["scenario_text"], saved["scenario_name"], saved["overrides"])
        if core.steps is not None and saved["carried"]:
            raise InvalidInput(
                "path", f"path = {os.fspath(path)!r}: {core.method} carries more than the state; use `polhode resume`"
            )
        numbers = struct.unpack("<7d", struct.pack("<7Q", *saved["state"]))
        return cls(core, _Reached(saved["step"], list(numbers[:3]), list(numbers[3:])))

    @property
    def name(self) -> str:
        """The name it was read under."""
        return self._core.name

    @property
    def text(self) -> str:
        """Its text."""
        return self._core.text

    @property
    def overrides(self) -> list[str]:
        """What changed it, as given; then what files that it names have become."""
        return self._core.overrides

    @property
    def method(self) -> str:
        """The method of its steps, or the way it is solved."""
        return self._core.method

    @property
    def step(self) -> float | None:
        """The step; None if it is solved to a tolerance."""
        return None if self._core.steps is None else self._core.steps[0]

    @property
    def tolerance(self) -> float | None:
        """The tolerance; None of fixed steps."""
        return None if self._core.solving is None else self._core.solving[0]

    @property
    def until(self) -> float:
        """The end, as given."""
        return self._core.until

    @property
    def torque(self) -> _polhode.ScenarioTorque | None:
        """What acts on the body; it goes wherever a torque goes. None on a free one."""
        return None if self._core.is_free else self._core.torque

    @property
    def body(self) -> Body:
        """The body and the state it starts from."""
        return Body._of(self._core.body())

    @property
    def mass_properties(self) -> MassProperties | None:
        """Mass, centre and tensor, where the inertia is that of a shape."""
        found = self._core.mass_properties
        return None if found is None else MassProperties(found[0], np.array(found[1]), np.array(found[2]))

    @property
    def watch(self) -> dict[str, str]:
        """What ``[watch]`` names: formulas and comparisons, as texts."""
        columns, conditions = self._core.watch
        return dict(columns + conditions)

    @property
    def stop_when(self) -> str | None:
        """The comparison that ends the run when it becomes true; None without."""
        return self._core.stop_when

    def observe(self, states: States) -> dict[str, Doubles]:
        """The formulas of ``[watch]`` at every state of a run of this scenario, by name.

        >>> text = 'body.inertia = [1, 2, 3]\\nstart.omega = [0, 0, 1]\\nrun.until = 2\\nwatch.turn = "deg(yaw)"'
        >>> scenario = Scenario.parse(text)
        >>> scenario.observe(scenario.run())["turn"][-1].round(6)
        np.float64(114.591559)
        """
        self._still()
        found = self._core.observe(*states._columns())
        return {name: values.reshape(states._shape()) for name, values in found}

    def intervals(self, states: States) -> dict[str, Doubles]:
        """From when to when the comparisons of ``[watch]`` hold in a run of this scenario: by name, (n, 2) each.

        See `States.intervals`.
        """
        self._still()
        if np.ndim(states.t) != 1:
            raise InvalidInput("states", "states: those of one run are needed, in the order of their times")
        found = self._core.intervals(*states._columns())
        return {name: np.array(pairs).reshape(-1, 2) for name, pairs in found}

    def _still(self) -> None:
        """The states of a run tell everything."""
        if self._core.fittings is not None:
            raise InvalidInput(
                "scenario",
                f"{self.name}: of a body with wheels, dissipation or a controller `polhode run` tells what is watched",
            )

    def free_motion(self) -> FreeMotion:
        """The free motion of its body from its start, without its torque."""
        return FreeMotion.of(self.body)

    def run(self) -> Trajectory | Solution:
        """Computes the rows that `polhode run` would write, with the same bits; no file is written.

        Raises
        ------
        RunFailed
            If it cannot go on.
        """
        core, reached = self._core, self._reached
        fittings = core.fittings
        if fittings is not None and reached is not None:
            raise InvalidInput(
                "scenario",
                f"{self.name}: a run with wheels or a controller that was saved goes on with `polhode resume`",
            )
        torque: list[Any] = [] if core.is_free else [core.torque]
        stops = core.stop_event()
        if stops is not None:
            self._still()
        if core.steps is None:
            assert core.solving is not None
            tolerance, times, chosen, jumps = core.solving
            settings = {
                "tolerance": tolerance,
                "rtol": None,
                "atol": 0.0,
                "method": core.method,
                "stops": jumps,
                "dense": False,
                "max_step": np.inf,
                "first_step": None,
                # Where it rises, the first of them ends the run.
                "events": [] if stops is None else [(stops, 1.0, 1, None)],
                "estimate_error": False,
            }
            wanted = np.array(times)
            solved = _solution(
                _polhode.solve(core.body(), torque, 0.0, core.until, wanted, settings), wanted, False, False
            )
            if solved.status == 1 and chosen and solved.t[-1] not in wanted:
                # Rows at chosen times are those alone; where it ended is told by the message.
                solved = solved[:-1]
            elif solved.status == 1 and not chosen and len(solved.t) > 2:
                # As in the program, a row that cannot be told from the end gives way to it.
                near = abs(solved.t[-1] - solved.t[-2]) < _EVENT_TIME * abs(core.until)
                solved = solved[np.arange(len(solved.t)) != len(solved.t) - 2] if near else solved
            return self._known(solved if reached is None else solved[reached.step :])
        step, every = core.steps
        first = 0 if reached is None else reached.step
        body = core.body() if reached is None else core.body_at(reached.momentum, reached.attitude)
        # Rows are counted from the start: first to the next of them, unless the end comes sooner.
        lead = -first % every
        if lead and (first + lead) * step / core.until < 1.0:
            until = (first + lead) * step
            to_row = _polhode.simulate(body, torque, core.stepper(), step, until, lead, None, first * step, None)
            body = core.body_at(to_row["momentum"][-1].tolist(), to_row["attitude"][-1].tolist())
            first += lead
        keep = every if stops is None else 1
        kept = _polhode.simulate(body, torque, core.stepper(), step, core.until, keep, None, first * step, fittings)
        kept.pop("end")
        found = _trajectory(kept, core.method)
        if stops is not None:
            # Every step is looked at, and rows are kept up to the one with which the run ends.
            stop = core.stop_row(*found._columns())
            last = len(found) - 1 if stop is None else stop
            rows = np.arange(0, last + 1, every)
            found = found[rows if rows[-1] == last else np.append(rows, last)]
        if not first:
            return self._known(found)
        # Counted from the start, as in the run that was saved.
        numbers = found.step + first
        return self._known(replace(found, step=numbers, t=numbers.astype(np.float64) * step))

    def _known(self, found: _Run) -> _Run:
        """The same, known to be of this scenario."""
        return found._of(self.body, self.torque, self._core.fittings is not None)

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.text, self.name, self.overrides, self._reached)

    def __repr__(self) -> str:
        return f"<Scenario {self.name!r}: {self.method}, until {self.until!r}>"


def _again(text: str, name: str, overrides: list[str], reached: _Reached | None) -> Scenario:
    """One that was pickled."""
    return Scenario(_polhode.Scenario.parse(text, name, overrides), reached)

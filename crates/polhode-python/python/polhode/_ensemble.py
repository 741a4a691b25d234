"""Many bodies at once."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _polhode
from ._arrays import Doubles, count, flag, flat, number, quaternion, real, word
from ._body import Body
from ._errors import InvalidInput
from ._methods import MethodLike, _method
from ._states import States
from .torques import Part, TorqueLike, _parts

if TYPE_CHECKING:
    from scipy.spatial.transform import Rotation


class Failure(NamedTuple):
    """A body that could not go on; its states are NaN from then on, and the others are not concerned."""

    body: int
    #: The step (or the number of the time) that failed.
    step: int
    t: float
    reason: str


def warn_of_failures(failures: tuple[Failure, ...], bodies: int, stacklevel: int = 3) -> None:
    """Warns of bodies that failed on the way, not of wrong numbers: those fail only where that was asked for."""
    on_the_way = [failure for failure in failures if not np.isnan(failure.t)]
    if on_the_way:
        first = on_the_way[0]
        warnings.warn(
            f"{len(on_the_way)} of {bodies} bodies could not go to the end, and have NaN for states from there on; "
            f"the first is body {first.body}, at t = {first.t}: {first.reason}",
            RuntimeWarning,
            stacklevel=stacklevel,
        )


@dataclass(frozen=True, repr=False, eq=False)
class EnsembleResult(States):
    """States of n bodies at k times: ``t`` (k,), ``momentum`` (n, k, 3), ``attitude`` (n, k, 4)."""

    #: Kinetic plus potential energy, (n, k).
    energy: Doubles
    failures: tuple[Failure, ...]

    @property
    def failed(self) -> NDArray[np.bool_]:
        """For each body, whether it could not go to the end."""
        mask = np.zeros(len(self.momentum), dtype=bool)
        mask[[failure.body for failure in self.failures]] = True
        return mask

    def _shape(self) -> tuple[int, ...]:
        return (*self.momentum.shape[:1], *np.shape(self.t))

    def __len__(self) -> int:
        return len(self.momentum)

    @overload
    def __getitem__(self, index: int | np.integer[Any]) -> States: ...
    @overload
    def __getitem__(self, index: slice | NDArray[Any] | list[int] | list[bool]) -> EnsembleResult: ...
    def __getitem__(self, index: Any) -> States:
        """The states of a body, or an ensemble of some of them."""
        bodies = np.arange(len(self))[index]
        known = None if self._run is None else self._run[0].some(bodies)
        if not np.ndim(bodies):
            alone = States(self.t, self.momentum[bodies], self.omega[bodies], self.attitude[bodies])
            return alone if known is None or self._run is None else alone._of(known, self._run[1])
        if bodies.ndim != 1:
            raise IndexError("an ensemble has one index, that of the bodies")
        columns = {name: getattr(self, name)[bodies] for name in ("momentum", "omega", "attitude", "energy")}
        failed = {failure.body: failure for failure in self.failures}
        failures = (failed[b]._replace(body=i) for i, b in enumerate(bodies.tolist()) if b in failed)
        some = replace(self, **columns, failures=tuple(failures))
        return some if known is None or self._run is None else some._of(known, self._run[1])

    def __repr__(self) -> str:
        n, k = self.energy.shape
        return f"<EnsembleResult: {n} bodies at {k} times, {len(self.failures)} failed>"


@dataclass(frozen=True)
class _Bodies:
    """Bodies as arrays: one row each, or one for all."""

    inertia: Doubles
    #: One inertia for all. The shape does not tell: a part of three bodies has three rows of moments.
    shared: bool
    spin: Doubles
    is_omega: bool
    attitude: Doubles | None
    allow_unphysical: bool
    #: The number of the first one, where these are a part.
    first: int = 0
    #: A body with wrong numbers fails alone.
    keep_going: bool = False

    def __len__(self) -> int:
        return len(self.spin)

    def part(self, start: int, stop: int) -> _Bodies:
        """Some of them."""
        return _Bodies(
            self.inertia if self.shared else self.inertia[start:stop],
            self.shared,
            self.spin[start:stop],
            self.is_omega,
            None if self.attitude is None else self.attitude[start:stop],
            self.allow_unphysical,
            self.first + start,
            self.keep_going,
        )

    def some(self, index: Any) -> _Bodies | Body | None:
        """Those of an array of numbers; one alone of a number, None if that is no body."""
        inertia = self.inertia if self.shared else self.inertia[index]
        attitude = None if self.attitude is None else self.attitude[index]
        if np.ndim(index):
            return replace(self, inertia=inertia, spin=self.spin[index], attitude=attitude, first=0)
        spin = {"omega" if self.is_omega else "momentum": self.spin[index]}
        try:
            return Body(inertia, attitude=attitude, allow_unphysical=self.allow_unphysical, **spin)
        except InvalidInput:
            return None

    @property
    def _core(self) -> _polhode.Bodies:
        return self.core()

    def core(self) -> _polhode.Bodies:
        width = 0 if self.shared else int(np.prod(self.inertia.shape[1:]))
        turned = np.empty(0) if self.attitude is None else flat(self.attitude)
        return _polhode.Bodies(
            flat(self.inertia),
            width,
            self.allow_unphysical,
            flat(self.spin),
            self.is_omega,
            turned,
            self.first,
            self.keep_going,
        )


@dataclass(frozen=True)
class _Task:
    """What is done with every body."""

    times: Doubles | None
    #: To which error; none for exact free motions at times, and for steps.
    tolerance: float | None
    #: Times at which steps to a tolerance end.
    stops: tuple[float, ...]
    torque: list[Part]
    method: MethodLike
    step: float
    until: float
    every: int
    t0: float

    def length(self) -> int:
        """How many steps or times."""
        if self.times is not None:
            return len(self.times)
        return max(1, round((self.until - self.t0) / self.step))

    def shortened(self, length: int) -> _Task:
        """The same up to so many steps or times, of which few are kept."""
        if self.times is not None:
            times = self.times[:length]
            reached = np.abs(times - self.t0).max(initial=0.0)
            stops = tuple(stop for stop in self.stops if abs(stop - self.t0) <= reached)
            return replace(self, times=times, stops=stops)
        return replace(self, until=self.t0 + length * self.step, every=2**62)

    def run(self, bodies: _Bodies, threads: int) -> EnsembleResult:
        core = bodies.core()
        if self.times is not None and self.tolerance is not None:
            found = _polhode.solved_ensemble(
                core, self.torque, self.tolerance, flat(self.times), list(self.stops), self.t0, threads
            )
            found["t"] = self.times.copy()
        elif self.times is not None:
            found = _polhode.free_ensemble(core, flat(self.times), threads)
            found["t"] = self.times.copy()
        else:
            found = _polhode.ensemble(
                core, self.torque, _method("method", self.method), self.step, self.until, self.every, self.t0, threads
            )
        rows = (len(bodies), len(found["t"]))
        return EnsembleResult(
            t=found["t"],
            momentum=found["momentum"].reshape((*rows, 3)),
            omega=found["omega"].reshape((*rows, 3)),
            attitude=found["attitude"].reshape((*rows, 4)),
            energy=found["energy"].reshape(rows),
            failures=tuple(Failure(*failure) for failure in found["failures"]),
        )


def ensemble(
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
    threads: int = 0,
    bad_bodies: Literal["raise", "fail"] = "raise",
) -> EnsembleResult:
    """Moves many bodies through time, in SIMD lanes and on all cores.

    Either free bodies, exactly, at ``times``; or under any torque to a ``tolerance``, at ``times``; or by any
    method and under any torque, with ``step`` and ``until``. Each body has the bits that it would have alone, in
    `FreeMotion` (of its momentum), `solve` or `simulate`, whatever the number of threads.

    Parameters
    ----------
    inertia : array_like, shape (3,), (3, 3), (n, 3) or (n, 3, 3)
        Moments or a tensor, of all bodies or of each. For three bodies give (3, 3, 3).
    momentum, omega : array_like, shape (n, 3) or (3,)
        One of the two.
    attitude : array_like, shape (n, 4) or (4,), or Rotation, optional
    times : array_like, shape (k,)
        When. For free bodies in any order; with a ``tolerance`` away from the start.
    tolerance : float, optional
        The error wanted at the last of the times, as for `solve`. Each body has its own steps; one that cannot be
        solved fails.
    torque : see `polhode.torques`; None for free bodies
        What acts on every body, as for `simulate`. A callable is called for one body after the other:
        about half a microsecond a call and what it takes itself, beside a step of some tens of nanoseconds
        in lanes. Python runs one such call at a time, so more ``threads`` gain little.
    method : str, Scheme or Tableau
        As for `simulate`; ``exact`` if nothing is said. Those with `MethodInfo.in_lanes` advance several
        bodies at once, others one body after the other.
    step, until, t0 : float
        As for `simulate`.
    every : int, optional
        Keep one state in so many, and the first and the last; by default these two alone.
    stops : array_like, shape (n,), optional
        With a ``tolerance``: times, in order, from the start to the last of ``times``, at which a step of every body
        ends: where the torque jumps.
    threads : int
        0 for all cores; with a callable, for one.
    bad_bodies : "raise" or "fail"
        What becomes of a body with wrong numbers (one that is not finite, moments that no body has): an error for
        all, or a failure of its own, with NaN for its states.

    Warns
    -----
    RuntimeWarning
        If bodies could not go to the end, with the reason of the first. Their states are NaN from where they failed;
        ``failed`` and ``failures`` of the result say which they are, and why.

    Examples
    --------
    >>> spins = np.random.default_rng(1).normal(size=(1000, 3))
    >>> there = ensemble([1, 2, 2.5], momentum=spins, times=[1.0, 1e6])
    >>> there.attitude.shape
    (1000, 2, 4)
    >>> stepped = ensemble([1, 2, 2.5], momentum=spins, method="dmv", step=0.01, until=1)
    >>> bool(abs(stepped.attitude[:, -1] - there.attitude[:, 0]).max() < 1e-12)
    True
    >>> tops = ensemble([1, 2, 2.5], momentum=spins, torque={"kind": "heavy-top"}, tolerance=1e-9, times=[1.0])
    >>> tops.attitude.shape
    (1000, 1, 4)
    """
    bodies = _bodies(inertia, momentum, omega, attitude, allow_unphysical)
    bodies = replace(bodies, keep_going=word("bad_bodies", bad_bodies, "raise", "fail") == "fail")
    task = _task(times, tolerance, torque, method, step, until, every, t0, stops)
    found = task.run(bodies, _threads(threads))
    warn_of_failures(found.failures, len(bodies))
    # What the caller changes in an array later is not what was computed.
    return found._of(replace(bodies, inertia=bodies.inertia.copy(), spin=bodies.spin.copy()), torque)


def _threads(threads: int) -> int:
    number_of_threads = count("threads", threads, least=0)
    if number_of_threads > 1024:
        raise InvalidInput("threads", f"threads = {number_of_threads}: at most 1024, or 0 for all cores")
    return number_of_threads


def _bodies(
    inertia: ArrayLike,
    momentum: ArrayLike | None,
    omega: ArrayLike | None,
    attitude: ArrayLike | Rotation | None,
    allow_unphysical: bool,
) -> _Bodies:
    if (momentum is None) == (omega is None):
        raise TypeError("momentum, omega: give exactly one of the two")
    name, given = ("momentum", momentum) if omega is None else ("omega", omega)
    assert given is not None
    spin = real(name, given)
    if spin.ndim not in (1, 2) or spin.shape[-1] != 3:
        raise InvalidInput(name, f"{name}: must have shape (n, 3) or (3,), not {spin.shape}")
    turned = None if attitude is None else quaternion("attitude", attitude)
    if turned is not None and turned.ndim > 2:
        raise InvalidInput("attitude", f"attitude: must have shape (n, 4) or (4,), not {turned.shape}")
    moments = real("inertia", inertia)
    counts = {name: len(spin)} if spin.ndim == 2 else {}
    if turned is not None and turned.ndim == 2:
        counts["attitude"] = len(turned)
    if moments.ndim == 3 or (moments.ndim == 2 and moments.shape != (3, 3)):
        counts["inertia"] = len(moments)
    n = next(iter(counts.values()), 1)
    for field, rows in counts.items():
        if rows != n:
            raise InvalidInput(field, f"{field}: {rows} rows for {n} bodies")
    if moments.shape not in ((3,), (3, 3), (n, 3), (n, 3, 3)):
        raise InvalidInput(
            "inertia", f"inertia: must have shape (3,), (3, 3), ({n}, 3) or ({n}, 3, 3), not {moments.shape}"
        )
    if moments.shape == (3, 3) and n == 3:
        raise InvalidInput(
            "inertia", "inertia: of shape (3, 3) for 3 bodies: one tensor, or moments of each? Give (3, 3, 3) tensors"
        )
    return _Bodies(
        moments,
        moments.shape in ((3,), (3, 3)),
        np.broadcast_to(spin, (n, 3)),
        omega is not None,
        None if turned is None else np.broadcast_to(turned, (n, 4)),
        flag("allow_unphysical", allow_unphysical),
    )


def _task(
    times: ArrayLike | None,
    tolerance: ArrayLike | None,
    torque: TorqueLike,
    method: MethodLike | None,
    step: ArrayLike | None,
    until: ArrayLike | None,
    every: int | None,
    t0: ArrayLike | None,
    stops: ArrayLike | None = None,
) -> _Task:
    start = 0.0 if t0 is None else number("t0", t0)
    if tolerance is not None and times is None:
        raise TypeError("times: needed with a tolerance")
    if times is not None:
        stepping = {"method": method, "step": step, "until": until, "every": every}
        acting = {"torque": torque, "t0": t0, "stops": stops} if tolerance is None else {}
        given = [name for name, value in (stepping | acting).items() if value is not None]
        if given:
            free = ", at which free bodies are computed exactly; give a tolerance to solve for others"
            raise TypeError(f"{', '.join(given)}: not with times{free if tolerance is None else ''}")
        wanted = real("times", times)
        if wanted.ndim != 1:
            raise InvalidInput("times", f"times: must be a row of times, not of shape {wanted.shape}")
        error = None if tolerance is None else number("tolerance", tolerance)
        # Their order and their bounds are looked at with the times.
        ends = np.empty(0) if stops is None else real("stops", stops)
        if ends.ndim != 1:
            raise InvalidInput("stops", f"stops: must be times in a row, not of shape {ends.shape}")
        return _Task(wanted.copy(), error, tuple(ends.tolist()), _parts(torque), "exact", 0.0, 0.0, 1, start)
    if stops is not None:
        raise TypeError("stops: only with times and a tolerance; steps of one length do not end at other times")
    if step is None or until is None:
        raise TypeError("step, until: both are needed, unless times are given")
    method = "exact" if method is None else method
    _method("method", method)
    return _Task(
        None,
        None,
        (),
        _parts(torque),
        method,
        number("step", step),
        number("until", until),
        2**62 if every is None else count("every", every),
        start,
    )

"""What the free motions of many bodies are like."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _polhode
from ._arrays import Doubles, word
from ._ensemble import Failure, _bodies


@dataclass(frozen=True, eq=False)
class Motions:
    """What the free motions of n bodies are like, (n,) each: see the properties of `FreeMotion`."""

    #: Empty for a body that has failed.
    regime: NDArray[np.str_]
    #: NaN where there is none.
    period: Doubles
    precession_rate: Doubles
    separatrix_distance: Doubles
    failures: tuple[Failure, ...]

    @property
    def precession_period(self) -> Doubles:
        """The time of one turn at the rate of precession; NaN at rest, and on the separatrix."""
        turning = ~np.isin(self.regime, ["rest", "separatrix", ""])
        return np.where(turning, 2 * np.pi / np.where(turning, self.precession_rate, 1.0), np.nan)

    def __len__(self) -> int:
        return len(self.period)


def motions(
    inertia: ArrayLike,
    *,
    momentum: ArrayLike | None = None,
    omega: ArrayLike | None = None,
    allow_unphysical: bool = False,
    bad_bodies: Literal["raise", "fail"] = "raise",
) -> Motions:
    """Regime, period and precession of the free motions of many bodies, on all cores.

    The arguments are those of `ensemble`.

    >>> found = motions([1, 2, 2.5], momentum=[[1, 0, 0.1], [0.1, 0, 1]])
    >>> found.regime.tolist()
    ['about-minor', 'about-major']
    """
    bodies = _bodies(inertia, momentum, omega, None, allow_unphysical)
    bodies = replace(bodies, keep_going=word("bad_bodies", bad_bodies, "raise", "fail") == "fail")
    found = _polhode.motion_constants(bodies.core())
    return Motions(
        np.array(found["regime"], dtype=str),
        found["period"],
        found["precession_rate"],
        found["separatrix_distance"],
        tuple(Failure(*failure) for failure in found["failures"]),
    )

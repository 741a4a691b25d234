"""Rigid-body rotation, computed exactly.

>>> import polhode
>>> handle = polhode.FreeMotion([3, 8, 11], omega=[0.01, 12, 0])
>>> print(f"flips every {handle.period / 2:.4f} s")
flips every 2.0954 s

Conventions: ``momentum`` and ``omega`` are in the body frame; ``attitude`` is the unit quaternion
(w, x, y, z), scalar first, that takes body to space coordinates. Units are yours.
"""

from . import elliptic, torques
from ._body import Body
from ._check import Convergence, Deviation, Diagnosis, Report, check, convergence
from ._compare import Comparison, Trial, compare
from ._ensemble import EnsembleResult, Failure, ensemble
from ._errors import InvalidInput, PolhodeError, RunFailed
from ._free import FreeMotion
from ._methods import Citation, MethodInfo, Parameter, methods
from ._polhode import VERSION as __version__
from ._simulate import Drift, Invariants, Trajectory, simulate
from ._states import States

__all__ = [
    "Body",
    "Citation",
    "Comparison",
    "Convergence",
    "Deviation",
    "Diagnosis",
    "Drift",
    "EnsembleResult",
    "Failure",
    "FreeMotion",
    "Invariants",
    "InvalidInput",
    "MethodInfo",
    "Parameter",
    "PolhodeError",
    "Report",
    "RunFailed",
    "States",
    "Trajectory",
    "Trial",
    "__version__",
    "check",
    "compare",
    "convergence",
    "elliptic",
    "ensemble",
    "methods",
    "simulate",
    "torques",
]

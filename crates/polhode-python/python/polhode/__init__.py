"""Rigid-body rotation, computed exactly.

>>> import polhode
>>> handle = polhode.FreeMotion([3, 8, 11], omega=[0.01, 12, 0])
>>> print(f"flips every {handle.period / 2:.4f} s")
flips every 2.0954 s

Conventions: ``momentum`` and ``omega`` are in the body frame; ``attitude`` is the unit quaternion
(w, x, y, z), scalar first, that takes body to space coordinates. Units are yours.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from . import control, elliptic, inside, shape, so3, torques
from ._body import Body
from ._check import Convergence, Deviation, Diagnosis, Report, check, convergence
from ._compare import Comparison, SolvedTrial, Trial, compare
from ._ensemble import EnsembleResult, Failure, ensemble
from ._errors import InvalidInput, PolhodeError, RunFailed
from ._events import Change, Event
from ._filter import Estimate, Filter, Innovation
from ._fit import Fit, Prediction, Rival, SensorParameter, WeakForm, fit
from ._free import FreeMotion
from ._methods import Citation, MethodInfo, Parameter, Scheme, Tableau, methods, solvers
from ._motions import Motions, motions
from ._polhode import VERSION as __version__
from ._scenario import Scenario
from ._simulate import Drift, Invariants, Trajectory, simulate
from ._solve import DenseOutput, ErrorEstimate, Solution, Statistics, solve
from ._states import States
from ._step import step
from ._tangent import CovarianceRun, EventTangent, Gradient, Lyapunov, Tangent, covariance, lyapunov
from ._view import View

if TYPE_CHECKING:
    from . import dask as dask
    from . import jax as jax
    from . import plot as plot

__all__ = [
    "Body",
    "Change",
    "Citation",
    "Comparison",
    "Convergence",
    "CovarianceRun",
    "DenseOutput",
    "Deviation",
    "Diagnosis",
    "Drift",
    "EnsembleResult",
    "ErrorEstimate",
    "Estimate",
    "Event",
    "EventTangent",
    "Failure",
    "Filter",
    "Fit",
    "FreeMotion",
    "Gradient",
    "Innovation",
    "Invariants",
    "InvalidInput",
    "Lyapunov",
    "MethodInfo",
    "Motions",
    "Parameter",
    "PolhodeError",
    "Prediction",
    "Report",
    "Rival",
    "RunFailed",
    "Scenario",
    "Scheme",
    "SensorParameter",
    "Solution",
    "SolvedTrial",
    "States",
    "Statistics",
    "Tableau",
    "Tangent",
    "Trajectory",
    "Trial",
    "View",
    "WeakForm",
    "__version__",
    "check",
    "compare",
    "control",
    "convergence",
    "covariance",
    "elliptic",
    "ensemble",
    "fit",
    "inside",
    "lyapunov",
    "methods",
    "motions",
    "shape",
    "simulate",
    "so3",
    "solve",
    "solvers",
    "step",
    "torques",
]

# Modules that need more than NumPy, and what: imported when first used.
_EXTRAS = {"dask": "distributed", "jax": "jax", "plot": "matplotlib"}


def __getattr__(name: str) -> Any:
    if name in _EXTRAS:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    # Of the extras those that can be used: what lists a module asks for everything in it.
    usable = (name for name, needs in _EXTRAS.items() if find_spec(needs))
    return sorted({*__all__, *usable, *(name for name in globals() if name.startswith("__"))})

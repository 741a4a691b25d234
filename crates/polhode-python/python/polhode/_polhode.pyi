from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

from .torques import Part, Value

_Doubles = NDArray[np.float64]

VERSION: Final[str]

__all__ = [
    "VERSION",
    "Bodies",
    "Body",
    "FreeMotion",
    "Method",
    "Report",
    "check",
    "check_torque",
    "compare",
    "complete_e",
    "complete_k",
    "complete_pi",
    "convergence",
    "ensemble",
    "free_ensemble",
    "incomplete_e",
    "incomplete_f",
    "incomplete_pi",
    "jacobi",
    "matrices",
    "methods",
    "rc",
    "rd",
    "rf",
    "rj",
    "simulate",
    "so3_dexp",
    "so3_dexpinv",
    "so3_dlog",
    "so3_exp",
    "so3_hat",
    "so3_log",
    "step",
    "to_space",
    "torques",
]

@final
class Body:
    def __new__(
        cls,
        inertia: list[float],
        momentum: list[float] | None,
        omega: list[float] | None,
        attitude: list[float],
        allow_unphysical: bool,
    ) -> Body: ...
    @property
    def moments(self) -> list[float]: ...
    @property
    def axes(self) -> list[float]: ...
    @property
    def physical(self) -> bool: ...
    @property
    def tensor(self) -> list[float]: ...
    @property
    def momentum(self) -> list[float]: ...
    @property
    def omega(self) -> list[float]: ...
    @property
    def attitude(self) -> list[float]: ...

@final
class FreeMotion:
    def __new__(cls, body: Body) -> FreeMotion: ...
    @property
    def regime(self) -> str: ...
    @property
    def period(self) -> float | None: ...
    @property
    def precession_rate(self) -> float: ...
    @property
    def separatrix_distance(self) -> float | None: ...
    def at(self, t: _Doubles, momentum: _Doubles, omega: _Doubles, attitude: _Doubles) -> None: ...
    def angular_acceleration(self, t: _Doubles) -> _Doubles: ...
    def next_flip(self, t: _Doubles) -> _Doubles: ...

@final
class Bodies:
    def __new__(
        cls,
        inertia: _Doubles,
        inertia_width: int,
        allow_unphysical: bool,
        momentum: _Doubles,
        omega: bool,
        attitude: _Doubles,
        first: int,
    ) -> Bodies: ...
    def validate(self) -> None: ...

@final
class Method:
    @staticmethod
    def parse(argument: str, text: str) -> Method: ...
    @staticmethod
    def splitting(
        id: str, order: int, stages: list[tuple[str, float, float]], attitude_only: bool, rotor: str
    ) -> Method: ...
    @staticmethod
    def tableau(id: str, order: int, a: list[list[float]], b: list[float], c: list[float]) -> Method: ...
    @property
    def name(self) -> str: ...

def free_ensemble(bodies: Bodies, times: _Doubles, threads: int) -> dict[str, Any]: ...
def ensemble(
    bodies: Bodies,
    torque: list[Part],
    method: Method,
    step: float,
    until: float,
    every: int,
    t0: float,
    threads: int,
) -> dict[str, Any]: ...
def compare(
    body: Body,
    torque: list[Part],
    methods: list[tuple[str, Method]] | None,
    steps: list[float],
    until: float,
    wanted: float | None,
    t0: float,
) -> dict[str, Any]: ...
@final
class Report:
    def summary(self) -> dict[str, Any]: ...

def check(
    body: Body,
    torque: list[Part] | None,
    t0: float,
    t: _Doubles,
    momentum: _Doubles | None,
    in_space: bool,
    omega: _Doubles | None,
    attitude: _Doubles | None,
    matrices: bool,
    tolerance: float,
    rounding: float,
) -> Report: ...
def convergence(steps: list[float], reports: list[Report], order: float | None) -> dict[str, Any]: ...
def matrices(attitude: _Doubles) -> _Doubles: ...
def to_space(attitude: _Doubles, vector: _Doubles) -> _Doubles: ...
def simulate(
    body: Body,
    torque: list[Part],
    method: Method,
    step: float,
    until: float,
    every: int,
    t0: float,
) -> dict[str, Any]: ...
def step(
    rotor: str,
    inertia: _Doubles,
    width: int,
    allow_unphysical: bool,
    h: _Doubles,
    momentum: _Doubles,
    attitude: _Doubles,
) -> None: ...
def so3_exp(vector: _Doubles) -> _Doubles: ...
def so3_log(attitude: _Doubles) -> _Doubles: ...
def so3_dexp(vector: _Doubles) -> _Doubles: ...
def so3_dexpinv(vector: _Doubles) -> _Doubles: ...
def so3_dlog(attitude: _Doubles) -> _Doubles: ...
def so3_hat(vector: _Doubles) -> _Doubles: ...
def methods() -> list[dict[str, Any]]: ...
def torques() -> list[dict[str, Any]]: ...
def check_torque(kind: str, keys: list[tuple[str, Value]]) -> None: ...
def jacobi(u: _Doubles, mc: _Doubles) -> tuple[_Doubles, _Doubles, _Doubles, _Doubles]: ...
def complete_k(mc: _Doubles) -> _Doubles: ...
def complete_e(mc: _Doubles) -> _Doubles: ...
def complete_pi(nc: _Doubles, mc: _Doubles) -> _Doubles: ...
def incomplete_f(phi: _Doubles, mc: _Doubles) -> _Doubles: ...
def incomplete_e(phi: _Doubles, mc: _Doubles) -> _Doubles: ...
def incomplete_pi(phi: _Doubles, nc: _Doubles, mc: _Doubles) -> _Doubles: ...
def rf(x: _Doubles, y: _Doubles, z: _Doubles) -> _Doubles: ...
def rc(x: _Doubles, y: _Doubles) -> _Doubles: ...
def rd(x: _Doubles, y: _Doubles, z: _Doubles) -> _Doubles: ...
def rj(x: _Doubles, y: _Doubles, z: _Doubles, p: _Doubles) -> _Doubles: ...

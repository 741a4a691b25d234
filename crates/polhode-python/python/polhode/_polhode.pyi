from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

from .torques import Part, Value

_Doubles = NDArray[np.float64]
_Gradient = tuple[list[float], list[float], list[float], str]

VERSION: Final[str]

__all__ = [
    "Bodies",
    "Body",
    "Filter",
    "Fit",
    "FreeMotion",
    "Method",
    "Report",
    "Scenario",
    "ScenarioFittings",
    "ScenarioMargin",
    "ScenarioTorque",
    "Solution",
    "TangentSolution",
    "VERSION",
    "am_m",
    "am_mc",
    "arccn_m",
    "arccn_mc",
    "arcdn_m",
    "arcdn_mc",
    "arcsn_m",
    "arcsn_mc",
    "cd_m",
    "cd_mc",
    "cel",
    "check",
    "check_tangent",
    "check_torque",
    "cn_m",
    "cn_mc",
    "compare",
    "complete_b_m",
    "complete_b_mc",
    "complete_d_m",
    "complete_d_mc",
    "complete_e_m",
    "complete_e_mc",
    "complete_k_m",
    "complete_k_mc",
    "complete_pi_n_m",
    "complete_pi_n_mc",
    "complete_pi_nc_m",
    "complete_pi_nc_mc",
    "conserves_energy",
    "convergence",
    "covariance",
    "cs_m",
    "cs_mc",
    "dc_m",
    "dc_mc",
    "dn_m",
    "dn_mc",
    "ds_m",
    "ds_mc",
    "ellipj_m",
    "ellipj_mc",
    "ensemble",
    "explain",
    "fit",
    "free_ensemble",
    "incomplete_b_m",
    "incomplete_b_mc",
    "incomplete_d_m",
    "incomplete_d_mc",
    "incomplete_e_m",
    "incomplete_e_mc",
    "incomplete_f_m",
    "incomplete_f_mc",
    "incomplete_pi_n_m",
    "incomplete_pi_n_mc",
    "incomplete_pi_nc_m",
    "incomplete_pi_nc_mc",
    "intervals",
    "inverse_nome",
    "inverse_nome_m",
    "inverse_nome_mc",
    "load_mesh",
    "lyapunov",
    "matrices",
    "mesh",
    "methods",
    "momentum_of_periods",
    "motion_constants",
    "nc_m",
    "nc_mc",
    "nd_m",
    "nd_mc",
    "nome_m",
    "nome_mc",
    "ns_m",
    "ns_mc",
    "observe",
    "page",
    "points",
    "rc",
    "rd",
    "rf",
    "rg",
    "rj",
    "sc_m",
    "sc_mc",
    "sd_m",
    "sd_mc",
    "simulate",
    "simulate_tangent",
    "sn_m",
    "sn_mc",
    "so3_dexp",
    "so3_dexpinv",
    "so3_dlog",
    "so3_exp",
    "so3_hat",
    "so3_log",
    "solid",
    "solve",
    "solve_tangent",
    "solved_ensemble",
    "solvers",
    "step",
    "step_tangent",
    "theta1",
    "theta2",
    "theta3",
    "theta4",
    "to_space",
    "torque_parameters",
    "torques",
    "zeta_m",
    "zeta_mc",
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
    def at_one(self, t: float) -> tuple[_Doubles, _Doubles, _Doubles]: ...
    def angular_acceleration(self, t: _Doubles) -> _Doubles: ...
    def next_flip(self, t: _Doubles) -> _Doubles: ...
    def tangent(self, t: _Doubles, rows: _Doubles, by_inertia: bool) -> str: ...
    def period_gradient(self) -> _Gradient: ...
    def precession_rate_gradient(self) -> _Gradient: ...
    def next_flip_gradient(self, t: float) -> tuple[float, _Gradient]: ...

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
        keep_going: bool,
    ) -> Bodies: ...
    def validate(self) -> None: ...

_Properties = tuple[float, list[float], list[list[float]]]

@final
class Scenario:
    @staticmethod
    def load(path: str, overrides: list[str]) -> Scenario: ...
    @staticmethod
    def parse(text: str, name: str, overrides: list[str]) -> Scenario: ...
    @property
    def name(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def overrides(self) -> list[str]: ...
    @property
    def method(self) -> str: ...
    @property
    def until(self) -> float: ...
    @property
    def steps(self) -> tuple[float, int] | None: ...
    @property
    def solving(self) -> tuple[float, list[float], bool, list[float]] | None: ...
    @property
    def torque(self) -> ScenarioTorque: ...
    @property
    def watch(self) -> list[list[tuple[str, str]]]: ...
    @property
    def stop_when(self) -> str | None: ...
    def stop_event(self) -> ScenarioMargin | None: ...
    def stop_row(self, t: _Doubles, momentum: _Doubles, attitude: _Doubles) -> int | None: ...
    def observe(self, t: _Doubles, momentum: _Doubles, attitude: _Doubles) -> list[tuple[str, _Doubles]]: ...
    def intervals(
        self, t: _Doubles, momentum: _Doubles, attitude: _Doubles
    ) -> list[tuple[str, list[list[float]]]]: ...
    @property
    def is_free(self) -> bool: ...
    @property
    def fittings(self) -> ScenarioFittings | None: ...
    def stepper(self) -> Method: ...
    def body(self) -> Body: ...
    def body_at(self, momentum: list[float], attitude: list[float]) -> Body: ...
    @property
    def mass_properties(self) -> _Properties | None: ...

@final
class ScenarioTorque:
    def __new__(cls, text: str, name: str, overrides: list[str]) -> ScenarioTorque: ...
    def __getnewargs__(self) -> tuple[str, str, list[str]]: ...

@final
class ScenarioMargin:
    def __call__(self, t: float, momentum: _Doubles, omega: _Doubles, attitude: _Doubles) -> float: ...

@final
class ScenarioFittings: ...

def solid(kind: str, mass: float, size: list[float]) -> _Properties: ...
def points(points: list[tuple[float, list[float]]]) -> _Properties: ...
def mesh(vertices: list[list[float]], triangles: list[list[int]], density: float) -> _Properties: ...
def load_mesh(path: str, scale: float) -> tuple[list[list[float]], list[list[int]]]: ...
def momentum_of_periods(
    inertia: list[float], allow_unphysical: bool, rotation: float, precession: float, mode: str | None
) -> tuple[list[float], str]: ...
def motion_constants(bodies: Bodies) -> dict[str, Any]: ...

@final
class Method:
    @staticmethod
    def parse(argument: str, text: str) -> Method: ...
    @staticmethod
    def splitting(
        id: str,
        order: int,
        stages: list[tuple[str, float, float]],
        attitude_only: bool,
        rotor: str,
        compensated: bool,
    ) -> Method: ...
    @staticmethod
    def tableau(id: str, order: int, a: list[list[float]], b: list[float], c: list[float]) -> Method: ...
    @property
    def name(self) -> str: ...

def free_ensemble(bodies: Bodies, times: _Doubles, threads: int) -> dict[str, Any]: ...
def solved_ensemble(
    bodies: Bodies,
    torque: list[Part],
    tolerance: float,
    times: _Doubles,
    stops: list[float],
    t0: float,
    threads: int,
) -> dict[str, Any]: ...
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
    solvers: list[str],
    tolerances: list[float] | None,
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
    momentum_in_space: bool,
    omega: _Doubles | None,
    omega_in_space: bool,
    attitude: _Doubles | None,
    matrices: bool,
    tolerance: float,
    rounding: float,
) -> Report: ...
@final
class Fit:
    def summary(self) -> dict[str, Any]: ...
    def predict(self, times: _Doubles) -> list[_Doubles]: ...
    def profile(self, which: int, values: _Doubles) -> _Doubles: ...
    def filter(self, options: list[float]) -> Filter: ...

_Innovation = tuple[list[float], float, bool]

@final
class Filter:
    def __new__(cls, t: float, omega: list[float], deviation: float, options: list[float]) -> Filter: ...
    def gyro(self, t: float, omega: list[float], noise: float) -> _Innovation: ...
    def star_tracker(self, t: float, attitude: list[float], noise: float) -> _Innovation: ...
    def advance(self, t: float) -> None: ...
    def state(self) -> dict[str, Any]: ...

def fit(
    gyro: tuple[_Doubles, _Doubles] | None,
    attitude: tuple[_Doubles, _Doubles] | None,
    directions: list[tuple[list[float], _Doubles, _Doubles]],
    noise: tuple[list[float] | None, float | None, float | None],
    loss: tuple[str, float],
    sensor: list[tuple[float, float, float, bool, float | None]],
    skip_missing: bool,
    acting: tuple[list[Part], list[tuple[str, tuple[float, float, float, bool, float | None]]], float | None],
) -> Fit: ...
def convergence(steps: list[float], reports: list[Report], order: float | None) -> dict[str, Any]: ...
def matrices(attitude: _Doubles) -> _Doubles: ...
def intervals(
    body: Body,
    torque: list[Part],
    directions: list[tuple[str, Value]],
    condition: str,
    t: _Doubles,
    momentum: _Doubles,
    attitude: _Doubles,
) -> list[list[float]]: ...
def observe(
    bodies: Body | Bodies,
    torque: list[Part],
    directions: list[tuple[str, Value]],
    expression: str,
    t: _Doubles,
    momentum: _Doubles,
    attitude: _Doubles,
) -> _Doubles: ...
def to_space(attitude: _Doubles, vector: _Doubles) -> _Doubles: ...
def page(title: str, about: str, runs: list[Any]) -> str: ...
def conserves_energy(torque: list[Part]) -> bool: ...
def simulate(
    body: Body,
    torque: list[Part],
    method: Method,
    step: float,
    until: float,
    every: int,
    times: _Doubles | None,
    t0: float,
    fittings: ScenarioFittings | tuple[Any, ...] | None,
) -> dict[str, Any]: ...
@final
class Solution:
    def kept(self) -> tuple[_Doubles, tuple[_Doubles, _Doubles, _Doubles]]: ...
    def events(self) -> list[tuple[_Doubles, tuple[_Doubles, _Doubles, _Doubles]]]: ...
    def summary(self) -> dict[str, Any]: ...
    def at(self, t: _Doubles, momentum: _Doubles, omega: _Doubles, attitude: _Doubles) -> None: ...

def solve(
    body: Body,
    torque: list[Part],
    t0: float,
    until: float,
    times: _Doubles | None,
    settings: dict[str, Any],
) -> Solution: ...
def step(
    rotor: str,
    inertia: _Doubles,
    width: int,
    allow_unphysical: bool,
    h: _Doubles,
    momentum: _Doubles,
    attitude: _Doubles,
) -> None: ...
def torque_parameters(torque: list[Part]) -> list[tuple[str, float]]: ...
def check_tangent(body: Body, torque: list[Part], method: Method) -> None: ...
def simulate_tangent(
    body: Body, torque: list[Part], method: Method, step: float, until: float, every: int, t0: float
) -> tuple[_Doubles, _Doubles, bool]: ...
def lyapunov(
    body: Body, torque: list[Part], method: Method, step: float, until: float, t0: float
) -> tuple[float, _Doubles, _Doubles, float, str, bool | None]: ...
def covariance(
    body: Body,
    torque: list[Part],
    method: Method,
    step: float,
    until: float,
    every: int,
    t0: float,
    start: list[float],
    noise: list[float],
) -> tuple[_Doubles, _Doubles, _Doubles]: ...
def step_tangent(
    inertia: _Doubles,
    width: int,
    allow_unphysical: bool,
    h: _Doubles,
    momentum: _Doubles,
    attitude: _Doubles,
    rows: _Doubles,
) -> None: ...
@final
class TangentSolution:
    def at(self, t: _Doubles) -> _Doubles: ...
    def at_events(self, t: _Doubles, event: Any) -> tuple[_Doubles, _Doubles]: ...

def solve_tangent(
    body: Body,
    torque: list[Part],
    t0: float,
    until: float,
    tolerance: float,
    stops: list[float],
) -> TangentSolution: ...
def so3_exp(vector: _Doubles) -> _Doubles: ...
def so3_log(attitude: _Doubles) -> _Doubles: ...
def so3_dexp(vector: _Doubles) -> _Doubles: ...
def so3_dexpinv(vector: _Doubles) -> _Doubles: ...
def so3_dlog(attitude: _Doubles) -> _Doubles: ...
def so3_hat(vector: _Doubles) -> _Doubles: ...
def methods() -> list[dict[str, Any]]: ...
def solvers() -> list[dict[str, Any]]: ...
def torques() -> list[dict[str, Any]]: ...
def check_torque(kind: str, keys: list[tuple[str, Value]]) -> None: ...
def explain(name: str, arguments: list[float]) -> None: ...

am_m: Final[np.ufunc]
am_mc: Final[np.ufunc]
arccn_m: Final[np.ufunc]
arccn_mc: Final[np.ufunc]
arcdn_m: Final[np.ufunc]
arcdn_mc: Final[np.ufunc]
arcsn_m: Final[np.ufunc]
arcsn_mc: Final[np.ufunc]
cd_m: Final[np.ufunc]
cd_mc: Final[np.ufunc]
cel: Final[np.ufunc]
cn_m: Final[np.ufunc]
cn_mc: Final[np.ufunc]
complete_b_m: Final[np.ufunc]
complete_b_mc: Final[np.ufunc]
complete_d_m: Final[np.ufunc]
complete_d_mc: Final[np.ufunc]
complete_e_m: Final[np.ufunc]
complete_e_mc: Final[np.ufunc]
complete_k_m: Final[np.ufunc]
complete_k_mc: Final[np.ufunc]
complete_pi_n_m: Final[np.ufunc]
complete_pi_n_mc: Final[np.ufunc]
complete_pi_nc_m: Final[np.ufunc]
complete_pi_nc_mc: Final[np.ufunc]
cs_m: Final[np.ufunc]
cs_mc: Final[np.ufunc]
dc_m: Final[np.ufunc]
dc_mc: Final[np.ufunc]
dn_m: Final[np.ufunc]
dn_mc: Final[np.ufunc]
ds_m: Final[np.ufunc]
ds_mc: Final[np.ufunc]
ellipj_m: Final[np.ufunc]
ellipj_mc: Final[np.ufunc]
incomplete_b_m: Final[np.ufunc]
incomplete_b_mc: Final[np.ufunc]
incomplete_d_m: Final[np.ufunc]
incomplete_d_mc: Final[np.ufunc]
incomplete_e_m: Final[np.ufunc]
incomplete_e_mc: Final[np.ufunc]
incomplete_f_m: Final[np.ufunc]
incomplete_f_mc: Final[np.ufunc]
incomplete_pi_n_m: Final[np.ufunc]
incomplete_pi_n_mc: Final[np.ufunc]
incomplete_pi_nc_m: Final[np.ufunc]
incomplete_pi_nc_mc: Final[np.ufunc]
inverse_nome: Final[np.ufunc]
inverse_nome_m: Final[np.ufunc]
inverse_nome_mc: Final[np.ufunc]
nc_m: Final[np.ufunc]
nc_mc: Final[np.ufunc]
nd_m: Final[np.ufunc]
nd_mc: Final[np.ufunc]
nome_m: Final[np.ufunc]
nome_mc: Final[np.ufunc]
ns_m: Final[np.ufunc]
ns_mc: Final[np.ufunc]
rc: Final[np.ufunc]
rd: Final[np.ufunc]
rf: Final[np.ufunc]
rg: Final[np.ufunc]
rj: Final[np.ufunc]
sc_m: Final[np.ufunc]
sc_mc: Final[np.ufunc]
sd_m: Final[np.ufunc]
sd_mc: Final[np.ufunc]
sn_m: Final[np.ufunc]
sn_mc: Final[np.ufunc]
theta1: Final[np.ufunc]
theta2: Final[np.ufunc]
theta3: Final[np.ufunc]
theta4: Final[np.ufunc]
zeta_m: Final[np.ufunc]
zeta_mc: Final[np.ufunc]

"""Checks of trajectories."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import polhode
from polhode import torques

INERTIA = np.array([1.0, 2.0, 2.5])
BODY = polhode.Body(INERTIA, momentum=[0.4, 1, 0.3])
TIMES = np.linspace(0, 20, 201)


def somebody(rtol: float, torque: bool = False) -> polhode.States:
    """A trajectory by SciPy."""

    def slope(t: float, y: np.ndarray) -> np.ndarray:
        m, q = y[:3], y[3:]
        omega = m / INERTIA
        w, v = q[0], q[1:]
        acting = np.zeros(3)
        if torque:
            u = Rotation.from_quat(np.roll(q, -1)).inv().apply([0, 0, 1])
            acting = np.cross(u, [0, 0, 1])
        return np.concatenate(
            [np.cross(m, omega) + acting, [-0.5 * v @ omega], 0.5 * (w * omega + np.cross(v, omega))]
        )

    y = solve_ivp(slope, (0, 20), [0.4, 1, 0.3, 1, 0, 0, 0], t_eval=TIMES, rtol=rtol, atol=rtol, method="DOP853").y.T
    return polhode.States(TIMES, y[:, :3], y[:, :3] / INERTIA, y[:, 3:])


def test_a_good_integrator_is_accurate() -> None:
    report = polhode.check(INERTIA, somebody(1e-11))
    assert report.verdict == "accurate" and report
    assert report.reference == "first-sample"
    assert report.worst < 1e-8
    assert report.attitude_errors is not None and report.attitude_errors.shape == TIMES.shape
    assert report.energy is not None and report.energy.max < 1e-9


def test_a_bad_one_is_not() -> None:
    report = polhode.check(INERTIA, somebody(1e-3))
    assert report.verdict == "wrong" and not report
    assert report.diagnoses and "wrong" in repr(report)
    assert report.attitude is not None and report.attitude.beyond is not None


def test_a_torqued_body() -> None:
    states = somebody(1e-11, torque=True)
    report = polhode.check(BODY, states, torque=torques.HeavyTop())
    assert report.verdict == "accurate"
    assert report.reference.startswith("rkn6-14") and report.reference_error is not None
    called = torques.Function(
        lambda t, m, q: np.cross(Rotation.from_quat(np.roll(q, -1)).inv().apply([0, 0, 1]), [0, 0, 1]),
        depends_on="attitude",
    )
    short = polhode.States(states.t[:11], states.momentum[:11], states.omega[:11], states.attitude[:11])
    assert polhode.check(BODY, short, torque=called)
    assert not polhode.check(BODY, states)  # without it

    def broken(t: float, m: np.ndarray, q: np.ndarray) -> object:
        raise KeyError("here")

    with pytest.raises(KeyError, match="here"):
        polhode.check(BODY, short, torque=broken)


def test_columns_in_several_forms() -> None:
    there = polhode.FreeMotion.of(BODY).at(TIMES)
    for attitude in (there.attitude, there.matrix, there.rotation(), -there.attitude):
        report = polhode.check(INERTIA, TIMES, momentum=there.momentum, attitude=attitude)
        assert report.verdict == "exact"
    assert polhode.check(INERTIA, TIMES, omega=there.omega).attitude is None
    in_space = polhode.check(
        INERTIA, TIMES, momentum=there.spatial_momentum, attitude=there.attitude, momentum_frame="space"
    )
    assert in_space.verdict == "exact"


def test_the_order_of_a_method() -> None:
    motion = polhode.FreeMotion.of(BODY)
    reports = {
        h: polhode.check(motion, polhode.simulate(BODY, None, "strang+three-rotations", h, 10), tolerance=1)
        for h in (0.1, 0.05, 0.025)
    }
    seen = polhode.convergence(reports, order=2)
    assert seen.verdict == "holds" and seen.observed == pytest.approx(2, abs=0.1)
    low = polhode.convergence(reports, order=4)
    assert low.verdict == "too-low" and low.diagnosis is not None and low.diagnosis.mistakes == ("order-too-low",)


@pytest.mark.parametrize(
    ("argument", "change"),
    [
        ("samples", {"samples": [0.0], "momentum": np.ones((1, 3))}),
        ("samples", {"samples": 0.0}),
        ("samples", {"samples": [0.0, 1.0, 0.5]}),
        ("samples", {"samples": [0.0, np.nan, 2.0]}),
        ("momentum", {"momentum": None}),
        ("momentum", {"momentum": np.ones((2, 3))}),
        ("momentum", {"momentum": np.full((3, 3), np.inf)}),
        ("omega", {"omega": np.ones(3)}),
        ("attitude", {"attitude": np.ones((3, 3))}),
        ("attitude", {"attitude": np.zeros((3, 4))}),
        ("attitude", {"momentum_frame": "space"}),
        ("momentum_frame", {"momentum_frame": "orbit"}),
        ("tolerance", {"tolerance": 0.0}),
        ("rounding", {"rounding": -1.0}),
        ("body", {"body": [1, 2]}),
        ("t0", {"body": BODY, "t0": np.nan}),
        ("body", {"torque": torques.HeavyTop()}),
    ],
)
def test_bad_input_is_named(argument: str, change: dict[str, object]) -> None:
    arguments: dict[str, object] = {"body": INERTIA, "samples": [0.0, 1.0, 2.0], "momentum": np.ones((3, 3))}
    with pytest.raises(polhode.InvalidInput) as error:
        polhode.check(**{**arguments, **change})  # type: ignore[arg-type]
    assert error.value.argument == argument


def test_bad_reports_are_named() -> None:
    report = polhode.check(INERTIA, polhode.FreeMotion.of(BODY).at(TIMES))
    for reports in ({}, {0.1: report}, {0.1: report, -0.1: report}, {0.1: report, 0.0: report}, {0.1: report, np.nan: report}):
        with pytest.raises(polhode.InvalidInput) as error:
            polhode.convergence(reports)
        assert error.value.argument == "reports"
    with pytest.raises(polhode.InvalidInput) as error:
        polhode.convergence({0.1: report, 0.2: report}, order=-1)
    assert error.value.argument == "order"
    for junk in ([0.1], None, {0.1: report, 0.2: 3}, {"a": report, 0.1: report}):
        with pytest.raises(TypeError, match="reports"):
            polhode.convergence(junk)  # type: ignore[arg-type]

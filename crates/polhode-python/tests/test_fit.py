"""Bodies from measurements."""

from __future__ import annotations

import numpy as np
import polhode
import pytest
from polhode import Body, FreeMotion, InvalidInput, SensorParameter, solve
from polhode.torques import Constant, Damping, Formula, Function

MOMENTS = np.array([1.0, 1.7, 2.2])
T = np.arange(200) * 0.3
NOISE = 2e-3


def motion() -> FreeMotion:
    return FreeMotion(MOMENTS, omega=[0.5, 0.6, 0.7], attitude=[0.5, 0.5, -0.5, 0.5])


def gyro(seed: int = 1) -> np.ndarray:
    return motion().at(T).omega + np.random.default_rng(seed).normal(size=(T.size, 3)) * NOISE


def near(found: polhode.Fit) -> None:
    for name, want in (("I1/I3", 1 / 2.2), ("I2/I3", 1.7 / 2.2)):
        estimate = found.estimates[name]
        assert abs(estimate.value - want) < 4.5 * estimate.deviation < 0.03


def test_a_gyro_tells_the_body() -> None:
    found = polhode.fit(T, gyro(), noise=NOISE)
    assert found
    near(found)
    assert 0.7 < found.reduced_chi_square < 1.3
    assert found.covariance.shape == (8, 8)
    assert np.allclose(np.diag(found.correlation), 1)
    assert "scale of the inertia" in found.undetermined[0]
    assert found.residuals[1].shape == (200, 3)
    there = found.motion.at(30 - found.epoch).omega
    assert np.allclose(there, motion().at(30).omega, atol=5 * NOISE)
    ahead = found.predict([100.0, 200.0])
    assert ahead.attitude is None
    assert (np.abs(ahead.omega - motion().at([100, 200]).omega) < 5 * ahead.omega_deviation).all()
    estimate = found.estimates["I1/I3"]
    profile = found.profile("I1/I3", [estimate.value - estimate.deviation, estimate.value + estimate.deviation])
    assert np.allclose(profile, -0.5, atol=0.1)
    assert "I1/I3 = 0.45" in repr(found)


def test_attitudes_and_a_bias() -> None:
    rng = np.random.default_rng(2)
    attitude = motion().at(T).attitude + rng.normal(size=(T.size, 4)) * 5e-4
    near(polhode.fit(T, attitude=attitude))
    biased = gyro() + [0.02, 0.0, -0.01]
    found = polhode.fit(T, biased, attitude=attitude, bias=0.1)
    near(found)
    assert abs(found.estimates["bias.x"].value - 0.02) < 5 * found.estimates["bias.x"].deviation
    held = polhode.fit(T, biased, attitude=attitude, bias=[SensorParameter(max=0.01)] * 3)
    assert held.estimates["bias.x"].value <= 0.01


def test_directions() -> None:
    attitude = motion().at(T).attitude
    seen = []
    for known in ([1.0, 0.0, 0.0], [0.0, 0.6, -0.8]):
        w, v = attitude[:, :1], -attitude[:, 1:]
        cross = 2 * np.cross(v, known)
        seen.append((known, np.asarray(known) + w * cross + np.cross(v, cross)))
    near_enough = polhode.fit(T, directions=[(k, np.round(s, 3)) for k, s in seen])
    near(near_enough)
    with pytest.raises(InvalidInput, match="two vectors"):
        polhode.fit(T, directions=seen[:1])


def driven(torque: object, seed: int = 3) -> np.ndarray:
    run = solve(Body(MOMENTS, omega=[0.5, 0.6, 0.7]), torque, until=T[-1], t_eval=T)
    return run.omega + np.random.default_rng(seed).normal(size=(T.size, 3)) * NOISE


def moments(found: polhode.Fit) -> None:
    assert found
    assert 0.7 < found.reduced_chi_square < 1.3
    for name, want in zip(("I1", "I2", "I3"), MOMENTS, strict=True):
        estimate = found.estimates[name]
        assert abs(estimate.value - want) < 5 * estimate.deviation < 0.2
    assert found.undetermined == ()


def test_a_torque_tells_the_scale() -> None:
    push = Constant(torque=(0.05, -0.03, 0.04))
    found = polhode.fit(T, driven(push), noise=NOISE, torque=push)
    moments(found)
    assert np.allclose(np.linalg.eigvalsh(found.inertia), MOMENTS, atol=0.2)
    with pytest.raises(InvalidInput, match="torque"):
        _ = found.motion
    with pytest.raises(InvalidInput, match="torque"):
        found.filter()
    assert np.isfinite(found.predict([100.0]).omega_deviation).all()
    # Without it, it is missed.
    assert not polhode.fit(T, driven(push), noise=NOISE)


def test_numbers_of_a_torque_are_found() -> None:
    push, drag = Constant(torque=(0.05, -0.03, 0.04)), Damping(coefficient=0.02)
    guess = [push, {"kind": "damping", "coefficient": 0.01}]
    for unknown in (["damping.coefficient"], {"damping.coefficient": 0.1}):
        found = polhode.fit(T, driven([push, drag]), noise=NOISE, torque=guess, unknown=unknown)
        moments(found)
        estimate = found.estimates["damping.coefficient"]
        assert abs(estimate.value - 0.02) < 5 * estimate.deviation < 0.01
    text = ["0.05 - k*w1", "-0.03 - k*w2", "0.04 - k*w3"]
    formula = Formula(torque=text, constants={"k": 0.0})
    found = polhode.fit(T, driven([push, drag]), noise=NOISE, torque=formula, unknown="formula.k")
    moments(found)
    alone = polhode.fit(T, driven(drag), noise=NOISE, torque=drag, unknown="damping.coefficient", largest_moment=2.2)
    assert abs(alone.estimates["damping.coefficient"].value - 0.02) < 1e-3


def test_a_torque_may_be_a_callable() -> None:
    push = np.array([0.05, -0.03, 0.04])
    function = Function(lambda t, m, q: push, depends_on="attitude", depends_on_time=False)
    found = polhode.fit(T[:60], driven(function)[:60], noise=NOISE, torque=function)
    assert abs(found.estimates["I3"].value - 2.2) < 5 * found.estimates["I3"].deviation

    def broken(t: float, m: np.ndarray, q: np.ndarray) -> np.ndarray:
        raise ZeroDivisionError("here")

    with pytest.raises(ZeroDivisionError):
        polhode.fit(T, gyro(), torque=broken)


def test_windows_show_the_inertia() -> None:
    weak = polhode.fit(T, gyro()).weak_form
    assert weak is not None
    assert weak.shown == 5
    assert weak.singular_values[0] == 1


def test_a_filter_goes_on() -> None:
    omega = gyro()
    filter = polhode.fit(T[:100], omega[:100], noise=NOISE).filter()
    for t, w in zip(T[100:], omega[100:], strict=True):
        assert filter.gyro(t, w, NOISE).used
    assert filter.t == T[-1]
    for estimate, want in zip(filter.ratios, (1 / 2.2, 1.7 / 2.2), strict=True):
        assert abs(estimate.value - want) < 5 * estimate.deviation
    assert filter.attitude is None
    assert filter.axes.shape == (3, 3)
    assert filter.omega[0].shape == filter.bias[0].shape == (3,)


def test_what_cannot_be_used_is_refused() -> None:
    for arguments, argument in (
        ({"t": T, "omega": gyro()[:5]}, "omega"),
        ({"t": T[:2], "omega": gyro()[:2]}, "omega"),
        ({"t": T * 0, "omega": gyro()}, "t"),
        ({"t": T, "omega": gyro() * np.nan}, "omega"),
        ({"t": T, "omega": gyro() * 0}, "omega"),
        ({"t": T, "omega": gyro(), "noise": -1}, "noise"),
        ({"t": T, "omega": gyro(), "misalignment": "free"}, "misalignment"),
        ({"t": T, "omega": gyro(), "loss": "median"}, "loss"),
        ({"t": T}, "omega"),
        ({"t": T, "omega": gyro(), "torque": {"kind": "damping"}}, "torque"),
        ({"t": T, "omega": gyro(), "torque": Damping(coefficient=1), "unknown": "damping.rate"}, "unknown"),
        ({"t": T, "omega": gyro(), "unknown": "damping.coefficient"}, "unknown"),
        ({"t": T, "omega": gyro(), "torque": {"kind": "heavy-top"}}, "torque"),
        ({"t": T, "omega": gyro(), "largest_moment": 2.0}, "largest_moment"),
    ):
        with pytest.raises(InvalidInput) as error:
            polhode.fit(**arguments)
        assert error.value.argument == argument


def test_degrees_are_recognised() -> None:
    found = polhode.fit(T, np.degrees(gyro()))
    assert not found
    assert "degrees" in found.doubts[0]


def test_another_convention_is_recognised() -> None:
    there = motion().at(T)
    inverse = there.attitude * [1, -1, -1, -1]
    found = polhode.fit(T, gyro(), attitude=inverse)
    assert not found
    assert "the attitude is the inverse one" in found.doubts[0]
    alone = polhode.fit(T, attitude=np.round(np.roll(there.attitude, -1, axis=1), 4))
    assert not alone
    assert "attitudes alone cannot tell which" in alone.doubts[0]


def test_a_torque_that_does_not_act_tells_no_scale() -> None:
    found = polhode.fit(T, gyro(), torque=Damping(coefficient=0.04))
    near(found)
    assert np.isinf(found.estimates["I3"].deviation)
    found = polhode.fit(T, gyro(), torque=Damping(coefficient=0.04), unknown="damping.coefficient")
    near(found)
    assert np.isinf(found.estimates["damping.coefficient"].deviation)

"""Bodies from measurements."""

from __future__ import annotations

import numpy as np
import polhode
import pytest
from polhode import FreeMotion, InvalidInput, SensorParameter

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
    ):
        with pytest.raises(InvalidInput) as error:
            polhode.fit(**arguments)
        assert error.value.argument == argument


def test_degrees_are_recognised() -> None:
    found = polhode.fit(T, np.degrees(gyro()))
    assert not found
    assert "degrees" in found.doubts[0]

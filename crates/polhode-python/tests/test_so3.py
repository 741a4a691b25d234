"""Exponential, logarithm and their derivatives on arrays of rotations."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import polhode
from polhode import so3

AXIS = np.array([0.48, -0.6, 0.64])
#: At rest, tiny, around the change from series to closed form, around half a turn, near a full one.
ANGLES = np.array([0.0, 1e-300, 1e-9, 0.05, 0.0999, 0.1001, 1.0, np.pi - 1e-9, np.pi, np.pi + 1e-9, 5.0, 6.0])
VECTORS = ANGLES[:, None] * AXIS


def product(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    scalar = p[..., :1] * q[..., :1] - (p[..., 1:] * q[..., 1:]).sum(-1, keepdims=True)
    vector = p[..., :1] * q[..., 1:] + q[..., :1] * p[..., 1:] + np.cross(p[..., 1:], q[..., 1:])
    return np.concatenate([scalar, vector], axis=-1)


def test_log_inverts_exp() -> None:
    q = so3.exp(VECTORS)
    assert q.shape == (len(ANGLES), 4) and np.allclose(np.linalg.norm(q, axis=1), 1, rtol=0, atol=1e-15)
    assert (abs(so3.log(q) - VECTORS) <= 4e-15 * ANGLES[:, None]).all()
    # The length of a quaternion does not matter, its sign does.
    assert np.allclose(so3.log(1e-7 * q), VECTORS, rtol=1e-14, atol=0)
    assert np.allclose(np.linalg.norm(so3.log(-q[3:]), axis=1), 2 * np.pi - ANGLES[3:], rtol=1e-14)


def test_they_are_those_of_scipy() -> None:
    short = VECTORS[ANGLES < 3.1]
    assert np.allclose(so3.exp(short), np.roll(Rotation.from_rotvec(short).as_quat(), 1, axis=1), rtol=0, atol=1e-15)
    assert np.allclose(so3.log(Rotation.from_rotvec(short)), short, rtol=0, atol=1e-15)


def test_derivatives_of_the_exponential_are_derivatives() -> None:
    inverse = so3.exp(VECTORS) * [1, -1, -1, -1]
    e = 1e-4
    for k, v in enumerate(np.eye(3)):
        ahead, behind = (so3.log(product(inverse, so3.exp(VECTORS + s * e * v))) for s in (1, -1))
        # The error of a central difference is e**2 times a third derivative of order one.
        assert abs((ahead - behind) / (2 * e) - so3.dexp(VECTORS)[:, :, k]).max() < 1e-8


def test_derivatives_of_the_logarithm_are_derivatives() -> None:
    far = ANGLES < 5.5
    q, e = so3.exp(VECTORS), 1e-5
    for k, v in enumerate(np.eye(3)):
        ahead, behind = (so3.log(product(q, so3.exp(s * e * v))) for s in (1, -1))
        error = abs((ahead - behind) / (2 * e) - so3.dlog(q)[:, :, k]).max(axis=1)
        # The third derivative, times e**2/6; it grows towards a full turn.
        assert error[far].max() < 1e-9 and error.max() < 1e-7
    unit = so3.dexpinv(VECTORS) @ so3.dexp(VECTORS)
    assert abs(unit - np.eye(3)).max() < 1e-14
    assert np.allclose(so3.dlog(q), so3.dexpinv(VECTORS), rtol=1e-12, atol=0)


def test_shapes_are_kept() -> None:
    vectors = np.ones((2, 0, 5, 3))
    assert so3.exp(vectors).shape == (2, 0, 5, 4)
    for matrix in (so3.dexp, so3.dexpinv, so3.hat):
        assert matrix(vectors).shape == (2, 0, 5, 3, 3) and matrix([1, 2, 3]).shape == (3, 3)
    assert so3.log(np.ones((4, 2, 4))).shape == (4, 2, 3) and so3.dlog(np.ones((4, 2, 4))).shape == (4, 2, 3, 3)
    a, b = np.array([1.0, 2, 3]), np.array([-2.0, 0.5, 4])
    assert (so3.hat(a) @ b == np.cross(a, b)).all()


def test_bad_input_is_named() -> None:
    for function in (so3.exp, so3.dexp, so3.dexpinv, so3.hat):
        for bad in ([1, 2], 1.0, np.ones((3, 4)), [1, 2, np.nan], [np.inf, 0, 0]):
            with pytest.raises(polhode.InvalidInput) as error:
                function(bad)
            assert error.value.argument == "vector"
        with pytest.raises(TypeError, match="vector"):
            function("abc")  # type: ignore[arg-type]
    for of_attitude in (so3.log, so3.dlog):
        for bad in ([1, 2, 3], 1.0, [0, 0, 0, 0], [1, 0, np.nan, 0]):
            with pytest.raises(polhode.InvalidInput, match="attitude") as error:
                of_attitude(bad)
            assert error.value.argument == "attitude"
    with pytest.raises(polhode.InvalidInput, match="beyond the range of doubles"):
        so3.dexp([1e300, 0, 0])
    rows = np.ones((100_000, 3))
    rows[70_000] = np.nan
    rows[60_000, 1] = np.inf
    with pytest.raises(polhode.InvalidInput, match=r"vector = \[1.0, inf, 1.0\]: must be finite"):
        so3.exp(rows)

"""Rotations: exponential, logarithm and their derivatives, over arrays.

Rotation vectors have shape (..., 3), quaternions (scalar first, as everywhere here) shape (..., 4), and
derivatives are matrices of shape (..., 3, 3), to be applied by ``@``. All derivatives are in the body frame:

``exp(psi + v) = exp(psi) exp(dexp(psi) v)`` and ``log(q exp(v)) = log(q) + dlog(q) v``, to first order in v.

>>> import numpy as np
>>> quarter = exp([0, 0, np.pi / 2])
>>> log(quarter)
array([0.        , 0.        , 1.57079633])
>>> np.allclose(dexp([0.3, -1, 2]) @ dexpinv([0.3, -1, 2]), np.eye(3), rtol=0, atol=1e-15)
True
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from numpy.typing import ArrayLike

from . import _polhode
from ._arrays import Doubles, quaternion, real
from ._errors import InvalidInput

if TYPE_CHECKING:
    from scipy.spatial.transform import Rotation

__all__ = ["dexp", "dexpinv", "dlog", "exp", "hat", "log"]


def exp(vector: ArrayLike) -> Doubles:
    """The rotations by the angles ``|vector|`` about these vectors, as quaternions.

    The half angle is not reduced: after a full turn the quaternion is the negative of what it was.

    >>> import numpy as np
    >>> exp([[0, 0, 0], [0, np.pi, 0]]).round(15)
    array([[1., 0., 0., 0.],
           [0., 0., 1., 0.]])
    """
    given = _vectors(vector)
    return _polhode.so3_exp(given.ravel()).reshape((*given.shape[:-1], 4))


def log(attitude: ArrayLike | Rotation) -> Doubles:
    """The rotation vectors of quaternions: the inverse of `exp`, for lengths up to 2 pi.

    A quaternion with negative scalar is a rotation by more than pi, as its branch says; for the shorter way
    give the one with the other sign. The length of the quaternion does not matter.

    >>> import numpy as np
    >>> log([0, 1, 0, 0]) / np.pi
    array([1., 0., 0.])
    """
    given = quaternion("attitude", attitude)
    return _polhode.so3_log(given.ravel()).reshape((*given.shape[:-1], 3))


def dexp(vector: ArrayLike) -> Doubles:
    """The derivative of `exp`: matrices with ``exp(psi + v) = exp(psi) exp(dexp(psi) v)`` to first order.

    >>> dexp([0, 0, 0])
    array([[1., 0., 0.],
           [0., 1., 0.],
           [0., 0., 1.]])
    """
    given = _vectors(vector)
    return _polhode.so3_dexp(given.ravel()).reshape((*given.shape, 3))


def dexpinv(vector: ArrayLike) -> Doubles:
    """The inverse of `dexp`; it grows without bound as ``|vector|`` comes near 2 pi.

    >>> dexpinv([[0.1, 0, 0], [0, 3, 0]]).shape
    (2, 3, 3)
    """
    given = _vectors(vector)
    return _polhode.so3_dexpinv(given.ravel()).reshape((*given.shape, 3))


def dlog(attitude: ArrayLike | Rotation) -> Doubles:
    """The derivative of `log`: matrices with ``log(q exp(v)) = log(q) + dlog(q) v`` to first order.

    >>> import numpy as np
    >>> q = exp([0.3, -1, 2])
    >>> np.allclose(dlog(q), dexpinv(log(q)), rtol=0, atol=1e-15)
    True
    """
    given = quaternion("attitude", attitude)
    return _polhode.so3_dlog(given.ravel()).reshape((*given.shape[:-1], 3, 3))


def hat(vector: ArrayLike) -> Doubles:
    """The skew matrices of vectors: ``hat(a) @ b`` is ``a x b``.

    >>> hat([1, 2, 3]) @ [0, 0, 1]
    array([ 2., -1.,  0.])
    """
    given = _vectors(vector)
    return _polhode.so3_hat(given.ravel()).reshape((*given.shape, 3))


def _vectors(value: ArrayLike) -> Doubles:
    given = real("vector", value)
    if given.ndim == 0 or given.shape[-1] != 3:
        raise InvalidInput("vector", f"vector: must have shape (..., 3), not {given.shape}")
    return given

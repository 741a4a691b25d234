"""States of a body: what every computation returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from . import _polhode
from ._arrays import Doubles, flat

if TYPE_CHECKING:
    from scipy.spatial.transform import Rotation


@dataclass(frozen=True, repr=False, eq=False)
class States:
    """Momentum, angular velocity and attitude at one time or many.

    For times of shape S, ``momentum`` and ``omega`` (body frame) have shape S + (3,) and
    ``attitude`` (unit quaternion from body to space, scalar first) has shape S + (4,).
    """

    t: Doubles
    momentum: Doubles
    omega: Doubles
    attitude: Doubles

    @property
    def matrix(self) -> Doubles:
        """The attitude as matrices, ``v_space = matrix @ v_body``; shape S + (3, 3)."""
        return _polhode.matrices(flat(self.attitude)).reshape((*self.attitude.shape[:-1], 3, 3))

    @property
    def spatial_momentum(self) -> Doubles:
        """The angular momentum in space; shape S + (3,)."""
        return self.to_space(self.momentum)

    @property
    def spatial_omega(self) -> Doubles:
        """The angular velocity in space; shape S + (3,)."""
        return self.to_space(self.omega)

    def to_space(self, vector: Doubles) -> Doubles:
        """Vectors in the body, one for all states or one each, as seen in space."""
        shape = (*self.attitude.shape[:-1], 3)
        vectors = np.broadcast_to(np.asarray(vector, dtype=np.float64), shape)
        return _polhode.to_space(flat(self.attitude), flat(vectors)).reshape(shape)

    def rotation(self) -> Rotation:
        """The attitude as a SciPy ``Rotation``; more than one dimension of times becomes one.

        >>> import polhode
        >>> there = polhode.FreeMotion([1, 2, 2.5], momentum=[0, 0, 1.25]).at([0, 1, 2])
        >>> there.rotation().magnitude()
        array([0. , 0.5, 1. ])
        """
        from scipy.spatial.transform import Rotation

        scalar_last = np.roll(self.attitude, -1, axis=-1)
        return Rotation.from_quat(scalar_last if scalar_last.ndim == 1 else scalar_last.reshape(-1, 4))

    def __len__(self) -> int:
        return len(self.t)

    def __repr__(self) -> str:
        if np.ndim(self.t):
            return f"<{type(self).__name__} at times of shape {np.shape(self.t)}>"
        numbers = ", ".join(f"{name}={getattr(self, name).tolist()}" for name in ("momentum", "omega", "attitude"))
        return f"{type(self).__name__}(t={float(self.t)}, {numbers})"

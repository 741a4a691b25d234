"""A body and the state it starts from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from . import _polhode
from ._arrays import Doubles, flag, quaternion, real, vector
from ._errors import InvalidInput

if TYPE_CHECKING:
    from scipy.spatial.transform import Rotation


class Body:
    """A rigid body and the state it starts from.

    Parameters
    ----------
    inertia : array_like, shape (3,) or (3, 3)
        The principal moments, in any order, or the tensor of ``m = I omega`` (off its diagonal
        stand *minus* the integrals of xy, yz, zx over the mass).
    momentum, omega : array_like, shape (3,)
        Angular momentum or angular velocity at the start, in the body frame: one of the two.
    attitude : array_like, shape (4,), or scipy Rotation, optional
        From body to space, scalar first; normalised. By default the axes are aligned.
    allow_unphysical : bool
        Take moments that no body has (the largest exceeds the sum of the other two).

    Examples
    --------
    >>> body = Body([1, 5, 6], omega=[10, 10, 10])
    >>> body.momentum
    array([10., 50., 60.])
    """

    __slots__ = ("_arguments", "_core")

    def __init__(
        self,
        inertia: ArrayLike,
        *,
        momentum: ArrayLike | None = None,
        omega: ArrayLike | None = None,
        attitude: ArrayLike | Rotation | None = None,
        allow_unphysical: bool = False,
    ) -> None:
        if (momentum is None) == (omega is None):
            raise TypeError("momentum, omega: give exactly one of the two")
        moments = real("inertia", inertia)
        if moments.shape not in ((3,), (3, 3)):
            raise InvalidInput(
                "inertia",
                f"inertia: must be 3 principal moments or a 3 x 3 tensor, not an array of shape {moments.shape}",
            )
        turned = np.array([1.0, 0.0, 0.0, 0.0]) if attitude is None else quaternion("attitude", attitude)
        if turned.shape != (4,):
            raise InvalidInput("attitude", f"attitude: must be a single one, not an array of shape {turned.shape}")
        self._arguments: dict[str, Any] = {
            "momentum": None if momentum is None else vector("momentum", momentum).copy(),
            "omega": None if omega is None else vector("omega", omega).copy(),
            "attitude": turned.copy(),
            "allow_unphysical": flag("allow_unphysical", allow_unphysical),
        }
        self._core = _polhode.Body(
            moments.ravel().tolist(),
            None if momentum is None else self._arguments["momentum"].tolist(),
            None if omega is None else self._arguments["omega"].tolist(),
            turned.tolist(),
            self._arguments["allow_unphysical"],
        )
        self._arguments["inertia"] = moments.copy()

    @classmethod
    def _of(cls, core: _polhode.Body) -> Body:
        """Around what the compiled part has made."""
        self = cls.__new__(cls)
        self._core = core
        aligned = core.axes == [1.0, 0.0, 0.0, 0.0]
        self._arguments = {
            "inertia": np.array(core.moments if aligned else core.tensor).reshape((3,) if aligned else (3, 3)),
            "momentum": np.array(core.momentum),
            "omega": None,
            "attitude": np.array(core.attitude),
            "allow_unphysical": not core.physical,
        }
        return self

    @property
    def inertia(self) -> Doubles:
        """The principal moments or the tensor, as given."""
        given: Doubles = self._arguments["inertia"]
        return given.copy()

    @property
    def moments(self) -> Doubles:
        """The principal moments: in the order given, or in that of ``axes``."""
        return np.array(self._core.moments)

    @property
    def axes(self) -> Doubles:
        """The rotation from principal to body coordinates, a quaternion with the scalar first."""
        return np.array(self._core.axes)

    @property
    def tensor(self) -> Doubles:
        """The inertia tensor in the body frame."""
        return np.array(self._core.tensor).reshape(3, 3)

    @property
    def is_physical(self) -> bool:
        """True if some distribution of mass has these moments."""
        return self._core.physical

    @property
    def momentum(self) -> Doubles:
        """The angular momentum at the start, body frame."""
        return np.array(self._core.momentum)

    @property
    def omega(self) -> Doubles:
        """The angular velocity at the start, body frame."""
        return np.array(self._core.omega)

    @property
    def attitude(self) -> Doubles:
        """The attitude at the start: unit quaternion from body to space, scalar first."""
        return np.array(self._core.attitude)

    def __repr__(self) -> str:
        spin = "momentum" if self._arguments["omega"] is None else "omega"
        text = f"inertia={self.inertia.tolist()}, {spin}={self._arguments[spin].tolist()}, "
        allowed = ", allow_unphysical=True" if self._arguments["allow_unphysical"] else ""
        return f"Body({text}attitude={self.attitude.tolist()}{allowed})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (self._arguments,)


def _rebuilt(arguments: dict[str, Any]) -> Body:
    return Body(**arguments)

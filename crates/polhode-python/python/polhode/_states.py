"""States of a body: what every computation returns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from . import _polhode, _tables
from ._arrays import Doubles, flat, real
from ._errors import InvalidInput, missing

if TYPE_CHECKING:
    import os

    from scipy.spatial.transform import Rotation

#: States of a kind: some of a trajectory are one too.
Some = TypeVar("Some", bound="States")


@dataclass(frozen=True, repr=False, eq=False)
class States:
    """Momentum, angular velocity and attitude at one time or many.

    For times of shape S, ``momentum`` and ``omega`` (body frame) have shape S + (3,) and
    ``attitude`` (unit quaternion from body to space, scalar first) has shape S + (4,). An index is
    one into the times.

    >>> import polhode
    >>> there = polhode.FreeMotion([1, 2, 2.5], momentum=[0, 0, 1.25]).at([0, 1, 2])
    >>> len(there), there[-1].t
    (3, np.float64(2.0))
    >>> there[1:].omega
    array([[0. , 0. , 0.5],
           [0. , 0. , 0.5]])
    """

    t: Doubles
    momentum: Doubles
    omega: Doubles
    attitude: Doubles

    def __post_init__(self) -> None:
        for name in ("t", "momentum", "omega", "attitude"):
            # A time alone is a number, as NumPy has it.
            object.__setattr__(self, name, real(name, getattr(self, name))[()])
        shape = self._shape()
        for name, width in (("momentum", 3), ("omega", 3), ("attitude", 4)):
            found = np.shape(getattr(self, name))
            if found != (*shape, width):
                raise InvalidInput(name, f"{name}: must have shape {(*shape, width)} beside these times, not {found}")

    @classmethod
    def _made(cls, t: Any, momentum: Doubles, omega: Doubles, attitude: Doubles) -> States:
        """Of arrays that are known to be right: what is checked otherwise takes longer than a motion."""
        self = cls.__new__(cls)
        self.__dict__.update(t=t, momentum=momentum, omega=omega, attitude=attitude)
        return self

    def _shape(self) -> tuple[int, ...]:
        return np.shape(self.t)

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

    def to_space(self, vector: ArrayLike) -> Doubles:
        """Vectors in the body, one for all states or one each, as seen in space."""
        shape = (*self.attitude.shape[:-1], 3)
        given = real("vector", vector)
        try:
            vectors = np.broadcast_to(given, shape)
        except ValueError:
            raise InvalidInput("vector", f"vector: of shape {given.shape}, which is not one of {shape}") from None
        return _polhode.to_space(flat(self.attitude), flat(vectors)).reshape(shape)

    def rotation(self) -> Rotation:
        """The attitude as a SciPy ``Rotation``; more than one dimension of times becomes one.

        >>> import polhode
        >>> there = polhode.FreeMotion([1, 2, 2.5], momentum=[0, 0, 1.25]).at([0, 1, 2])
        >>> there.rotation().magnitude()
        array([0. , 0.5, 1. ])
        """
        try:
            from scipy.spatial.transform import Rotation
        except ModuleNotFoundError as error:
            raise missing("rotation()", "rotation", error) from None

        scalar_last = np.roll(self.attitude, -1, axis=-1)
        return Rotation.from_quat(scalar_last if scalar_last.ndim == 1 else scalar_last.reshape(-1, 4))

    def to_pandas(self) -> Any:
        """A ``DataFrame`` with a row for each state, its index the time (and the body), columns as in CSV files.

        >>> import polhode
        >>> table = polhode.FreeMotion([1, 2, 2.5], momentum=[0, 0, 1.25]).at([0, 1]).to_pandas()
        >>> list(table.columns[:4]), table.index.name
        (['m1', 'm2', 'm3', 'w1'], 't')
        """
        return _tables.to_pandas(self)

    def to_xarray(self) -> Any:
        """A ``Dataset`` with the coordinates ``t``, ``axis`` and ``quaternion`` (and the dimension ``body``)."""
        return _tables.to_xarray(self)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the states to a .npz or .csv file, named as in files of the program, which `polhode check` reads.

        Beside a .csv file goes ``FILE.meta.json``, into a .npz file the entry ``meta``: what wrote it, and units.
        """
        _tables.save(self, path)

    def __getitem__(self: Some, index: Any) -> Some:
        return replace(self, **self._taken(index))

    def _taken(self, index: Any) -> dict[str, Any]:
        # Whatever is taken of the times, the components of a vector stay together.
        rows = (*(index if isinstance(index, tuple) else (index,)), slice(None))
        columns = {name: getattr(self, name)[rows] for name in ("momentum", "omega", "attitude")}
        return {"t": self.t[index], **columns}

    def __len__(self) -> int:
        if not np.ndim(self.t):
            raise TypeError(f"{type(self).__name__} at a single time have no len()")
        return len(self.t)

    def __iter__(self) -> Iterator[States]:
        return (self[i] for i in range(len(self)))

    def __bool__(self) -> bool:
        """Whether there is any state."""
        return 0 not in self._shape()

    def __array__(self, dtype: Any = None, copy: Any = None) -> NoReturn:
        raise TypeError(f"{type(self).__name__} are no array; take momentum, omega or attitude of them")

    def __repr__(self) -> str:
        if np.ndim(self.t):
            return f"<{type(self).__name__} at times of shape {np.shape(self.t)}>"
        numbers = ", ".join(f"{name}={getattr(self, name).tolist()}" for name in ("momentum", "omega", "attitude"))
        return f"{type(self).__name__}(t={float(self.t)}, {numbers})"

"""Mass, centre of mass and inertia of shapes.

>>> brick = box(mass=12, size=[1, 2, 3])
>>> brick.inertia.diagonal()
array([13., 10.,  5.])
>>> import polhode
>>> polhode.FreeMotion(brick.inertia, omega=[0.01, 5, 0]).regime
'about-major'

The tensor is about the centre of mass, in the axes of the shape. It is that of ``m = I omega``: off its diagonal stand
*minus* the integrals of xy, yz, zx over the mass, where some programs have plus.
"""

from __future__ import annotations

import os
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from . import _polhode
from ._arrays import Doubles, number, real, vector
from ._errors import InvalidInput

__all__ = ["MassProperties", "box", "cylinder", "ellipsoid", "load", "mesh", "points"]


class MassProperties(NamedTuple):
    """Mass, centre of mass, and the tensor of inertia about it."""

    mass: float
    centre: Doubles
    inertia: Doubles


def _made(found: tuple[float, list[float], list[list[float]]]) -> MassProperties:
    mass, centre, tensor = found
    return MassProperties(mass, np.array(centre), np.array(tensor))


def box(*, mass: ArrayLike, size: ArrayLike) -> MassProperties:
    """A box of uniform density, with edges of these three lengths along the axes."""
    return _made(_polhode.solid("box", number("mass", mass), vector("size", size).tolist()))


def ellipsoid(*, mass: ArrayLike, size: ArrayLike) -> MassProperties:
    """An ellipsoid of uniform density, with these three semi-axes."""
    return _made(_polhode.solid("ellipsoid", number("mass", mass), vector("size", size).tolist()))


def cylinder(*, mass: ArrayLike, radius: ArrayLike, height: ArrayLike) -> MassProperties:
    """A cylinder of uniform density about the third axis."""
    size = [number("radius", radius), number("height", height), 0.0]
    return _made(_polhode.solid("cylinder", number("mass", mass), size))


def points(masses: ArrayLike, positions: ArrayLike) -> MassProperties:
    """Masses (n,) at positions (n, 3), measured from anywhere."""
    weights, places = real("masses", masses), real("positions", positions)
    if weights.ndim != 1 or places.shape != (*weights.shape, 3):
        raise InvalidInput("positions", f"positions: of shape {places.shape} for masses of shape {weights.shape}")
    return _made(_polhode.points(list(zip(weights.tolist(), places.tolist(), strict=True))))


def mesh(vertices: ArrayLike, triangles: ArrayLike, *, density: ArrayLike) -> MassProperties:
    """The inside of a closed surface of triangles, filled with this density.

    ``vertices`` (n, 3) are its corners, ``triangles`` (k, 3) three of their numbers each, counterclockwise as seen
    from outside. A surface that is open, not oriented or inside out is refused, with the triangle.
    """
    corners, faces = real("vertices", vertices), np.asarray(triangles)
    if corners.ndim != 2 or corners.shape[1] != 3:
        raise InvalidInput("vertices", f"vertices: must have shape (n, 3), not {corners.shape}")
    if faces.ndim != 2 or faces.shape[1] != 3 or faces.dtype.kind not in "iu" or (faces < 0).any():
        raise InvalidInput("triangles", "triangles: must be numbers of corners from 0, of shape (k, 3)")
    return _made(_polhode.mesh(corners.tolist(), faces.tolist(), number("density", density)))


def load(path: str | os.PathLike[str], *, density: ArrayLike, scale: ArrayLike = 1.0) -> MassProperties:
    """The same of an .stl or .obj file, its coordinates multiplied by ``scale``: 0.001 for millimetres."""
    factor = number("scale", scale)
    if not (np.isfinite(factor) and factor > 0):
        raise InvalidInput("scale", f"scale = {factor!r}: must be positive and finite")
    return _made(_polhode.mesh(*_polhode.load_mesh(os.fspath(path), factor), number("density", density)))

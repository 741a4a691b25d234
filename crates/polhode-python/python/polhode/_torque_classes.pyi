"""The classes of `polhode.torques`: written by a test of the types."""

from collections.abc import Mapping

from numpy.typing import ArrayLike

from .torques import Torque

class NoTorque(Torque):
    def __init__(self) -> None: ...

class HeavyTop(Torque):
    def __init__(self, *, centre: ArrayLike = ..., up: ArrayLike = ...) -> None: ...

class LagrangeTop(Torque):
    def __init__(self, *, strength: float = ...) -> None: ...

class CoulombWall(Torque):
    def __init__(self, *, sign: str = ...) -> None: ...

class GravityGradient(Torque):
    def __init__(self, *, rate: float, normal: ArrayLike = ..., towards: ArrayLike = ..., eccentricity: float = ..., anomaly: float = ...) -> None: ...

class MagneticDipole(Torque):
    def __init__(self, *, dipole: ArrayLike, field: ArrayLike) -> None: ...

class Constant(Torque):
    def __init__(self, *, torque: ArrayLike, frame: str = ...) -> None: ...

class Damping(Torque):
    def __init__(self, *, coefficient: ArrayLike) -> None: ...

class Formula(Torque):
    def __init__(self, *, torque: ArrayLike, frame: str = ..., constants: Mapping[str, float] = ...) -> None: ...

class Table(Torque):
    def __init__(self, *, rows: ArrayLike, frame: str = ..., interpolation: str = ..., beyond: str = ...) -> None: ...

class Dipole(Torque):
    def __init__(self, *, dipole: ArrayLike, field: ArrayLike, constants: Mapping[str, float] = ..., interpolation: str = ..., beyond: str = ..., strength: float = ..., axis: ArrayLike = ..., pole: ArrayLike = ..., spin: float = ..., rate: float = ..., normal: ArrayLike = ..., towards: ArrayLike = ..., eccentricity: float = ..., anomaly: float = ...) -> None: ...

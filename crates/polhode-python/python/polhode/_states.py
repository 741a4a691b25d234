"""States of a body: what every computation returns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from . import _polhode, _tables
from ._arrays import Doubles, flat, ordered_times, real
from ._errors import InvalidInput, missing

if TYPE_CHECKING:
    import os

    from scipy.spatial.transform import Rotation

    from ._body import Body
    from ._view import View
    from .torques import TorqueLike

#: What depends on the angular velocity, in an expression.
_OF_OMEGA = re.compile(r"\b(w[123]|omega|kinetic|energy|wheel_speed)\b")

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

    #: The body (or bodies) and the torque of the run that the states are of, if they are of one; and whether
    #: something moves inside the body, or it has a controller.
    _run: ClassVar[tuple[Any, TorqueLike, bool] | None] = None

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

    @property
    def kinetic_energy(self) -> Doubles:
        """The kinetic energy, ``momentum . omega / 2``; shape S."""
        energy: Doubles = 0.5 * np.sum(self.momentum * self.omega, axis=-1)
        return energy

    def observe(
        self,
        expression: str,
        *,
        body: Body | None = None,
        torque: TorqueLike = None,
        directions: Mapping[str, Any] | None = None,
    ) -> Doubles:
        """A number that follows from time and state, at every state; shape S.

        The expression is a formula as in a scenario's ``[watch]``: of ``t``, ``w1`` to ``w3``, ``m1`` to ``m3``,
        ``q0`` to ``q3``, ``r11`` to ``r33``; ``angle(a, b)``, ``dot(a, b)`` and ``norm(a)`` of directions;
        ``area_box(lx, ly, lz, d)`` and ``area_ellipsoid(a, b, c, d)``, the area seen from a direction; ``yaw``,
        ``pitch``, ``roll``, ``precession``, ``nutation``, ``rotation``; ``kinetic``, ``potential``, ``energy``; and
        the usual functions, ``deg`` and ``rad`` among them. Directions are the body axes ``x``, ``y``, ``z``, the
        space axes ``X``, ``Y``, ``Z``, ``body(1, 0, 1)``, ``space(0, 0, 1)``, ``momentum``, ``omega``, ``nadir``
        (where a gravity gradient acts), and those of ``directions``.

        Parameters
        ----------
        expression : str
        body : Body
            Whose states they are; those of `simulate`, `solve` and `ensemble` know.
        torque : see `polhode.torques`
            For potential, energy and nadir; those of `simulate`, `solve` and `ensemble` know.
        directions : dict
            Vectors of space by their names: three numbers, three expressions, or rows (t, x, y, z).

        Raises
        ------
        InvalidInput
            If the expression has a mistake, which is shown with its place.

        Examples
        --------
        >>> import polhode
        >>> body = polhode.Body([1, 2, 2.5], momentum=[1, 0, 1])
        >>> run = polhode.solve(body, None, until=2, t_eval=[0, 1, 2])
        >>> run.observe("deg(angle(z, momentum))").round(3)
        array([45.   , 52.731, 69.817])
        """
        whose, parts, named = self._observed("expression", expression, body, torque, directions)
        found = _polhode.observe(whose, parts, named, expression, *self._columns())
        return found.reshape(self._shape())[()]

    def intervals(
        self,
        condition: str,
        *,
        body: Body | None = None,
        torque: TorqueLike = None,
        directions: Mapping[str, Any] | None = None,
    ) -> Doubles:
        """From when to when a comparison holds: a row (begin, end) for each interval; shape (n, 2).

        The condition is one of a scenario's ``[watch]``: two formulas as `observe` takes them with ``<`` or ``>``
        between. Between neighbouring states the motion is solved where the condition may change, so that the times do
        not depend on how many states there are. The other arguments are those of `observe`.

        Examples
        --------
        >>> import polhode
        >>> body = polhode.Body([1, 2, 2.5], omega=[0, 0, 1])
        >>> run = polhode.solve(body, None, until=10, t_eval=[0, 10])
        >>> run.intervals("deg(angle(x, X)) < 10").round(3)
        array([[0.   , 0.175],
               [6.109, 6.458]])
        """
        if np.ndim(self.t) != 1:
            raise InvalidInput("condition", f"condition: states in the order of their times are needed, not {self!r}")
        whose, parts, named = self._observed("condition", condition, body, torque, directions)
        if isinstance(whose, _polhode.Bodies):
            raise InvalidInput("condition", "condition: intervals are of one body; take them of one, ensemble[i]")
        ordered_times("t", self.t, float(self.t[0]), float(self.t[-1])) if len(self.t) else None
        found = _polhode.intervals(whose, parts, named, condition, *self._columns())
        return np.array(found).reshape(-1, 2)

    def _observed(
        self, argument: str, text: Any, body: Any, torque: TorqueLike, directions: Mapping[str, Any] | None
    ) -> tuple[_polhode.Body | _polhode.Bodies, list[Any], list[Any]]:
        """Whose states are looked at, under which torque, with which directions."""
        from ._body import Body
        from .torques import _parts, _value

        if not isinstance(text, str):
            raise TypeError(f"{argument}: must be a str, not {type(text).__name__}")
        if body is None:
            if self._run is None:
                raise TypeError("body: needed here, as the states are of no run that knows it")
            body, known, moves = self._run
            torque = known if torque is None else torque
            if moves and (argument == "condition" or _OF_OMEGA.search(text)):
                raise InvalidInput(
                    argument,
                    f"{argument}: of a run with wheels, dissipation or a controller the states do not tell this; take "
                    "its omega, energy and wheels, or a scenario and `polhode run`",
                )
        elif not isinstance(body, Body):
            raise TypeError(f"body: must be a polhode.Body, not {type(body).__name__}")
        named = [(name, _value(name, value)) for name, value in (directions or {}).items()]
        return body._core, _parts(torque), named

    def _columns(self) -> tuple[Doubles, Doubles, Doubles]:
        """Times, momenta and attitudes, a row for each state."""
        t = np.broadcast_to(self.t, self._shape())
        return flat(t), flat(self.momentum), flat(self.attitude)

    def _of(self: Some, body: Any, torque: TorqueLike, moves: bool = False) -> Some:
        """The same, known to be of that run."""
        object.__setattr__(self, "_run", (body, torque, moves))
        return self

    def __getstate__(self) -> dict[str, Any]:
        # Not every torque can be pickled.
        return {name: value for name, value in self.__dict__.items() if name != "_run"}

    def to_body(self, vector: ArrayLike) -> Doubles:
        """Vectors in space, one for all states or one each, as seen in the body.

        >>> import polhode
        >>> there = polhode.FreeMotion([1, 2, 2.5], momentum=[0, 0, 1.25]).at([0, 1])
        >>> there.to_body([1, 0, 0]).round(6)
        array([[ 1.      ,  0.      ,  0.      ],
               [ 0.877583, -0.479426,  0.      ]])
        """
        return self._turned(vector, self.attitude * np.array([1.0, -1.0, -1.0, -1.0]))

    def to_space(self, vector: ArrayLike) -> Doubles:
        """Vectors in the body, one for all states or one each, as seen in space."""
        return self._turned(vector, self.attitude)

    def _turned(self, vector: ArrayLike, attitude: Doubles) -> Doubles:
        shape = (*self.attitude.shape[:-1], 3)
        given = real("vector", vector)
        try:
            vectors = np.broadcast_to(given, shape)
        except ValueError:
            raise InvalidInput("vector", f"vector: of shape {given.shape}, which is not one of {shape}") from None
        return _polhode.to_space(flat(attitude), flat(vectors)).reshape(shape)

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

    def show(
        self,
        *,
        body: Body | None = None,
        watch: Mapping[str, Any] | Sequence[str] = (),
        shape: Any = None,
        title: str = "A motion",
        beside: Mapping[str, States] | None = None,
    ) -> View:
        """A page in which the body turns, which a notebook shows.

        Of a solution with ``dense_output`` the film is as fine as it needs to be; of other states it has the states
        there are, and says so where they are too far apart.

        Parameters
        ----------
        body : Body
            Whose states they are; those of `simulate` and `solve` know.
        watch : list of str, or dict of str and arrays
            What to plot beside it: expressions as `observe` takes them, or a number for each state.
        shape : str, or (vertices, triangles)
            What the body looks like: a shape as a scenario has it, such as "t-handle" (any other text is refused
            with the list), or a mesh. Without it, what suits the torque.
        title : str
        beside : dict of States
            Other motions of the body, by their names, to be shown beside this one.

        Returns
        -------
        View
            Its ``save(path)`` writes the page.

        Examples
        --------
        >>> import polhode
        >>> body = polhode.Body([3, 8, 11], omega=[0.01, 12, 0])
        >>> run = polhode.simulate(body, None, "exact", step=0.01, until=5)
        >>> run.show(shape="t-handle", watch=["w2"]).html[:15]
        '<!doctype html>'
        """
        from ._view import view

        return view(self, body, watch, shape, str(title), beside or {})

    def save_html(self, path: str | os.PathLike[str], **options: Any) -> None:
        """Writes the page of `show`, one file without links, to be opened in any browser; options as there."""
        self.show(**options).save(path)

    def __getitem__(self: Some, index: Any) -> Some:
        if not np.ndim(self.t) and isinstance(index, (int, slice)):
            # Who comes from SciPy may write y[0] in an event.
            raise IndexError(
                f"{type(self).__name__} at a single time have no items; momentum, omega, attitude and matrix are arrays"
            )
        some = replace(self, **self._taken(index))
        return some if self._run is None else some._of(*self._run)

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

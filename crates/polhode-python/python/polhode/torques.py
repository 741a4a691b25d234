"""Torques for `polhode.solve`, `polhode.simulate` and `polhode.ensemble`.

There is a class for every model of the library, named after its kind: `HeavyTop` for ``heavy-top``.
`kinds` lists them with their keys. A torque is also accepted as a dict, ``{"kind": "heavy-top",
"centre": (0, 0, 9.81)}``, as a callable (see `Function`), or as a list of any of these, which act
together.

>>> HeavyTop(centre=(0, 0, 9.81))
HeavyTop(centre=(0.0, 0.0, 9.81))

A formula, a table over time, and a dipole in a field that is either, run as fast as the models of the library:

>>> Formula(torque=["-k*w1", "-k*w2", "sin(t)"], constants={"k": 0.1})
Formula(torque=('-k*w1', '-k*w2', 'sin(t)'), constants={'k': 0.1})
>>> Table(rows=[[0, 0, 0, 1], [5, 0, 0, 0]], interpolation="hold", beyond="hold")
Table(rows=((0.0, 0.0, 0.0, 1.0), (5.0, 0.0, 0.0, 0.0)), interpolation='hold', beyond='hold')
>>> Dipole(dipole=(0, 0, 1.85), field=["cos(t)", "sin(t)", 0])
Dipole(dipole=(0.0, 0.0, 1.85), field=('cos(t)', 'sin(t)', '0.0'))
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Union

from numpy.typing import ArrayLike

from . import _polhode
from ._arrays import Doubles, flag, real, word
from ._compiled import compiled
from ._errors import InvalidInput

#: A number, a few numbers, rows of numbers, a word, expressions, or numbers with names.
Value = Union[float, tuple[float, ...], tuple[tuple[float, ...], ...], str, tuple[str, ...], dict[str, float]]
#: What `polhode.simulate` takes as a torque.
TorqueLike = Union[
    "Torque",
    "Function",
    "_polhode.ScenarioTorque",
    Mapping[str, Any],
    Callable[[float, Doubles, Doubles], ArrayLike],
    Sequence[Any],
    None,
]


class Torque:
    """A model of torque with its keys; see its subclasses."""

    kind: ClassVar[str]
    __slots__ = ("keys",)
    keys: dict[str, Value]

    def __init__(self, **keys: Any) -> None:
        self.keys = {name: _value(name, value) for name, value in keys.items()}
        _polhode.check_torque(self.kind, list(self.keys.items()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.keys.items())})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Torque) and (self.kind, self.keys) == (other.kind, other.keys)

    def __hash__(self) -> int:
        frozen = {k: tuple(sorted(v.items())) if isinstance(v, dict) else v for k, v in self.keys.items()}
        return hash((self.kind, tuple(sorted(frozen.items()))))

    def __reduce__(self) -> tuple[Any, ...]:
        return torque, (self.kind, self.keys)


def torque(kind: str, keys: Mapping[str, Any]) -> Torque:
    """The torque of that kind.

    >>> torque("damping", {"coefficient": 0.1})
    Damping(coefficient=0.1)
    """
    if not isinstance(kind, str):
        raise TypeError(f"kind: must be a str, not {type(kind).__name__}")
    if kind not in _CLASSES:
        _polhode.check_torque(kind, [])  # says which there are
    if not isinstance(keys, Mapping):
        raise TypeError(f"keys: must be a dict, not {type(keys).__name__}")
    for name in keys:
        if not isinstance(name, str):
            raise TypeError(f"torque: its keys must be words, not {type(name).__name__}")
    return _CLASSES[kind](**keys)


@dataclass(frozen=True)
class Function:
    """A torque by a callable ``f(t, momentum, attitude)``, or by a compiled function.

    It returns three numbers, the torque in the body frame; ``momentum`` is in the body frame too and
    ``attitude`` a quaternion with the scalar first. What it raises ends the run and propagates. In an
    ensemble it is called for one body after the other, unless it is ``vectorized``: half a microsecond a call beside
    its own time, and possibly by another thread than the caller's; it is not told which body.

    A compiled function costs nanoseconds. It is a SciPy ``LowLevelCallable``, a ``cfunc`` of numba or a
    function pointer of ctypes, of the signature ``void (double t, double *momentum, double *attitude, double
    *torque)`` with or without a ``void *user_data`` at the end, and must allow calls from several threads at
    once in an ensemble. One that returns ``int`` returns 0, or another number to end the run.

    Parameters
    ----------
    f : callable, or a compiled function
    depends_on : "momentum" or "attitude"
        With "attitude" the torque does not depend on the momentum: schemes that need this accept it,
        and a kick costs one call instead of four. At the start of a run of one body it is tried whether this
        is so, there and at another attitude.
    depends_on_time : bool
        False if it does not change while the state stands still: it is then not called twice. Tried likewise.
    potential : callable (t, attitude) -> energy, optional
        For the energy; called once a step.
    vectorized : bool
        True if ``f`` takes many states at once: times of shape (n,), momenta (n, 3), attitudes (n, 4); it returns
        an array of doubles of shape (n, 3), of which each row must depend on its own state alone. An ensemble
        calls it for 4 to 16 bodies at a time, and `solve` needs half the calls at a tolerance of 1e-6, fewer below.
        Potential and jacobian still take one state. Not for compiled functions.
    jacobian : callable (t, momentum, attitude) -> (by_turn, by_momentum), optional
        For derivatives (``tangent=True``, `polhode.lyapunov`, `polhode.covariance`, `polhode.jax`) and for implicit
        methods, which all use it where it is given and take differences of ``f`` where not, and for gradient schemes,
        which need it. Two 3 x 3 matrices: how the torque changes as the body turns, a column for each of its axes (a
        small turn by ``del`` in the body frame from the right, ``q -> q exp(del)``), and how it changes with the
        momentum. With ``depends_on="attitude"`` the first alone is enough. It is not tried whether it is true.

    Examples
    --------
    >>> spring = Function(lambda t, m, q: (-0.1 * q[1], 0, 0), depends_on="attitude")
    >>> drag = Function(lambda t, m, q: -0.1 * m, vectorized=True)
    """

    f: Any
    depends_on: Literal["momentum", "attitude"] = "momentum"
    depends_on_time: bool = True
    potential: Callable[[float, Doubles], float] | None = None
    jacobian: Callable[[float, Doubles, Doubles], Any] | None = None
    vectorized: bool = False

    def __post_init__(self) -> None:
        is_compiled = compiled(self.f) is not None
        if not is_compiled and not callable(self.f):
            raise TypeError(f"f: must be callable, not {type(self.f).__name__}")
        if flag("vectorized", self.vectorized) and is_compiled:
            raise InvalidInput("vectorized", "vectorized: a compiled function takes one state at a time")
        for name in ("potential", "jacobian"):
            given = getattr(self, name)
            if given is not None and not callable(given):
                raise TypeError(f"{name}: must be callable, not {type(given).__name__}")
        word("depends_on", self.depends_on, "momentum", "attitude")
        flag("depends_on_time", self.depends_on_time)


@dataclass(frozen=True)
class Key:
    """A key of a torque."""

    name: str
    doc: str
    allowed: str
    default: Value | None


@dataclass(frozen=True)
class Kind:
    """A model of torque: what it is, its keys, and values for them: ``torque(kind.kind, kind.example)``."""

    kind: str
    title: str
    keys: tuple[Key, ...]
    cites: tuple[str, ...]
    example: dict[str, Any] = field(default_factory=dict, hash=False)


def kinds() -> list[Kind]:
    """Every model of torque.

    >>> [kind.kind for kind in kinds()][:3]
    ['none', 'heavy-top', 'lagrange-top']
    """
    return list(_KINDS)


def _value(name: str, value: Any) -> Value:
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return {_word(name, key): float(real(f"{name}[{key!r}]", one)) for key, one in value.items()}
    if isinstance(value, Sequence) and any(isinstance(one, str) for one in value):
        # Among expressions numbers may stand.
        return tuple(one if isinstance(one, str) else repr(float(real(name, one))) for one in value)
    array = real(name, value)
    if array.ndim > 2:
        raise InvalidInput(name, f"{name}: must be a number, a list or rows, not of shape {array.shape}")
    if array.ndim == 2:
        return tuple(tuple(row) for row in array.tolist())
    return tuple(array.tolist()) if array.ndim else float(array)


def _word(name: str, key: Any) -> str:
    if not isinstance(key, str):
        raise TypeError(f"{name}: its keys must be words, not {type(key).__name__}")
    return key


# As the compiled part takes it: (f, potential, jacobian, depends on, depends on time, vectorized) or (kind, keys).
Part = Union[tuple[Any, Any, Any, str, bool, bool], tuple[str, list[tuple[str, Value]]], "_polhode.ScenarioTorque"]


def _parts(given: TorqueLike) -> list[Part]:
    """The parts of a torque, for the compiled part."""
    if given is None:
        return []
    if isinstance(given, _polhode.ScenarioTorque):
        return [given]
    if isinstance(given, Torque):
        return [(given.kind, list(given.keys.items()))]
    if isinstance(given, Function):
        f = compiled(given.f) or given.f
        flags = bool(given.depends_on_time), bool(given.vectorized)
        return [(f, given.potential, given.jacobian, given.depends_on, *flags)]
    if isinstance(given, Mapping):
        if "kind" not in given:
            raise InvalidInput("torque", "torque: a dict needs a 'kind'")
        try:
            return _parts(torque(given["kind"], {k: v for k, v in given.items() if k != "kind"}))
        except InvalidInput as error:
            raise InvalidInput("torque", f"torque: {error}") from None
    if compiled(given) or callable(given):
        return _parts(Function(given))
    if isinstance(given, Sequence) and not isinstance(given, (str, bytes)):
        return [part for one in given for part in _parts(one)]
    raise TypeError(
        f"torque: must be one of polhode.torques, a dict with a 'kind', a callable, or a list of these; "
        f"not {type(given).__name__}"
    )


def _kind(record: dict[str, Any]) -> Kind:
    keys = tuple(Key(*key) for key in record["keys"])
    cites = tuple(key for key, _, _ in record["cites"])
    return Kind(record["kind"], record["title"], keys, cites, record["example"])


def _class(kind: Kind) -> type[Torque]:
    name = "NoTorque" if kind.kind == "none" else "".join(w.capitalize() for w in kind.kind.split("-"))
    lines = [f"{kind.title[0].upper()}{kind.title[1:]}.", ""]
    parameters = []
    for key in kind.keys:
        default = inspect.Parameter.empty if key.default is None else key.default
        parameters.append(inspect.Parameter(key.name, inspect.Parameter.KEYWORD_ONLY, default=default))
        lines.append(f"{key.name} : {key.allowed}\n    {key.doc}")
    made = type(
        name,
        (Torque,),
        {
            "kind": kind.kind,
            "__slots__": (),
            "__doc__": "\n".join(lines).rstrip(),
            "__module__": __name__,
            "__signature__": inspect.Signature(parameters),
        },
    )
    return made


if TYPE_CHECKING:
    # The classes made below, for type checkers and editors; written by a test of theirs.
    from ._torque_classes import *  # noqa: F403

_KINDS = tuple(_kind(record) for record in _polhode.torques())
_CLASSES = {kind.kind: _class(kind) for kind in _KINDS}
globals().update({made.__name__: made for made in _CLASSES.values()})
__all__ = ["Function", "Key", "Kind", "Torque", "kinds", "torque", *(made.__name__ for made in _CLASSES.values())]


def __getattr__(name: str) -> type[Torque]:
    # For a better message; and for type checkers, of which some do not read what is above.
    known = ", ".join(made.__name__ for made in _CLASSES.values())
    raise AttributeError(f"polhode.torques has no {name!r}; torques: {known}")

"""How the functions of `polhode.elliptic` call their ufuncs: with either parameter, with a check, by name.

A function is written there as a signature with its documentation; a decorator of this file makes the function of
it. Where nothing but arguments is given the ufunc is called at once: whatever comes before costs as much as the
call itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import ContextVar
from functools import wraps
from typing import Any, TypeVar

import numpy as np

from . import _polhode
from ._errors import InvalidInput

Signature = TypeVar("Signature", bound=Callable[..., Any])

# A float for scalars, an array otherwise, or what the arguments came in: as NumPy's own functions.
Result = Any

# Whether arguments outside a domain raise.
checking: ContextVar[bool] = ContextVar("checking", default=False)


def of_numbers(ufunc: str) -> Callable[[Signature], Signature]:
    """For a function of numbers only."""
    call = getattr(_polhode, ufunc)

    def decorate(signature: Signature) -> Signature:
        names = _names(signature)
        count = len(names)

        @wraps(signature)
        def function(*given: Any, check: bool | None = None, **options: Any) -> Result:
            given = alike(given)
            if check is None and not options and len(given) == count and not checking.get():
                try:
                    return call(*given)
                except ValueError:
                    pass  # told below
            arguments, options = _bound(names, given, options)
            return called(call, names, arguments, check, options)

        return _like(call, function)  # type: ignore[return-value]

    return decorate


def of_parameter(ufunc: str) -> Callable[[Signature], Signature]:
    """For a function whose last argument is m, or mc by keyword."""
    of_m, of_mc = forms(ufunc)

    def decorate(signature: Signature) -> Signature:
        names = _names(signature)
        count = len(names)

        @wraps(signature)
        def function(*given: Any, mc: Any = None, check: bool | None = None, **options: Any) -> Result:
            if mc is None:
                given = alike(given)
            else:
                given = alike((*given, mc))
                given, mc = given[:-1], given[-1]
            if check is None and not options and not checking.get():
                try:
                    if mc is None:
                        if len(given) == count:
                            return of_m(*given)
                    elif len(given) == count - 1:
                        return of_mc(*given, mc)
                except (TypeError, ValueError):
                    pass  # told below
            m = given[count - 1] if len(given) >= count else options.pop("m", None)
            arguments, options = _bound(names[:-1], given[: count - 1] + given[count:], options)
            return with_parameter((of_m, of_mc), names[:-1], arguments, m, mc, check, options)

        return _like(of_m, function)  # type: ignore[return-value]

    return decorate


def complete(ufunc: str) -> Callable[[Signature], Signature]:
    """For a function of a parameter alone."""
    of_m, of_mc = forms(ufunc)

    def decorate(signature: Signature) -> Signature:
        @wraps(signature)
        def function(m: Any = None, *out: Any, mc: Any = None, check: bool | None = None, **options: Any) -> Result:
            if m is not None and mc is None and check is None and not options and not out and not checking.get():
                return of_m(m)
            return with_parameter((of_m, of_mc), (), (), m, mc, check, with_outputs(options, out))

        return _like(of_m, function)  # type: ignore[return-value]

    return decorate


def complete_or_not(of_amplitude: str, without: str) -> Callable[[Signature], Signature]:
    """For a function of an amplitude and a parameter, or of a parameter alone."""
    incomplete, alone = forms(of_amplitude), forms(without)
    incomplete_of_m, alone_of_m = incomplete[0], alone[0]

    def decorate(signature: Signature) -> Signature:
        @wraps(signature)
        def function(
            phi: Any = None, m: Any = None, *out: Any, mc: Any = None, check: bool | None = None, **options: Any
        ) -> Result:
            if m is not None or mc is not None:
                phi, m, mc = alike((phi, m, mc))
            if phi is not None and mc is None and check is None and not options and not out and not checking.get():
                try:
                    return alone_of_m(phi) if m is None else incomplete_of_m(phi, m)
                except ValueError:
                    pass  # told below
            options = with_outputs(options, out)
            if phi is not None and m is None and mc is None:
                phi, m = None, phi
            if phi is None:
                return with_parameter(alone, (), (), m, mc, check, options)
            return with_parameter(incomplete, ("phi",), (phi,), m, mc, check, options)

        return _like(incomplete_of_m, function)  # type: ignore[return-value]

    return decorate


def alike(given: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments, Python's numbers in the precision of what is beside them, as NumPy's own functions have it."""
    for value in given:
        if type(value) is not float and getattr(value, "dtype", None) == np.float32:
            return tuple(np.float32(x) if type(x) is float or type(x) is int else x for x in given)
    return given


Forms = tuple[np.ufunc, np.ufunc]


def forms(ufunc: str) -> Forms:
    """The two ufuncs of a function of a parameter: of m, and of mc."""
    return getattr(_polhode, f"{ufunc}_m"), getattr(_polhode, f"{ufunc}_mc")


def chosen(
    names: tuple[str, ...], arguments: tuple[Any, ...], m: Any, mc: Any
) -> tuple[int, tuple[str, ...], tuple[Any, ...]]:
    """Which of the two forms is asked for, and its arguments."""
    if (m is None) == (mc is None):
        raise TypeError("m, mc: give exactly one of the two")
    if mc is None:
        return 0, (*names, "m"), (*arguments, m)
    return 1, (*names, "mc"), (*arguments, mc)


def with_parameter(
    of: Forms,
    names: tuple[str, ...],
    arguments: tuple[Any, ...],
    m: Any,
    mc: Any,
    check: bool | None,
    options: dict[str, Any],
) -> Result:
    """What the form for m, or that for mc, makes of the arguments and the parameter."""
    form, names, arguments = chosen(names, arguments, m, mc)
    return called(of[form], names, arguments, check, options)


def with_outputs(options: dict[str, Any], out: tuple[Any, ...], count: int = 1) -> dict[str, Any]:
    """The options with what follows the arguments by position: where the results go."""
    if not out:
        return options
    if len(out) > count or "out" in options:
        raise TypeError(f"out: give {count} at most, and once")
    return {**options, "out": out + (None,) * (count - len(out))}


def several(
    ufunc: np.ufunc,
    parts: Sequence[np.ufunc],
    names: tuple[str, ...],
    arguments: tuple[Any, ...],
    check: bool | None,
    options: dict[str, Any],
) -> Result:
    """What a ufunc of several results makes of the arguments; `parts` are ufuncs of one of them each."""
    for value in arguments:
        if hasattr(value, "__dask_graph__"):
            break
    else:
        return called(ufunc, names, arguments, check, options)
    # Dask, and xarray with it, know functions of one result.
    rest = dict(options)
    out = rest.pop("out", None) or (None,) * len(parts)
    return tuple(
        called(part, names, arguments, check, rest if to is None else {**rest, "out": (to,)})
        for part, to in zip(parts, out, strict=True)
    )


def called(
    ufunc: np.ufunc, names: tuple[str, ...], arguments: tuple[Any, ...], check: bool | None, options: dict[str, Any]
) -> Result:
    """What a ufunc makes of arguments of these names; raises if a check was asked for and one is outside."""
    checks, arguments = check or (check is None and checking.get()), alike(arguments)
    try:
        if checks and options:
            # Before anything is written: `out` may be one of the arguments.
            _raise_for_nan(ufunc, names, arguments, ufunc(*arguments), options.get("where", True))
        found = ufunc(*arguments, **options)
    except ValueError as error:
        if isinstance(error, InvalidInput) or "broadcast" not in str(error):
            raise
        shapes = ", ".join(f"{name} {np.shape(value)}" for name, value in zip(names, arguments, strict=True))
        raise InvalidInput(", ".join(names), f"shapes do not broadcast: {shapes}") from None
    if checks and not options:
        _raise_for_nan(ufunc, names, arguments, found, True)
    return found


def _like(ufunc: np.ufunc, function: Callable[..., Any]) -> Callable[..., Any]:
    """The function with the attributes and methods of its ufunc, that of m where there are two."""
    for name in ("nin", "nout", "nargs", "ntypes", "types", "outer", "at"):
        setattr(function, name, getattr(ufunc, name))
    return function


def _names(signature: Callable[..., Any]) -> tuple[str, ...]:
    """The arguments that may be given by position."""
    code = signature.__code__
    return code.co_varnames[: code.co_argcount]


def _bound(
    names: tuple[str, ...], given: tuple[Any, ...], options: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments in their order, whether given by position or by name, and the options."""
    rest = dict(with_outputs(options, given[len(names) :]))
    given = given[: len(names)]
    missing = [name for name in names[len(given) :] if name not in rest]
    if missing:
        raise TypeError(f"{', '.join(missing)}: give each once")
    return (*given, *(rest.pop(name) for name in names[len(given) :])), rest


def _raise_for_nan(
    ufunc: np.ufunc, names: tuple[str, ...], arguments: tuple[Any, ...], found: Any, where: Any
) -> None:
    """Raises for the first argument outside the domain, if there is one."""
    results = found if isinstance(found, tuple) else (found,)
    bad = np.isnan([np.asarray(part, dtype=np.float64) for part in results]).any(axis=0) & np.asarray(where)
    if not bad.any():
        return
    # Broadcast as the container does it: minus infinity is less than any number.
    shape: Any = -np.inf
    for value in arguments:
        shape = np.maximum(shape, np.fmin(value, -np.inf))
    columns = [np.asarray(np.maximum(shape, value), dtype=np.float64) for value in arguments]
    bad, *columns = np.broadcast_arrays(bad, *columns)
    for at in np.argwhere(bad & ~np.isnan(columns).any(axis=0)):
        values = [float(column[tuple(at)]) for column in columns]
        _polhode.explain(ufunc.__name__, values)
        given = ", ".join(f"{name} = {value}" for name, value in zip(names, values, strict=True))
        raise InvalidInput(", ".join(names), f"no limit exists at {given}")

"""How the functions of `polhode.elliptic` call their ufuncs: with either parameter, with a check, by name.

A function is written there as a signature with its documentation; a decorator of this file makes the function of
it. Where nothing but arguments is given the ufunc is called at once: whatever comes before costs as much as the
call itself.
"""

from __future__ import annotations

from collections.abc import Callable
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
            if check is None and not options and len(given) == count and not checking.get():
                try:
                    return call(*given)
                except ValueError:
                    pass  # told below
            arguments, options = _bound(names, given, options)
            return called(call, names, arguments, check, options)

        return function  # type: ignore[return-value]

    return decorate


def of_parameter(ufunc: str) -> Callable[[Signature], Signature]:
    """For a function whose last argument is m, or mc by keyword."""
    of_m, of_mc = forms(ufunc)

    def decorate(signature: Signature) -> Signature:
        names = _names(signature)
        count = len(names)

        @wraps(signature)
        def function(*given: Any, mc: Any = None, check: bool | None = None, **options: Any) -> Result:
            if check is None and not options and not checking.get():
                try:
                    if mc is None:
                        if len(given) == count:
                            return of_m(*given)
                    elif len(given) == count - 1:
                        return of_mc(*given, mc)
                except (TypeError, ValueError):
                    pass  # told below
            m = given[-1] if len(given) == count else options.pop("m", None)
            arguments, options = _bound(names[:-1], given[: count - 1], options)
            return with_parameter((of_m, of_mc), names[:-1], arguments, m, mc, check, options)

        return function  # type: ignore[return-value]

    return decorate


def complete(ufunc: str) -> Callable[[Signature], Signature]:
    """For a function of a parameter alone."""
    of_m, of_mc = forms(ufunc)

    def decorate(signature: Signature) -> Signature:
        @wraps(signature)
        def function(m: Any = None, *, mc: Any = None, check: bool | None = None, **options: Any) -> Result:
            if m is not None and mc is None and check is None and not options and not checking.get():
                return of_m(m)
            return with_parameter((of_m, of_mc), (), (), m, mc, check, options)

        return function  # type: ignore[return-value]

    return decorate


def complete_or_not(of_amplitude: str, without: str) -> Callable[[Signature], Signature]:
    """For a function of an amplitude and a parameter, or of a parameter alone."""
    incomplete, alone = forms(of_amplitude), forms(without)
    incomplete_of_m, alone_of_m = incomplete[0], alone[0]

    def decorate(signature: Signature) -> Signature:
        @wraps(signature)
        def function(
            phi: Any = None, m: Any = None, *, mc: Any = None, check: bool | None = None, **options: Any
        ) -> Result:
            if phi is not None and mc is None and check is None and not options and not checking.get():
                try:
                    return alone_of_m(phi) if m is None else incomplete_of_m(phi, m)
                except ValueError:
                    pass  # told below
            if phi is not None and m is None and mc is None:
                phi, m = None, phi
            if phi is None:
                return with_parameter(alone, (), (), m, mc, check, options)
            return with_parameter(incomplete, ("phi",), (phi,), m, mc, check, options)

        return function  # type: ignore[return-value]

    return decorate


Forms = tuple[np.ufunc, np.ufunc]


def forms(ufunc: str) -> Forms:
    """The two ufuncs of a function of a parameter: of m, and of mc."""
    return getattr(_polhode, f"{ufunc}_m"), getattr(_polhode, f"{ufunc}_mc")


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
    if (m is None) == (mc is None):
        raise TypeError("m, mc: give exactly one of the two")
    if mc is None:
        return called(of[0], (*names, "m"), (*arguments, m), check, options)
    return called(of[1], (*names, "mc"), (*arguments, mc), check, options)


def called(
    ufunc: np.ufunc, names: tuple[str, ...], arguments: tuple[Any, ...], check: bool | None, options: dict[str, Any]
) -> Result:
    """What a ufunc makes of arguments of these names; raises if a check was asked for and one is outside."""
    try:
        found = ufunc(*arguments, **options)
    except ValueError as error:
        if "broadcast" not in str(error):
            raise
        shapes = ", ".join(f"{name} {np.shape(value)}" for name, value in zip(names, arguments, strict=True))
        raise InvalidInput(", ".join(names), f"shapes do not broadcast: {shapes}") from None
    if check or (check is None and checking.get()):
        _raise_for_nan(ufunc, arguments, found)
    return found


def _names(signature: Callable[..., Any]) -> tuple[str, ...]:
    """The arguments that may be given by position."""
    code = signature.__code__
    return code.co_varnames[: code.co_argcount]


def _bound(
    names: tuple[str, ...], given: tuple[Any, ...], options: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments in their order, whether given by position or by name, and what is left of the options."""
    missing = [name for name in names[len(given) :] if name not in options]
    if missing or len(given) > len(names):
        raise TypeError(f"{', '.join(missing or names)}: give each once")
    rest = dict(options)
    return (*given, *(rest.pop(name) for name in names[len(given) :])), rest


def _raise_for_nan(ufunc: np.ufunc, arguments: tuple[Any, ...], found: Any) -> None:
    """Raises for the first argument outside the domain, if there is one."""
    values = np.asarray(found[0] if isinstance(found, tuple) else found, dtype=np.float64)
    if not np.isnan(values).any():
        return
    columns = np.broadcast_arrays(*(np.asarray(a, dtype=np.float64) for a in arguments))
    given = np.isnan(columns).any(axis=0)
    for at in np.argwhere(np.isnan(ufunc(*columns)[0] if ufunc.nout > 1 else ufunc(*columns)) & ~given):
        _polhode.explain(ufunc.__name__, [float(column[tuple(at)]) for column in columns])

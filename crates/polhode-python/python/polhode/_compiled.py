"""Compiled functions: from what holds one to its address."""

from __future__ import annotations

import ctypes
import re
from typing import Any, NamedTuple

from ._errors import InvalidInput

# What every function pointer of ctypes is.
_FUNCTION_POINTER = ctypes.CFUNCTYPE(None).__bases__[0]
# Of PYFUNCTYPE: the function works with the interpreter, and may only be called as Python calls it.
_NEEDS_PYTHON = 0x4

_ARGUMENTS = ("double", "double *", "double *", "double *")
_EXPECTED = (
    '"void (double, double *, double *, double *)": time, momentum, attitude, and where the torque goes; '
    'with or without a "void *" at the end for user data, and with "int" instead of "void" where it returns '
    "0 or, to end the run, another number"
)


class Compiled(NamedTuple):
    """A compiled torque, as the compiled part takes it."""

    owner: Any
    address: int
    user_data: int
    takes_data: bool
    returns_status: bool


def compiled(given: Any) -> Compiled | None:
    """The compiled function that an object holds, if it holds one.

    A SciPy ``LowLevelCallable``, a ``cfunc`` of numba, or a function pointer of ctypes. One of ctypes that
    takes or returns Python objects is a callable like any other.
    """
    if _is_low_level_callable(given):
        return _of_capsule(given, tuple.__getitem__(given, 0))
    function = given
    if not isinstance(function, _FUNCTION_POINTER):
        function = getattr(given, "ctypes", None)
        if not isinstance(function, _FUNCTION_POINTER) or not hasattr(given, "address"):
            return None
    return _of_pointer(given, function)


def _is_low_level_callable(given: Any) -> bool:
    # By name: SciPy takes long to import, and who has one of these has imported it.
    kind = type(given)
    return isinstance(given, tuple) and kind.__name__ == "LowLevelCallable" and kind.__module__.startswith("scipy")


def _of_pointer(owner: Any, function: Any) -> Compiled | None:
    types = (function.restype, *(function.argtypes or ()))
    if ctypes.py_object in types:
        return None
    if function.argtypes is None:
        raise InvalidInput("torque", f"torque: its argtypes and restype must be set; expected is {_EXPECTED}")
    if function._flags_ & _NEEDS_PYTHON:
        raise InvalidInput("torque", "torque: a PYFUNCTYPE needs the interpreter; use CFUNCTYPE")
    words = [_word(one) for one in types]
    address = ctypes.cast(function, ctypes.c_void_p).value or 0
    return _checked(owner, address, 0, words[0], tuple(words[1:]))


def _word(kind: Any) -> str:
    """A type of ctypes in the words of C."""
    if kind is None:
        return "void"
    if kind is ctypes.c_void_p:
        return "void *"
    if kind is ctypes.c_double:
        return "double"
    if kind is ctypes.c_int:
        return "int"
    if issubclass(kind, ctypes._Pointer):
        return f"{_word(kind._type_)} *"
    return str(kind.__name__)


def _of_capsule(owner: Any, capsule: Any) -> Compiled:
    name = _capsule_name(capsule)
    signature = (name or b"").decode()
    parsed = re.fullmatch(r"\s*(\w+)\s*\((.*)\)\s*", signature)
    if parsed is None:
        raise InvalidInput("torque", f"torque: of signature {signature!r}; expected is {_EXPECTED}")
    words = tuple(_normal(word) for word in parsed[2].split(","))
    return _checked(owner, _capsule_pointer(capsule, name) or 0, _capsule_context(capsule) or 0, parsed[1], words)


def _normal(word: str) -> str:
    """A type in C without const and the name of a parameter, with one space before a star."""
    kept = [part for part in re.findall(r"\w+|\*", word) if part != "const"]
    stars = kept.count("*")
    return " ".join(kept[:1] + ["*"] * stars)


def _checked(owner: Any, address: int, user_data: int, returned: str, arguments: tuple[str, ...]) -> Compiled:
    with_data = (*_ARGUMENTS, "void *")
    if returned not in ("void", "int") or arguments not in (_ARGUMENTS, with_data):
        signature = f"{returned} ({', '.join(arguments)})"
        raise InvalidInput("torque", f"torque: of signature {signature!r}; expected is {_EXPECTED}")
    if user_data and arguments != with_data:
        raise InvalidInput("torque", 'torque: it has user data, but no "void *" to take them')
    return Compiled(owner, address, user_data, arguments == with_data, returned == "int")


# Prototypes of our own: those of ctypes.pythonapi belong to everybody.
_capsule_name = ctypes.PYFUNCTYPE(ctypes.c_char_p, ctypes.py_object)(("PyCapsule_GetName", ctypes.pythonapi))
_capsule_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)
_capsule_context = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object)(
    ("PyCapsule_GetContext", ctypes.pythonapi)
)

"""Values with a unit or a mask: converted, or refused, never stripped.

A unit is that of astropy or of pint; neither is imported unless a value brings it along. With a unit, a quantity is
brought to SI: angular velocities to radians per second, times to seconds, moments of inertia to kg m2.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ._errors import InvalidInput

#: The unit that an argument is brought to; those that are not here are plain numbers.
_SI = {
    "omega": "rad / s",
    "momentum": "kg m2 / s",
    "inertia": "kg m2",
    "mass": "kg",
    "density": "kg / m3",
    "size": "m",
    "radius": "m",
    "height": "m",
    "rotation": "s",
    "precession": "s",
    **dict.fromkeys(
        ("t", "times", "t_eval", "t_span", "t0", "until", "step", "stops", "max_step", "first_step", "h"), "s"
    ),
}

#: The same as pint writes it.
_PINT = {"rad / s": "radian / second", "kg m2 / s": "kilogram * meter ** 2 / second", "kg m2": "kilogram * meter ** 2"}
_PINT |= {"kg / m3": "kilogram / meter ** 3", "kg": "kilogram", "m": "meter", "s": "second", "": "dimensionless"}


def plain(name: str, value: Any) -> Any:
    """The value without unit or mask; ``name`` is that of the argument."""
    kind = type(value)
    if kind is np.ndarray or kind is float or kind is int:
        return value
    if kind is list or kind is tuple:
        # The first tells: NumPy refuses to mix.
        if len(value) and _is_special(value[0]):
            return [plain(name, one) for one in value]
        return value
    if isinstance(value, np.ma.MaskedArray):
        if np.ma.is_masked(value):
            count = int(np.count_nonzero(np.ma.getmaskarray(value)))
            raise InvalidInput(name, f"{name}: {count} of its numbers are masked; fill them in or take them out")
        return value.filled()
    if hasattr(value, "unit") and hasattr(value, "to_value"):
        return _of_astropy(name, value)
    if hasattr(value, "units") and hasattr(value, "magnitude") and hasattr(value, "to"):
        return _of_pint(name, value)
    return value


def _is_special(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return len(value) > 0 and _is_special(value[0])
    if isinstance(value, np.ma.MaskedArray):
        return True
    return hasattr(value, "to_value") or (hasattr(value, "magnitude") and hasattr(value, "units"))


def _of_astropy(name: str, value: Any) -> Any:
    from astropy import units  # type: ignore[import-not-found, import-untyped, unused-ignore]

    wanted = _SI.get(name, "")
    try:
        found = value.to_value(units.Unit(wanted), equivalencies=units.dimensionless_angles())
    except units.UnitConversionError:
        raise _refused(name, value.unit, wanted) from None
    return plain(name, found)


def _of_pint(name: str, value: Any) -> Any:
    wanted = _SI.get(name, "")
    # Its errors are of the registry that made the value.
    if not value.is_compatible_with(_PINT[wanted]):
        raise _refused(name, value.units, wanted)
    return plain(name, value.to(_PINT[wanted]).magnitude)


def _refused(name: str, unit: Any, wanted: str) -> InvalidInput:
    allowed = f"a unit that can be brought to {wanted}" if wanted else "plain numbers, without a unit"
    return InvalidInput(name, f"{name}: in units of {unit}; allowed: {allowed}")

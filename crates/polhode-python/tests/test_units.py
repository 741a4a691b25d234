"""Values with units or masks: converted or refused, never stripped."""

from __future__ import annotations

import numpy as np
import pint
import pytest
from astropy import units as u

import polhode

REGISTRY = pint.UnitRegistry()


@pytest.mark.parametrize("omega", [[30, 0, 180] * u.deg / u.s, [30, 0, 180] * REGISTRY.degree / REGISTRY.second])
def test_a_unit_is_brought_to_si(omega: object) -> None:
    plain = polhode.Body([1, 2, 2.5], omega=np.radians([30, 0, 180]))
    np.testing.assert_allclose(polhode.Body([1, 2, 2.5], omega=omega).momentum, plain.momentum, rtol=1e-15)


def test_inertia_momentum_and_times_have_units_too() -> None:
    motion = polhode.FreeMotion([1e4, 2e4, 2.5e4] * u.kg * u.cm**2, momentum=[0.1, 0.2, 0.3] * u.kg * u.m**2 / u.s)
    plain = polhode.FreeMotion([1, 2, 2.5], momentum=[0.1, 0.2, 0.3])
    np.testing.assert_allclose(motion.at(2 * u.min).momentum, plain.at(120.0).momentum, rtol=1e-13)
    found = motion.at([1, 2] * REGISTRY.minute)
    np.testing.assert_allclose(found.t, [60, 120])
    run = polhode.simulate(plain, None, "rk4", step=10 * u.ms, until=1 * REGISTRY.second)
    assert run.steps == 100
    # One after the other, as a list.
    listed = polhode.Body([1, 2, 2.5], omega=[30 * u.deg / u.s, 0 * u.rad / u.s, 30 * u.Unit("cycle") / u.min])
    np.testing.assert_allclose(listed.omega, [np.pi / 6, 0, np.pi], rtol=1e-15)


@pytest.mark.parametrize(
    ("arguments", "argument", "text"),
    [
        ({"omega": [1, 2, 3] * u.m}, "omega", "in units of m; allowed: a unit that can be brought to rad / s"),
        ({"omega": [1, 2, 3] * REGISTRY.meter}, "omega", "brought to rad / s"),
        ({"momentum": [1, 2, 3] * u.rad / u.s}, "momentum", "kg m2 / s"),
        ({"omega": [1, 2, 3], "attitude": [1, 0, 0, 0] * u.m}, "attitude", "plain numbers, without a unit"),
        ({"omega": np.ma.masked_equal([1.0, 2.0, 3.0], 2.0)}, "omega", "1 of its numbers are masked"),
    ],
)
def test_what_cannot_be_converted_is_refused(arguments: dict[str, object], argument: str, text: str) -> None:
    with pytest.raises(polhode.InvalidInput, match=argument) as caught:
        polhode.Body([1, 2, 2.5], **arguments)  # type: ignore[arg-type]
    assert caught.value.argument == argument
    assert text in str(caught.value)


def test_a_mask_that_hides_nothing_is_none() -> None:
    whole = np.ma.array([1.0, 2.0, 3.0], mask=False)
    np.testing.assert_array_equal(polhode.Body([1, 2, 2.5], momentum=whole).momentum, [1, 2, 3])
    with pytest.raises(polhode.InvalidInput, match="masked"):
        polhode.FreeMotion([1, 2, 2.5], momentum=[1, 2, 3]).at(np.ma.masked_invalid([0.0, np.nan]))


def test_shapes_take_units() -> None:
    brick = polhode.shape.box(mass=12000 * u.g, size=[100, 200, 300] * u.cm)
    np.testing.assert_allclose(brick.inertia, np.diag([13.0, 10.0, 5.0]), rtol=1e-15)

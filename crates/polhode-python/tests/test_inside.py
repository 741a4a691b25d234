"""Wheels, dissipation, dampers, moments that vary, controllers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polhode
import pytest
from polhode.control import BDot, Command, Controller, MomentumDump, PdQuaternion
from polhode.inside import BallDamper, Dissipation, Inside, Wheel

BODY = polhode.Body([1.0, 1.6, 2.1], momentum=[0.5, -0.4, 0.9])
SCENARIOS = Path(__file__).parents[3] / "scenarios"


def spatial(run: polhode.Trajectory) -> float:
    return run.invariants.spatial_momentum.max_error


def test_wheels_keep_the_total_momentum_and_are_seen() -> None:
    wheels = [Wheel((0, 0.6, 0.8), 0.05, 9.0), Wheel((1, 0, 0), 0.05, torque=0.01)]
    run = polhode.simulate(BODY, None, "kahanli6+exact", 0.05, 10, inside=Inside(wheels=wheels))
    assert spatial(run) < 1e-12
    assert run.wheels is not None
    assert run.wheels.shape == (201, 2)
    assert np.all(run.wheels[:, 0] == 9.0)
    assert run[::2].wheels.shape == (101, 2)
    # Its momentum J (speed + a omega) grows by the torque of the motor.
    p = 0.05 * (run.wheels[:, 1] + run.omega[:, 0])
    assert np.allclose(p - p[0], 0.01 * run.t, atol=1e-13)


def test_energy_falls_by_dissipation_and_in_a_damper() -> None:
    for inside in [Inside(dissipation=Dissipation(quality_factor=20)), Inside(damper=BallDamper(0.2, 0.1))]:
        run = polhode.simulate(BODY, None, "strang+exact", 0.1, 100, inside=inside)
        assert spatial(run) < 1e-12
        assert run.energy[-1] < 0.97 * run.energy[0]


def test_the_inertia_may_vary() -> None:
    texts = ["1 + 0.2*sin(t)", "1.6", "2.1 - 0.3*sin(2*t)"]

    def moments(t: float) -> list[float]:
        return [1 + 0.2 * np.sin(t), 1.6, 2.1 - 0.3 * np.sin(2 * t)]

    ends = [
        polhode.simulate(BODY, None, "kahanli6+exact", 0.05, 5, inside=Inside(inertia=law)).momentum[-1]
        for law in (texts, moments)
    ]
    assert np.allclose(ends[0], ends[1], atol=1e-13)
    with pytest.raises(ZeroDivisionError):
        polhode.simulate(BODY, None, "strang+exact", 0.05, 5, inside=Inside(inertia=lambda t: 1 / 0))


def test_a_callable_is_called_at_its_rate() -> None:
    seen = []

    def slow_down(t, momentum, attitude, omega, wheels, field):  # type: ignore[no-untyped-def]
        seen.append(t)
        assert field is None and wheels.shape == (0,) and attitude.shape == (4,)
        return Command(torque=-0.5 * omega)

    run = polhode.simulate(BODY, None, "strang+exact", 0.25, 20, controllers=[Controller(slow_down, period=0.4)])
    assert seen == [n * 0.4 for n in range(50)]
    assert np.abs(run.momentum[-1]).max() < 0.1
    with pytest.raises(TypeError, match=r"polhode\.control\.Command"):
        polhode.simulate(BODY, None, "strang+exact", 0.1, 1, controllers=[Controller(lambda *a: 3.0, period=0.4)])


def test_laws_of_the_library() -> None:
    wheels = [Wheel(axis, 0.02, driven=True) for axis in np.eye(3)]
    law = PdQuaternion((1, 0, 0, 0), 0.05, 0.5, by_wheels=True)
    slow = polhode.Body([1.0, 1.6, 2.1], momentum=[0.05, -0.04, 0.09])
    run = polhode.simulate(
        slow, None, "strang+exact", 0.25, 300, inside=Inside(wheels=wheels), controllers=[Controller(law, period=0.5)]
    )
    assert spatial(run) < 1e-13
    assert abs(run.attitude[-1][0]) > 1 - 1e-6
    magnets = [
        Controller(BDot(1e3), period=0.5, dipole_limit=5, field=(0, 0, 1e-2)),
        Controller(MomentumDump(1e-3), period=1, field=(0, 0, 1e-2)),
    ]
    inside = Inside(wheels=[Wheel((0, 0, 1), 0.02, speed=3, driven=True)])
    run = polhode.simulate(slow, None, "strang+exact", 0.25, 100, inside=inside, controllers=magnets)
    assert run.energy[-1] < run.energy[0]
    with pytest.raises(polhode.InvalidInput, match="no wheels to take momentum from"):
        polhode.simulate(slow, None, "strang+exact", 0.25, 100, controllers=magnets)


def test_motors_are_those_of_driven_wheels() -> None:
    def run(motors: list[float], wheels: list[Wheel]) -> None:
        law = Controller(lambda *moment: Command(motors=motors), period=0.5)
        polhode.simulate(BODY, None, "strang+exact", 0.1, 1, inside=Inside(wheels=wheels), controllers=[law])

    driven, kept = Wheel((0, 0, 1), 0.02, driven=True), Wheel((1, 0, 0), 0.02, speed=3)
    run([0.0, 0.1], [kept, driven])
    with pytest.raises(ValueError, match=r"motors: 3 torques at t = 0\.0, and there are 2 wheels"):
        run([0.0, 0.1, 0.0], [kept, driven])
    with pytest.raises(polhode.PolhodeError, match="the motor of wheel 1"):
        run([0.1, 0.1], [kept, driven])


def test_rows_of_moments_may_be_held_or_linear() -> None:
    rows = [[0, 1, 1.6, 2.1], [1, 1.1, 1.6, 2.1], [2, 1, 1.6, 2.2]]
    ends = [
        polhode.simulate(BODY, None, "strang+exact", 0.1, 2, inside=Inside(inertia=rows, interpolation=between))
        for between in ("spline", "linear", "hold")
    ]
    momenta = [run.momentum[-1] for run in ends]
    assert all(spatial(run) < 1e-13 for run in ends)
    assert min(np.abs(momenta[i] - momenta[j]).max() for i, j in ((0, 1), (0, 2), (1, 2))) > 1e-5
    with pytest.raises(polhode.InvalidInput, match="interpolation = 'cubic'"):
        polhode.simulate(BODY, None, "strang+exact", 0.1, 2, inside=Inside(inertia=rows, interpolation="cubic"))
    with pytest.raises(polhode.InvalidInput, match="no body has these"):
        polhode.simulate(BODY, None, "strang+exact", 0.1, 2, inside=Inside(inertia=["1", "1", "3"]))


@pytest.mark.parametrize(
    ("inside", "argument"),
    [
        (Inside(wheels=[Wheel((0, 0, 0), 1)]), "wheels"),
        (Inside(wheels=[Wheel((0, 0, 1), 5, driven=True)]), "wheels"),
        (Inside(dissipation=Dissipation(rate=-1)), "dissipation"),
        (Inside(damper=BallDamper(0, 1)), "damper"),
        (Inside(inertia=["1 + w1", "2", "2"]), "inertia"),
    ],
)
def test_what_cannot_be_is_told(inside: Inside, argument: str) -> None:
    with pytest.raises(polhode.InvalidInput) as raised:
        polhode.simulate(BODY, None, "strang+exact", 0.1, 1, inside=inside)
    assert raised.value.argument == argument


def test_it_goes_with_fixed_steps_of_splittings() -> None:
    inside = Inside(wheels=[Wheel((0, 0, 1), 0.1, 2)])
    with pytest.raises(polhode.InvalidInput, match="is no splitting"):
        polhode.simulate(BODY, None, "rk4", 0.1, 1, inside=inside)
    with pytest.raises(TypeError, match="neither times nor tangent"):
        polhode.simulate(BODY, None, "strang+exact", 0.1, times=[0.5], inside=inside)


def test_a_scenario_is_run_with_all_that_it_has() -> None:
    scenario = polhode.Scenario.load(SCENARIOS / "momentum-exchange.toml")
    run = scenario.run()
    assert run.wheels.shape[1] == 3
    assert np.abs(run.wheels).max() > 1
    assert spatial(run) < 1e-12


def test_a_body_made_with_omega_turns_with_it() -> None:
    inside = Inside([Wheel([0, 0, 2], 0.1, speed=50)])
    body = polhode.Body([1, 1.6, 2.1], omega=[0.1, 0.0, 1.0])
    run = polhode.simulate(body, None, "kahanli8+exact", 0.1, 1, inside=inside)
    np.testing.assert_allclose(run.momentum[0], [0.1, 0.0, 2.1 + 5.0], rtol=1e-15)
    total = polhode.Body([1, 1.6, 2.1], momentum=run.momentum[0])
    again = polhode.simulate(total, None, "kahanli8+exact", 0.1, 1, inside=inside)
    assert np.array_equal(run.momentum, again.momentum)


def test_what_a_law_looks_at_must_be_there() -> None:
    with pytest.raises(polhode.InvalidInput, match="no nadir without an orbit"):
        law = Controller(PdQuaternion("nadir", 1.0, 1.0), period=1.0)
        polhode.simulate(BODY, None, "strang+exact", 0.1, 1, controllers=[law])
    with pytest.raises(polhode.InvalidInput, match="no magnetic field"):
        polhode.simulate(BODY, None, "strang+exact", 0.1, 1, controllers=[Controller(BDot(1.0), period=1.0)])
    with pytest.raises(polhode.InvalidInput, match="three expressions of t are needed, not 2"):
        polhode.simulate(BODY, None, "strang+exact", 0.1, 1, inside=Inside(inertia=["1", "2"]))

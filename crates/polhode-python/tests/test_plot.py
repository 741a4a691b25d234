"""Pictures show what they say."""

from __future__ import annotations

from collections.abc import Iterator

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest

import polhode
import polhode.plot

matplotlib.use("Agg")
HANDLE = polhode.FreeMotion([3, 8, 11], omega=[0.01, 12, 0])


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    yield
    plt.close("all")


def test_the_polhode_lies_on_the_sphere_and_closes() -> None:
    ax = polhode.plot.momentum_sphere(HANDLE)
    *separatrix, curve = [np.stack(line.get_data_3d(), axis=1) for line in ax.lines]
    assert np.linalg.norm(curve, axis=1) == pytest.approx(1, abs=1e-12)
    assert curve[0] == pytest.approx(curve[-1], abs=1e-6)
    assert len(separatrix) == 2
    for points in separatrix:
        assert np.linalg.norm(points, axis=1) == pytest.approx(1, abs=1e-12)
        # The energy of a turn about the middle axis.
        assert (points**2 / [3, 8, 11]).sum(axis=1) == pytest.approx(1 / 8, abs=1e-12)
    assert not polhode.plot.momentum_sphere(polhode.FreeMotion([2, 2, 1], omega=[1, 0, 1])).lines[:-1]
    ax.figure.canvas.draw()


def test_a_turned_body_has_a_turned_separatrix() -> None:
    tensor = np.array([[5.0, 1, 0], [1, 6, 1], [0, 1, 7]])
    ax = polhode.plot.momentum_sphere(polhode.FreeMotion(tensor, omega=[0.1, 1, 0.2]))
    points = np.stack(ax.lines[0].get_data_3d(), axis=1)
    energies = np.einsum("ni,ij,nj->n", points, np.linalg.inv(tensor), points)
    assert energies == pytest.approx(1 / np.sort(np.linalg.eigvalsh(tensor))[1], abs=1e-12)


def test_the_herpolhode_is_a_ring() -> None:
    ax = polhode.plot.herpolhode(HANDLE)
    radius = np.hypot(*ax.lines[0].get_data())
    # Across the momentum, omega^2 - (2T/|m|)^2.
    states = HANDLE.at(np.linspace(0, HANDLE.period or 0, 1000))
    along = (states.omega * states.momentum).sum(axis=1) / np.linalg.norm(states.momentum, axis=1)
    want = np.sqrt((states.omega**2).sum(axis=1) - along**2)
    assert (radius.min(), radius.max()) == pytest.approx((want.min(), want.max()), rel=1e-4, abs=1e-4)


def test_invariants() -> None:
    body = polhode.Body([1, 5, 6], omega=[10, 10, 10])
    run = polhode.simulate(body, polhode.torques.HeavyTop(), "mr", 0.01, 5.0)
    ax = polhode.plot.invariants(run)
    energy = ax.lines[0].get_ydata()
    assert np.nanmax(energy) == pytest.approx(run.invariants.energy.max_error / run.energy[0], rel=1e-12)
    # A weight keeps neither the momentum nor its length.
    assert [line.get_label() for line in ax.lines] == ["energy"]
    free = polhode.simulate(body, None, "rk4", 0.01, 5.0)
    ax = polhode.plot.invariants(free, color="black")
    assert [line.get_label() for line in ax.lines] == ["energy", "|momentum|", "momentum in space"]
    assert {line.get_color() for line in ax.lines} == {"black"}
    damped = polhode.simulate(body, {"kind": "damping", "coefficient": 0.1}, "strang+exact", 0.01, 1.0)
    with pytest.raises(polhode.InvalidInput, match="nothing is kept"):
        polhode.plot.invariants(damped)
    ax.figure.canvas.draw()


def test_an_ensemble_is_a_cloud_on_the_sphere() -> None:
    momenta = np.random.default_rng(1).normal(size=(300, 3))
    bodies = polhode.ensemble([1, 2, 2.5], momentum=momenta, times=[0.0, 2.0])
    ax = polhode.plot.momentum_sphere(bodies, s=9, color="black")
    cloud = ax.collections[-1]
    points = np.stack(cloud._offsets3d, axis=1)
    want = bodies.momentum[:, -1] / np.linalg.norm(bodies.momentum[:, -1], axis=1, keepdims=True)
    assert np.sort(np.asarray(points), axis=0) == pytest.approx(np.sort(want, axis=0), abs=1e-12)
    ax.figure.canvas.draw()


def test_sides_of_the_box_have_six_colours() -> None:
    film = polhode.plot.animate(HANDLE, HANDLE.at([0, 1]))
    box, _ = film._func(1)  # type: ignore[attr-defined]
    assert len({tuple(colour) for colour in box.get_facecolor()}) == 6


def test_work_and_precision() -> None:
    body = polhode.Body([1, 5, 6], momentum=[1, 2, 3])
    found = polhode.compare(body, polhode.torques.HeavyTop(), ["strang+exact", "rk4"], [0.1, 0.05], 1.0)
    for cost in ("torque_evaluations", "steps", "seconds"):
        ax = polhode.plot.work_precision(found, cost=cost)
        line = ax.lines[0]
        assert line.get_label() == "strang+exact"
        assert sorted(line.get_ydata()) == sorted(t.error for t in found.trials if t.method == "strang+exact")
    with pytest.raises(polhode.InvalidInput, match="cost"):
        polhode.plot.work_precision(found, cost="money")
    ax.figure.canvas.draw()


def test_an_animation_turns_the_box() -> None:
    states = HANDLE.at(np.linspace(0, 4, 5))
    film = polhode.plot.animate(HANDLE, states)
    box, arrow = film._func(3)  # type: ignore[attr-defined]
    vertices = np.asarray(box._vec)[:3].T if hasattr(box, "_vec") else np.concatenate(box._faces)
    still = polhode.plot._box(HANDLE.body)[0]
    turned = still @ states.matrix[3].T
    assert all(np.abs(vertices - corner).sum(axis=1).min() < 1e-12 for corner in turned)
    direction = np.array(arrow.get_data_3d())[:, 1]
    assert direction / np.linalg.norm(direction) == pytest.approx(
        states.spatial_momentum[3] / np.linalg.norm(states.spatial_momentum[3])
    )
    # Flat: the moments of a plate.
    sizes = still.max(axis=0)
    assert sizes[2] < 0.1 * sizes[0]
    assert film.to_jshtml().count("data:image/png") == 5


def test_bad_input_is_named() -> None:
    grid = HANDLE.at(np.ones((2, 2)))
    for draw in (polhode.plot.momentum_sphere, polhode.plot.herpolhode):
        with pytest.raises(polhode.InvalidInput):
            draw(grid)
        with pytest.raises(TypeError, match="source"):
            draw([1, 2, 3])  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="times"):
            draw(HANDLE.at([0, 1]), times=[1])
        with pytest.raises(polhode.InvalidInput, match="times"):
            draw(HANDLE, times=1.0)
    bodies = polhode.ensemble([1, 2, 2.5], momentum=np.ones((2, 3)), times=[0.0, 1.0])
    with pytest.raises(polhode.InvalidInput, match="one body"):
        polhode.plot.herpolhode(bodies)
    with pytest.raises(TypeError, match="times"):
        polhode.plot.momentum_sphere(bodies, times=[1])
    with pytest.raises(polhode.InvalidInput):
        polhode.plot.animate(HANDLE, grid)
    row = HANDLE.at([0, 1])
    flat, deep = plt.figure().add_subplot(), plt.figure().add_subplot(projection="3d")
    for text, call in [
        ("trajectory", lambda: polhode.plot.invariants(row)),
        ("comparison", lambda: polhode.plot.work_precision([])),
        ("source", lambda: polhode.plot.animate([1, 2, 3], row)),
        ("states", lambda: polhode.plot.animate(HANDLE, [0, 1])),
        ("interval", lambda: polhode.plot.animate(HANDLE, row, interval=1.5)),
        ("ax: must be axes of matplotlib with projection=3d", lambda: polhode.plot.momentum_sphere(HANDLE, ax=flat)),
        ("ax: must be axes of matplotlib", lambda: polhode.plot.herpolhode(HANDLE, ax=deep)),
        ("ax: must be axes of matplotlib", lambda: polhode.plot.herpolhode(HANDLE, ax=3)),
    ]:
        with pytest.raises(TypeError, match=text):
            call()
    for argument, call in [
        ("interval", lambda: polhode.plot.animate(HANDLE, row, interval=0)),
        ("cost", lambda: polhode.plot.work_precision(polhode.Comparison((), (), {}, 1e-9), cost=np.ones(2))),
    ]:
        with pytest.raises(polhode.InvalidInput) as error:
            call()
        assert error.value.argument == argument


@pytest.mark.filterwarnings("error")
def test_the_herpolhode_of_a_body_at_rest_is_a_point() -> None:
    ax = polhode.plot.herpolhode(polhode.FreeMotion([1, 2, 2.5], momentum=[0, 0, 0]))
    x, y = ax.lines[0].get_data()
    assert not x.any() and not y.any()

"""Pictures of motions, with matplotlib: ``pip install matplotlib``.

Every function draws into axes given as ``ax``, or into new ones, and returns them. Keywords that it does not
know itself are styles of matplotlib for the lines or points it draws: ``color``, ``linewidth``, ``alpha``, ``label``.

>>> import matplotlib
>>> matplotlib.use("Agg")
>>> import polhode, polhode.plot
>>> ax = polhode.plot.momentum_sphere(polhode.FreeMotion([3, 8, 11], omega=[0.01, 12, 0]))
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import _polhode
from ._arrays import Doubles, count, word
from ._body import Body
from ._compare import Comparison
from ._ensemble import EnsembleResult
from ._errors import InvalidInput, missing
from ._free import FreeMotion
from ._simulate import Trajectory
from ._states import States
from .torques import _parts

try:
    import matplotlib.pyplot as plt
    from matplotlib.animation import FuncAnimation
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection
except ModuleNotFoundError as error:
    raise missing("polhode.plot", "plot", error) from None

__all__ = ["animate", "herpolhode", "invariants", "momentum_sphere", "work_precision"]

#: Points of a curve, where nothing else is said.
POINTS = 2000


#: Points of an ensemble that are drawn; more cannot be told apart.
MOST_POINTS = 20_000


def momentum_sphere(
    source: FreeMotion | States | EnsembleResult, *, times: ArrayLike | None = None, ax: Any = None, **style: Any
) -> Any:
    """The polhode: the path of the momentum's direction in the body, on the unit sphere.

    Parameters
    ----------
    source : FreeMotion, States or EnsembleResult
        Of a free motion one period is drawn, unless ``times`` are given. A free motion comes with
        its separatrix, dashed. Of an ensemble each body is a point, at the last time it has; of more than 20,000
        bodies one in so many.

    >>> ax = momentum_sphere(FreeMotion([1, 2, 2.5], momentum=[0.4, 1, 0.3]))
    >>> x, y, z = ax.lines[-1].get_data_3d()
    >>> bool(abs(x**2 + y**2 + z**2 - 1).max() < 1e-14)
    True
    """
    ensemble = isinstance(source, EnsembleResult)
    if isinstance(source, EnsembleResult):
        if times is not None:
            raise TypeError("times: only for a FreeMotion")
        momentum = _last_momenta(source)
    else:
        momentum = _states(source, times).momentum
    ax = _axes(ax, three=True)
    angle, height = np.meshgrid(np.linspace(0, 2 * np.pi, 49), np.linspace(-1, 1, 25))
    radius = np.sqrt(1 - height**2)
    ax.plot_surface(radius * np.cos(angle), radius * np.sin(angle), height, color="0.9", alpha=0.3, linewidth=0)
    if isinstance(source, FreeMotion):
        for curve in _separatrix(source.body):
            ax.plot(*curve.T, color="0.4", linestyle="--", linewidth=0.8)
    direction = _directions(momentum)
    if ensemble:
        ax.scatter(*direction.T, **{"s": 4, "alpha": 0.5, "label": "momentum", **style})
    else:
        (line,) = ax.plot(*direction.T, **{"label": "momentum", **style})
        ax.scatter(*direction[:1].T, color=line.get_color())
    # So few that they do not collide in a small picture.
    ends = [-1, 0, 1]
    ax.set(xlabel="axis 1", ylabel="axis 2", zlabel="axis 3", xticks=ends, yticks=ends, zticks=ends)
    ax.set_box_aspect((1, 1, 1))
    return ax


def herpolhode(source: FreeMotion | States, *, times: ArrayLike | None = None, ax: Any = None, **style: Any) -> Any:
    """The herpolhode: the path of the angular velocity's tip in the plane at right angles to the momentum.

    Of a free motion six periods are drawn, unless ``times`` are given.

    >>> ax = herpolhode(FreeMotion([1, 1, 0.5], omega=[0.3, 0, 2]))  # of a symmetric top: a circle
    >>> x, y = ax.lines[0].get_data()
    >>> bool(np.ptp(np.hypot(x, y)) < 1e-12)
    True
    """
    states = _states(source, times, periods=6)
    ax = _axes(ax)
    normal = _directions(states.spatial_momentum[:1])[0]
    if not normal.any():
        # At rest: any plane shows the one point.
        normal = np.array([0.0, 0.0, 1.0])
    # Any two directions that make a right-handed frame with the momentum.
    first = np.cross(normal, np.eye(3)[np.argmin(np.abs(normal))])
    first /= np.linalg.norm(first)
    second = np.cross(normal, first)
    tip = states.spatial_omega
    ax.plot(tip @ first, tip @ second, **style)
    ax.plot(0, 0, "+", color="0.4")
    ax.set_aspect("equal")
    ax.set(xlabel="angular velocity across the momentum (rad per unit of time)", ylabel="and at right angles")
    return ax


def invariants(trajectory: Trajectory, *, ax: Any = None, **style: Any) -> Any:
    """How far what should be kept is from its start, relative.

    Of a free body: energy, length of the momentum, and momentum in space. Under a torque: the energy, if the torque
    comes from a potential that does not change with time; else nothing is kept, and an `InvalidInput` says so. Of a run
    that does not know its torque (one that was pickled) all three are drawn.

    >>> import polhode
    >>> run = polhode.simulate(Body([1, 2, 2.5], momentum=[0.4, 1, 0.3]), None, "rk4", step=0.1, until=10)
    >>> ax = invariants(run)
    >>> [line.get_label() for line in ax.lines]
    ['energy', '|momentum|', 'momentum in space']
    """
    _instance("trajectory", trajectory, Trajectory)
    kept = _kept(trajectory)
    if not kept:
        raise InvalidInput("trajectory", "trajectory: nothing is kept under this torque; plot trajectory.energy")
    ax = _axes(ax)
    energy = trajectory.energy
    length = np.linalg.norm(trajectory.momentum, axis=-1)
    spatial = np.linalg.norm(trajectory.spatial_momentum - trajectory.spatial_momentum[0], axis=-1)
    changes = {
        "energy": np.abs(energy - energy[0]) / _size(energy[0]),
        "|momentum|": np.abs(length - length[0]) / _size(length[0]),
        "momentum in space": spatial / _size(length[0]),
    }
    for label in kept:
        # What has not changed at all has no place on a logarithmic axis.
        values = changes[label]
        ax.plot(trajectory.t, np.where(values > 0, values, np.nan), **{"label": label, **style})
    ax.set(xlabel="t (units of time)", ylabel="relative change", yscale="log", title=trajectory.method)
    ax.legend()
    return ax


def work_precision(
    comparison: Comparison, *, cost: str = "torque_evaluations", ax: Any = None, **style: Any
) -> Any:
    """Errors against costs, a line for each method.

    Parameters
    ----------
    cost : "torque_evaluations", "steps" or "seconds"

    >>> import polhode
    >>> body = Body([1, 5, 6], momentum=[1, 2, 3])
    >>> found = polhode.compare(body, {"kind": "heavy-top"}, ["strang+exact", "rkn4-6+exact"], [0.1, 0.05], 2)
    >>> ax = work_precision(found, cost="steps")
    >>> [line.get_label() for line in ax.lines]
    ['strang+exact', 'rkn4-6+exact', 'error of the reference']
    """
    _instance("comparison", comparison, Comparison)
    word("cost", cost, "torque_evaluations", "steps", "seconds")
    ax = _axes(ax)
    for method in comparison.orders:
        measured = [trial for trial in comparison.trials if trial.method == method and trial.failure is None]
        points = sorted((getattr(trial, cost), trial.error) for trial in measured)
        if points:
            ax.plot(*zip(*points, strict=True), **{"marker": "o", "label": method, **style})
    ax.set(xscale="log", yscale="log", xlabel=cost.replace("_", " "), ylabel="largest error")
    ax.axhline(comparison.reference_error, color="0.4", linestyle=":", label="error of the reference")
    ax.legend()
    return ax


#: Sides of the box: below and above on each axis (Okabe and Ito, told apart by the colour-blind).
SIDES = ["#8cc8ec", "#0072b2", "#96dec6", "#009e73", "#e8b8d6", "#b4478f"]


def animate(
    source: FreeMotion | Body, states: States, *, interval: int = 40, ax: Any = None, **style: Any
) -> FuncAnimation:
    """The body as a box that turns, with its momentum: an animation with a frame for each state.

    The box is that of uniform density with the moments of the body. Its six sides have six colours, those of opposite
    sides a dark and a pale one: a body that has turned over is seen to have done so.

    >>> motion = FreeMotion([3, 8, 11], omega=[0.01, 12, 0])
    >>> film = animate(motion, motion.at([0, 1, 2]))
    >>> page = film.to_jshtml()  # or film.save("handle.gif")
    """
    _instance("source", source, FreeMotion, Body)
    body = source.body if isinstance(source, FreeMotion) else source
    _instance("states", states, States)
    _row("states", states)
    milliseconds = count("interval", interval)
    ax = _axes(ax, three=True)
    corners, faces = _box(body)
    box = Poly3DCollection(list(corners[faces]), **{"alpha": 0.9, "edgecolor": "0.2", "facecolor": SIDES, **style})
    ax.add_collection3d(box)
    reach = np.linalg.norm(corners, axis=1).max()
    ax.set(xlim=(-reach, reach), ylim=(-reach, reach), zlim=(-reach, reach), xlabel="x", ylabel="y", zlabel="z")
    ax.set_box_aspect((1, 1, 1))
    (arrow,) = ax.plot([], [], [], color="black")
    momenta = 1.4 * reach * _directions(states.spatial_momentum)
    matrices = states.matrix

    def draw(frame: int) -> list[Any]:
        turned = corners @ matrices[frame].T
        box.set_verts(list(turned[faces]))
        arrow.set_data_3d(*np.stack([np.zeros(3), momenta[frame]]).T)
        ax.set_title(f"t = {states.t[frame]:.4g}")
        return [box, arrow]

    return FuncAnimation(ax.figure, draw, frames=len(states.t), interval=milliseconds)


def _kept(trajectory: Trajectory) -> list[str]:
    """What should stay in this run."""
    everything = ["energy", "|momentum|", "momentum in space"]
    if trajectory._run is None:
        return everything
    parts = _parts(trajectory._run[1])
    if not parts:
        return everything
    return ["energy"] if _polhode.conserves_energy(parts) else []


def _last_momenta(ensemble: EnsembleResult) -> Doubles:
    momenta = ensemble.momentum[:, -1]
    known = momenta[np.isfinite(momenta).all(axis=1)]
    if not len(known):
        raise InvalidInput("source", "source: no body of the ensemble has a state")
    return known[:: -(-len(known) // MOST_POINTS)]


def _instance(name: str, value: object, *types: type) -> None:
    if not isinstance(value, types):
        allowed = " or ".join(t.__name__ for t in types)
        raise TypeError(f"{name}: must be a polhode {allowed}, not {type(value).__name__}")


def _row(name: str, states: States) -> States:
    """States of one body, in a row, at least one."""
    shape = states.momentum.shape[:-1]
    if len(shape) != 1 or not shape[0]:
        raise InvalidInput(name, f"{name}: must be a row of states of one body, not of shape {shape}")
    return states


def _axes(ax: Any, *, three: bool = False) -> Any:
    """The axes given, or new ones."""
    if ax is None:
        return plt.figure().add_subplot(projection="3d" if three else None)
    # By what they can do: axes come from many libraries.
    if not hasattr(ax, "plot") or hasattr(ax, "plot_surface") != three:
        raise TypeError(f"ax: must be axes of matplotlib{' with projection=3d' if three else ''}, not {ax!r}")
    return ax


def _states(source: FreeMotion | States, times: ArrayLike | None, periods: int = 1) -> States:
    _instance("source", source, FreeMotion, States)
    if isinstance(source, States):
        if times is not None:
            raise TypeError("times: only for a FreeMotion")
        return _row("source", source)
    if times is None:
        # Without a period: some turns about the momentum.
        rate = source.precession_rate
        span = source.period or (2 * np.pi / rate if rate > 0 else 1.0)
        times = np.linspace(0, periods * span, periods * POINTS)
    return _row("times", source.at(times))


def _directions(vectors: Doubles) -> Doubles:
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    directions: Doubles = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    return directions


def _size(start: Any) -> float:
    return abs(float(start)) or 1.0


def _principal(body: Body, vectors: Doubles) -> Doubles:
    """From principal to body coordinates."""
    n = len(vectors)
    turned = np.broadcast_to(body.axes, (n, 4))
    return States(np.zeros(n), vectors, vectors, turned).to_space(vectors)


def _separatrix(body: Body) -> list[Doubles]:
    """The circles of the momenta whose energy is that of a turn about the middle axis."""
    moments = body.moments
    least, middle, greatest = np.argsort(moments)
    inverse = 1 / moments
    below, above = inverse[least] - inverse[middle], inverse[middle] - inverse[greatest]
    if below <= 0 or above <= 0:
        return []
    angle = np.linspace(0, 2 * np.pi, 200)
    curves = []
    for sign in (1, -1):
        points = np.zeros((200, 3))
        points[:, middle] = np.cos(angle)
        points[:, least] = np.sin(angle) * np.sqrt(above / (above + below))
        points[:, greatest] = sign * np.sin(angle) * np.sqrt(below / (above + below))
        curves.append(_principal(body, points))
    return curves


def _box(body: Body) -> tuple[Doubles, Any]:
    """Corners of the box in the body frame, and faces as their numbers."""
    moments = body.moments / body.moments.max()
    # I1 = b^2 + c^2 and so on, up to a factor; a flat body gets a little thickness to be seen.
    squares = moments.sum() / 2 - moments
    half = np.sqrt(np.maximum(squares, 1e-3))
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    corners = _principal(body, signs * half)
    faces = np.array([[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]])
    return corners, faces

"""Pages in which bodies turn."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polhode

HANDLE = polhode.Body([3, 8, 11], omega=[0.01, 12, 0])


def film(page: str) -> Any:
    text = page.split('id="film">')[1].split("</script>")[0]
    return json.loads(text)["runs"]


def numbers(run: Any, name: str, kind: str) -> Any:
    return np.frombuffer(base64.b64decode(run[name]), dtype=kind)


def test_a_run_is_shown(tmp_path: Path) -> None:
    run = polhode.simulate(HANDLE, None, "exact", step=0.01, until=5)
    view = run.show(shape="t-handle", watch={"spin": "w2", "square": run.omega[:, 1] ** 2}, title="a <handle>")
    (shown,) = film(view.html)
    assert shown["name"] == "a <handle>" and "a &lt;handle&gt;" in view.html
    assert [w["name"] for w in shown["watched"]] == ["spin", "square"]
    times = numbers(shown, "t", "<f8")
    kept = np.searchsorted(run.t, times)
    assert run.t[kept] == pytest.approx(times, abs=0)
    attitudes = numbers(shown, "q", "<f4").reshape(-1, 4)
    assert attitudes == pytest.approx(run.attitude[kept], abs=1e-6)
    assert 50 < len(times) < len(run)
    run.save_html(tmp_path / "a.html", shape="t-handle")
    assert (tmp_path / "a.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    frame = view._repr_html_()
    assert frame.startswith("<iframe srcdoc=") and "<script" not in frame
    assert "save(path)" in repr(view)


def test_a_dense_solution_is_as_fine_as_it_needs_to_be() -> None:
    solution = polhode.solve(HANDLE, {"kind": "heavy-top"}, until=3, dense_output=True, t_eval=[0.0, 1.5, 3.0])
    (shown,) = film(solution.show().html)
    assert len(numbers(shown, "t", "<f8")) > 100
    assert shown["floor"] and not shown["free"]
    sparse = polhode.solve(HANDLE, {"kind": "heavy-top"}, until=3, t_eval=[0.0, 1.5, 3.0])
    assert "a guess" in film(sparse.show().html)[0]["note"]


def test_what_is_drawn_suits_the_torque() -> None:
    top, drag = {"kind": "heavy-top"}, {"kind": "damping", "coefficient": 0.1}
    magnet = {"kind": "magnetic-dipole", "dipole": [0, 0, 1], "field": [1, 0, 0]}
    looks = [(None, "box"), (top, "top"), ([drag, top], "top"), (magnet, "satellite"), (lambda t, m, q: 0 * m, "box")]
    for torque, look in looks:
        run = polhode.simulate(HANDLE, torque, "rk4", step=0.01, until=1)
        assert run.show().html == run.show(shape=look).html, look


def test_a_free_motion_and_others_beside_it() -> None:
    motion = polhode.FreeMotion.of(HANDLE)
    other = polhode.simulate(HANDLE, None, "rk4", step=0.01, until=5)
    vertices = [[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]]
    mesh = (vertices, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])
    runs = film(motion.show(5, shape=mesh, beside={"rk4": other}).html)
    assert [run["name"] for run in runs] == ["A motion", "rk4"]
    assert "mesh" in runs[0]["alt"]
    assert not film(motion.show(5, beside={"rk4": other}).html)[0]["note"]


def test_bad_input_is_named() -> None:
    run = polhode.simulate(HANDLE, None, "exact", step=0.01, until=1)
    states = polhode.FreeMotion.of(HANDLE).at([0.0, 1.0])
    for text, call in [
        ("body: needed", lambda: states.show()),
        ("body: must be", lambda: states.show(body=3)),  # type: ignore[arg-type]
        ("watch: must be a list", lambda: run.show(watch="w2")),
        ("shape: must be a name", lambda: run.show(shape=3)),
        ("beside: x", lambda: run.show(beside={"x": 1})),  # type: ignore[dict-item]
    ]:
        with pytest.raises(TypeError, match=text):
            call()
    for argument, call in [
        ("shape", lambda: run.show(shape="ball")),
        ("watch", lambda: run.show(watch={"x": [1.0, 2.0]})),
        ("expression", lambda: run.show(watch=["w9"])),
        ("states", lambda: run[:0].show()),
        ("states", lambda: states[[0, 0]].show(body=HANDLE)),
        ("until", lambda: polhode.FreeMotion.of(HANDLE).show(np.inf)),
    ]:
        with pytest.raises(polhode.InvalidInput) as error:
            call()
        assert error.value.argument == argument, error.value

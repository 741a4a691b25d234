"""The notebooks run, what they assert holds, and the results that are stored in them are those they have today."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from conftest import PACKAGE
from nbclient import NotebookClient

NOTEBOOKS = sorted((PACKAGE / "notebooks").glob("*.ipynb"))


def test_there_are_eight() -> None:
    assert len(NOTEBOOKS) == 8


def printed(notebook: Any) -> list[str]:
    """What each cell prints, without times, which are others on every machine."""
    texts = []
    for cell in notebook.cells:
        if cell.cell_type == "code":
            text = "".join(o.text for o in cell.outputs if o.output_type == "stream" and o.name == "stdout")
            texts.append(re.sub(r"[\d.]+ ms", "- ms", text))
    return texts


def pictures(notebook: Any) -> list[int]:
    """How many pictures each cell has."""
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    return [sum("image/png" in o.get("data", {}) for o in cell.outputs) for cell in code]


def cleaned(notebook: Any) -> Any:
    """Without what changes from run to run."""
    for number, cell in enumerate(cell for cell in notebook.cells if cell.cell_type == "code"):
        cell.execution_count = number + 1
        cell.metadata.pop("execution", None)
        cell.outputs = [o for o in cell.outputs if o.output_type in ("stream", "display_data")]
    notebook.metadata.language_info = {"name": "python"}
    return notebook


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path: Path) -> None:
    stored = nbformat.read(path, as_version=4)
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    if os.environ.get("POLHODE_UPDATE_DOCS"):
        stored = cleaned(notebook)
        nbformat.write(stored, path)
    again = "POLHODE_UPDATE_DOCS=1 with this test writes it anew"
    assert printed(stored) == printed(notebook), again
    assert pictures(stored) == pictures(notebook), again
    assert sum(pictures(stored)) > 0

"""The notebooks run, and what they assert holds."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from conftest import PACKAGE
from nbclient import NotebookClient

NOTEBOOKS = sorted((PACKAGE / "notebooks").glob("*.ipynb"))


def test_there_are_five() -> None:
    assert len(NOTEBOOKS) == 5


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    # Committed without results, which would go stale.
    assert all(not cell.outputs for cell in code)
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    pictures = [o for cell in code for o in cell.outputs if "image/png" in o.get("data", {})]
    assert pictures

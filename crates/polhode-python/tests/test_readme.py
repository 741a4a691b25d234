"""The example of the README, in a fresh environment after one installation."""

from __future__ import annotations

import re
import subprocess
import sys
import venv
from pathlib import Path

from conftest import PACKAGE, REPOSITORY


def test_five_lines_print_the_flip_period_of_a_t_handle(tmp_path: Path) -> None:
    readme = (PACKAGE / "README.md").read_text()
    example, solving, derivatives = re.findall(r"```python\n(.*?)```", readme, flags=re.DOTALL)
    assert len([line for line in example.splitlines() if line.strip()]) <= 5
    assert all(one in (REPOSITORY / "README.md").read_text() for one in (example, derivatives))
    venv.create(tmp_path)
    python = tmp_path / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    # By the pip that is here: a pip of its own and compiled modules would take longer than all the rest.
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--no-compile"]
    subprocess.run([*pip, str(PACKAGE)], check=True)

    def printed(program: str) -> str:
        return subprocess.run([python, "-c", program], check=True, capture_output=True, text=True, cwd=tmp_path).stdout

    assert printed(example).startswith("flips every 2.0954 s, first at 1.0477 s\n")
    assert printed(example + derivatives).endswith("(6, 6)\n(6, 3) angular velocity\n")
    assert re.match(r"\d+ steps, level at \[\d", printed(solving))

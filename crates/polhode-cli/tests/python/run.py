"""Builds the program and opens its files with readers that are not ours.

Readers are installed into a virtual environment in the target folder; arguments go to pytest.
"""

import json
import os
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
REQUIREMENTS = HERE / "requirements.txt"


def cargo(*arguments: str) -> str:
    command = [os.environ.get("CARGO", "cargo"), *arguments]
    return subprocess.run(command, cwd=HERE, check=True, stdout=subprocess.PIPE, text=True).stdout


def program() -> str:
    """Where cargo puts the program. With its own tests, which is how it was built before: nothing is compiled twice."""
    wanted = ["--workspace", "--no-run", "--test", "suite", "--message-format", "json-render-diagnostics"]
    lines = cargo("test", *wanted)
    messages = [json.loads(line) for line in lines.splitlines()]
    built = [m["executable"] for m in messages if m.get("executable")]
    return next(path for path in built if Path(path).stem == "polhode")


def python() -> Path:
    """An interpreter that has the readers."""
    metadata = json.loads(cargo("metadata", "--no-deps", "--format-version", "1"))
    folder = Path(metadata["target_directory"]) / "python-readers"
    interpreter = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    installed = folder / "requirements.txt"
    if not installed.exists() or installed.read_text() != REQUIREMENTS.read_text():
        venv.create(folder, clear=True, with_pip=True)
        pip = [interpreter, "-m", "pip", "install", "--quiet", "--no-compile", "--disable-pip-version-check"]
        subprocess.run([*pip, "--requirement", REQUIREMENTS], check=True)
        installed.write_text(REQUIREMENTS.read_text())
    return interpreter


if __name__ == "__main__":
    environment = {**os.environ, "POLHODE_BIN": program(), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [python(), "-m", "pytest", "-q", "-p", "no:cacheprovider", HERE, *sys.argv[1:]]
    sys.exit(subprocess.run(command, env=environment).returncode)

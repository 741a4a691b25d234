"""What can go wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._simulate import Trajectory


class PolhodeError(Exception):
    """Any error of polhode's own."""


class InvalidInput(PolhodeError, ValueError):
    """An argument that is not allowed: its value, its shape, or what it makes with others.

    >>> import polhode
    >>> try:
    ...     polhode.FreeMotion([1, 2, 2.5], momentum=[1, 2, float("nan")])
    ... except polhode.InvalidInput as error:
    ...     print(error.argument)
    momentum
    """

    def __init__(self, argument: str, message: str) -> None:
        super().__init__(argument, message)
        self.argument = argument
        self.message = message

    def __str__(self) -> str:
        return self.message


#: What the extras of ``pyproject.toml`` install.
_EXTRAS = {
    "rotation": "scipy",
    "plot": "matplotlib",
    "dask": "'dask[array]' distributed",
    "tables": "pandas xarray",
    "jax": "jax",
}


def missing(what: str, extra: str, error: ModuleNotFoundError) -> ImportError:
    """What is not installed, and how to get it."""
    text = f"{what} needs {error.name}, which is not installed: pip install {_EXTRAS[extra]}"
    return ImportError(text, name=error.name)


class RunFailed(PolhodeError, RuntimeError):
    """A run that could not go on. ``trajectory`` holds the states kept until then."""

    trajectory: Trajectory | None

    def __init__(self, message: str, kept: dict[str, Any] | None = None) -> None:
        super().__init__(message, kept)
        self.message = message
        self.kept = kept
        self.trajectory = None

    def __str__(self) -> str:
        return self.message

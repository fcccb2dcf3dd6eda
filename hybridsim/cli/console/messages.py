"""Notes, signs of life, and the report of a verification."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

if TYPE_CHECKING:
    from hybridsim.verification import Report


def show_notes(notes: Iterable[str]) -> None:
    """Print what the user should know though nothing is wrong, in yellow on a terminal."""
    for note in notes:
        Console(stderr=True).print(Text(f"note: {note}", "yellow"), soft_wrap=True)


def show_page(address: str) -> None:
    """Say where a browser finds the player."""
    port = address.rstrip("/").rpartition(":")[2]
    elsewhere = f" (from another machine after ssh -L {port}:localhost:{port} HOST); q there closes it"
    Console(stderr=True).print(Text.assemble("open ", (address, "bold"), elsewhere), soft_wrap=True)


def preparing() -> AbstractContextManager[object]:
    """A sign of life on a terminal while a model is compiled, and the engine on its first run."""
    return Console(stderr=True).status("preparing (the first run on a machine compiles the engine)")


def verifying() -> AbstractContextManager[object]:
    """A sign of life on a terminal while a run is verified."""
    return Console(stderr=True).status("verifying")


def show_report(report: Report) -> None:
    """Print what a verification has found; the first line says whether the run is a solution."""
    verdict, *lines = report.lines()
    console = Console()
    console.print(Text(verdict, "green" if report.ok else "red"), soft_wrap=True)
    for line in lines:
        console.print(Text(line), soft_wrap=True)

"""Print notes, messages while the user waits, and the report of a verification."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from rich.console import Console
from rich.text import Text

if TYPE_CHECKING:
    from hybridsim.verification import Report


def show_notes(notes: Iterable[str]) -> None:
    """Print notes, which are no errors; in yellow on a terminal."""
    for note in notes:
        Console(stderr=True).print(Text(f"note: {note}", "yellow"), soft_wrap=True)


def show_page(address: str) -> None:
    """Print the address of the player in a browser."""
    port = urlsplit(address).port
    elsewhere = f" in a browser (on another machine, first ssh -L {port}:127.0.0.1:{port} HOST); q closes the page"
    Console(stderr=True).print(Text.assemble("open ", (address, "bold"), elsewhere), soft_wrap=True)


def preparing() -> AbstractContextManager[object]:
    """Show on a terminal that a run is being prepared; `engine.compiler.announcement` says what is compiled."""
    return Console(stderr=True).status("preparing")


def verifying() -> AbstractContextManager[object]:
    """Show on a terminal that a run is being verified."""
    return Console(stderr=True).status("verifying")


def show_report(report: Report) -> None:
    """Print the findings of a verification; the first line states whether the run is a solution."""
    verdict, *lines = report.lines()
    console = Console()
    console.print(Text(verdict, "green" if report.ok else "red" if report.decided else "yellow"), soft_wrap=True)
    for line in lines:
        console.print(Text(line), soft_wrap=True)

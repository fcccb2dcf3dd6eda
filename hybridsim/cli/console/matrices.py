"""Print the matrices of a linearization, and the eigenvalues of A."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from hybridsim.typing import FloatArray

if TYPE_CHECKING:
    from hybridsim.derivatives import LabelledMatrix, Linearization

MATRIX_MEANINGS = {
    "A": "slopes by states",
    "B": "slopes by inputs",
    "C": "outputs by states",
    "D": "outputs by inputs",
}
"""What each matrix of a linearization contains."""


def show_linearization(found: Linearization) -> None:
    """Print A, B, C and D with the names of their rows and columns, and the eigenvalues of A."""
    console = Console()
    console.print(
        "xdot = f + A dx + B du and y = h + C dx + D du; states that are held between events do not move in A"
    )
    console.print()
    for name, meaning in MATRIX_MEANINGS.items():
        matrix: LabelledMatrix = getattr(found, name)
        if all(matrix.shape):
            console.print(Text.assemble((name, "bold"), f": {meaning}"))
            console.print(_table(console, matrix))
            console.print()
    _show_eigenvalues(console, np.asarray(found.A))


def _table(console: Console, matrix: LabelledMatrix) -> Table:
    """Make a table of the whole matrix if it fits on a line, else of the entries that are not zero."""
    table = Table("", box=None, padding=(0, 2, 0, 0))
    for name in matrix.columns:
        table.add_column(Text(name), justify="right", no_wrap=True)
    values = np.asarray(matrix) + 0.0  # no -0
    for name, row in zip(matrix.rows, values.tolist(), strict=True):
        table.add_row(Text(name, "bold"), *(f"{value:.6g}" for value in row))
    if Measurement.get(console, console.options.update(max_width=10**6), table).maximum <= console.width:
        return table
    listed = Table("row", "column", "value; all others are 0", box=None, padding=(0, 2, 0, 0))
    for i, j in np.argwhere(values != 0.0).tolist():
        listed.add_row(Text(matrix.rows[i], "bold"), Text(matrix.columns[j]), f"{values[i, j]:.6g}")
    return listed


def _show_eigenvalues(console: Console, a: FloatArray) -> None:
    if not np.isfinite(a).all():
        console.print("A has entries that are not finite, so it has no eigenvalues here")
        return
    table = Table("eigenvalue of A [1/s]", "", box=None, padding=(0, 2, 0, 0))
    eigenvalues = np.linalg.eigvals(a).astype(complex) + 0.0  # no -0
    zero = abs(eigenvalues) <= len(a) * np.finfo(float).eps * np.linalg.norm(a, 2)  # but for rounding of A
    for value in sorted(eigenvalues[~zero].tolist(), key=lambda value: (-value.real, -value.imag)):
        table.add_row(_number(value), Text(_describe_mode(value)))
    if zero.any():
        table.add_row("0", Text("nothing grows or decays" if zero.sum() == 1 else f"{zero.sum()} times"))
    console.print(table)


def _number(value: complex) -> str:
    return f"{value.real:.6g}" if value.imag == 0.0 else f"{value.real:.6g}{value.imag:+.6g}j"


def _describe_mode(value: complex) -> str:
    """Say how fast the motion grows or decays, and how fast it oscillates."""
    parts = []
    if value.real != 0.0:
        parts.append(f"{'grows' if value.real > 0.0 else 'decays'} by e in {1.0 / abs(value.real):.4g} s")
    if value.imag != 0.0:
        parts.append(f"oscillates with a period of {2.0 * math.pi / abs(value.imag):.4g} s")
    return ", ".join(parts)

"""Print what was identified."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from rich.console import Console
from rich.table import Table
from rich.text import Text

from hybridsim.cli.console.messages import count_text, show_notes, two_columns
from hybridsim.results.progress import BAR_DELAY, ProgressBar

if TYPE_CHECKING:
    from pathlib import Path

    from hybridsim.identification import Identification


class SolverProgress(ProgressBar):
    """The callback of `identify`, which shows start, iteration, objective and infeasibility on terminals."""

    def __init__(self, starts: int) -> None:
        from rich.progress import SpinnerColumn, TextColumn

        super().__init__(BAR_DELAY, SpinnerColumn(), TextColumn("{task.description}", markup=False))
        self._starts, self.stopped = starts, False

    def stop(self) -> None:
        """Let the search end with the next iteration."""
        self.stopped = True

    def __call__(self, start: int, iteration: int, objective: float, infeasibility: float) -> bool:
        """Show where the search is, and return whether it goes on."""
        begin = f"start {start + 1} of {self._starts}, " if self._starts > 1 else ""
        text = f"{begin}iteration {iteration}, objective {objective:.6g}, equations missed by {infeasibility:.2g}"
        self._show(start, self._starts, text)
        return not self.stopped


def show_identification(found: Identification, files: list[Path]) -> None:
    """Print what was identified; the first line says whether it is confirmed by a simulation."""
    console, confirmation = Console(), found.confirmation
    verdict = "solved, and confirmed by a simulation" if found.confirmed else found.why_not
    console.print(Text(verdict, "green" if found.confirmed else "red"), soft_wrap=True)
    table = two_columns()
    table.add_row("model", Text(found.config.model.name))
    how = "all second derivatives" if found.exact else "Gauss and Newton"
    table.add_row("solver", Text(f"{count_text(found.iterations, 'iteration')} ({how}): {found.reason}"))
    table.add_row("objective", Text(f"{found.objective:.9g}"))
    parts = "" if confirmation.windows == 1 else ", added up over parts of it"
    table.add_row("simulation", Text(f"differs by {100 * confirmation.difference:.2g} % of how far states go{parts}"))
    if found.statistics is not None:
        for number, name in enumerate(found.config.measured):
            residual, fit = found.statistics.residuals[number], found.statistics.fits[number]
            text = f"{name}: {residual:.3g} root mean square, {100 * fit:.4g} % explained"
            table.add_row("" if number else "misfits", Text(text))
    for number, motion in enumerate(found.motions):
        if not len(found.config.trials[number].t):
            table.add_row("duration", Text(f"{motion.t[-1] - motion.t[0]:.9g} s"))
    for number, file in enumerate(files):
        table.add_row("" if number else "files", Text(str(file)))
    console.print(table)
    if found.parameters:
        console.print(_parameters(found))
    show_notes(found.notes)


def _parameters(found: Identification) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0))
    for name in ("parameter", "guess", "value", "standard error", "unit", ""):
        table.add_column(name, justify="right" if name in ("guess", "value", "standard error") else "left")
    records, errors = found.config.model.parameters, found.standard_errors
    for name, value in found.parameters.items():
        free, record = found.config.free[name], records[name.partition("[")[0]]
        error = "not determined" if np.isinf(errors[name]) else "" if np.isnan(errors[name]) else f"{errors[name]:.2g}"
        at_bound = "at its bound" if np.isclose(value, (free.lower, free.upper), rtol=1e-6, atol=1e-12).any() else ""
        table.add_row(name, f"{free.guess:.6g}", f"{value:.9g}", error, record.unit, at_bound)
    return table

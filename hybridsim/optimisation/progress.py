"""Progress of an optimisation: generation, stage, best value, rate and the time that is left."""

from __future__ import annotations

import time

from rich import progress

from hybridsim.results.progress import BAR_DELAY, ProgressBar, duration_text, rate_text


class SearchProgress(ProgressBar):
    """The callback of an optimisation, which shows a bar on terminals.

    Parameters
    ----------
    rows : int
        Runs in a generation.
    """

    def __init__(self, rows: int) -> None:
        super().__init__(BAR_DELAY, progress.BarColumn(20), progress.TextColumn("{task.description}", markup=False))
        self._rows = rows

    def __call__(self, *, generation: int, generations: int, stage: int, value: float, rows: int) -> None:
        """Show that a generation is over."""
        spent = time.perf_counter() - self._began
        text = f"generation {generation:,} of {generations:,}, stage {stage}, best {value:.7g}"
        if rows:
            left = (generations - generation) * self._rows * spent / rows
            text += f", {rate_text(rows / max(spent, 1e-9))}, {duration_text(left)} left"
        self._show(generation, generations, text)

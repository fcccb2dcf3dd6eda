"""What the command line prints: messages and progress on standard error, results on standard output."""

from __future__ import annotations

from hybridsim.cli.console.matrices import show_linearization
from hybridsim.cli.console.messages import (
    PictureProgress,
    preparing,
    show_notes,
    show_page,
    show_report,
    show_written,
    verifying,
    with_confirmation,
)
from hybridsim.cli.console.models import show_model, show_models, show_part
from hybridsim.cli.console.orbits import (
    finding,
    show_branch,
    show_characteristics,
    show_orbit,
    show_orbit_table,
)
from hybridsim.cli.console.runs import EventTrace, Progress, show_config, show_summary
from hybridsim.cli.console.sweeps import show_outcome, show_plan
from hybridsim.results.progress import BranchProgress
from hybridsim.results.progress import RowProgress as SweepProgress

__all__ = [
    "BranchProgress",
    "EventTrace",
    "PictureProgress",
    "Progress",
    "SweepProgress",
    "finding",
    "preparing",
    "show_branch",
    "show_characteristics",
    "show_config",
    "show_linearization",
    "show_model",
    "show_models",
    "show_notes",
    "show_orbit",
    "show_orbit_table",
    "show_outcome",
    "show_page",
    "show_part",
    "show_plan",
    "show_report",
    "show_summary",
    "show_written",
    "verifying",
    "with_confirmation",
]

"""`hybridsim verify`: check that a run is a solution of its model."""

from pathlib import Path
from typing import Annotated

import typer

from hybridsim.cli.exit_codes import OK, UNDECIDED, UNFINISHED
from hybridsim.cli.options import ModelOption, examples

EXAMPLES = examples("verify runs/slip.h5", "verify walker.h5 --model ./walker.py")


def verify(
    file: Annotated[Path, typer.Argument(metavar="RUN.h5", help="The file of a run.")], model: ModelOption = None
) -> None:
    """Check that a run is a solution of its model: flow, boundaries, jumps, outputs, everything in the file.

    Another method integrates the flow again, from row to row. Exit code: 0 a solution, 1 not a solution, 2 bad input, 3
    not decided, as the flow could not be followed.
    """
    from hybridsim import verification
    from hybridsim.cli import console

    def check() -> verification.Report:
        with console.busy("verifying"):
            return verification.verify(file, model)

    report = console.with_confirmation(check)
    console.show_report(report)
    raise typer.Exit(OK if report.ok else UNFINISHED if report.decided else UNDECIDED)

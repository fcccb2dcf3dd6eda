"""`hybridsim verify`: check that a run is a solution of its model."""

from pathlib import Path
from typing import Annotated

import typer

from hybridsim.cli.exit_codes import OK, UNDECIDED, UNFINISHED
from hybridsim.cli.options import ModelOption, examples
from hybridsim.errors import ConfigError

EXAMPLES = examples("verify runs/slip.h5", "verify walker.h5 --model ./walker.py", "verify slip-softest")


def verify(
    file: Annotated[
        Path, typer.Argument(metavar="RUN.h5|FOLDER", help="The file of a run, or the folder of an optimisation.")
    ],
    model: ModelOption = None,
) -> None:
    """Check that a run is a solution of its model: flow, boundaries, jumps, outputs, everything in the file.

    Another method integrates the flow again, from row to row. Of an optimisation, the best settings are computed
    again, to the same bits, and the run with the best one is checked. Exit code: 0 a solution, 1 not a solution, 2 bad
    input, 3 not decided, as the flow could not be followed.
    """
    from hybridsim import verification
    from hybridsim.cli import console

    if file.is_dir():
        _verify_optimization(file, model)
        return

    def check() -> verification.Report:
        with console.busy("verifying"):
            return verification.verify(file, model)

    report = console.with_confirmation(check)
    console.show_report(report)
    raise typer.Exit(OK if report.ok else UNFINISHED if report.decided else UNDECIDED)


def _verify_optimization(folder: Path, model: str | None) -> None:
    from hybridsim.cli import console
    from hybridsim.optimisation.reproduction import reproduce

    if model is not None:
        raise ConfigError("--model: an optimisation names its model itself; leave it out")
    with console.busy("verifying"):
        found = reproduce(folder)
    console.show_reproduction(found)
    raise typer.Exit(OK if found.ok else UNFINISHED if found.report.decided else UNDECIDED)

"""`hybridsim sweep`: run all combinations of the values in `sweep:`."""

import shlex
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hybridsim.cli import interruption
from hybridsim.cli.exit_codes import OK
from hybridsim.cli.options import ConfigOption, config_and_overrides, config_argument, examples, words_of
from hybridsim.cli.ranges import axis_of, ranges_in

if TYPE_CHECKING:
    from hybridsim.config.sweep import SweepConfig
    from hybridsim.sweeps import Outcome

EXAMPLES = examples(
    "sweep configs/sweeps/slip-steps-to-fall.yaml",
    "sweep map.yaml final_time=20 output.folder=runs/map --workers 8",
    "sweep map.yaml parameters.k=15e3..25e3:40 --dry-run",
    "sweep slip parameters.k=15e3..25e3:40 final_time=5",
    "sweep map.yaml --resume",
    "sweep map.yaml --cluster tcp://scheduler:8786",
)

RANGE_EXAMPLE = "parameters.k=15e3..25e3:40"

Arguments = Annotated[
    list[str] | None,
    config_argument(
        "A YAML file with `sweep:`, an rc file with ranges, or a model, and values that override the file's; "
        "KEY=FROM..TO:N is an axis, new or in place of the file's."
    ),
]
ResumeSweepOption = Annotated[
    bool, typer.Option("--resume", help="Continue with the results in the folder, if there are any.")
]
WorkersOption = Annotated[
    int | None,
    typer.Option(
        "--workers", metavar="N", help="Number of threads; by default one for each processor that this process may use."
    ),
]
SweepClusterOption = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS|local:N",
        help="Compute on the workers of a Dask scheduler, or on N local ones (needs the extra `cluster`).",
    ),
]
KeepRunsOption = Annotated[
    str | None,
    typer.Option(
        "--keep-runs",
        metavar="ROWS",
        help="Rows whose whole runs are stored too: numbers and ranges (0,17,100-120), all, failed, or the name of "
        "a status (LEFT_CHART); separate several with commas.",
    ),
]
PrintPlanOption = Annotated[bool, typer.Option("--dry-run", help="Show what would be computed, and stop.")]


def sweep(
    arguments: Arguments = None,
    config: ConfigOption = None,
    resume: ResumeSweepOption = False,
    workers: WorkersOption = None,
    cluster: SweepClusterOption = None,
    keep_runs: KeepRunsOption = None,
    dry_run: PrintPlanOption = False,
) -> None:
    """Run every combination of the values in `sweep:` and write a table of their metrics.

    Results go to output.folder, by default a folder named like the config. A run that fails is a row with its status.

    Exit code: 0 all rows computed, 2 bad input, 130 Ctrl-C, 143 SIGTERM (finished parts kept; --resume continues).
    """
    from hybridsim.cli import console
    from hybridsim.config.sweep import load_sweep_config
    from hybridsim.sweeps.plan import Plan

    words = arguments or []
    ranges, others = ranges_in(words, RANGE_EXAMPLE, counted=True)
    path, overrides = config_and_overrides(others, config, "sweep")
    settings = load_sweep_config(path, [*overrides, *(axis_of(each, RANGE_EXAMPLE) for each in ranges)])
    console.show_notes(settings.run.notes)
    folder, plan = _folder(settings), Plan(settings)
    if dry_run:
        console.show_plan(settings, plan, folder)
        return

    from hybridsim.sweeps import run_sweep

    kept = () if keep_runs is None else keep_runs
    compute = partial(run_sweep, settings, folder, resume=resume, workers=workers, cluster=cluster, keep_runs=kept)
    given = words_of({"--workers": workers, "--cluster": cluster, "--keep-runs": keep_runs})
    values = [word for word in words if "=" in word]
    resumption = shlex.join(["hybridsim", "sweep", path, *values, *given, "--resume"])
    raise typer.Exit(_run(compute, plan.n_rows, settings.run.model.name, folder, resumption))


def _folder(settings: "SweepConfig") -> Path:
    """Return the folder of the results: the config's, or one named like the config."""
    output = settings.run.output
    by_default = settings.run.origins["output.folder"] == "default"
    return Path(output.base or settings.run.model.name) if by_default else Path(output.folder)


def _run(compute: "Callable[..., Outcome]", n_rows: int, model: str, folder: Path, resumption: str) -> int:
    """Compute, print the outcome and return the exit code; `resumption` is the command that continues."""
    from hybridsim.cli import console
    from hybridsim.results.progress import RowProgress

    interrupted = f"interrupted; finished parts are kept in {folder}; continue with: {resumption}"
    try:
        with interruption.raising(), RowProgress(n_rows) as progress:
            outcome = compute(progress=progress)
    except KeyboardInterrupt:
        typer.echo(interrupted, err=True)
        return interruption.exit_code()
    console.show_notes(outcome.notes)
    console.show_outcome(model, outcome, resumption)
    if outcome.interrupted:
        typer.echo(interrupted, err=True)
        return interruption.exit_code()
    return OK

"""`hybridsim optimize`: search for the parameters, and the choices, with which runs of a model do best."""

import shlex
from typing import Annotated

import typer

from hybridsim.cli import interruption
from hybridsim.cli.exit_codes import OK, UNFINISHED
from hybridsim.cli.options import ConfigOption, config_and_overrides, config_argument, examples, words_of
from hybridsim.cli.sweep import PrintPlanOption, SweepClusterOption, WorkersOption

EXAMPLES = examples(
    "optimize configs/optimisation/slip-softest.yaml",
    "optimize legs.yaml optimize.method.generations=20 output.folder=runs/legs",
    "optimize legs.yaml optimize.parameters.k=15e3..25e3 optimize.method=cma",
    "optimize legs.yaml --resume",
    "optimize legs.yaml --dry-run",
)

Arguments = Annotated[
    list[str] | None,
    config_argument("A YAML file with `optimize:`, and values that override the file's."),
]
ResumeSearchOption = Annotated[
    bool, typer.Option("--resume", help="Go on with the results in the folder, also with more generations.")
]
TimeLimitOption = Annotated[
    float | None,
    typer.Option("--time-limit", metavar="S", help="Begin no generation after so many seconds; --resume goes on."),
]


def optimize(
    arguments: Arguments = None,
    config: ConfigOption = None,
    resume: ResumeSearchOption = False,
    workers: WorkersOption = None,
    cluster: SweepClusterOption = None,
    time_limit: TimeLimitOption = None,
    dry_run: PrintPlanOption = False,
) -> None:
    """Search for the parameters, and the choices, with which runs of a model do best.

    The best setting of each search is computed again, more exactly and by another method, before it is called found.
    Results go to output.folder, by default a folder named like the config; best.yaml in it runs.

    Exit code: 0 found and confirmed; 1 not confirmed, not finished, or no setting satisfies a stage; 2 bad input;
    130 Ctrl-C, 143 SIGTERM (finished generations kept; --resume continues).
    """
    from hybridsim.cli import console
    from hybridsim.config.optimization import load_optimization_config
    from hybridsim.optimisation.api import default_folder, run_optimization
    from hybridsim.optimisation.progress import SearchProgress

    path, overrides = config_and_overrides(arguments or [], config, "optimize")
    settings = load_optimization_config(path, overrides)
    console.show_notes(settings.run.notes)
    folder = default_folder(settings)
    if dry_run:
        console.show_search(settings, folder)
        return
    values = [word for word in arguments or [] if "=" in word]
    given = words_of({"--workers": workers, "--cluster": cluster})
    resumption = shlex.join(["hybridsim", "optimize", path, *values, *given, "--resume"])
    try:
        with interruption.raising(), SearchProgress(settings.n_rows) as progress:
            found = run_optimization(
                settings,
                folder,
                resume=resume,
                workers=workers,
                cluster=cluster,
                time_limit=time_limit,
                progress=progress,
            )
    except KeyboardInterrupt:
        typer.echo(f"interrupted; finished generations are kept in {folder}; continue with: {resumption}", err=True)
        raise typer.Exit(interruption.exit_code()) from None
    console.show_optimization(found, resumption)
    if found.interrupted:
        typer.echo(f"interrupted; finished generations are kept in {folder}; continue with: {resumption}", err=True)
        raise typer.Exit(interruption.exit_code())
    raise typer.Exit(OK if found.confirmed and found.finished and found.reached else UNFINISHED)

"""`hybridsim identify`: parameters of a model from data, and motions of least cost."""

from pathlib import Path
from typing import Annotated

import typer

from hybridsim.cli import interruption
from hybridsim.cli.exit_codes import OK, UNFINISHED
from hybridsim.cli.options import ConfigOption, config_and_overrides, config_argument, examples
from hybridsim.cli.orbit_find import refuse_file
from hybridsim.errors import ConfigError

EXAMPLES = examples(
    "identify configs/identification/pendulum.yaml",
    "identify configs/identification/pendulum.yaml collocation.scheme=midpoint --plot fit.png",
    "identify configs/identification/swing_up.yaml --inputs force.csv",
)

Arguments = Annotated[
    list[str] | None,
    config_argument("A config that says what is measured and what is free, and values that override the file's."),
]
OutputOption = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE.h5", help="The file; by default named like the config, -identified."),
]
PictureOption = Annotated[
    Path | None, typer.Option("--plot", metavar="FILE", help="Draw data and motion into a picture, .png, .pdf or .svg.")
]
InputsOption = Annotated[
    Path | None, typer.Option("--inputs", metavar="FILE.csv", help="Write the inputs that were free as a table.")
]


def identify(
    arguments: Arguments = None,
    config: ConfigOption = None,
    output: OutputOption = None,
    plot: PictureOption = None,
    inputs: InputsOption = None,
) -> None:
    """Find parameters that make a model's motion fit data, or inputs with which it costs least.

    What is found is simulated by the engine: the first line says whether both agree. The file is that of this run.

    Exit code: 0 solved and confirmed, 1 not so, 2 bad input, 130 Ctrl-C, 143 SIGTERM (the best so far is kept).
    """
    from hybridsim.cli import console
    from hybridsim.cli.console.identifications import SolverProgress
    from hybridsim.config.identification import load_identification_config
    from hybridsim.identification import identify as find
    from hybridsim.plotting.files import picture_path

    path, overrides = config_and_overrides(arguments or [], config, "identify")
    settings = load_identification_config(path, overrides)
    folder = Path(settings.trials[0].run.output.folder)
    file = output or folder / f"{settings.trials[0].run.output.base}-identified.h5"
    refuse_file(file)
    if plot is not None:
        picture_path(plot)
    if inputs is not None and not settings.inputs:
        raise ConfigError("--inputs: no input is free, so none is found; write inputs: {NAME: {free: true}}")
    console.show_notes(settings.trials[0].run.notes)
    with SolverProgress(settings.settings.solver.starts) as progress, interruption.calling(progress.stop) as received:
        found = find(settings, progress=progress)
    files = []
    if found.confirmation.run is not None:
        files.append(found.save(file))
    if plot is not None:
        found.plot(plot)
        files.append(plot)
    if inputs is not None:
        files.append(found.save_inputs(inputs))
    console.show_identification(found, files)
    raise typer.Exit(interruption.exit_code() if received else OK if found.confirmed else UNFINISHED)

"""`hybridsim orbit basin`: which initial states come to a periodic motion."""

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hybridsim.cli import interruption
from hybridsim.cli.exit_codes import UNFINISHED
from hybridsim.cli.options import config_and_overrides, config_argument, examples
from hybridsim.cli.orbit_find import found, load
from hybridsim.cli.ranges import equally_spaced, ranges_in
from hybridsim.errors import ConfigError

if TYPE_CHECKING:
    from hybridsim.analysis import Basin, Orbit

EXAMPLES = examples(
    "orbit basin configs/walkers/orbits/compass_gait.yaml initial.theta_st=-0.45..-0.1 initial.thetadot_st=0.5..2",
    "orbit basin gait.h5 initial.theta=0.1..0.3 initial.thetadot=-0.35..-0.1 --points 400 -o basin.png",
    "orbit basin gait.h5 initial.theta=0.1..0.3 initial.thetadot=-0.35..-0.1 --folder rows --resume",
)

Arguments = Annotated[
    list[str] | None,
    config_argument(
        "A config with a section `orbit`, or the file of an orbit; the ranges of two states, initial.NAME=FROM..TO; "
        "and values that override the file's."
    ),
]
PointsOption = Annotated[int, typer.Option("--points", metavar="N", min=2, help="Values of each state.")]
StridesOption = Annotated[int, typer.Option("--strides", metavar="N", min=1, help="Strides of each run.")]
FolderOption = Annotated[
    Path | None, typer.Option("--folder", metavar="FOLDER", help="Keep finished rows in this folder, for --resume.")
]
ResumeOption = Annotated[bool, typer.Option("--resume", help="Go on with the rows in --folder.")]
ClusterOption = Annotated[
    str | None, typer.Option("--cluster", metavar="ADDRESS", help="Address of a Dask scheduler, or local:N.")
]
PictureOption = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", help="The picture; the table is written beside it as .parquet."),
]
EXAMPLE = "initial.theta=0.1..0.3"


def basin(
    arguments: Arguments = None,
    points: PointsOption = 200,
    strides: StridesOption = 20,
    folder: FolderOption = None,
    resume: ResumeOption = False,
    cluster: ClusterOption = None,
    output: PictureOption = None,
) -> None:
    """Draw which initial states on the section come to a periodic motion.

    Exit code: 0 done, 1 there is no such orbit, 2 bad input, 130 Ctrl-C, 143 SIGTERM (--folder keeps finished rows).
    """
    from hybridsim.analysis.newton import NoOrbitError
    from hybridsim.cli import console
    from hybridsim.plotting.basins import plot_basin
    from hybridsim.plotting.files import refuse_unknown_format

    words = arguments or []
    ranges, others = ranges_in(words, EXAMPLE)
    path, overrides = config_and_overrides(others, None, "orbit basin")
    if len(ranges) != 2 or any(each.section != "initial" for each in ranges):
        raise ConfigError(f"command line: expected the ranges of two states; write for example {EXAMPLE}")
    picture = output or Path(f"{Path(path).stem}-basin.png")
    refuse_unknown_format(picture)
    if resume and folder is None:
        raise ConfigError("--resume: goes on with the rows of a folder; give it with --folder FOLDER")
    settings = console.with_confirmation(lambda: load(path, overrides))
    axes = {
        each.name: equally_spaced(each.ends(lambda more: load(path, [*overrides, *more])), points) for each in ranges
    }
    try:
        orbit = found(settings)
        with interruption.raising(), console.SweepProgress(points * points) as progress:
            result = _computed(orbit, axes, strides, (folder, resume, cluster), progress)
    except NoOrbitError as problem:
        typer.secho(str(problem), fg="red", err=True)
        raise typer.Exit(UNFINISHED) from None
    except KeyboardInterrupt:
        options = {"--points": points, "--strides": strides, "--cluster": cluster, "--output": output}
        typer.echo(interrupted("basin", words, options, folder), err=True)
        raise typer.Exit(interruption.exit_code()) from None
    units = {state.name: state.unit for state in orbit.model.states}
    plot_basin(result.axes, result.labels, units, {name: orbit.x[name] for name in axes}, picture)
    table = result.save(picture.with_suffix(".parquet"))
    typer.echo(_summary(result))
    typer.echo(f"written: {picture}, {table}")


def interrupted(name: str, words: list[str], options: Mapping[str, object], folder: Path | None) -> str:
    """Return what to say after Ctrl-C: the command that goes on with the rows in the folder, if there is one."""
    if folder is None:
        return "interrupted; nothing is kept without --folder FOLDER"
    given = [word for option, value in options.items() if value is not None for word in (option, str(value))]
    command = shlex.join(["hybridsim", "orbit", name, *words, *given, "--folder", str(folder), "--resume"])
    return f"interrupted; finished rows are kept in {folder}; continue with: {command}"


def _computed(
    orbit: "Orbit",
    axes: dict[str, list[float]],
    strides: int,
    kept: tuple[Path | None, bool, str | None],
    progress: object,
) -> "Basin":
    from hybridsim.analysis import basin

    folder, resume, cluster = kept
    options = {"folder": folder, "resume": resume, "cluster": cluster}
    return basin(orbit, axes, strides=strides, progress=progress, **options)  # type: ignore[arg-type]


def _summary(result: "Basin") -> str:
    """Return one sentence: how many initial states come to the orbit, fall, or do neither."""
    labels = result.labels
    parts = (labels >= 0).mean(), (labels == -1).mean(), (labels == -2).mean()
    come, fall, other = (f"{100.0 * part:.1f} %" for part in parts)
    return (
        f"{come} of {labels.size:,} initial states come to the orbit within {result.strides} strides, {fall} do not "
        f"make the strides (a fall, as a rule), {other} are elsewhere then"
    )

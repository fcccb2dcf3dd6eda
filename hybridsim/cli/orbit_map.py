"""`hybridsim orbit map`: how stable a periodic motion is, over two parameters."""

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hybridsim.cli import interruption
from hybridsim.cli.exit_codes import UNFINISHED
from hybridsim.cli.options import ModelOption, config_and_overrides, config_argument, examples
from hybridsim.cli.orbit_basin import ClusterOption, FolderOption, PictureOption, ResumeOption, interrupted
from hybridsim.cli.orbit_find import found, load
from hybridsim.cli.ranges import equally_spaced, ranges_in
from hybridsim.errors import ConfigError

if TYPE_CHECKING:
    from hybridsim.analysis import StabilityMap

EXAMPLES = examples(
    'orbit map gait.h5 "parameters.slope=1 deg..5 deg" parameters.m_H=5..20',
    'orbit map configs/walkers/orbits/compass_gait.yaml "parameters.slope=1 deg..5 deg:40" parameters.m_H=5..20:20',
    "orbit map gait.h5 parameters.slope=0.02..0.09:200 parameters.m_H=5..20:200 --folder rows --workers 8",
    "orbit map gait.h5 parameters.slope=0.02..0.09:200 parameters.m_H=5..20:200 --folder rows --resume",
)

Arguments = Annotated[
    list[str] | None,
    config_argument(
        "A config with a section `orbit`, or the file of an orbit; the ranges of two parameters, "
        "parameters.NAME=FROM..TO, or FROM..TO:N for N values; and values that override the file's."
    ),
]
WorkersOption = Annotated[
    int | None,
    typer.Option(
        "--workers", metavar="N", help="Number of processes; by default as many as are worth it, one per processor."
    ),
]
POINTS = 30
"""Values of a parameter by default."""

EXAMPLE = "parameters.slope=0.001..0.019:40"


def map_(
    arguments: Arguments = None,
    folder: FolderOption = None,
    resume: ResumeOption = False,
    workers: WorkersOption = None,
    cluster: ClusterOption = None,
    output: PictureOption = None,
    model: ModelOption = None,
) -> None:
    """Follow a periodic motion over two parameters, and draw the size of its largest multiplier: below 1 it is stable.

    Exit code: 0 done, 1 there is no such orbit, 2 bad input, 130 Ctrl-C, 143 SIGTERM (--folder keeps finished rows).
    """
    from hybridsim.analysis import stability_map
    from hybridsim.analysis.newton import NoOrbitError
    from hybridsim.cli import console
    from hybridsim.plotting.files import refuse_unknown_format
    from hybridsim.plotting.stability_maps import plot_stability_map

    words = arguments or []
    ranges, others = ranges_in(words, EXAMPLE, counted=True)
    path, overrides = config_and_overrides(others, None, "orbit map")
    picture = output or Path(f"{Path(path).stem}-map.png")
    refuse_unknown_format(picture)
    if len(ranges) != 2 or any(each.section != "parameters" for each in ranges):
        raise ConfigError(f"command line: expected the ranges of two parameters; write for example {EXAMPLE}")
    settings = console.with_confirmation(lambda: load(path, overrides, model))
    axes = {
        each.name: equally_spaced(each.ends(lambda more: load(path, [*overrides, *more], model)), each.count or POINTS)
        for each in ranges
    }
    kept = {"folder": folder, "resume": resume, "workers": workers, "cluster": cluster}
    try:
        orbit = found(settings)
        with interruption.raising(), console.SweepProgress(math.prod(map(len, axes.values())), "orbits") as progress:
            result = stability_map(orbit, axes, progress=progress, **kept)  # type: ignore[arg-type]
    except NoOrbitError as problem:
        typer.secho(str(problem), fg="red", err=True)
        raise typer.Exit(UNFINISHED) from None
    except KeyboardInterrupt:
        options = {"--workers": workers, "--cluster": cluster, "--output": output, "--model": model}
        typer.echo(interrupted("map", words, options, folder), err=True)
        raise typer.Exit(interruption.exit_code()) from None
    units = {parameter.name: parameter.unit for parameter in orbit.model.parameters}
    here = {name: float(orbit.parameters[name]) for name in axes}
    plot_stability_map(result.axes, result.largest, units, here, picture)
    table = result.save(picture.with_suffix(".parquet"), orbit.model.states.names)
    typer.echo(_summary(result))
    typer.echo(f"written: {picture}, {table}")


def _summary(result: "StabilityMap") -> str:
    """Return one sentence: how many orbits were found, and how many of them are stable."""
    import numpy as np

    count = np.isfinite(result.largest).sum()
    return f"{count:,} of {result.largest.size:,} orbits found, {result.stable.sum():,} of them stable"

"""`hybridsim orbit basin` and `hybridsim orbit map`: tables of orbits over two axes, and their pictures."""

import math
import shlex
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hybridsim.cli import interruption
from hybridsim.cli.options import ModelOption, config_and_overrides, config_argument, examples, words_of
from hybridsim.cli.orbit_find import expecting_orbits, load, look_for
from hybridsim.cli.ranges import equally_spaced, ranges_in, with_sections
from hybridsim.errors import ConfigError

if TYPE_CHECKING:
    from hybridsim.analysis import Basin, Orbit, StabilityMap

BASIN_EXAMPLES = examples(
    "orbit basin configs/walkers/orbits/compass_gait.yaml initial.theta_st=-0.45..-0.1 initial.thetadot_st=0.5..2",
    "orbit basin gait.h5 initial.theta=0.1..0.3:400 initial.thetadot=-0.35..-0.1:400 -o basin.png",
    "orbit basin gait.h5 initial.theta=0.1..0.3 initial.thetadot=-0.35..-0.1 --folder rows --resume",
)
MAP_EXAMPLES = examples(
    'orbit map gait.h5 "parameters.slope=1 deg..5 deg" parameters.m_H=5..20',
    'orbit map runner.yaml parameters.k=15e3..30e3:40 "initial.touchdown_angle=-26 deg..-18 deg:40"',
    "orbit map gait.h5 parameters.slope=0.02..0.09:200 parameters.m_H=5..20:200 --folder rows --workers 8",
    "orbit map gait.h5 parameters.slope=0.02..0.09:200 parameters.m_H=5..20:200 --folder rows --resume",
)


def _arguments(what: str) -> Any:
    return config_argument(
        f"A config with a section `orbit`, or the file of an orbit; the ranges of two {what}, KEY=FROM..TO, or "
        "FROM..TO:N for N values; and values that override the file's."
    )


BasinArguments = Annotated[list[str] | None, _arguments("states")]
MapArguments = Annotated[list[str] | None, _arguments("parameters, or states that strides leave as they are")]
StridesOption = Annotated[int, typer.Option("--strides", metavar="N", min=1, help="Strides of each run.")]
FolderOption = Annotated[
    Path | None, typer.Option("--folder", metavar="FOLDER", help="Keep finished rows in this folder, for --resume.")
]
ResumeOption = Annotated[bool, typer.Option("--resume", help="Go on with the rows in --folder.")]
WorkersOption = Annotated[
    int | None,
    typer.Option(
        "--workers", metavar="N", help="Number of threads or processes; by default as many as are worth it, one per "
        "processor.",
    ),
]  # fmt: skip
ClusterOption = Annotated[
    str | None, typer.Option("--cluster", metavar="ADDRESS", help="Address of a Dask scheduler, or local:N.")
]
PictureOption = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", help="The picture; the table is written beside it as .parquet."),
]
AXIS_SECTIONS, AXIS_KINDS = (
    {"basin": ("initial",), "map": ("parameters", "initial")},
    {"basin": "states", "map": "parameters"},
)
RANGE_EXAMPLES = {"basin": "initial.theta=0.1..0.3:200", "map": "parameters.slope=0.001..0.019:40"}
DEFAULT_COUNTS = {"basin": 200, "map": 30}
"""Values of an axis by default."""


def basin(
    arguments: BasinArguments = None,
    *,
    strides: StridesOption = 20,
    folder: FolderOption = None,
    resume: ResumeOption = False,
    workers: WorkersOption = None,
    cluster: ClusterOption = None,
    output: PictureOption = None,
    model: ModelOption = None,
) -> None:
    """Draw which initial states on the section come to a periodic motion.

    Exit code: 0 done, 1 there is no such orbit, 2 bad input, 130 Ctrl-C, 143 SIGTERM (--folder keeps finished rows).
    """
    from hybridsim.analysis import basin as compute
    from hybridsim.plotting.orbit_maps import plot_basin

    def draw(result: "Basin", *others: Any) -> str:
        plot_basin(result.axes, result.labels, *others)
        return _basin_summary(result)

    options = {"--strides": strides, "--workers": workers, "--cluster": cluster, "--output": output, "--model": model}
    _over_two("basin", arguments or [], options, (folder, resume), compute, draw)


def map_(
    arguments: MapArguments = None,
    *,
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
    from hybridsim.plotting.orbit_maps import plot_stability_map

    def draw(result: "StabilityMap", *others: Any) -> str:
        plot_stability_map(result.axes, result.largest, *others)
        return _map_summary(result)

    options = {"--workers": workers, "--cluster": cluster, "--output": output, "--model": model}
    _over_two("map", arguments or [], options, (folder, resume), stability_map, draw)


def _over_two(
    name: str,
    words: list[str],
    options: Mapping[str, Any],
    kept: tuple[Path | None, bool],
    compute: Callable[..., Any],
    draw: Callable[..., str],
) -> None:
    """Compute a table over two axes, draw it and write it; `draw` returns its summary."""
    from hybridsim.cli import console
    from hybridsim.plotting.files import picture_path
    from hybridsim.results.progress import RowProgress

    ranges, others = ranges_in(words, RANGE_EXAMPLES[name], counted=True)
    path, overrides = config_and_overrides(others, None, f"orbit {name}")
    (folder, resume), model = kept, options["--model"]
    settings = console.with_confirmation(lambda: load(path, overrides, model))
    ranges = with_sections(ranges, settings)
    if len(ranges) != 2 or any(each.section not in AXIS_SECTIONS[name] for each in ranges):
        raise ConfigError(
            f"command line: expected the ranges of two {AXIS_KINDS[name]}; write for example {RANGE_EXAMPLES[name]}"
        )
    picture = picture_path(options["--output"] or f"{Path(path).stem}-{name}.png")
    if resume and folder is None:
        raise ConfigError("--resume: goes on with the rows of a folder; give it with --folder FOLDER")
    axes = {
        each.name: equally_spaced(
            each.ends(lambda more: load(path, [*overrides, *more], model)), each.count or DEFAULT_COUNTS[name]
        )
        for each in ranges
    }
    given = {key.strip("-"): value for key, value in options.items() if key not in ("--output", "--model")}
    try:
        with expecting_orbits():
            orbit = look_for(settings)
        n_rows, rows = math.prod(map(len, axes.values())), "runs" if name == "basin" else "orbits"
        with interruption.raising(), RowProgress(n_rows, rows) as progress:
            result = compute(orbit, axes, **given, folder=folder, resume=resume, progress=progress)
    except KeyboardInterrupt:
        typer.echo(_after_interruption(name, words, options, folder), err=True)
        raise typer.Exit(interruption.exit_code()) from None
    typer.echo(draw(result, *_units_and_values(orbit, axes), picture))
    typer.echo(f"written: {picture}, {result.save(picture.with_suffix('.parquet'))}")


def _units_and_values(orbit: "Orbit", axes: Mapping[str, list[float]]) -> tuple[dict[str, str], dict[str, float]]:
    """Return the units of parameters and states, and the orbit's values of those on the axes."""
    units = {each.name: each.unit for each in orbit.model.parameters}
    units |= {each.name: each.unit for each in orbit.model.states}
    return units, {name: float({**orbit.parameters, **orbit.x}[name]) for name in axes}


def _after_interruption(name: str, words: list[str], options: Mapping[str, object], folder: Path | None) -> str:
    """Return what to say after Ctrl-C: the command that goes on with the rows in the folder, if there is one."""
    if folder is None:
        return "interrupted; nothing is kept without --folder FOLDER"
    command = ["hybridsim", "orbit", name, *words, *words_of(options), "--folder", str(folder), "--resume"]
    return f"interrupted; finished rows are kept in {folder}; continue with: {shlex.join(command)}"


def _basin_summary(result: "Basin") -> str:
    """Return one sentence: how many initial states come to the orbit, fall, or do neither."""
    labels = result.labels
    parts = (labels >= 0).mean(), (labels == -1).mean(), (labels == -2).mean()
    come, fall, other = (f"{100.0 * part:.1f} %" for part in parts)
    return (
        f"{come} of {labels.size:,} initial states come to the orbit within {result.strides} strides, {fall} do not "
        f"make the strides (a fall, as a rule), {other} are elsewhere then"
    )


def _map_summary(result: "StabilityMap") -> str:
    """Return one sentence: how many orbits were found, and how many of them are stable."""
    import numpy as np

    count = np.isfinite(result.largest).sum()
    found = f"{count:,} of {result.largest.size:,} orbits found, {result.stable.sum():,} of them stable"
    lost = result.largest.size - count
    return (
        f"{found}; {lost:,} not reached (grey): on the way there the orbit is lost, or there is none" if lost else found
    )

"""`hybridsim plot`: draw a run, an orbit, a branch of orbits, or the results of a sweep or an optimisation."""

import re
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from hybridsim.cli.options import examples
from hybridsim.errors import ConfigError, HybridsimError

EXAMPLES = examples(
    "plot runs/slip.h5",
    "plot runs/slip.h5 y leg_force -o runs/slip.pdf",
    "plot runs/slip.h5 y chart --from 2 --to 4",
    "plot runs/slip.h5 y --no-events",
    "plot runs/slip.h5 y:ydot x:y:ydot",
    "plot runs/walk.h5 speed stance+slip",
    "plot gait.h5 --as phase theta_st thetadot_st",
    "plot gait.h5 --as multipliers",
    "plot branch.h5 theta period --from 0.014",
    "plot equilibria.h5 y",
    "plot flips.h5",
    "plot gait-strides.h5 --as return-map theta_st",
    "plot configs/networks/salamander.yaml --network",
    "plot slip-steps-to-fall steps",
    "plot slip-steps-to-fall distance touchdown_angle=-22",
    "plot slip-softest k steps",
)


class Kind(StrEnum):
    """Kinds of pictures."""

    TIME = "time"
    PHASE = "phase"
    RETURN_MAP = "return-map"
    MULTIPLIERS = "multipliers"


TargetArgument = Annotated[
    Path,
    typer.Argument(
        metavar="FILE.h5|FOLDER",
        help="A run, an orbit, a branch of orbits or equilibria, a curve of bifurcations; or the folder of a sweep or "
        "an optimisation.",
    ),
]
CurvesArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="NAME | AXIS=VALUE",
        help="Of a run: outputs, states and inputs; drawn as bars over time: chart, the bits of a chart field "
        "(stance), or the bits of several fields above each other (stance+slip); y:v draws v over y, and "
        "x:y:z a curve in space. Of a sweep: metrics, and axes that "
        "are fixed at the value nearest to VALUE. Of an optimisation: columns of its table, every run as a point. By "
        "default: what the model suggests, or all; of an optimisation its convergence.",
    ),
]
PictureOption = Annotated[
    Path | None,
    typer.Option(
        "--output", "-o", metavar="FILE", help="A .png, .pdf or .svg; by default a .png next to the run or folder."
    ),
]
AcrossOption = Annotated[
    str, typer.Option("-x", metavar="AXIS", help="Of a sweep: the horizontal axis; by default the last one.")
]
KindOption = Annotated[
    Kind,
    typer.Option(
        "--as",
        help="Of a run: time, phase (one state over another), return-map (a state at the events of a boundary, each "
        "over the one before: NAME BOUNDARY), multipliers (of an orbit or a branch).",
    ),
]
FirstTimeOption = Annotated[
    float | None,
    typer.Option(
        "--from", metavar="T", help="Of a run: the time at which the picture begins, in s; of a branch: the parameter."
    ),
]
LastTimeOption = Annotated[
    float | None,
    typer.Option("--to", metavar="T", help="Of a run: the time at which it ends, in s; of a branch: the parameter."),
]

MarkEventsOption = Annotated[
    bool, typer.Option("--events/--no-events", help="Of a run: whether events are marked on the curves.")
]


NetworkOption = Annotated[
    bool, typer.Option("--network", help="Of a config whose model is a network: draw its nodes and edges.")
]


def plot(
    target: TargetArgument,
    names: CurvesArgument = None,
    picture: PictureOption = None,
    kind: KindOption = Kind.TIME,
    across: AcrossOption = "",
    begin: FirstTimeOption = None,
    end: LastTimeOption = None,
    *,
    events: MarkEventsOption = True,
    network: NetworkOption = False,
) -> None:
    """Draw a run (outputs over time, charts as bars), an orbit, a branch of orbits, a sweep or an optimisation.

    A branch is drawn over its parameter: solid where stable, dashed where unstable, with marks at bifurcations.
    A sweep is drawn as curves over one axis, maps over two, or points for samples; an optimisation as the best values
    over the generations, points, or parallel coordinates.
    """
    if network:
        _plot_network(target, picture)
        return
    if target.is_dir():
        if (begin, end) != (None, None):
            raise ConfigError(
                f"command line: --from, --to: for runs, and {target} is the folder of a sweep; leave them out"
            )
        draw = _plot_search if _is_search(target) else _plot_sweep
        draw(target, names or [], picture, across)
        return
    _refuse_wrong_file(target, across)
    picture = picture or target.with_suffix(".png")
    note = " (replaced)" if picture.exists() else ""
    from hybridsim.results.branches import is_branch

    if is_branch(target):
        _plot_branch(target, names or [], picture, kind, (begin, end))
    else:
        _plot_run(target, names or [], picture, kind, (begin, end), events)
    typer.echo(f"wrote {picture}{note}")


def _plot_network(target: Path, picture: Path | None) -> None:
    from hybridsim.config import load_config
    from hybridsim.networks import NetworkModel
    from hybridsim.plotting import plot_network

    model = load_config(target, open_ended=True).model
    if not isinstance(model, NetworkModel):
        raise ConfigError(f"{target}: --network: its model is no network; leave it out, and give the results to draw")
    picture = picture or Path(f"{target.stem}-network.png")
    note = " (replaced)" if picture.exists() else ""
    plot_network(model, picture)
    typer.echo(f"wrote {picture}{note}")


def _plot_branch(
    target: Path, names: list[str], picture: Path, kind: Kind, window: tuple[float | None, float | None]
) -> None:
    from hybridsim.plotting import plot_bifurcations, plot_branch, plot_multipliers
    from hybridsim.results.branches import read_branch

    record = read_branch(target, None)
    if not record.parameter:
        raise ConfigError(
            f"{target}: a single equilibrium, and there is nothing to draw; follow it through a parameter"
        )
    if kind is Kind.MULTIPLIERS and record.what == "orbits":
        plot_multipliers(record, picture)
    elif kind is Kind.TIME and record.what == "bifurcations":
        if names or window != (None, None):
            raise ConfigError(f"command line: {target} is drawn over both parameters; leave names, --from and --to out")
        plot_bifurcations(record, picture)
    elif kind is Kind.TIME:
        plot_branch(record, names, picture, *window)
    else:
        raise ConfigError(
            f"command line: --as {kind}: for runs and orbits, and {target} holds {record.what}; leave it out"
        )


def _plot_run(
    target: Path, names: list[str], picture: Path, kind: Kind, window: tuple[float | None, float | None], events: bool
) -> None:
    from hybridsim.plotting import plot_multipliers, plot_phase, plot_return_map
    from hybridsim.results.reading import load_run

    run = load_run(target)
    if kind is Kind.TIME:
        _curves_of(names)(run, names, picture, *window, events=events)
    elif kind is Kind.PHASE:
        plot_phase(run, names, picture)
    elif kind is Kind.MULTIPLIERS:
        plot_multipliers(run, picture)
    else:
        orbit = run.provenance.get("config", {}).get("orbit", {})
        given = [*names, *[orbit.get("section", {}).get("boundary")][len(names) - 1 :]]
        if len(names) not in (1, 2) or given[-1] is None:
            raise ConfigError("command line: --as return-map: expected a state and a boundary; write NAME BOUNDARY")
        plot_return_map(run, given[0], given[1], picture)


def _curves_of(names: list[str]) -> Callable[..., None]:
    """Return what draws these names: curves over time, or phase portraits."""
    from hybridsim.plotting import plot_portraits, plot_run
    from hybridsim.plotting.portraits import is_portrait

    portraits = [name for name in names if is_portrait(name)]
    if not portraits:
        return plot_run
    if len(portraits) < len(names):
        over_time = next(name for name in names if not is_portrait(name))
        raise ConfigError(
            f"command line: {over_time} is drawn over time, and {portraits[0]} is a phase portrait; draw two pictures"
        )
    return plot_portraits


def _refuse_wrong_file(target: Path, across: str) -> None:
    if across:
        raise ConfigError(f"command line: -x: for sweeps, and {target} is not the folder of a sweep; leave it out")
    if not target.exists():
        raise ConfigError(f"{target}: there is no such file or folder; give the .h5 of a run, or the folder of a sweep")
    if target.suffix in (".yaml", ".yml", ".parquet"):
        raise ConfigError(f"{target}: expected the .h5 of a run, or the folder of a sweep; give the results to draw")


def _is_search(folder: Path) -> bool:
    from hybridsim.sweeps.manifest import OPTIMIZATION_FORMAT, read_description

    description = read_description(folder)
    return description is not None and description["format"] == OPTIMIZATION_FORMAT


def _plot_search(folder: Path, names: list[str], picture: Path | None, across: str) -> None:
    from hybridsim.optimisation import load_optimization

    if across:
        raise ConfigError(f"command line: -x: for sweeps, and {folder} is the folder of an optimisation; leave it out")
    picture = picture or _default_picture(folder, {})
    note = " (replaced)" if picture.exists() else ""
    load_optimization(folder).plot(picture, names)
    typer.echo(f"wrote {picture}{note}")


def _plot_sweep(folder: Path, names: list[str], picture: Path | None, across: str) -> None:
    from hybridsim.plotting import plot_sweep
    from hybridsim.sweeps import load_sweep

    sweep = load_sweep(folder)
    pairs = [word.partition("=") for word in names if "=" in word]
    fixed = {name.strip(): value.strip() for name, _, value in pairs}
    picture = picture or _default_picture(folder, fixed)
    note = " (replaced)" if picture.exists() else ""
    metrics = [word for word in names if "=" not in word]
    planned = _values_of_plan(folder) if sweep.table.num_rows < sweep.n_rows else {}
    for line in plot_sweep(sweep, metrics, fixed, picture, across=across, planned=planned):
        typer.echo(line)
    typer.echo(f"wrote {picture}{note}")


def _default_picture(folder: Path, fixed: dict[str, str]) -> Path:
    """Return FOLDER.png next to the folder, with the fixed values of axes in its name."""
    folder = folder if folder.name not in ("", "..") else folder.resolve()
    section = "".join(f"-{name}={value}" for name, value in fixed.items())
    name = folder.name + re.sub(r"[^-+.=\w]", "", section)
    return folder.with_name(f"{name}.png")


def _values_of_plan(folder: Path) -> dict[str, Any]:
    """Return all values of the axes of an unfinished sweep; an empty dict and a note if its config cannot be read."""
    from hybridsim.cli import console
    from hybridsim.config.sweep import load_written_sweep
    from hybridsim.sweeps.manifest import CONFIG_FILE

    try:
        return {axis.name: axis.values for axis in load_written_sweep(folder / CONFIG_FILE).axes}
    except HybridsimError as problem:
        console.show_notes([f"the axes end with the finished rows, because the config cannot be read here: {problem}"])
        return {}

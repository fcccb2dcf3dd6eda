"""`hybridsim plot`: draw runs, an orbit, a branch of orbits, or the results of a sweep or an optimisation."""

import re
from collections.abc import Callable
from enum import StrEnum
from functools import partial
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
    "plot runs/soft.h5 runs/stiff.h5 y leg_force",
    "plot runs/slip.h5 y --size 3.4 2.5 --style seaborn-v0_8-paper -o paper.pdf",
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


Window = tuple[float | None, float | None]


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
        metavar="NAME | FILE.h5 | AXIS=VALUE",
        help="More runs of the same model, to be drawn together. Of a run: outputs, states and inputs; drawn as bars "
        "over time: chart, the bits of a chart field (stance), or the bits of several fields above each other "
        "(stance+slip); y:v draws v over y, and x:y:z a curve in space. Of a sweep: metrics, and axes that "
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


SizeOption = Annotated[
    tuple[float, float] | None,
    typer.Option("--size", metavar="W H", help="Width and height of the picture, in inches."),
]
StyleOption = Annotated[
    str,
    typer.Option(
        "--style", metavar="FILE|NAME", help="A style of matplotlib (letters, lines, grids): a file, or its name."
    ),
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
    size: SizeOption = None,
    style: StyleOption = "",
) -> None:
    """Draw runs (outputs over time, charts as bars), an orbit, a branch of orbits, a sweep or an optimisation.

    Curves follow the flow between the rows of a file, and thin lines are jumps. A branch is drawn over its parameter:
    solid where stable, dashed where unstable, with marks at bifurcations. A sweep is drawn as curves over one axis,
    maps over two, or points for samples; an optimisation as the best values over the generations, points, or parallel
    coordinates.
    """
    from hybridsim.plotting.files import look

    words = [name for name in names or [] if not name.endswith(".h5")]
    targets = [target, *(Path(name) for name in names or [] if name.endswith(".h5"))]
    window = begin, end
    with look(size, style):
        if network:
            _write(picture or Path(f"{target.stem}-network.png"), _network(target))
        elif target.is_dir():
            if window != (None, None):
                raise ConfigError(
                    f"command line: --from, --to: for runs, and {target} is the folder of a sweep; leave them out"
                )
            draw = _search if _is_search(target) else _sweep
            _write(*draw(target, words, picture, across))
        else:
            for each in targets:
                _refuse_wrong_file(each, across)
            _write(picture or target.with_suffix(".png"), _file(targets, words, kind, window, events))


def _write(picture: Path, draw: Callable[[Path], Any]) -> None:
    """Draw a picture into a file, and say so, and what the picture leaves out."""
    replaced = " (replaced)" if picture.exists() else ""
    for line in draw(picture).notes:
        typer.echo(line)
    typer.echo(f"wrote {picture}{replaced}")


def _network(target: Path) -> Callable[[Path], Any]:
    from hybridsim.config import load_config
    from hybridsim.networks import NetworkModel
    from hybridsim.plotting import plot_network

    model = load_config(target, open_ended=True).model
    if not isinstance(model, NetworkModel):
        raise ConfigError(f"{target}: --network: its model is no network; leave it out, and give the results to draw")
    return partial(plot_network, model)


def _file(targets: list[Path], names: list[str], kind: Kind, window: Window, events: bool) -> Callable[[Path], Any]:
    """Return what draws the files of runs, or that of a branch."""
    from hybridsim.results.branches import is_branch

    if not is_branch(targets[0]):
        return _runs(targets, names, kind, window, events)
    if len(targets) > 1:
        raise ConfigError(f"command line: {targets[0]} is no run, and only runs are drawn together; draw it alone")
    return _branch(targets[0], names, kind, window)


def _branch(target: Path, names: list[str], kind: Kind, window: Window) -> Callable[[Path], Any]:
    from hybridsim.plotting import plot_bifurcations, plot_branch, plot_multipliers
    from hybridsim.results.branches import read_branch

    record = read_branch(target, None)
    if not record.parameter:
        raise ConfigError(
            f"{target}: a single equilibrium, and there is nothing to draw; follow it through a parameter"
        )
    if kind is Kind.MULTIPLIERS and record.what == "orbits":
        return partial(plot_multipliers, record)
    if kind is not Kind.TIME:
        raise ConfigError(
            f"command line: --as {kind}: for runs and orbits, and {target} holds {record.what}; leave it out"
        )
    if record.what != "bifurcations":
        return lambda picture: plot_branch(record, names, picture, *window)
    if names or window != (None, None):
        raise ConfigError(f"command line: {target} is drawn over both parameters; leave names, --from and --to out")
    return partial(plot_bifurcations, record)


def _runs(targets: list[Path], names: list[str], kind: Kind, window: Window, events: bool) -> Callable[[Path], Any]:
    from hybridsim.plotting import plot_multipliers, plot_phase, plot_return_map, plot_run
    from hybridsim.results.reading import load_run

    alike = len({path.stem for path in targets}) < len(targets)
    runs = {str(path.with_suffix("") if alike else path.stem): load_run(path) for path in targets}
    if len(runs) < len(targets):
        raise ConfigError(f"command line: {targets[0]}: given more than once; give each run once")
    run, drawn = next(iter(runs.values())), runs if len(runs) > 1 else next(iter(runs.values()))
    if kind is Kind.TIME:
        return lambda picture: plot_run(drawn, names, picture, *window, events=events)
    if kind is Kind.PHASE:
        return partial(plot_phase, drawn, names)
    if len(runs) > 1:
        raise ConfigError(f"command line: --as {kind}: of one run, found {len(runs)}; draw a picture of each")
    if kind is Kind.MULTIPLIERS:
        return partial(plot_multipliers, run)
    orbit = run.provenance.get("config", {}).get("orbit", {})
    given = [*names, *[orbit.get("section", {}).get("boundary")][len(names) - 1 :]]
    if len(names) not in (1, 2) or given[-1] is None:
        raise ConfigError("command line: --as return-map: expected a state and a boundary; write NAME BOUNDARY")
    return partial(plot_return_map, run, *given)


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


def _search(folder: Path, names: list[str], picture: Path | None, across: str) -> tuple[Path, Callable[[Path], Any]]:
    from hybridsim.optimisation import load_optimization

    if across:
        raise ConfigError(f"command line: -x: for sweeps, and {folder} is the folder of an optimisation; leave it out")
    found = load_optimization(folder)
    return picture or _default_picture(folder, {}), lambda path: found.plot(path, names)


def _sweep(folder: Path, names: list[str], picture: Path | None, across: str) -> tuple[Path, Callable[[Path], Any]]:
    from hybridsim.plotting import plot_sweep
    from hybridsim.sweeps import load_sweep

    sweep = load_sweep(folder)
    pairs = [word.partition("=") for word in names if "=" in word]
    fixed = {name.strip(): value.strip() for name, _, value in pairs}
    metrics = [word for word in names if "=" not in word]
    planned = _values_of_plan(folder) if sweep.table.num_rows < sweep.n_rows else {}
    draw = partial(plot_sweep, sweep, metrics, fixed, across=across, planned=planned)
    return picture or _default_picture(folder, fixed), lambda path: draw(path=path)


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

"""The command line. Each command is short and imports what it needs when it is called: `--help` waits for nothing."""

from __future__ import annotations

import re
import shlex
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hybridsim.cli.exit_codes import BAD_INPUT, INTERRUPTED, OK, UNFINISHED, exit_code
from hybridsim.errors import ConfigError, HybridsimError

if TYPE_CHECKING:
    from collections.abc import Callable

    from hybridsim.config import RunConfig
    from hybridsim.config.sweep.sweeping import SweepConfig
    from hybridsim.engine.status import Status
    from hybridsim.viewer.options import ViewOptions

ConfigOption = Annotated[
    str | None, typer.Option("--config", "-c", metavar="FILE", help="The config, as SimSect took it.")
]
PICTURES = "Pictures"
"""The heading of the options that say what they are like."""
SizeOption = Annotated[
    str, typer.Option("--size", metavar="WxH", help="Of the picture, in pixels.", rich_help_panel=PICTURES)
]
FpsOption = Annotated[float, typer.Option("--fps", metavar="N", help="Pictures a second.", rich_help_panel=PICTURES)]
SpeedOption = Annotated[
    float, typer.Option("--speed", metavar="S", help="Simulated seconds a second.", rich_help_panel=PICTURES)
]
CameraOption = Annotated[
    str, typer.Option("--camera", metavar="NAME", help="follow, side, top or free.", rich_help_panel=PICTURES)
]
FromOption = Annotated[
    float | None, typer.Option("--from", metavar="T", help="When pictures begin, in s.", rich_help_panel=PICTURES)
]
ToOption = Annotated[
    float | None, typer.Option("--to", metavar="T", help="When pictures end, in s.", rich_help_panel=PICTURES)
]
AtOption = Annotated[
    float | None,
    typer.Option(
        "--at",
        metavar="T",
        help="When a single .png is taken, in s; in the middle by default.",
        rich_help_panel=PICTURES,
    ),
]
WebOption = Annotated[
    bool, typer.Option("--web", help="Show it in a browser (needs the extra `notebook`).", rich_help_panel=PICTURES)
]
RecordOption = Annotated[
    Path | None,
    typer.Option(
        "--record",
        metavar="FILE",
        help="A film (.mp4, .gif) or a picture (.png; one per frame if named like f%04d.png); needs no display.",
        rich_help_panel=PICTURES,
    ),
]
DEFAULT_CONFIG = "SimSect.rc"


def _examples(*commands: str) -> str:
    """The last lines of a help page; a blank line keeps each on a line of its own."""
    return "\n\n".join(("Examples:", *(f"  hybridsim {command}" for command in commands)))


app = typer.Typer(
    name="hybridsim",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def main() -> None:
    """Run the command line; an error of the user is a message and exit code 2, never a traceback."""
    try:
        app()
    except HybridsimError as error:
        typer.secho(str(error), fg="red", err=True)
        sys.exit(BAD_INPUT)


def _show_version(wanted: bool) -> None:
    if wanted:
        from hybridsim._version import __version__

        typer.echo(f"hybridsim {__version__}")
        raise typer.Exit


@app.callback(epilog=_examples("run configs/slip.yaml", "view slip.h5", "plot slip.h5", "sweep map.yaml", "new hopper"))
def hybridsim(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Simulate hybrid systems: flows in charts, events at their boundaries, transitions between them."""


@app.command(
    epilog=_examples(
        "run configs/slip.yaml",
        "run configs/slip.yaml parameters.k=25e3 engine.rtol=1e-9 output.folder=runs",
        "run -c SimSect.rc g=9.81",
        "run configs/slip.yaml --dry-run",
        "run configs/slip.yaml --view --speed 0.25",
        "run configs/slip.yaml --record strides.mp4",
    )
)
def run(
    arguments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="CONFIG | KEY=VALUE",
            help="A YAML or SimSect rc file (without one: SimSect.rc in this folder), and values that win over it.",
            show_default=False,
        ),
    ] = None,
    config: ConfigOption = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print the resolved config with the origin of every value, and stop.")
    ] = False,
    view: Annotated[
        bool | None,
        typer.Option(
            "--view/--no-view",
            help="Show it in 3-D while it is computed.",
            show_default=False,
            rich_help_panel=PICTURES,
        ),
    ] = None,
    web: WebOption = False,
    record: RecordOption = None,
    size: SizeOption = "1280x720",
    fps: FpsOption = 30.0,
    speed: SpeedOption = 1.0,
    camera: CameraOption = "follow",
    begin: FromOption = None,
    end: ToOption = None,
    at: AtOption = None,
) -> None:
    """Run a simulation, write its files and say how it ended.

    Exit code: 0 final time or a stop reached, 1 ended otherwise (data kept), 2 bad input, 130 Ctrl-C (data kept).
    """
    from hybridsim.cli import console
    from hybridsim.config import load_config
    from hybridsim.viewer.options import ViewOptions, size_of

    path, overrides = _sorted_arguments(arguments or [], config, DEFAULT_CONFIG)
    settings = load_config(path, overrides)
    console.show_notes(settings.notes)
    options = ViewOptions(size_of(size), fps, speed, camera, begin, end, at)
    if dry_run:
        console.show_config(settings)
        return
    raise typer.Exit(exit_code(_run(settings, lambda: load_config(path, overrides), view, web, record, options)))


def _run(
    settings: RunConfig,
    reload: Callable[[], RunConfig],
    view: bool | None,
    web: bool,
    record: Path | None,
    options: ViewOptions,
) -> Status:
    """Compute, write, and show what was asked for; nothing is computed that cannot be shown."""
    if not (view or web or record or (settings.view and view is None)):
        from hybridsim.cli import console
        from hybridsim.cli.compute import compute
        from hybridsim.viewer.options import without_effect

        console.show_notes(without_effect(options, ()))
        return compute(settings).status
    from hybridsim.cli import show

    return show.run(settings, reload, view, web, record, options).status


def _sorted_arguments(arguments: list[str], option: str | None, default: str = "") -> tuple[str, list[str]]:
    """The one config and the overrides; `default` is the config where none is named.

    Raises
    ------
    ConfigError : two configs, or none and no default one here.
    """
    configs = [argument for argument in arguments if "=" not in argument]
    configs += [] if option is None else [option]
    if len(configs) > 1:
        raise ConfigError(
            f"command line: {', '.join(map(repr, configs))}: expected one config; give one, and overrides as key=value"
        )
    if not configs and not default:
        raise ConfigError("command line: expected a config; write hybridsim sweep CONFIG")
    if not configs and not Path(default).is_file():
        raise ConfigError(
            f"command line: expected a config, and there is no {default} in this folder; write hybridsim run CONFIG"
        )
    return (configs or [default])[0], [argument for argument in arguments if "=" in argument]


@app.command(
    epilog=_examples(
        "sweep configs/sweeps/slip-steps-to-fall.yaml",
        "sweep map.yaml final_time=20 output.folder=runs/map --threads 8",
        "sweep map.yaml --dry-run",
        "sweep map.yaml --resume",
        "sweep map.yaml --cluster tcp://scheduler:8786",
    )
)
def sweep(
    arguments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="CONFIG | KEY=VALUE",
            help="A YAML file with `sweep:`, and values that win over it.",
            show_default=False,
        ),
    ] = None,
    config: ConfigOption = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the results in the folder; where there are none, begin.")
    ] = False,
    threads: Annotated[
        int | None, typer.Option("--threads", metavar="N", help="How many; all that this process may use by default.")
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option("--cluster", metavar="ADDRESS|local:N", help="A Dask scheduler, or N workers started here."),
    ] = None,
    keep_runs: Annotated[
        str | None,
        typer.Option(
            "--keep-runs",
            metavar="ROWS",
            help="Whole runs to store too: numbers and ranges (0,17,100-120), all, failed, or the name of a status "
            "(LEFT_CHART); several with commas.",
        ),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be computed, and stop.")] = False,
) -> None:
    """Run every combination of the values in `sweep:` and write a table of their metrics.

    It goes to output.folder, by default a folder named like the config. A run that fails is a row with its status.

    Exit code: 0 all rows computed, 2 bad input, 130 Ctrl-C or SIGTERM (finished parts kept; --resume goes on).
    """
    from hybridsim.cli import console
    from hybridsim.config import load_sweep

    path, overrides = _sorted_arguments(arguments or [], config)
    settings = load_sweep(path, overrides)
    console.show_notes(settings.run.notes)
    folder = _sweep_folder(settings)
    if dry_run:
        from hybridsim.sweeps.plan import Plan

        console.show_plan(settings, Plan(settings), folder)
        return
    options = {"--threads": threads, "--cluster": cluster, "--keep-runs": keep_runs}
    given = [word for name, value in options.items() if value is not None for word in (name, str(value))]
    again = ["hybridsim", "sweep", path, *overrides, *given, "--resume"]
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)  # clusters send it, and mean Ctrl-C
    try:
        code = _sweep(settings, folder, shlex.join(again), resume, threads, cluster, keep_runs)
    finally:
        signal.signal(signal.SIGTERM, before)
    raise typer.Exit(code)


def _sweep_folder(settings: SweepConfig) -> Path:
    """Where the parts go: a folder of their own unless the config names one."""
    output = settings.run.output
    own = settings.run.origins["output.folder"] == "default"
    return Path(output.base or settings.run.model.name) if own else Path(output.folder)


def _sweep(
    settings: SweepConfig,
    folder: Path,
    again: str,
    resume: bool,
    threads: int | None,
    cluster: str | None,
    keep_runs: str | None,
) -> int:
    """Compute and say what came out; the exit code."""
    from hybridsim.cli import console
    from hybridsim.sweeps import run_sweep
    from hybridsim.sweeps.plan import Plan

    try:
        with console.SweepProgress(Plan(settings).n_rows) as progress:
            outcome = run_sweep(
                settings,
                folder,
                resume=resume,
                threads=threads,
                cluster=cluster,
                keep_runs=() if keep_runs is None else keep_runs,
                progress=progress,
            )
    except KeyboardInterrupt:
        typer.echo(f"interrupted; finished parts are kept in {folder}; go on with: {again}", err=True)
        return INTERRUPTED
    console.show_notes(outcome.notes)
    console.show_outcome(settings.run.model.name, outcome, again)
    if outcome.interrupted:
        typer.echo(f"interrupted; finished parts are kept in {folder}; go on with: {again}", err=True)
        return INTERRUPTED
    return OK


@app.command(
    epilog=_examples(
        "plot runs/slip.h5",
        "plot runs/slip.h5 y leg_force -o runs/slip.pdf",
        "plot runs/slip.h5 y chart --from 2 --to 4",
        "plot runs/walk.h5 speed stance+slip",
        "plot slip-steps-to-fall steps",
        "plot slip-steps-to-fall distance touchdown_angle=-22",
    )
)
def plot(
    target: Annotated[Path, typer.Argument(metavar="RUN.h5|SWEEP", help="What `run` wrote, or the folder of a sweep.")],
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME | AXIS=VALUE",
            help="Of a run: outputs, states and inputs; and as bars over time: chart, the bits of a chart field "
            "(stance), or of several over each other (stance+slip). Of a sweep: metrics, and axes that stay at the "
            "value nearest to VALUE. If none is named: what the model says, or all.",
        ),
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help=".png, .pdf or .svg; a .png beside the run by default."),
    ] = None,
    across: Annotated[
        str, typer.Option("-x", metavar="AXIS", help="Of a sweep: the axis along x; the last one by default.")
    ] = "",
    begin: Annotated[
        float | None, typer.Option("--from", metavar="T", help="Of a run: where the picture begins [s].")
    ] = None,
    end: Annotated[float | None, typer.Option("--to", metavar="T", help="Of a run: where it ends [s].")] = None,
) -> None:
    """Draw a run: outputs against time, charts as bars.

    Or a sweep: curves over one axis, maps over two, points for samples.
    """
    if target.is_dir():
        if (begin, end) != (None, None):
            raise ConfigError(
                f"command line: --from, --to: for runs, and {target} is the folder of a sweep; leave them out"
            )
        _plot_sweep(target, names or [], picture, across)
        return
    if across:
        raise ConfigError(f"command line: -x: for sweeps, and {target} is no folder of one; leave it out")
    if not target.exists():
        raise ConfigError(f"{target}: there is no such file or folder; give the .h5 of a run, or the folder of a sweep")
    if target.suffix in (".yaml", ".yml", ".parquet"):
        raise ConfigError(f"{target}: expected the .h5 of a run, or the folder of a sweep; plot what was computed")
    from hybridsim.plotting import plot_run
    from hybridsim.results.reading import load_run

    picture = picture or target.with_suffix(".png")
    plot_run(load_run(target), names or [], picture, begin, end)
    typer.echo(f"wrote {picture}")


def _plot_sweep(folder: Path, names: list[str], picture: Path | None, across: str) -> None:
    from hybridsim.plotting import plot_sweep
    from hybridsim.sweeps import read_sweep

    sweep = read_sweep(folder)
    beside = folder if folder.name not in ("", "..") else folder.resolve()
    pairs = [word.partition("=") for word in names if "=" in word]
    fixed = {name.strip(): value.strip() for name, _, value in pairs}
    section = "".join(f"-{name}={value}" for name, value in fixed.items())
    name = beside.name + re.sub(r"[^-+.=\w]", "", section)
    picture = picture or beside.with_name(f"{name}.png")
    metrics = [word for word in names if "=" not in word]
    planned = _planned(folder) if sweep.table.num_rows < sweep.n_rows else {}
    for said in plot_sweep(sweep, metrics, fixed, picture, across=across, planned=planned):
        typer.echo(said)
    typer.echo(f"wrote {picture}")


def _planned(folder: Path) -> dict[str, Any]:
    """All values of the axes of a sweep that is not finished; none if its config cannot be read here."""
    from hybridsim.config import load_sweep

    try:
        return {axis.name: axis.values for axis in load_sweep(folder / "_config.yaml").axes}
    except HybridsimError:
        return {}


@app.command(
    epilog=_examples(
        "view runs/slip.h5",
        "view runs/soft.h5 runs/stiff.h5 --ghosts",
        "view runs/slip.h5 --record strides.mp4 --speed 0.5 --from 2 --to 4",
        "view runs/slip.h5 --record stance.png --at 0.3 --size 1920x1080",
        "view runs/slip.h5 --web",
    )
)
def view(
    files: Annotated[list[Path], typer.Argument(metavar="RUN.h5...", help="What `run` wrote; several are compared.")],
    record: RecordOption = None,
    export: Annotated[
        Path | None,
        typer.Option(
            "--export", metavar="FILE.gltf", help="The scene at --at, for other programs.", rich_help_panel=PICTURES
        ),
    ] = None,
    web: WebOption = False,
    ghosts: Annotated[
        bool,
        typer.Option("--ghosts/--side-by-side", help="Several runs in one picture, or beside each other."),
    ] = False,
    model: Annotated[
        str | None,
        typer.Option("--model", "-m", metavar="MODEL", help="A name or a plug-in, instead of the one the run names."),
    ] = None,
    size: SizeOption = "1280x720",
    fps: FpsOption = 30.0,
    speed: SpeedOption = 1.0,
    camera: CameraOption = "follow",
    begin: FromOption = None,
    end: ToOption = None,
    at: AtOption = None,
) -> None:
    """Show a run in 3-D: in a window, in a browser, or in files (--record, --export), which need no display.

    Keys: space pauses, arrows step and scrub, + and - change the speed, c the camera, h shows the others.
    """
    from hybridsim.cli import show
    from hybridsim.viewer.options import ViewOptions, size_of

    options = ViewOptions(size_of(size), fps, speed, camera, begin, end, at)
    layout = "ghosts" if ghosts else "side-by-side"
    if not show.show(files, model, record, export, web, layout, options):
        raise typer.Exit(INTERRUPTED)


@app.command(epilog=_examples("verify runs/slip.h5", "verify walker.h5 --model ./walker.py"))
def verify(
    file: Annotated[Path, typer.Argument(metavar="RUN.h5", help="What `run` wrote.")],
    model: Annotated[
        str | None,
        typer.Option("--model", "-m", metavar="MODEL", help="A name or a plug-in, instead of the one the run names."),
    ] = None,
) -> None:
    """Check that a run is a solution of its model: flow, boundaries, jumps, outputs, everything in the file.

    The flow is integrated again by another method, from row to row. Exit code: 0 a solution, 1 not one, 2 bad input.
    """
    from hybridsim.cli import console
    from hybridsim.verification import verify

    with console.verifying():
        report = verify(file, model)
    console.show_report(report)
    raise typer.Exit(OK if report.ok else UNFINISHED)


@app.command(epilog=_examples("models", "models slip", "models ./hopper.py"))
def models(
    name: Annotated[str | None, typer.Argument(metavar="MODEL", help="A name, or the path of a plug-in.")] = None,
) -> None:
    """List the installed models, or describe one: states, parameters, charts, boundaries, outputs."""
    from hybridsim.cli import console
    from hybridsim.model.parts import Part
    from hybridsim.model.registry import available_models, load_model_or_part

    if name is None:
        console.show_models(available_models())
        return
    found = load_model_or_part(name)
    if isinstance(found, Part):
        console.show_part(found)
    else:
        console.show_model(found)


@app.command(epilog=_examples("check configs/slip.yaml", "check hopper.py", "check slip"))
def check(
    target: Annotated[
        str, typer.Argument(metavar="CONFIG|PLUGIN", help="A config, a plug-in file, or a model's name.")
    ],
) -> None:
    """Check a config as `run` would, or a plug-in against the contract of all models."""
    if Path(target).suffix == ".py" or not (Path(target).exists() or Path(target).suffix):
        from hybridsim.model.parts import Part
        from hybridsim.model.registry import load_model_or_part
        from hybridsim.testing import check_model, check_part

        found = load_model_or_part(target)
        typer.echo(check_part(found) if isinstance(found, Part) else check_model(found))
        return
    from hybridsim.cli import console
    from hybridsim.config import load_run_or_sweep
    from hybridsim.config.sweep.sweeping import SweepConfig

    settings = load_run_or_sweep(target)
    if isinstance(settings, SweepConfig):
        _check_sweep(settings, target)
        return
    from hybridsim.simulation import Simulation

    console.show_notes(settings.notes)
    Simulation.from_config(settings)
    typer.echo(f"{target}: fine; next: hybridsim run {target}")


def _check_sweep(settings: SweepConfig, target: str) -> None:
    """The plan is made and the engine prepared as `sweep` would, and nothing is computed."""
    from hybridsim.cli import console
    from hybridsim.sweeps.batch import Worker
    from hybridsim.sweeps.plan import Plan

    console.show_notes(settings.run.notes)
    plan = Plan(settings)
    Worker(settings)
    typer.echo(f"{target}: fine, {plan.n_rows:,} runs; next: hybridsim sweep {target}")


@app.command(epilog=_examples("new hopper"))
def new(name: Annotated[str, typer.Argument(metavar="NAME", help="Of the model: an identifier.")]) -> None:
    """Write NAME.py, a small plug-in to start from, and NAME.yaml, a config that runs it."""
    from hybridsim.cli.template import write_plugin

    plugin, config = write_plugin(name, Path.cwd())
    typer.echo(f"wrote {plugin.name} and {config.name}; next: hybridsim run {config.name}")


@app.command(epilog=_examples("schema > hybridsim.schema.json"))
def schema() -> None:
    """Print the JSON schema of configs, for editors."""
    import json

    from hybridsim.config import json_schema

    typer.echo(json.dumps(json_schema(), indent=2))

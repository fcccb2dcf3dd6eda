"""The command line. Each command is short and imports what it needs when it is called: `--help` waits for nothing."""

from __future__ import annotations

import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hybridsim.errors import ConfigError, HybridsimError

if TYPE_CHECKING:
    from hybridsim.config import RunConfig
    from hybridsim.engine.status import Status

DEFAULT_CONFIG = "SimSect.rc"
OK, UNFINISHED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130


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
        from hybridsim import __version__

        typer.echo(f"hybridsim {__version__}")
        raise typer.Exit


@app.callback(epilog=_examples("run configs/slip.yaml", "plot slip.h5", "new hopper"))
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
    config: Annotated[
        str | None, typer.Option("--config", "-c", metavar="FILE", help="The config, as SimSect took it.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print the resolved config with the origin of every value, and stop.")
    ] = False,
) -> None:
    """Run a simulation, write its files and say how it ended.

    Exit code: 0 final time or a stop reached, 1 ended otherwise (data kept), 2 bad input, 130 Ctrl-C (data kept).
    """
    from hybridsim import screen
    from hybridsim.config import load_config

    path, overrides = _sorted_arguments(arguments or [], config)
    settings = load_config(path, overrides)
    screen.show_notes(settings.notes)
    if dry_run:
        screen.show_config(settings)
    else:
        raise typer.Exit(_exit_code(_run(settings)))


def _sorted_arguments(arguments: list[str], option: str | None) -> tuple[str, list[str]]:
    """The one config and the overrides.

    Raises
    ------
    ConfigError : two configs, or none and no SimSect.rc here.
    """
    configs = [argument for argument in arguments if "=" not in argument]
    configs += [] if option is None else [option]
    if len(configs) > 1:
        raise ConfigError(
            f"command line: {', '.join(map(repr, configs))}: expected one config; give one, and overrides as key=value"
        )
    if not configs and not Path(DEFAULT_CONFIG).is_file():
        raise ConfigError(
            f"command line: expected a config, and there is no {DEFAULT_CONFIG} in this folder; "
            "write hybridsim run CONFIG"
        )
    return (configs or [DEFAULT_CONFIG])[0], [argument for argument in arguments if "=" in argument]


def _run(settings: RunConfig) -> Status:
    """Compute and write; what fails on the user's side does so before the integration."""
    from hybridsim import screen
    from hybridsim.output import save_results, save_start
    from hybridsim.simulation import Simulation

    with screen.preparing():
        simulation = Simulation.from_config(settings)
    output = settings.output
    base = output.base or (settings.source.stem if settings.source else settings.model.name)
    _, _, x = simulation.start
    initial = dict(zip(settings.model.states.names, x.tolist(), strict=True))
    files = save_start(output.folder, base, output.formats, initial, settings.parameters)
    with screen.Progress(settings) as progress:
        result = simulation.run(progress)
    # Another Ctrl-C must not lose what the first one kept.
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        files += save_results(result, output.folder, base, output.formats)
    finally:
        signal.signal(signal.SIGINT, before)
    screen.show_summary(result, files)
    return result.status


def _exit_code(status: Status) -> int:
    if status.name == "INTERRUPTED":
        return INTERRUPTED
    return OK if status.ok else UNFINISHED


@app.command(epilog=_examples("plot runs/slip.h5", "plot runs/slip.h5 y leg_force -o runs/slip.pdf"))
def plot(
    file: Annotated[Path, typer.Argument(metavar="RUN.h5", help="What `run` wrote.")],
    outputs: Annotated[
        list[str] | None, typer.Argument(metavar="OUTPUT", help="Outputs or states; all if none is named.")
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help=".png, .pdf or .svg; RUN.png beside the run by default."),
    ] = None,
) -> None:
    """Draw outputs against time, with charts shaded and events marked."""
    from hybridsim.output import load_run
    from hybridsim.plotting import plot_run

    picture = picture or file.with_suffix(".png")
    plot_run(load_run(file), outputs or [], picture)
    typer.echo(f"wrote {picture}")


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
    from hybridsim import screen
    from hybridsim.verification import verify

    with screen.verifying():
        report = verify(file, model)
    screen.show_report(report)
    raise typer.Exit(OK if report.ok else UNFINISHED)


@app.command(epilog=_examples("models", "models slip", "models ./hopper.py"))
def models(
    name: Annotated[str | None, typer.Argument(metavar="MODEL", help="A name, or the path of a plug-in.")] = None,
) -> None:
    """List the installed models, or describe one: states, parameters, charts, boundaries, outputs."""
    from hybridsim import screen
    from hybridsim.registry import available_models, load_model

    if name is None:
        screen.show_models(available_models())
    else:
        screen.show_model(load_model(name))


@app.command(epilog=_examples("check configs/slip.yaml", "check hopper.py", "check slip"))
def check(
    target: Annotated[
        str, typer.Argument(metavar="CONFIG|PLUGIN", help="A config, a plug-in file, or a model's name.")
    ],
) -> None:
    """Check a config as `run` would, or a plug-in against the contract of all models."""
    if Path(target).suffix == ".py" or not (Path(target).exists() or Path(target).suffix):
        from hybridsim.testing import check_model

        typer.echo(check_model(target))
        return
    from hybridsim import screen
    from hybridsim.config import load_config
    from hybridsim.simulation import Simulation

    settings = load_config(target)
    screen.show_notes(settings.notes)
    Simulation.from_config(settings)
    typer.echo(f"{target}: fine; next: hybridsim run {target}")


@app.command(epilog=_examples("new hopper"))
def new(name: Annotated[str, typer.Argument(metavar="NAME", help="Of the model: an identifier.")]) -> None:
    """Write NAME.py, a small plug-in to start from, and NAME.yaml, a config that runs it."""
    from hybridsim.template import write_plugin

    plugin, config = write_plugin(name, Path.cwd())
    typer.echo(f"wrote {plugin.name} and {config.name}; next: hybridsim run {config.name}")


@app.command(epilog=_examples("schema > hybridsim.schema.json"))
def schema() -> None:
    """Print the JSON schema of configs, for editors."""
    import json

    from hybridsim.config import json_schema

    typer.echo(json.dumps(json_schema(), indent=2))

"""The command line's entry point. Commands import what they need when they are called, so that `--help` is fast."""

from __future__ import annotations

import contextlib
import os
import sys
import warnings
from typing import Annotated, TextIO

import typer

from hybridsim.cli import (
    check,
    equilibrium,
    identify,
    linearize,
    models,
    new,
    optimize,
    orbit_bifurcation,
    orbit_continue,
    orbit_find,
    orbit_maps,
    orbit_measure,
    orbit_table,
    plot,
    prove,
    run,
    schema,
    sweep,
    verify,
    view,
)
from hybridsim.cli.exit_codes import BAD_INPUT, UNFINISHED, show_error
from hybridsim.cli.options import CommandWithKeys, examples
from hybridsim.errors import CacheWarning, HybridsimError

app = typer.Typer(
    name="hybridsim",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def main() -> None:
    """Run the command line; a user's mistake ends it with a message and exit code 2, never with a traceback.

    A file that the system refuses, whose name is too long for instance, is such a mistake. Where standard output or
    error cannot be written (a full disk), the exit code is 1; a closed pipe is no error to report.
    """
    warnings.showwarning = _show_warning
    try:
        command(["--version"] if "--version" in sys.argv[1:] else None)  # behind a command, too
    except HybridsimError as error:
        show_error(str(error))
        sys.exit(BAD_INPUT)
    except OSError as problem:
        lost = _unwritable_stream()
        if not lost and problem.filename is None:
            raise
        with contextlib.suppress(OSError):
            refused = f"{problem.filename}: {problem.strerror}; check this path, or choose another"
            show_error(lost or refused)
        sys.exit(UNFINISHED if lost else BAD_INPUT)


def _unwritable_stream() -> str:
    """Return which standard stream cannot be written, as a sentence; "" if both can. What it still holds is dropped."""
    for name, stream in (("standard output", sys.stdout), ("standard error", sys.stderr)):
        try:
            stream.write("\n")  # text that failed before may be dropped, so that flushing alone tells nothing
            stream.flush()
        except OSError as problem:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())  # or Python fails again at its end
            return f"{name}: cannot be written ({problem.strerror}); direct it to a file with room"
    return ""


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Print a warning of hybridsim as a note, and others as Python does; for the arguments see `showwarning`."""
    if issubclass(category, CacheWarning):
        from hybridsim.cli import console

        console.show_notes([str(message)])
    else:
        (file or sys.stderr).write(warnings.formatwarning(message, category, filename, lineno, line))


def _show_version(requested: bool) -> None:
    if requested:
        from hybridsim import __version__

        typer.echo(f"hybridsim {__version__}")
        raise typer.Exit


@app.callback(epilog=examples("run configs/slip.yaml", "view slip.h5", "plot slip.h5", "sweep map.yaml", "new hopper"))
def hybridsim(
    version: Annotated[
        bool, typer.Option("--version", "-V", callback=_show_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Simulate hybrid systems: flows in charts, events at their boundaries, transitions between them."""


@app.command("version", hidden=True)
def print_version() -> None:
    """Print the version and exit."""
    _show_version(True)


orbit = typer.Typer(
    no_args_is_help=True, rich_markup_mode="rich", help="Find periodic motions, follow and measure them."
)
orbit.command("find", epilog=orbit_find.EXAMPLES, cls=CommandWithKeys)(orbit_find.find)
orbit.command("find-all", epilog=orbit_find.ALL_EXAMPLES, cls=CommandWithKeys)(orbit_find.find_all)
orbit.command("continue", epilog=orbit_continue.EXAMPLES, cls=CommandWithKeys)(orbit_continue.continue_)
orbit.command("bifurcation", epilog=orbit_bifurcation.EXAMPLES, cls=CommandWithKeys)(orbit_bifurcation.bifurcation)
orbit.command("measure", epilog=orbit_measure.EXAMPLES)(orbit_measure.measure)
orbit.command("map", epilog=orbit_maps.MAP_EXAMPLES, cls=CommandWithKeys)(orbit_maps.map_)
orbit.command("basin", epilog=orbit_maps.BASIN_EXAMPLES, cls=CommandWithKeys)(orbit_maps.basin)
orbit.command("table", epilog=orbit_table.EXAMPLES, cls=CommandWithKeys)(orbit_table.table)

app.command(epilog=run.EXAMPLES, cls=CommandWithKeys)(run.run)
app.command(epilog=sweep.EXAMPLES, cls=CommandWithKeys)(sweep.sweep)
app.add_typer(orbit, name="orbit")
app.command(epilog=plot.EXAMPLES)(plot.plot)
app.command(epilog=view.EXAMPLES)(view.view)
app.command(epilog=verify.EXAMPLES)(verify.verify)
app.command(epilog=prove.EXAMPLES)(prove.prove)
app.command(epilog=models.EXAMPLES)(models.models)
app.command(epilog=linearize.EXAMPLES, cls=CommandWithKeys)(linearize.linearize)
app.command(epilog=equilibrium.EXAMPLES, cls=CommandWithKeys)(equilibrium.equilibrium)
app.command(epilog=identify.EXAMPLES, cls=CommandWithKeys)(identify.identify)
app.command(epilog=optimize.EXAMPLES, cls=CommandWithKeys)(optimize.optimize)
app.command(epilog=check.EXAMPLES)(check.check)
app.command(epilog=new.EXAMPLES)(new.new)
app.command(epilog=schema.EXAMPLES)(schema.schema)

command = typer.main.get_command(app)
"""The command line: made once, which takes longer than to parse one."""

"""`hybridsim equilibrium`: a state of one chart in which nothing moves, and where it goes as a parameter varies."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hybridsim.cli.options import ConfigOption, config_and_overrides, config_argument, examples
from hybridsim.cli.orbit_find import expecting_orbits, refuse_file
from hybridsim.cli.ranges import Range, ranges_in, with_sections
from hybridsim.errors import ConfigError

if TYPE_CHECKING:
    from hybridsim.config import RunConfig

EXAMPLES = examples(
    "equilibrium configs/walkers/compass_gait.yaml",
    "equilibrium dry_friction --chart slower initial.x=0.1",
    "equilibrium brusselator.py parameters.b=1..3 -o equilibria.png",
    "equilibrium brusselator.py parameters.b=1..3 -o equilibria.h5",
)
RANGE_EXAMPLE = "parameters.b=1..3"

Arguments = Annotated[
    list[str] | None,
    config_argument(
        "A config, whose initial state is the guess; values that override the file's; and the range of a parameter, "
        "KEY=FROM..TO, to follow the equilibrium through."
    ),
]
ChartOption = Annotated[
    str | None, typer.Option("--chart", metavar="NAME", help="The chart; by default the one in which the run begins.")
]
OutputOption = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", help="An .h5 of what is found; or a picture of a range: .png, ..."),
]


def equilibrium(
    arguments: Arguments = None, config: ConfigOption = None, chart: ChartOption = None, output: OutputOption = None
) -> None:
    """Find a state of a chart in which nothing moves, its eigenvalues, and its bifurcations as a parameter varies.

    At a Hopf point an orbit begins, which `hybridsim.continue_orbit` follows.

    Exit code: 0 found, 1 there is none near the initial state, 2 bad input.
    """
    from hybridsim.analysis import continue_equilibrium
    from hybridsim.analysis.equilibria import find_equilibrium_of
    from hybridsim.cli import console

    ranges, others = ranges_in(arguments or [], RANGE_EXAMPLE)
    path, overrides = config_and_overrides(others, config, "equilibrium")
    picture = output if output is not None and output.suffix != ".h5" else None
    if output is not None and picture is None:
        refuse_file(output)
    if len(ranges) > 1 or (picture and not ranges):
        raise ConfigError(
            f"command line: expected the range of one parameter, found {len(ranges)}; write for example {RANGE_EXAMPLE}"
        )
    settings = _load(path, overrides)
    console.show_notes(settings.notes)
    (given, ends), number = _range(settings, path, overrides, ranges), chart
    if given is not None:
        settings = _load(path, [*overrides, f"{given.key}={given.low}"])
    with expecting_orbits():
        found = find_equilibrium_of(settings, int(number) if number is not None and number.isdecimal() else number)
    console.show_equilibrium(found)
    console.show_notes(found.warnings if given is None else ())
    branch = None if given is None else continue_equilibrium(found, given.name, to=ends[1])
    if branch is not None:
        console.show_equilibria(branch)
    if output is not None:
        branch.plot(output) if branch and picture else (branch or found).save(output)
        typer.echo(f"wrote {output}")


def _load(path: str, overrides: list[str]) -> "RunConfig":
    from hybridsim.config import load_config

    return load_config(path, overrides, open_ended=True)


def _range(
    settings: "RunConfig", path: str, overrides: list[str], ranges: list[Range]
) -> tuple[Range | None, tuple[float, float]]:
    """Return the range of a parameter, None without one, and its ends in the units of the model."""
    if not ranges:
        return None, (0.0, 0.0)
    (given,) = with_sections(ranges, settings)
    if given.section not in ("parameters", "initial"):
        raise ConfigError(f"command line: {given.key}: expected a parameter; write for example {RANGE_EXAMPLE}")
    return given, given.ends(lambda more: _load(path, [*overrides, *more]))

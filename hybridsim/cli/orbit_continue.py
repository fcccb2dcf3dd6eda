"""`hybridsim orbit continue`: a periodic motion is followed through a parameter."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hybridsim.cli import interruption
from hybridsim.cli.exit_codes import OK, UNFINISHED
from hybridsim.cli.options import config_and_overrides, config_argument, examples
from hybridsim.cli.orbit_find import default_file, found, load, refuse_file
from hybridsim.errors import ConfigError

if TYPE_CHECKING:
    from hybridsim.analysis import Branch
    from hybridsim.config import RunConfig

EXAMPLES = examples(
    "orbit continue configs/walkers/orbits/simplest_walker.yaml parameters.slope=0.001..0.019 --max-period 8",
    'orbit continue gait.h5 "parameters.slope=3 deg..5.2 deg" --max-period 4 -o branch.h5',
    'orbit continue gait.h5 "parameters.slope=3 deg..5.2 deg" --max-period 4 -o branch.h5 --resume',
)

Arguments = Annotated[
    list[str] | None,
    config_argument(
        "A config with a section `orbit`, or the file of an orbit; the range of a parameter, KEY=FROM..TO; and values "
        "that override the file's."
    ),
]
MaxPeriodOption = Annotated[
    int | None,
    typer.Option(
        "--max-period", metavar="N", help="Follow branches of doubled period, too, up to this number of strides."
    ),
]
ResumeOption = Annotated[bool, typer.Option("--resume", help="Go on with an interrupted branch in the file.")]
FileOption = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE.h5", help="The file; by default named like the config, with -branch."),
]
RANGE = ".."


def continue_(
    arguments: Arguments = None,
    max_period: MaxPeriodOption = None,
    resume: ResumeOption = False,
    output: FileOption = None,
) -> None:
    """Follow a periodic motion through a parameter, round turning points, and find its bifurcations.

    Exit code: 0 done, 1 there is no such orbit, 2 bad input, 130 Ctrl-C, 143 SIGTERM (kept; --resume continues).
    """
    from hybridsim.analysis.newton import NoOrbitError
    from hybridsim.cli import console

    words = arguments or []
    path, overrides = config_and_overrides(
        [word for word in words if RANGE not in word.partition("=")[2]], None, "orbit continue"
    )
    parameter, ends = console.with_confirmation(lambda: _range(path, words, overrides))
    file = output or default_file(ends[0], Path(path), "branch")
    refuse_file(file)
    try:
        branch = _followed(ends, parameter, max_period, file if resume else None)
    except NoOrbitError as problem:
        typer.secho(str(problem), fg="red", err=True)
        raise typer.Exit(UNFINISHED) from None
    branch.save(file)
    console.show_branch(branch, file)
    if not branch.complete:
        command = shlex.join(["hybridsim", "orbit", "continue", *words, *_given(max_period, output), "--resume"])
        typer.echo(f"interrupted; the branch so far is kept in {file}; continue with: {command}", err=True)
    raise typer.Exit(OK if branch.complete else interruption.exit_code())


def _given(max_period: int | None, output: Path | None) -> list[str]:
    options = {"--max-period": max_period, "--output": output}
    return [word for name, value in options.items() if value is not None for word in (name, str(value))]


def _range(
    path: str, words: list[str], overrides: list[str]
) -> tuple[str, tuple["RunConfig", "RunConfig", "RunConfig"]]:
    """Return the parameter's name, and the config as it is and with the first and the last value of the range."""
    ranges = [word for word in words if RANGE in word.partition("=")[2]]
    if len(ranges) != 1:
        raise ConfigError(
            f"command line: expected the range of one parameter, found {len(ranges)}; write for example "
            "parameters.slope=0.001..0.019"
        )
    key, _, text = ranges[0].partition("=")
    low, _, high = text.partition(RANGE)
    if not (low.strip() and high.strip()) or RANGE in high:
        raise ConfigError(
            f"command line: {key}: expected FROM..TO, found {text!r}; write for example {key}=0.001..0.019"
        )
    section, _, name = key.strip().rpartition(".")
    if section not in ("parameters", "initial"):
        raise ConfigError(
            f"command line: {key}: expected a parameter, or a state that strides leave as it is; write for example "
            "parameters.slope=0.001..0.019"
        )
    first, last = (load(path, [*overrides, f"{key}={value}"]) for value in (low, high))
    return name, (load(path, overrides), first, last)


def _followed(
    ends: tuple["RunConfig", "RunConfig", "RunConfig"], parameter: str, max_period: int | None, earlier: Path | None
) -> "Branch":
    """Follow the orbit, or go on with the branch in an earlier file."""
    from hybridsim.analysis import continue_orbit, load_branch, orbit_at, resume_branch
    from hybridsim.analysis.branch import refuse_parameter
    from hybridsim.cli import console

    values = [_value(config, parameter) for config in ends[1:]]
    if earlier is not None and earlier.exists():
        branch = console.with_confirmation(lambda: load_branch(earlier))
        if branch.parameter != parameter or branch.to != values[1]:
            raise ConfigError(
                f"{earlier}: a branch of {branch.parameter} up to {branch.to:g}, expected one of {parameter} up to "
                f"{values[1]:g}; leave --resume out, or choose another file with -o FILE"
            )
        with interruption.raising(), console.BranchProgress(parameter, *values) as progress:
            return resume_branch(branch, progress=progress)
    orbit = found(ends[0])
    refuse_parameter(orbit, parameter)
    with interruption.raising(), console.BranchProgress(parameter, *values) as progress:
        orbit = orbit_at(orbit, parameter, values[0])
        return continue_orbit(orbit, parameter, to=values[1], max_period=max_period, progress=progress)


def _value(config: "RunConfig", parameter: str) -> float:
    value = {**config.parameters, **config.initial}[parameter]
    if not isinstance(value, float | int):
        raise ConfigError(
            f"{config.model.name}: {parameter} is no real number, so orbits cannot be followed through it"
        )
    return float(value)

"""`hybridsim orbit continue`: a periodic motion is followed through a parameter."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hybridsim.cli import interruption
from hybridsim.cli.exit_codes import OK
from hybridsim.cli.options import ModelOption, config_and_overrides, config_argument, examples, words_of
from hybridsim.cli.orbit_find import default_file, expecting_orbits, load, look_for, refuse_file
from hybridsim.cli.ranges import Range, ranges_in, with_sections
from hybridsim.errors import ConfigError

if TYPE_CHECKING:
    from hybridsim.analysis import Branch
    from hybridsim.config import RunConfig

EXAMPLES = examples(
    "orbit continue configs/walkers/orbits/simplest_walker.yaml parameters.slope=0.001..0.019 --max-strides 8",
    'orbit continue gait.h5 "parameters.slope=3 deg..5.2 deg" --max-strides 4 -o branch.h5',
    'orbit continue gait.h5 "parameters.slope=3 deg..5.2 deg" --max-strides 4 -o branch.h5 --resume',
)

Arguments = Annotated[
    list[str] | None,
    config_argument(
        "A config with a section `orbit`, or the file of an orbit; the range of a parameter, KEY=FROM..TO; and values "
        "that override the file's."
    ),
]
MaxStridesOption = Annotated[
    int | None,
    typer.Option(
        "--max-strides", metavar="N", help="Follow branches of doubled period, too, up to this number of strides."
    ),
]
ResumeBranchOption = Annotated[bool, typer.Option("--resume", help="Go on with an interrupted branch in the file.")]
BranchFileOption = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE.h5", help="The file; by default named like the config, with -branch."),
]
RANGE_EXAMPLE = "parameters.slope=0.001..0.019"


def continue_(
    arguments: Arguments = None,
    max_strides: MaxStridesOption = None,
    resume: ResumeBranchOption = False,
    output: BranchFileOption = None,
    model: ModelOption = None,
) -> None:
    """Follow a periodic motion through a parameter, round turning points, and find its bifurcations.

    The branch begins at FROM; if the motion does not exist there, where it is found, and goes both ways.

    Exit code: 0 done, 1 there is no such orbit, 2 bad input, 130 Ctrl-C, 143 SIGTERM (kept; --resume continues).
    """
    from hybridsim.cli import console

    words = arguments or []
    ranges, others = ranges_in(words, RANGE_EXAMPLE)
    path, overrides = config_and_overrides(others, None, "orbit continue")
    settings, given, ends = console.with_confirmation(lambda: _read(path, overrides, ranges, model))
    file = output or default_file(settings, Path(path), "branch")
    refuse_file(file)
    with expecting_orbits():
        if resume and file.exists():
            branch = _resume(file, given.name, ends, model)
        else:
            console.show_notes([f"there is no {file} yet, so the branch begins"] if resume else [])
            branch = _follow(settings, given.name, ends, max_strides, file)
    branch.save(file)
    console.show_branch(branch, file)
    if not branch.complete:
        given_options = words_of({"--max-strides": max_strides, "--output": output, "--model": model})
        command = shlex.join(["hybridsim", "orbit", "continue", *words, *given_options, "--resume"])
        typer.echo(f"interrupted; the branch so far is kept in {file}; continue with: {command}", err=True)
    raise typer.Exit(OK if branch.complete else interruption.exit_code())


def one_parameter(ranges: list[Range]) -> Range:
    """Return the only range; raise a ConfigError if there are several, or it is not that of a parameter."""
    if len(ranges) != 1:
        raise ConfigError(
            f"command line: expected the range of one parameter, found {len(ranges)}; write for example {RANGE_EXAMPLE}"
        )
    if ranges[0].section not in ("parameters", "initial"):
        raise ConfigError(
            f"command line: {ranges[0].key}: expected a parameter, or a state that strides leave as it is; write for "
            f"example {RANGE_EXAMPLE}"
        )
    return ranges[0]


def _read(
    path: str, overrides: list[str], ranges: list[Range], model: str | None
) -> tuple["RunConfig", Range, tuple[float, float]]:
    """Return the config, the range of one parameter, and its ends in the units of the model."""
    settings = load(path, overrides, model)
    given = one_parameter(with_sections(ranges, settings))
    return settings, given, given.ends(lambda more: load(path, [*overrides, *more], model))


def _resume(file: Path, parameter: str, ends: tuple[float, float], model: str | None) -> "Branch":
    """Go on with the branch in a file."""
    from hybridsim.analysis import load_branch, resume_branch
    from hybridsim.cli import console
    from hybridsim.results.progress import BranchProgress

    branch = console.with_confirmation(lambda: load_branch(file, model))
    if branch.parameter != parameter or branch.to not in ends:
        raise ConfigError(
            f"{file}: a branch of {branch.parameter} up to {branch.to:g}, expected one of {parameter} up to "
            f"{ends[1]:g}; leave --resume out, or choose another file with -o FILE"
        )
    with interruption.raising(), BranchProgress(parameter, *ends) as progress:
        return resume_branch(branch, file=file, progress=progress)


def _follow(
    settings: "RunConfig", parameter: str, ends: tuple[float, float], max_strides: int | None, file: Path
) -> "Branch":
    """Follow the orbit from one end to the other; both ways if it does not exist at the first end."""
    from hybridsim.analysis import continue_orbit, orbit_at
    from hybridsim.analysis.newton import NoOrbitError
    from hybridsim.analysis.parameters import refuse_parameter, value_of
    from hybridsim.cli import console
    from hybridsim.results.progress import BranchProgress

    orbit = look_for(settings)
    refuse_parameter(orbit, parameter)
    (begin, to), back_to = ends, None
    with interruption.raising(), BranchProgress(parameter, begin, to) as progress:
        try:
            orbit = orbit_at(orbit, parameter, begin)
        except NoOrbitError:
            here = value_of(orbit, parameter)
            if min(ends) < here < max(ends):
                back_to, way = begin, "both ways"
            else:
                orbit, to, way = orbit_at(orbit, parameter, to), begin, f"from {to:.6g}"
            console.show_notes(
                [f"the orbit at {parameter} = {here:.6g} does not reach {begin:.6g}: it is followed {way}"]
            )
        return continue_orbit(
            orbit, parameter, to=to, back_to=back_to, max_strides=max_strides, file=file, progress=progress
        )

"""`hybridsim orbit bifurcation`: a bifurcation of a branch is followed through a second parameter."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hybridsim.cli import interruption
from hybridsim.cli.exit_codes import OK
from hybridsim.cli.options import ModelOption, examples
from hybridsim.cli.orbit_continue import one_parameter
from hybridsim.cli.orbit_find import expecting_orbits, load, refuse_file
from hybridsim.cli.ranges import ranges_in, with_sections
from hybridsim.errors import ConfigError

if TYPE_CHECKING:
    from hybridsim.analysis import Bifurcation, BifurcationPoints, Branch

EXAMPLES = examples(
    "orbit bifurcation branch.h5 parameters.m_H=5..20",
    "orbit bifurcation branch.h5 parameters.m_H=5..20 --number 2 -o flips.h5",
)
RANGE_EXAMPLE = "parameters.m_H=5..20"

Arguments = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="BRANCH.h5 KEY=FROM..TO", help="The file of a branch of orbits, and the range of a second parameter."
    ),
]
NumberOption = Annotated[
    int | None,
    typer.Option("--number", metavar="N", help="Which bifurcation of the branch: 1 is the first that it lists."),
]
CurveFileOption = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE.h5", help="The file; by default named like the branch."),
]


def bifurcation(
    arguments: Arguments = None, number: NumberOption = None, output: CurveFileOption = None, model: ModelOption = None
) -> None:
    """Follow a fold, branch point, flip or torus of a branch through a second parameter, and find special points.

    The curve goes both ways from the bifurcation, to FROM and to TO. `hybridsim plot` draws the file.

    Exit code: 0 done, 1 there is no such orbit, 2 bad input, 130 Ctrl-C, 143 SIGTERM (what was found is kept).
    """
    from hybridsim.analysis import load_branch
    from hybridsim.cli import console

    ranges, others = ranges_in(arguments or [], RANGE_EXAMPLE)
    if len(others) != 1 or not others[0].endswith(".h5"):
        raise ConfigError(
            "command line: expected the file of one branch, which `hybridsim orbit continue` writes; give for example "
            f"branch.h5 {RANGE_EXAMPLE}"
        )
    path = Path(others[0])
    branch = console.with_confirmation(lambda: load_branch(path, model))
    given = one_parameter(with_sections(ranges, branch.orbit.config))
    if given.name == branch.parameter:
        raise ConfigError(
            f"parameters: expected two different ones, and the branch goes along {given.name} itself; give another one"
        )
    here = [f"{'initial' if branch.parameter in branch.orbit.x else 'parameters'}.{branch.parameter}={branch.to}"]
    ends = given.ends(lambda more: load(str(path), [*here, *more], model))
    file = output or path.with_name(f"{path.stem}-bifurcation.h5")
    refuse_file(file)
    with expecting_orbits():
        points = _follow(branch, _chosen(branch, path, number), given.name, ends)
    points.save(file)
    console.show_bifurcations(points, file)
    raise typer.Exit(interruption.exit_code() if any("interrupted" in note for note in points.notes) else OK)


def _chosen(branch: "Branch", path: Path, number: int | None) -> "Bifurcation":
    """Return the bifurcation with a number, or the only one that can be followed."""
    from hybridsim.analysis.two_parameters import FOLLOWED

    listed = dict(enumerate(branch.bifurcations, 1))
    can_be = {i: each for i, each in listed.items() if each.kind in FOLLOWED}
    if number is None and len(can_be) == 1:
        (number,) = can_be
    if number not in listed:
        there = (
            ", ".join(f"{i}: {each.kind} at {each.value:.6g}" for i, each in can_be.items()) or "none can be followed"
        )
        raise ConfigError(f"{path}: which of its bifurcations ({there})? choose one with --number N")
    return listed[number]


def _follow(branch: "Branch", chosen: "Bifurcation", name: str, ends: tuple[float, float]) -> "BifurcationPoints":
    from hybridsim.analysis import continue_bifurcation
    from hybridsim.analysis.parameters import refuse_parameter, value_of
    from hybridsim.results.progress import BranchProgress

    refuse_parameter(chosen.orbit, name)
    here, (back_to, to) = value_of(chosen.orbit, name), ends
    if not min(ends) <= here <= max(ends):
        raise ConfigError(f"command line: the bifurcation is at {name} = {here:.6g}; give a range that contains it")
    to, back_to = (back_to, to) if to == here else (to, back_to)
    with interruption.raising(), BranchProgress(name, *ends) as progress:
        return continue_bifurcation(
            chosen, (branch.parameter, name), to=to, back_to=None if back_to == here else back_to, progress=progress
        )

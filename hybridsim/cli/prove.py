"""`hybridsim prove`: a theorem about an orbit or a branch of orbits, and a check of its certificate."""

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hybridsim.cli import interruption
from hybridsim.cli.exit_codes import OK, UNFINISHED, show_error
from hybridsim.cli.options import ModelOption, examples, words_of
from hybridsim.cli.ranges import Range, ranges_in
from hybridsim.errors import ConfigError

if TYPE_CHECKING:
    from hybridsim.proofs import BranchTheorem, Theorem

EXAMPLES = examples(
    "prove gait.h5",
    "prove gait.h5 --digits 30",
    'prove gait.h5 "parameters.slope=2.99999999 deg..3.00000001 deg"',
    "prove branch.h5 --workers 2",
    'prove branch.h5 "parameters.slope=2.9 deg..3.1 deg" --resume',
    "prove --check gait.proof.json",
)
EXAMPLE_OF_RANGE = "parameters.amplitude=0.5999..0.6001"


def prove(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE.h5", help="An orbit or a branch; with --check, a certificate."),
    ],
    intervals: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="KEY=FROM..TO",
            help="A parameter that takes all values of an interval; the orbit's is one of them. Of a branch, its part.",
        ),
    ] = None,
    *,
    digits: Annotated[
        int | None, typer.Option("--digits", metavar="N", help="Digits to which the state is to be known, else 14.")
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Check a certificate instead, by other code; needs no python-flint.")
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE.json", help="The certificate; by default next to the orbit, .proof.json."
        ),
    ] = None,
    curve: Annotated[int, typer.Option("--curve", metavar="N", help="The curve of a branch, by its number.")] = 0,
    workers: Annotated[
        int, typer.Option("--workers", metavar="N", min=1, help="Processes for the pieces of a branch.")
    ] = 1,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the pieces of a branch in the folder beside it.")
    ] = False,
    model: ModelOption = None,
) -> None:
    """Prove that an orbit exists, is the only one nearby, and is stable or not, for the functions of its model.

    A branch is proven piece by piece, and so is each of its period doublings; pieces are kept in a folder, .pieces.

    The theorem is printed with all that it assumes (docs/proofs.md); a certificate is written beside the orbit. Needs
    python-flint: pip install 'hybridsim[prove]'.

    Exit code: 0 proven, or the certificate holds; 1 refused, or a part of a branch, with the reason, where, and what to
    try; 2 bad input; 130 Ctrl-C, 143 SIGTERM (finished pieces are kept; --resume continues).
    """
    of_branch = {"--curve": curve, "--workers": workers > 1, "--resume": resume}
    if check:
        _refuse_unused("a check", {"an interval": intervals, "--digits": digits, "--output": output, **of_branch})
        _check(file)
        return
    if output is not None and output.suffix != ".json":
        raise ConfigError(f"--output: {output}: expected a name that ends in .json; give for example gait.proof.json")
    ranges, others = ranges_in(intervals or [], EXAMPLE_OF_RANGE)
    if others or any(each.section != "parameters" for each in ranges):
        raise ConfigError(f"command line: expected the interval of a parameter, for example {EXAMPLE_OF_RANGE}")
    from hybridsim.proofs import NotProvenError
    from hybridsim.proofs.beside import certificate_of
    from hybridsim.results.branches import is_branch

    try:
        if is_branch(file):
            _refuse_unused("a branch", {"--digits": digits})
            options = words_of({"--curve": curve or None, "--workers": workers, "--output": output, "--model": model})
            command = shlex.join(["hybridsim", "prove", str(file), *(intervals or []), *options, "--resume"])
            theorem: Theorem | BranchTheorem = _branch(file, ranges, (curve, workers, resume), model, command)
        else:
            _refuse_unused("an orbit", of_branch)
            theorem = _orbit(file, ranges, 14 if digits is None else digits, model)
    except NotProvenError as refusal:
        show_error(f"not proven: {refusal}")
        raise typer.Exit(UNFINISHED) from None
    certificate = theorem.save(output or certificate_of(file))
    typer.echo(theorem)
    typer.echo(f"\nwritten: {certificate}")
    raise typer.Exit(UNFINISHED if getattr(theorem, "not_proven", ()) else OK)


def _refuse_unused(what: str, given: Mapping[str, object]) -> None:
    """Refuse options that have no meaning here."""
    unused = [name for name, value in given.items() if value not in (None, False, 0, [])]
    if unused:
        raise ConfigError(f"{' and '.join(unused)}: without meaning for {what}; leave it out")


def _orbit(file: Path, ranges: list[Range], digits: int, model: str | None) -> "Theorem":
    from hybridsim.analysis import load_orbit
    from hybridsim.cli import console
    from hybridsim.cli.orbit_find import load
    from hybridsim.proofs import prove as prove_orbit

    orbit = console.with_confirmation(lambda: load_orbit(file, model))
    ends = {each.name: each.ends(lambda more: load(str(file), [*more], model)) for each in ranges}
    with console.busy("proving"):
        return prove_orbit(orbit, digits=digits, parameters=ends)


def _branch(
    file: Path, ranges: list[Range], options: tuple[int, int, bool], model: str | None, command: str
) -> "BranchTheorem":
    """Prove a branch; what is finished is kept in a folder beside it."""
    from hybridsim.analysis import load_branch, prove_branch
    from hybridsim.cli import console
    from hybridsim.cli.orbit_find import load

    branch = console.with_confirmation(lambda: load_branch(file, model))
    if any(each.name != branch.parameter for each in ranges) or len(ranges) > 1:
        raise ConfigError(f"command line: the branch is one over {branch.parameter}; give the range of this one alone")
    interval = [each.ends(lambda more: load(str(file), [*more], model)) for each in ranges]
    curve, workers, resume = options
    folder = file.with_name(f"{file.stem}.pieces")
    try:
        with interruption.raising():
            return prove_branch(
                branch,
                interval=interval[0] if interval else None,
                curve=curve,
                workers=workers,
                folder=folder,
                resume=resume,
            )
    except KeyboardInterrupt:
        typer.echo(f"interrupted; finished pieces are kept in {folder}; continue with: {command}", err=True)
        raise typer.Exit(interruption.exit_code()) from None


def _check(file: Path) -> None:
    from hybridsim.proofs.check import check
    from hybridsim.proofs.check_numbers import RefusedError

    if not file.is_file():
        raise ConfigError(f"{file}: there is no such file; give the certificate that `hybridsim prove` has written")
    try:
        typer.echo(check(file))
    except RefusedError as refusal:
        show_error(f"{file}: the certificate does not hold: {refusal}")
        raise typer.Exit(UNFINISHED) from None

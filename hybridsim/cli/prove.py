"""`hybridsim prove`: a theorem about an orbit, and a check of its certificate."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hybridsim.cli.exit_codes import UNFINISHED, show_error
from hybridsim.cli.options import ModelOption, examples
from hybridsim.cli.ranges import ranges_in
from hybridsim.errors import ConfigError

if TYPE_CHECKING:
    from hybridsim.analysis import Orbit

EXAMPLES = examples(
    "prove gait.h5",
    "prove gait.h5 --digits 30",
    'prove gait.h5 "parameters.slope=2.99999999 deg..3.00000001 deg"',
    "prove --check gait.proof.json",
)
EXAMPLE_OF_RANGE = "parameters.amplitude=0.5999..0.6001"


def prove(
    file: Annotated[
        Path,
        typer.Argument(metavar="ORBIT.h5", help="The file of an orbit; with --check, that of a certificate."),
    ],
    intervals: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="KEY=FROM..TO", help="A parameter that takes all values of an interval; the orbit's is one of them."
        ),
    ] = None,
    *,
    digits: Annotated[
        int, typer.Option("--digits", metavar="N", help="Digits to which the state is to be known.")
    ] = 14,
    check: Annotated[
        bool, typer.Option("--check", help="Check a certificate instead, by other code; needs no python-flint.")
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE.json", help="The certificate; by default next to the orbit, .proof.json."
        ),
    ] = None,
    model: ModelOption = None,
) -> None:
    """Prove that an orbit exists, is the only one nearby, and is stable or not, for the functions of its model.

    The theorem is printed with all that it assumes (docs/proofs.md); a certificate is written beside the orbit. Needs
    python-flint: pip install 'hybridsim[prove]'.

    Exit code: 0 proven, or the certificate holds; 1 refused, with the reason, where, and what to try; 2 bad input.
    """
    if check:
        _check(file)
        return
    if output is not None and output.suffix != ".json":
        raise ConfigError(f"--output: {output}: expected a name that ends in .json; give for example gait.proof.json")
    ranges, others = ranges_in(intervals or [], EXAMPLE_OF_RANGE)
    if others or any(each.section != "parameters" for each in ranges):
        raise ConfigError(f"command line: expected the interval of a parameter, for example {EXAMPLE_OF_RANGE}")
    from hybridsim.analysis import load_orbit
    from hybridsim.cli import console
    from hybridsim.cli.orbit_find import load
    from hybridsim.proofs import NotProvenError
    from hybridsim.proofs import prove as prove_orbit
    from hybridsim.proofs.beside import certificate_of

    orbit: Orbit = console.with_confirmation(lambda: load_orbit(file, model))
    ends = {each.name: each.ends(lambda more: load(str(file), [*more], model)) for each in ranges}
    try:
        with console.busy("proving"):
            theorem = prove_orbit(orbit, digits=digits, parameters=ends)
    except NotProvenError as refusal:
        show_error(f"not proven: {refusal}")
        raise typer.Exit(UNFINISHED) from None
    certificate = theorem.save(output or certificate_of(file))
    typer.echo(theorem)
    typer.echo(f"\nwritten: {certificate}")


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

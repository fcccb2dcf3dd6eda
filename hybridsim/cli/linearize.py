"""`hybridsim linearize`: the matrices A, B, C and D of a config's model at one state, and the eigenvalues of A."""

import math
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hybridsim.cli.options import ConfigOption, config_and_overrides, config_argument, examples
from hybridsim.errors import ConfigError

if TYPE_CHECKING:
    from hybridsim.derivatives import Linearization
    from hybridsim.model import Model

EXAMPLES = examples(
    "linearize configs/slip.yaml",
    "linearize configs/slip.yaml --chart compression --x y=0.9 --x ydot=-0.5",
    "linearize configs/slip.yaml parameters.k=25e3 --output slip.npz",
)

Arguments = Annotated[
    list[str] | None,
    config_argument("A YAML or SimSect rc file, and values that override the file's."),
]
ChartOption = Annotated[
    str | None, typer.Option("--chart", metavar="NAME", help="The chart; by default the one in which the run begins.")
]
XOption = Annotated[
    list[str] | None,
    typer.Option("--x", metavar="STATE=VALUE", help="A state's value; by default the initial one. Repeatable."),
]
TimeOption = Annotated[
    float | None, typer.Option("--t", metavar="T", help="The time, in s; by default that at which the run begins.")
]
AtOption = Annotated[list[str] | None, typer.Option("--at", hidden=True)]
OutputOption = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", help="Write the matrices to a .npz or .csv file, too."),
]


def linearize(
    arguments: Arguments = None,
    config: ConfigOption = None,
    chart: ChartOption = None,
    x: XOption = None,
    t: TimeOption = None,
    output: OutputOption = None,
    at: AtOption = None,
) -> None:
    """Linearize a model at a state of one chart, exactly: xdot = f + A dx + B du, y = h + C dx + D du.

    The derivatives come from the model's own functions, evaluated on dual numbers; see docs/derivatives.md.
    """
    from hybridsim.cli import console
    from hybridsim.config import load_config
    from hybridsim.derivatives.jacobian import linearize_at, point_of

    if at:
        name = "--x" if "=" in at[0] else "--t"
        raise ConfigError(f"--at {at[0]}: there is no such option; it is called {name} here: {name} {at[0]}")
    settings = load_config(*config_and_overrides(arguments or [], config, "linearize"), open_ended=True)
    console.show_notes(settings.notes)
    if output is not None and output.suffix not in (".npz", ".csv"):
        raise ConfigError(f"--output {output}: expected a file that ends in .npz or .csv; give one of these")
    number = int(chart) if chart is not None and chart.isdecimal() else chart
    settings = settings if t is None else replace(settings, initial_time=t)
    found = linearize_at(point_of(settings, _states(x or [], settings.model), number))
    console.show_linearization(found)
    if output is not None:
        _write(found, output)


def _states(texts: list[str], model: "Model") -> dict[str, float]:
    """Take `name=value` apart.

    Raises
    ------
    ConfigError
        If a text has another form, the model has no such state, or its value is no number.
    """
    from hybridsim.model import nearest

    values = {}
    for text in texts:
        name, _, value = (word.strip() for word in text.partition("="))
        if name not in model.states.names:
            raise ConfigError(f"--x {text}: {model.name} has no state {name!r}{nearest(name, model.states.names)}")
        if name in values:
            raise ConfigError(f"--x {text}: {name} is given twice; give it once")
        try:
            values[name] = float(value)
        except ValueError:
            values[name] = math.nan
        if not math.isfinite(values[name]):
            raise ConfigError(f"--x {text}: expected STATE=NUMBER, a finite one; write for example --x {name}=0.5")
    return values


def _write(found: "Linearization", output: Path) -> None:
    import csv

    import numpy as np

    matrices = {"A": found.A, "B": found.B, "C": found.C, "D": found.D}
    if output.suffix == ".npz":
        names = {"states": found.A.rows, "inputs": found.B.columns, "outputs": found.C.rows}
        arrays: dict[str, Any] = {name: np.asarray(matrix) for name, matrix in matrices.items()}
        arrays |= {name: np.array(words, str) for name, words in names.items()}
        np.savez(output, **arrays)
    else:
        with output.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(("matrix", "row", "column", "value"))
            for name, matrix in matrices.items():
                for row, values in zip(matrix.rows, np.asarray(matrix).tolist(), strict=True):
                    writer.writerows((name, row, *pair) for pair in zip(matrix.columns, values, strict=True))
    typer.echo(f"wrote {output}")

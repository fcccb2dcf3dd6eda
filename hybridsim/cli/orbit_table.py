"""`hybridsim orbit table`: the orbits of all rows of a sweep, and what is measured of them."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hybridsim.cli import interruption
from hybridsim.cli.exit_codes import OK, UNFINISHED
from hybridsim.cli.options import ConfigOption, config_and_overrides, config_argument, examples
from hybridsim.cli.orbit_find import expecting_orbits, look_for
from hybridsim.cli.ranges import axis_of, ranges_in
from hybridsim.errors import ConfigError

if TYPE_CHECKING:
    from hybridsim.config.sweep import SweepConfig

EXAMPLES = examples(
    "orbit table configs/walkers/orbits/table_2_1.yaml",
    "orbit table configs/slip.yaml parameters.k=18e3..22e3:9 -o runners.csv",
    'orbit table walker.yaml "sweep.zip={m: [5, 4], m_H: [10, 12]}" orbit.measure.lowest=clearance.min -o walkers.csv',
)

Arguments = Annotated[
    list[str] | None,
    config_argument(
        "A config with the sections `orbit`, whose key `measure` says what to measure, and `sweep`; axes of the sweep, "
        "KEY=FROM..TO:N; and values that override the file's."
    ),
]
TableFileOption = Annotated[
    Path | None,
    typer.Option(
        "--output", "-o", metavar="FILE", help="The file, .csv or .parquet; by default named like the config, .csv."
    ),
]
RANGE_EXAMPLE = "parameters.slope=0.001..0.019:40"
TABLE_SUFFIXES = (".csv", ".parquet")


def table(arguments: Arguments = None, config: ConfigOption = None, output: TableFileOption = None) -> None:
    """Find the orbit of every row of `sweep:`, stable or not, and write a table of what `orbit.measure` names.

    The orbit of the config itself, with the values outside the sweep, is found first, and followed to the rows.

    Exit code: 0 done, 1 an orbit was not found, 2 bad input, 130 Ctrl-C, 143 SIGTERM (nothing is kept).
    """
    from hybridsim.analysis.orbit_tables import DEFAULT_MEASURES, EMPTY_ROW, ORBIT_COLUMN, orbit_table
    from hybridsim.analysis.tables import save_table
    from hybridsim.cli import console
    from hybridsim.config.sweep import load_orbit_sweep
    from hybridsim.results.files import prepare_folder
    from hybridsim.results.progress import RowProgress
    from hybridsim.sweeps.plan import Plan

    ranges, others = ranges_in(arguments or [], RANGE_EXAMPLE, counted=True)
    path, overrides = config_and_overrides(others, config, "orbit table")
    overrides += [axis_of(each, RANGE_EXAMPLE) for each in ranges]
    settings = console.with_confirmation(lambda: load_orbit_sweep(path, overrides))
    file = output or Path(f"{settings.run.output.base}-orbits.csv")
    if file.suffix not in TABLE_SUFFIXES:
        raise ConfigError(f"--output: {file}: expected a file that ends in .csv or .parquet; give one of these")
    prepare_folder(file.parent, file.stem, ())
    _refuse_other_axes(settings)
    plan = Plan(settings)
    values = {axis.name: plan.values(0, plan.n_rows)[axis.key].tolist() for axis in settings.axes}
    assert settings.run.orbit is not None
    try:
        with expecting_orbits():
            orbit = look_for(settings.run)
        with interruption.raising(), RowProgress(plan.n_rows, "orbits") as progress:
            points = orbit_table(orbit, values, settings.run.orbit.measure or DEFAULT_MEASURES, progress=progress)
    except KeyboardInterrupt:
        typer.echo("interrupted; nothing is kept", err=True)
        raise typer.Exit(interruption.exit_code()) from None
    save_table(points.columns, file)
    console.show_orbit_table(orbit, points, file)
    raise typer.Exit(UNFINISHED if (points[ORBIT_COLUMN] == EMPTY_ROW).any() else OK)


def _refuse_other_axes(settings: "SweepConfig") -> None:
    """Raise a ConfigError if the sweep varies anything but parameters and states."""
    for axis in settings.axes:
        if axis.key.partition(".")[0] not in ("parameters", "initial"):
            raise ConfigError(
                f"sweep: {axis.key}: orbits are followed through parameters, and through states that strides leave as "
                "they are; remove this axis"
            )

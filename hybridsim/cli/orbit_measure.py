"""`hybridsim orbit measure`: the characteristics of an orbit."""

from pathlib import Path
from typing import Annotated

import typer

from hybridsim.cli.options import ModelOption, examples

EXAMPLES = examples(
    "orbit measure gait.h5",
    'orbit measure gait.h5 clearance.max "foot_x.before(heelstrike)" "kinetic.jump(heelstrike)"',
)

OrbitArgument = Annotated[Path, typer.Argument(metavar="ORBIT.h5", help="The file of an orbit.")]
CharacteristicsArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="NAME",
        help="Characteristics: period, QUANTITY.min, .max, .mean, .integral, all also within a chart, .max(CHART); "
        "QUANTITY.before(BOUNDARY), .after(..), .jump(..) at events; STATE.speed. By default all of the whole period.",
    ),
]


def measure(file: OrbitArgument, names: CharacteristicsArgument = None, model: ModelOption = None) -> None:
    """Print the characteristics of an orbit: least, largest and mean values over its period, jumps at its events."""
    from hybridsim.analysis import load_orbit
    from hybridsim.cli import console

    orbit = console.with_confirmation(lambda: load_orbit(file, model))
    known = orbit.characteristics
    console.show_characteristics(orbit, names or [name for name in known if "(" not in name])

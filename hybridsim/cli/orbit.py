"""`hybridsim orbit`: periodic motions, their stability and their families."""

import typer

from hybridsim.cli import orbit_continue, orbit_find, orbit_maps, orbit_measure, orbit_table
from hybridsim.cli.options import CommandWithKeys

app = typer.Typer(no_args_is_help=True, rich_markup_mode="rich", help="Find periodic motions, follow and measure them.")

app.command("find", epilog=orbit_find.EXAMPLES, cls=CommandWithKeys)(orbit_find.find)
app.command("continue", epilog=orbit_continue.EXAMPLES, cls=CommandWithKeys)(orbit_continue.continue_)
app.command("measure", epilog=orbit_measure.EXAMPLES)(orbit_measure.measure)
app.command("map", epilog=orbit_maps.MAP_EXAMPLES, cls=CommandWithKeys)(orbit_maps.map_)
app.command("basin", epilog=orbit_maps.BASIN_EXAMPLES, cls=CommandWithKeys)(orbit_maps.basin)
app.command("table", epilog=orbit_table.EXAMPLES, cls=CommandWithKeys)(orbit_table.table)

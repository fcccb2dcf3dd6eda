"""`hybridsim orbit find` and `find-all`: a periodic motion near the initial state of a config, and those in a box."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hybridsim.cli.exit_codes import UNFINISHED, show_error
from hybridsim.cli.options import ConfigOption, ModelOption, config_and_overrides, config_argument, examples
from hybridsim.cli.ranges import ranges_in, with_sections

if TYPE_CHECKING:
    from hybridsim.analysis import Orbit
    from hybridsim.config import RunConfig

EXAMPLES = examples(
    "orbit find configs/walkers/orbits/compass_gait.yaml",
    'orbit find configs/walkers/orbits/compass_gait.yaml parameters.slope="3 deg" -o gait.h5',
    "orbit find walker.yaml orbit.section=heelstrike orbit.strides=2",
    "orbit find gait.h5 parameters.slope=0.01",
    "orbit find configs/walkers/orbits/compass_gait.yaml initial.thetadot_st=1.4 --starts 64",
)
ALL_EXAMPLES = examples(
    "orbit find-all walker.yaml initial.theta=0.1..0.3 initial.thetadot=-0.35..-0.1",
    "orbit find-all walker.yaml initial.theta=0.1..0.3 initial.thetadot=-0.35..-0.1 --max-strides 4 --samples 512",
)

Arguments = Annotated[
    list[str] | None,
    config_argument(
        "A config with a section `orbit`, whose initial state is the guess, or the file of an orbit, and values that "
        "override the file's."
    ),
]
OrbitFileOption = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE.h5", help="The file; by default named like the config, with -orbit."),
]
StartsOption = Annotated[
    int | None,
    typer.Option(
        "--starts", metavar="N", min=1, help="Try N states round the guess, and begin where strides return best."
    ),
]


def find(
    arguments: Arguments = None,
    config: ConfigOption = None,
    *,
    starts: StartsOption = None,
    output: OrbitFileOption = None,
    model: ModelOption = None,
) -> None:
    """Find a periodic motion, stable or not, and print its state, period and multipliers.

    The file can be given to `run`, `view`, `plot`, `verify`, `orbit continue` and `orbit measure`.

    Exit code: 0 found, 1 there is none near the initial state, 2 bad input.
    """
    from hybridsim.cli import console

    path, overrides = config_and_overrides(arguments or [], config, "orbit find")
    overrides += [] if starts is None else [f"orbit.starts={starts}"]
    settings = console.with_confirmation(lambda: load(path, overrides, model))
    file = output or default_file(settings, Path(path), "orbit")
    refuse_file(file)
    with expecting_orbits():
        orbit = look_for(settings)
    orbit.save(file)
    console.show_orbit(orbit, file)


BoxArguments = Annotated[
    list[str] | None,
    config_argument(
        "A config with a section `orbit`, or the file of an orbit; ranges of states, KEY=FROM..TO; and values that "
        "override the file's."
    ),
]
MaxStridesOption = Annotated[
    int, typer.Option("--max-strides", metavar="N", min=1, help="Look for motions of up to N strides.")
]
SamplesOption = Annotated[
    int, typer.Option("--samples", metavar="N", min=1, help="States from which strides are made.")
]
TableOption = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write the table as .csv or .parquet, too.")
]
BOX_EXAMPLE = "initial.theta=0.1..0.3"


def find_all(
    arguments: BoxArguments = None,
    *,
    max_strides: MaxStridesOption = 2,
    samples: SamplesOption = 128,
    output: TableOption = None,
    model: ModelOption = None,
) -> None:
    """Find the periodic motions in a box of states, stable or not, and print a table of them.

    Exit code: 0 found, 1 none was found, 2 bad input, 130 Ctrl-C, 143 SIGTERM (nothing is kept).
    """
    from hybridsim.analysis.all_orbits import find_orbits_of, table_of
    from hybridsim.analysis.tables import save_table
    from hybridsim.cli import console, interruption
    from hybridsim.errors import ConfigError
    from hybridsim.results.progress import RowProgress

    ranges, others = ranges_in(arguments or [], BOX_EXAMPLE)
    path, overrides = config_and_overrides(others, None, "orbit find-all")
    settings = console.with_confirmation(lambda: load(path, overrides, model))
    ranges = with_sections(ranges, settings)
    if not ranges or any(each.section != "initial" for each in ranges):
        raise ConfigError(f"command line: expected the ranges of states; write for example {BOX_EXAMPLE}")
    box = {each.name: each.ends(lambda more: load(path, [*overrides, *more], model)) for each in ranges}
    try:
        with interruption.raising(), RowProgress(samples, "states") as progress:
            orbits = find_orbits_of(settings, box, range(1, max_strides + 1), samples, progress)
    except KeyboardInterrupt:
        typer.echo("interrupted; nothing is kept", err=True)
        raise typer.Exit(interruption.exit_code()) from None
    if not orbits:
        show_error(f"no motion was found from {samples:,} states; give a larger box, or more --samples")
        raise typer.Exit(UNFINISHED)
    console.show_orbits(orbits)
    if output is not None:
        typer.echo(f"written: {save_table(table_of(orbits), output)}")


def load(path: str, overrides: list[str], model: str | None = None) -> "RunConfig":
    """Load a config with a section `orbit`, from a config file or from the file of an orbit; `model` replaces its."""
    if Path(path).suffix == ".h5":
        from hybridsim.analysis.files import load_config_of_orbit

        return load_config_of_orbit(Path(path), overrides, model)
    from hybridsim.config.loading import load_orbit_config

    return load_orbit_config(path, overrides if model is None else [*overrides, f"model={model}"])


@contextmanager
def expecting_orbits() -> Iterator[None]:
    """End the command with its exit code, and say why, if there is no such orbit."""
    from hybridsim.analysis import NoOrbitError

    try:
        yield
    except NoOrbitError as problem:
        show_error(str(problem))
        raise typer.Exit(UNFINISHED) from None


def look_for(settings: "RunConfig") -> "Orbit":
    """Find the orbit of a config; Ctrl-C ends the process, as there is nothing to keep."""
    from hybridsim.analysis.finding import find_orbit_of
    from hybridsim.cli import console

    with console.busy("looking for the orbit"):
        return find_orbit_of(settings)


def default_file(settings: "RunConfig", source: Path, kind: str) -> Path:
    """Return the file of an orbit or branch, named like the config, in output.folder; next to an orbit's file."""
    if source.suffix == ".h5":
        return source.with_name(f"{source.stem.removesuffix('-orbit')}-{kind}.h5")
    return Path(settings.output.folder, f"{settings.output.base or settings.model.name}-{kind}.h5")


def refuse_file(file: Path) -> None:
    """Raise a ConfigError if the file cannot be written, before anything is computed; its folder is made."""
    from hybridsim.errors import ConfigError
    from hybridsim.results.files import prepare_folder

    if file.suffix != ".h5":
        raise ConfigError(f"--output: {file}: expected a name that ends in .h5; give for example gait.h5")
    prepare_folder(file.parent, file.stem, ["hdf5"])

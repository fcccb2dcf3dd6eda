"""`hybridsim orbit find`: a periodic motion near the initial state of a config."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hybridsim.cli.exit_codes import UNFINISHED, show_error
from hybridsim.cli.options import ConfigOption, ModelOption, config_and_overrides, config_argument, examples

if TYPE_CHECKING:
    from hybridsim.analysis import Orbit
    from hybridsim.config import RunConfig

EXAMPLES = examples(
    "orbit find configs/walkers/orbits/compass_gait.yaml",
    'orbit find configs/walkers/orbits/compass_gait.yaml parameters.slope="3 deg" -o gait.h5',
    "orbit find walker.yaml orbit.section=heelstrike orbit.strides=2",
    "orbit find gait.h5 parameters.slope=0.01",
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


def find(
    arguments: Arguments = None, config: ConfigOption = None, output: OrbitFileOption = None, model: ModelOption = None
) -> None:
    """Find a periodic motion, stable or not, and print its state, period and multipliers.

    The file can be given to `run`, `view`, `plot`, `verify`, `orbit continue` and `orbit measure`.

    Exit code: 0 found, 1 there is none near the initial state, 2 bad input.
    """
    from hybridsim.cli import console

    path, overrides = config_and_overrides(arguments or [], config, "orbit find")
    settings = console.with_confirmation(lambda: load(path, overrides, model))
    file = output or default_file(settings, Path(path), "orbit")
    refuse_file(file)
    with expecting_orbits():
        orbit = look_for(settings)
    orbit.save(file)
    console.show_orbit(orbit, file)


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

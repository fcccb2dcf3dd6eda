"""`hybridsim new`: begin a new model.

The bundled model `bouncing_ball` has the same equations as the plug-in, which is not made from its file: hybridsim does
not depend on the bundled models, and the plug-in explains each step to readers who are going to change it.
"""

from pathlib import Path
from typing import Annotated

import typer

from hybridsim.cli.options import examples
from hybridsim.errors import ConfigError

EXAMPLES = examples("new hopper", "new runner --from slip")

TEMPLATES = Path(__file__).with_name("templates")
"""The folder of the files that are written, with NAME for the name of the model."""


def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the model: letters, digits and underscores.")],
    original: Annotated[
        str | None,
        typer.Option("--from", metavar="MODEL", help="Copy an installed model, or describe a robot, .urdf or .xml."),
    ] = None,
    base: Annotated[
        str, typer.Option(metavar="BASE", help="How the root of a .urdf moves: fixed, planar or floating.")
    ] = "planar",
) -> None:
    """Write NAME.py, a small plug-in to start from, and NAME.yaml, a config that runs it.

    With --from, write the folder NAME: the files of an installed model under its new name, and its configs. With --from
    robot.urdf or robot.xml (MJCF), write NAME.yaml: the robot on the soles and wheels that its shapes suggest.
    """
    if original is not None and original.lower().endswith((".urdf", ".xml")):
        _describe(name, Path(original), base)
        return
    if original is not None:
        _copy(name, original)
        return
    plugin, config = write_plugin(name, Path.cwd())
    typer.echo(f"wrote {plugin.name} and {config.name}; next: hybridsim run {config.name}")


def _describe(name: str, robot: Path, base: str) -> None:
    from hybridsim.cli.copying import refuse_invalid_name
    from hybridsim.contacts.robot_config import config_of_robot

    refuse_invalid_name(name)
    config = Path(f"{name}.yaml")
    if config.exists():
        raise ConfigError(f"{config} exists and is not overwritten; choose another name, or move it away")
    config.write_text(config_of_robot(robot, robot.as_posix(), base), encoding="utf-8")
    typer.echo(f"wrote {config}; next: hybridsim run {config}")


def _copy(name: str, original: str) -> None:
    from hybridsim.cli.copying import copy_model

    here = Path.cwd()
    made = copy_model(name, original, here)
    first = made.configs[0].relative_to(here).as_posix()
    counts = f"the model in {_count(made.files, 'file')}, {name}.py first, and {_count(made.configs, 'config')}"
    typer.echo(f"wrote {name}/: {counts}; next: hybridsim run {first}")


def _count(paths: tuple[Path, ...], what: str) -> str:
    return f"{len(paths)} {what}{'s' * (len(paths) > 1)}"


def write_plugin(name: str, folder: Path) -> tuple[Path, Path]:
    """Write NAME.py and NAME.yaml into `folder`; returns both paths.

    Raises
    ------
    ConfigError
        If `name` is no identifier, or one of the files exists or cannot be written.
    """
    from hybridsim.cli.copying import refuse_invalid_name

    refuse_invalid_name(name)
    plugin, config = folder / f"{name}.py", folder / f"{name}.yaml"
    for path in (plugin, config):
        if path.exists():
            raise ConfigError(f"{path.name} exists and is not overwritten; choose another name, or move it away")
    for path in (plugin, config):
        template = TEMPLATES / f"NAME{path.suffix}.txt"
        try:
            path.write_text(template.read_text(encoding="utf-8").replace("NAME", name), encoding="utf-8")
        except OSError as problem:
            raise ConfigError(f"{path}: cannot be written ({problem.strerror}); go to another folder") from None
    return plugin, config

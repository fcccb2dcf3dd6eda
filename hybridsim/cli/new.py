"""`hybridsim new`: begin a new model."""

from pathlib import Path
from typing import Annotated

import typer

from hybridsim.cli.options import examples

EXAMPLES = examples("new hopper", "new runner --from slip")


def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the model: letters, digits and underscores.")],
    original: Annotated[
        str | None, typer.Option("--from", metavar="MODEL", help="Copy an installed model instead, with its configs.")
    ] = None,
) -> None:
    """Write NAME.py, a small plug-in to start from, and NAME.yaml, a config that runs it.

    With --from, write the folder NAME: the files of an installed model under its new name, and its configs.
    """
    if original is not None:
        _copy(name, original)
        return
    from hybridsim.cli.template import write_plugin

    plugin, config = write_plugin(name, Path.cwd())
    typer.echo(f"wrote {plugin.name} and {config.name}; next: hybridsim run {config.name}")


def _copy(name: str, original: str) -> None:
    from hybridsim.cli.copying import copy_model

    here = Path.cwd()
    made = copy_model(name, original, here)
    first = made.configs[0].relative_to(here).as_posix()
    counts = f"the model in {_count(made.files, 'file')}, {name}.py first, and {_count(made.configs, 'config')}"
    typer.echo(f"wrote {name}/: {counts}; next: hybridsim run {first}")


def _count(paths: tuple[Path, ...], what: str) -> str:
    return f"{len(paths)} {what}{'s' * (len(paths) > 1)}"

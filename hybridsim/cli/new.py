"""`hybridsim new`: begin a new model."""

from pathlib import Path
from typing import Annotated

import typer

from hybridsim.cli.options import examples

EXAMPLES = examples("new hopper")


def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the model: letters, digits and underscores.")],
) -> None:
    """Write NAME.py, a small plug-in to start from, and NAME.yaml, a config that runs it."""
    from hybridsim.cli.template import write_plugin

    plugin, config = write_plugin(name, Path.cwd())
    typer.echo(f"wrote {plugin.name} and {config.name}; next: hybridsim run {config.name}")

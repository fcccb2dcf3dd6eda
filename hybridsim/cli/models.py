"""`hybridsim models`: list or describe models."""

from typing import Annotated

import typer

from hybridsim.cli.completion import complete_model
from hybridsim.cli.options import examples

EXAMPLES = examples("models", "models slip", "models ./hopper.py")


def models(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="MODEL", help="The name of a model, or the path of a plug-in file.", autocompletion=complete_model
        ),
    ] = None,
) -> None:
    """List the installed models, or describe one: states, parameters, charts, boundaries, outputs."""
    from hybridsim.cli import console
    from hybridsim.model.registry import available_models, load_model_or_part

    if name is None:
        console.show_models(available_models())
    else:
        console.show_model(load_model_or_part(name))

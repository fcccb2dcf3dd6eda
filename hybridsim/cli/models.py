"""`hybridsim models`: list or describe models."""

from typing import Annotated

import typer

from hybridsim.cli.completion import complete_model
from hybridsim.cli.options import examples

EXAMPLES = examples("models", "models slip", "models ./hopper.py", "models --shelf")


def models(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="MODEL",
            help="The name of a model, the path of a plug-in file, or a config with one.",
            autocompletion=complete_model,
        ),
    ] = None,
    *,
    shelf: Annotated[
        bool, typer.Option("--shelf", help="List the types of nodes and edges of which a network can be made.")
    ] = False,
) -> None:
    """List the installed models, or describe one: states, parameters, charts, boundaries, outputs."""
    from hybridsim.cli import console
    from hybridsim.config import load_config
    from hybridsim.model.registry import available_models, load_model_or_part

    if shelf:
        console.show_shelf()
    elif name is None:
        console.show_models(available_models())
    else:
        described = name.endswith((".yaml", ".yml"))
        console.show_model(load_config(name, open_ended=True).model if described else load_model_or_part(name))

"""`hybridsim schema`: the JSON schema of configs."""

from typing import Annotated

import typer

from hybridsim.cli.options import examples

EXAMPLES = examples("schema > hybridsim.schema.json", "schema --identify > identify.schema.json")

IdentifyOption = Annotated[bool, typer.Option("--identify", help="The schema of configs of `hybridsim identify`.")]


def schema(identify: IdentifyOption = False) -> None:
    """Print the JSON schema of configs, which editors use to complete and check them."""
    import json

    from hybridsim.config import json_schema
    from hybridsim.config.identification_settings import identification_schema

    typer.echo(json.dumps(identification_schema() if identify else json_schema(), indent=2))

"""`hybridsim schema`: the JSON schema of configs."""

import typer

from hybridsim.cli.options import examples

EXAMPLES = examples("schema > hybridsim.schema.json")


def schema() -> None:
    """Print the JSON schema of configs, which editors use to complete and check them."""
    import json

    from hybridsim.config import json_schema

    typer.echo(json.dumps(json_schema(), indent=2))

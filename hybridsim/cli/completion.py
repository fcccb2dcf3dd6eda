"""What the shell offers when a user presses the tab key: names of models, configs of this folder, keys of a config.

Nothing of the user's is executed for it: keys of a model are known if the model is installed, and not those of a
plug-in file. Where nothing fits, the shell completes names of files.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import typer

from hybridsim.errors import ModelError

CONFIG_ENDINGS = (".yaml", ".yml", ".rc", ".py")
MODEL_KEY = re.compile(r"""^(?:model\s*:|systemName\s*=)\s*["']?([\w.-]+)""", re.MULTILINE)
"""The line of a config, or of an rc file, that names an installed model."""

MAX_LETTERS_READ = 100_000
"""Letters of a config in which that line is looked for: the file may be that of a large run."""

KEYS_WITHOUT_SINGLE_VALUE = frozenset(
    {"model", "engine", "output", "parameters", "initial", "inputs", "stop", "sweep", "metrics", "orbit"}
)
"""Keys at the top of a config to which KEY=VALUE gives no single value."""


def complete_model(incomplete: str) -> list[str]:
    """Return the installed models whose names begin so."""
    from hybridsim.model.registry import available_models

    return [name for name in available_models() if name.startswith(incomplete)]


def complete_config(context: typer.Context, incomplete: str) -> list[str]:
    """Return models and configs for the first argument, and keys, `parameters.k=`, for the others."""
    given = [word for word in context.params.get("arguments") or () if "=" not in word]
    given += [word for word in (context.params.get("config"),) if word]
    if given:
        return [f"{key}=" for key in _keys(given[0]) if key.startswith(incomplete)]
    if "/" in incomplete or "\\" in incomplete:
        return []
    files = (path.name for path in sorted(Path.cwd().iterdir()) if path.suffix in CONFIG_ENDINGS)
    return [*complete_model(incomplete), *(name for name in files if name.startswith(incomplete))]


def _keys(config: str) -> Iterator[str]:
    """Yield the keys of any config, and those of the model that this one names."""
    from hybridsim.config.key_table import KEY_USES
    from hybridsim.config.schema import Settings

    yield from (key for key in Settings.model_fields if key not in KEYS_WITHOUT_SINGLE_VALUE)
    yield from (".".join(map(str, address)) for address in KEY_USES if len(address) > 1)
    yield from _keys_of_model(_model_of(config))


def _model_of(config: str) -> str:
    """Return the installed model that a config names, or that is given instead of a config; "" if there is none."""
    from hybridsim.model.registry import available_models

    name = config
    if config not in available_models():
        if not Path(config).is_file():  # to read from a pipe would wait for its writer
            return ""
        try:
            with Path(config).open(encoding="utf-8", errors="replace") as file:
                found = MODEL_KEY.search(file.read(MAX_LETTERS_READ))
        except OSError:
            found = None
        name = found[1] if found else ""
    return name if name in available_models() else ""


def _keys_of_model(name: str) -> Iterator[str]:
    if name:
        from hybridsim.model.registry import load_model

        try:
            model = load_model(name)
        except ModelError:  # `hybridsim run` explains it
            return
        yield from (f"parameters.{key}" for key in model.parameters.names)
        yield from (f"initial.{key}" for key in model.states.names)
        yield from (f"inputs.{key}" for key in model.inputs.names)

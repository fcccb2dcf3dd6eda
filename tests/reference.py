"""The names in the reference of the API, docs/api."""

import importlib
import re
from pathlib import Path

API = Path(__file__).parents[1] / "docs" / "api"
DIRECTIVE = re.compile(r"^\.\. (currentmodule|automodule|autoclass|autofunction|autodata):: (\S+)", re.MULTILINE)


def documented():
    """The names in the reference of the API, with their modules."""
    found = []
    for page in API.glob("*.rst"):
        module = ""
        for directive, name in DIRECTIVE.findall(page.read_text(encoding="utf-8")):
            if directive == "currentmodule":
                module = name
            elif directive == "automodule":
                found += [f"{name}.{each}" for each in importlib.import_module(name).__all__]
            else:
                found.append(f"{module}.{name}" if module else name)
    return found

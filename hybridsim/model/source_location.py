"""Where a plug-in's function is written, and where it failed: `file:line` for messages."""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

OURS = Path(__file__).parents[1]
"""What lies here is no plug-in."""


def where(function: Callable[..., Any]) -> str:
    """`file:line: name` of a plug-in's function."""
    name = getattr(function, "__name__", type(function).__name__)
    place = _place(function)
    return f"{place}: `{name}`" if place else f"`{name}`"


def line_of(problem: Exception, function: Callable[..., Any]) -> str:
    """`file:line` of the plug-in's own last line in a traceback; of the function, where there is none."""
    everything = traceback.extract_tb(problem.__traceback__)
    frames = [frame for frame in everything if not Path(frame.filename).is_relative_to(OURS)]
    return f"{frames[-1].filename}:{frames[-1].lineno}" if frames else _place(function) or repr(function)


def _place(function: Callable[..., Any]) -> str:
    """Empty for what is not written in Python, or no function but an object that is called."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    return f"{code.co_filename}:{code.co_firstlineno}" if code else ""

"""The file and line at which a plug-in's function is defined or failed, for messages."""

from __future__ import annotations

import inspect
import traceback
from pathlib import Path

from hybridsim.errors import nearest
from hybridsim.typing import Function

HYBRIDSIM_FOLDER = Path(__file__).parents[1]
"""The folder of hybridsim; files elsewhere belong to plug-ins."""


def where(function: Function) -> str:
    """Return where a plug-in's function is defined, "file:line: `name`"."""
    name = getattr(function, "__name__", type(function).__name__)
    definition = _definition(function)
    return f"{definition}: `{name}`" if definition else f"`{name}`"


def line_of(problem: BaseException, function: Function) -> str:
    """Return the last line of a plug-in in a traceback, "file:line", or else where the function is defined."""
    everything = traceback.extract_tb(problem.__traceback__)
    outside = [frame for frame in everything if not frame.filename.startswith("<frozen")]  # as that of `exit`
    frames = [frame for frame in outside if not Path(frame.filename).is_relative_to(HYBRIDSIM_FOLDER)]
    return f"{frames[-1].filename}:{frames[-1].lineno}" if frames else _definition(function) or repr(function)


def describe(problem: BaseException) -> str:
    """Return an exception of a plug-in as text; for an unknown name or attribute, with the most similar known one."""
    known: list[str] = []
    if isinstance(problem, AttributeError) and problem.name == "indices":
        kind = type(problem.obj).__name__
        return f"`.indices` is a property of Records, and this is a {kind}; write Records(...) around the records"
    if isinstance(problem, AttributeError):
        known = dir(problem.obj)
    elif isinstance(problem, NameError) and problem.__traceback__ is not None:
        *_, (frame, _) = traceback.walk_tb(problem.__traceback__)
        known = [*frame.f_locals, *frame.f_globals]
    name = getattr(problem, "name", None) or ""
    hint = nearest(name, [other for other in known if not other.startswith("_")]) if known else ""
    return f"{type(problem).__name__}: {problem}{hint}"


def _definition(function: Function) -> str:
    """Return where a function is defined, "file:line"; "" for a built-in function or a callable object."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    return f"{code.co_filename}:{code.co_firstlineno}" if code else ""

"""Signatures and docstrings of functions that take keys of a config as keywords: the schema says what help() shows."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from pydantic.fields import FieldInfo

from hybridsim.config.engine_settings import EngineSettings
from hybridsim.config.field_types import use_of
from hybridsim.config.optimization_settings import OptimizationSettings
from hybridsim.config.schema import Settings
from hybridsim.config.sweep_settings import SweepSettings

Documented = TypeVar("Documented", bound=Callable[..., Any])

_SECTIONS = (Settings, EngineSettings, SweepSettings, OptimizationSettings)
_OTHER_NAMES = {"search": OptimizationSettings.model_fields["method"]}
"""Keywords whose key has another name: `method` is that of the engine."""
_KEYWORDS = re.compile(r"(?m)^\*\*keywords\n(?: +.*\n)+")


def shows_keywords(keywords: type) -> Callable[[Documented], Documented]:
    """Return a decorator that writes the keywords out in a signature, and in a docstring in place of `**keywords`.

    Parameters
    ----------
    keywords : TypedDict
        The keywords with their types.

    Returns
    -------
    callable
        The decorator of a function or class that takes `**keywords: Unpack[keywords]`.
    """
    types = get_type_hints(keywords)

    def show(documented: Documented) -> Documented:
        signature = inspect.signature(documented)
        own = [each for each in signature.parameters.values() if each.kind is not inspect.Parameter.VAR_KEYWORD]
        shown = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=_default(name), annotation=type_)
            for name, type_ in types.items()
        ]
        documented.__signature__ = signature.replace(parameters=[*own, *shown])  # type: ignore[attr-defined]
        if documented.__doc__:  # `python -OO` has none
            entries = "".join(_entry(name, type_) for name, type_ in types.items())
            documented.__doc__ = _KEYWORDS.sub(lambda _: entries, inspect.getdoc(documented) or "")
        return documented

    return show


def field_of(keyword: str) -> FieldInfo:
    """Return the key of the schema that a keyword stands for: `from_` for `from`."""
    name = keyword.rstrip("_")
    return _OTHER_NAMES.get(name) or next(
        section.model_fields[name] for section in _SECTIONS if name in section.model_fields
    )


def _default(keyword: str) -> Any:
    field = field_of(keyword)
    default = None if field.is_required() or field.default_factory else field.default
    return None if isinstance(default, dict) else default  # a signature shares no dictionary


def _entry(keyword: str, type_: Any) -> str:
    field = field_of(keyword)
    use, description = use_of(field), field.description or ""
    text = f"{description[0].upper()}{description[1:]}{use.in_python if use else ''}."
    lines = textwrap.fill(text, 115, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False)
    return f"{keyword} : {_type_text(type_)}\n{lines}\n"


def _type_text(type_: Any) -> str:
    """Return a type as docstrings write it: `int or str, optional`, `{"rising", "falling"}`."""
    members = get_args(type_) if get_origin(type_) in (Union, UnionType) else (type_,)
    *others, last = (_member_text(each) for each in members if each is not NoneType)
    text = f"{', '.join(others)} or {last}" if others else last
    return f"{text}, optional" if NoneType in members else text


def _member_text(type_: Any) -> str:
    if get_origin(type_) is Literal:
        return "{%s}" % ", ".join(f'"{word}"' for word in get_args(type_))  # noqa: UP031
    name: str = (get_origin(type_) or type_).__name__
    return name if type_.__module__.startswith("hybridsim") else name.lower().replace("pathlike", "path-like")

"""Errors that hybridsim raises on purpose, its warnings, and what a wrong word is answered.

How a run ended is a `Status`, never an exception.
"""

from __future__ import annotations

import difflib
import functools
import inspect
import sys
from collections.abc import Callable, Iterable, Mapping
from types import FunctionType
from typing import Any, TypeVar, get_args

Called = TypeVar("Called", bound=Callable[..., Any])


class HybridsimError(Exception):
    """Base class of the errors that hybridsim raises on purpose.

    The message says what is wrong and where (`configs/slip.yaml:7:3: parameters.stifness: the model has no such
    parameter`), what was expected, and what to do about it.
    """


class ConfigError(HybridsimError):
    """Invalid input in a config file, an override or a keyword, with all problems found at once.

    Parameters
    ----------
    problems : str or iterable of str
        One message or several; each is a line of `str(error)`.

    Attributes
    ----------
    problems : tuple of str
        The messages.
    """

    def __init__(self, problems: str | Iterable[str]) -> None:
        self.problems: tuple[str, ...] = (problems,) if isinstance(problems, str) else tuple(problems)
        super().__init__("\n".join(self.problems))


class ModelError(HybridsimError):
    """A model that cannot be found, loaded or compiled, or that breaks the contract of models."""


class SimulationError(HybridsimError):
    """A request that a simulation cannot fulfil, such as a state at a time outside the recorded run."""


class CacheWarning(UserWarning):
    """The cache folder cannot be written: nothing is wrong, but the next process compiles everything again."""


MANY_NAMES = 1000
"""Number of names from which the entries of a block are one name among those that are compared with a wrong one."""


def nearest(name: object, known: Iterable[str], called: Mapping[str, str] | None = None) -> str:
    """Return the end of a message about an unknown name: the most similar known one, or "".

    Parameters
    ----------
    name : object
        The unknown name; nothing is similar to what is no text.
    known : iterable of str
        The known names.
    called : mapping of str to str, optional
        How to write some of the known names.

    Returns
    -------
    str
        "; did you mean `gravity`?", or "" if no name is similar.
    """
    if not isinstance(name, str):
        return ""
    known = list(known)
    block, bracket, _ = name.partition("[")
    if bracket and (entries := [each for each in known if each.startswith(f"{block}[")]):
        return f"; the entries of `{block}` are {entries[0]} to {entries[-1]}"
    if len(known) > MANY_NAMES:
        known = [*dict.fromkeys(each.partition("[")[0] for each in known)]
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
    return f"; did you mean `{(called or {}).get(close[0], close[0])}`?" if close else ""


def refuse_other_word(
    what: str, word: object, words: object, error: Callable[[str], HybridsimError] = ConfigError
) -> None:
    """Raise an error for a word that is none of a closed set.

    Parameters
    ----------
    what : str
        What the word says, for the message.
    word : object
        The word.
    words : type
        The set, an alias of `Literal` in `hybridsim.typing`.
    error : type
        The class of the error.

    Raises
    ------
    HybridsimError
        If the word is none of them.
    """
    known = get_args(words)
    if word not in known:
        raise error(f"{what}: expected one of {', '.join(known)}, found {word!r}{nearest(word, known)}")


def explains_keywords(**present: str) -> Callable[[Called], Called]:
    """Return a decorator of public functions and classes: for an unknown keyword, a ConfigError names the nearest.

    Of a class, it is for the constructor and the public methods. What takes any keyword checks them itself.

    Parameters
    ----------
    **present : str
        What a keyword is called elsewhere, or was called before -> its name here.

    Returns
    -------
    callable
        The decorator.
    """

    def explain(called: Any) -> Any:
        if not isinstance(called, type):
            return _checked(called, called.__name__, present)
        called.__init__ = _checked(called.__init__, called.__name__, present)  # type: ignore[misc]
        for name, member in [*vars(called).items()]:
            what = f"{called.__name__}.{name}"
            if name.startswith("_") and name != "__call__":
                continue
            if isinstance(member, classmethod):
                setattr(called, name, classmethod(_checked(member.__func__, what, present)))
            elif isinstance(member, FunctionType):
                setattr(called, name, _checked(member, what, present))
        return called

    return explain


def _checked(function: Any, name: str, present: Mapping[str, str]) -> Any:
    code = function.__code__
    if code.co_flags & inspect.CO_VARKEYWORDS:
        return function
    own = code.co_varnames[code.co_posonlyargcount : code.co_argcount + code.co_kwonlyargcount]
    known = [name for name in own if name not in ("self", "cls")]
    accepted = frozenset(known)

    @functools.wraps(function)
    def call(*positional: Any, **keywords: Any) -> Any:
        if keywords and not accepted.issuperset(keywords):
            raise ConfigError(
                f"{name}: {keyword}: {unknown_keyword(keyword, known, present)}"
                for keyword in keywords
                if keyword not in accepted
            )
        return function(*positional, **keywords)

    return call


def unknown_keyword(keyword: str, known: Iterable[str], present: Mapping[str, str]) -> str:
    """Return the message about a keyword that does not exist; see `explains_keywords`."""
    known = list(known)
    if present.get(keyword.lower()) in known:
        return f"there is no such keyword; it is called `{present[keyword.lower()]}` here"
    hint = nearest(keyword, known) or f"; the keywords are {', '.join(known)}"
    return f"there is no such keyword{hint}"


def explains_names(load: Callable[[str], Any], names: Iterable[str], **present: str) -> Callable[[str], Any]:
    """Return the `__getattr__` of a package, whose error for a former name says what it is called now.

    Parameters
    ----------
    load : callable
        Loads a public name.
    names : iterable of str
        The public names.
    **present : str
        Former name, or that of other programs -> the present one.

    Returns
    -------
    callable
        The function.
    """

    def find(name: str) -> Any:
        if name in names or name not in present:
            return load(name)
        # `from package import NAME` asks for the attribute first, and replaces an AttributeError by a text of its own.
        imported = sys._getframe(1).f_globals["__name__"].endswith("_bootstrap")
        raise (ImportError if imported else AttributeError)(f"hybridsim.{name} is called {present[name]} now")

    return find

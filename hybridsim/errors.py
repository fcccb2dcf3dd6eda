"""Errors that hybridsim raises on purpose, and its warnings. How a run ended is a `Status`, never an exception."""

from __future__ import annotations

from collections.abc import Iterable


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

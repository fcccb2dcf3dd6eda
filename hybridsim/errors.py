"""What goes wrong before a run starts. How a run ended is a Status, never an exception."""

from __future__ import annotations

from collections.abc import Iterable


class HybridsimError(Exception):
    """Base of every error that hybridsim raises on purpose.

    The message of each has three parts: what and where (`configs/slip.yaml:7:9: parameters.stifness`),
    what was expected, and what to do about it.
    """


class ConfigError(HybridsimError):
    """Bad input in a config file, an override or a keyword; carries every problem found at once.

    Parameters
    ----------
    problems : one message, or several; each stands on its own line of `str(error)`.
    """

    def __init__(self, problems: str | Iterable[str]) -> None:
        self.problems: tuple[str, ...] = (problems,) if isinstance(problems, str) else tuple(problems)
        super().__init__("\n".join(self.problems))


class ModelError(HybridsimError):
    """A plug-in that cannot be found, loaded, understood or compiled."""


class SimulationError(HybridsimError):
    """A call that a simulation cannot answer, such as a time outside the recorded run."""

"""How a run is looked at: the options that `run` and `view` share."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, fields

from hybridsim.errors import ConfigError
from hybridsim.viewer.render.cameras import refuse_unknown_camera

SMALLEST, LARGEST = 16, 8192
"""Pixels along a side of a picture."""


@dataclass(frozen=True, slots=True)
class ViewOptions:
    """Pictures of `size` (width, height) [px], `fps` a second, which passes `speed` simulated seconds.

    begin, end, at : simulated times [s] between which, and one at which pictures are taken; None: of the whole run, and
        in its middle.
    """

    size: tuple[int, int] = (1280, 720)
    fps: float = 30.0
    speed: float = 1.0
    camera: str = "follow"
    begin: float | None = None
    end: float | None = None
    at: float | None = None

    def __post_init__(self) -> None:
        for name, value in (("--fps", self.fps), ("--speed", self.speed)):
            if not 0.0 < value < math.inf:
                raise ConfigError(f"{name}: expected a positive number, found {value!r}; give for example {name} 30")
        refuse_unknown_camera(self.camera)
        if self.begin is not None and self.end is not None and not self.begin < self.end:
            raise ConfigError(f"--to: {self.end!r} s is not after --from {self.begin!r} s; give a later time")


HEEDED = {
    "a window": ("size", "fps", "speed", "camera", "begin"),
    "a film": ("size", "fps", "speed", "camera", "begin", "end", "at"),
    "a single picture": ("size", "camera", "begin", "end", "at"),
    "an exported scene": ("at",),
}
"""What each way of showing a run takes notice of."""
OPTIONS = {"begin": "--from", "end": "--to"}


def without_effect(options: ViewOptions, uses: Sequence[str]) -> list[str]:
    """A note where options other than the defaults shape none of the `uses`, keys of `HEEDED`, that are asked for."""
    heeded = {name for use in uses for name in HEEDED[use]}
    given = [each.name for each in fields(options) if getattr(options, each.name) != each.default]
    idle = [OPTIONS.get(name, f"--{name}") for name in given if name not in heeded]
    asked = " and ".join(uses) or "a run that is not shown; --view or --record FILE shows it"
    return [f"{', '.join(idle)}: without effect on {asked}"] if idle else []


def size_of(text: str) -> tuple[int, int]:
    """`1280x720` as (width, height) [px].

    Raises
    ------
    ConfigError : it is none, or one out of all measure.
    """
    parts = re.fullmatch(r"(\d{1,5})x(\d{1,5})", text.strip())
    size = (int(parts[1]), int(parts[2])) if parts else (0, 0)
    if not all(SMALLEST <= side <= LARGEST for side in size):
        raise ConfigError(
            f"--size: expected WIDTHxHEIGHT, {SMALLEST} to {LARGEST} pixels each, found {text!r}; "
            "write for example --size 1280x720"
        )
    return size

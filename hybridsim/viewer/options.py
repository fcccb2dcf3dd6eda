"""Options of pictures, windows and films."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from hybridsim.errors import ConfigError, explains_keywords, refuse_other_word
from hybridsim.typing import Camera, Layout

MIN_SIDE, MAX_SIDE = 16, 8192
"""Limits of the width and the height of a picture [pixels]."""


@explains_keywords()
@dataclass(frozen=True, slots=True)
class ViewOptions:
    """How runs are shown in a window, in a browser or in files.

    Parameters
    ----------
    size : (int, int)
        Width and height of the picture [pixels].
    fps : float
        Pictures per second in a film; in a window, the distance by which the arrow keys step.
    speed : float
        Simulated seconds per second shown.
    camera : {"follow", "side", "top", "free"}
        The camera; "free" stays where "follow" begins.
    begin, end : float, optional
        Simulated times between which pictures are taken [s]; by default the whole run.
    at : float, optional
        Simulated time of a single picture [s]; by default the middle.
    layout : {"ghosts", "side-by-side"}
        Several runs in one picture (`ghosts`), or each in its own part of the picture (`side-by-side`).
    outputs : sequence of str, optional
        Outputs in the head-up lines and the strip charts; by default those of the scene.
    trails, forces, strips : bool
        Whether a film or picture shows the trails of the bodies, the force arrows, and the strip charts.
    cones : bool
        Whether the cones of friction are shown, in a window at first.

    Raises
    ------
    ConfigError
        If a value is not allowed.
    """

    size: tuple[int, int] = (1280, 720)
    fps: float = 30.0
    speed: float = 1.0
    camera: Camera = "follow"
    begin: float | None = None
    end: float | None = None
    at: float | None = None
    layout: Layout = "ghosts"
    outputs: Sequence[str] | None = None
    trails: bool = False
    forces: bool = True
    strips: bool = True
    cones: bool = False

    def __post_init__(self) -> None:
        for name, value, example in (("--fps", self.fps, "30"), ("--speed", self.speed, "0.5")):
            if not 0.0 < value < math.inf:
                raise ConfigError(
                    f"{name}: expected a positive number, found {value!r}; give for example {name} {example}"
                )
        refuse_other_word("--camera", self.camera, Camera)
        refuse_other_word("layout", self.layout, Layout)
        if self.begin is not None and self.end is not None and not self.begin < self.end:
            raise ConfigError(f"--to: {self.end!r} s is not after --from {self.begin!r} s; give a later time")


OPTIONS_OF_USES = {
    "a window": ("size", "fps", "speed", "camera", "begin", "cones"),
    "a film": ("size", "fps", "speed", "camera", "begin", "end", "at", "cones"),
    "a single picture": ("size", "camera", "begin", "end", "at", "cones"),
    "an exported scene": ("at",),
    "a page": ("fps", "speed", "camera", "begin", "end", "cones"),
}
"""For each way to show a run, the attributes of `ViewOptions` that affect it."""
COMMAND_LINE_OPTIONS = {
    "size": "--size",
    "fps": "--fps",
    "speed": "--speed",
    "camera": "--camera",
    "begin": "--from",
    "end": "--to",
    "at": "--at",
    "cones": "--cones",
}
"""For each attribute of `ViewOptions` that the command line sets, the name of its option."""


def notes_on_unused(options: ViewOptions, uses: Sequence[str]) -> list[str]:
    """Return a note about the options of the command line that were given and have no effect.

    Parameters
    ----------
    options : ViewOptions
        The options.
    uses : sequence of str
        How the run is shown: keys of `OPTIONS_OF_USES`.

    Returns
    -------
    list of str
        One note, or none.
    """
    used = {name for use in uses for name in OPTIONS_OF_USES[use]}
    default = ViewOptions()
    unused = [
        option
        for name, option in COMMAND_LINE_OPTIONS.items()
        if name not in used and getattr(options, name) != getattr(default, name)
    ]
    shown_as = " and ".join(uses) or "a run that is not shown; --view, --html FILE or --record FILE shows it"
    return [f"{', '.join(unused)}: without effect on {shown_as}"] if unused else []


def parse_size(text: str) -> tuple[int, int]:
    """Return width and height [pixels] of a text such as `1280x720`.

    Raises
    ------
    ConfigError
        If the text does not have this form, or a side is too short or too long.
    """
    parts = re.fullmatch(r"(\d{1,5})x(\d{1,5})", text.strip())
    size = (int(parts[1]), int(parts[2])) if parts else (0, 0)
    if not all(MIN_SIDE <= side <= MAX_SIDE for side in size):
        raise ConfigError(
            f"--size: expected WIDTHxHEIGHT, {MIN_SIDE} to {MAX_SIDE} pixels each, found {text!r}; "
            "write for example --size 1280x720"
        )
    return size

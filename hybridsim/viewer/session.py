"""Runs on a stage: what each frame shows of them, and what the keys do. A window, a browser and files all use this."""

from __future__ import annotations

import math
import textwrap
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import Any

from hybridsim.errors import HybridsimError
from hybridsim.viewer.history import History, survey
from hybridsim.viewer.player import Player
from hybridsim.viewer.render.cameras import CAMERAS
from hybridsim.viewer.render.view import Look, Stage
from hybridsim.viewer.source import Moment, Source

LOOK_BACK = 4.0
"""Seconds on the clock that strip charts and trails look back; in slow motion, that is less of the run."""
SCRUB = 0.1
"""Seconds on the clock that an arrow key goes on or back while playing."""
LONGEST = 90
"""Letters of why a run has ended."""
MANY = 10
"""How much further shift takes an arrow key."""
KEYS = (
    ("space", "pause, play"),
    ("left right", "a picture back, on; while playing 0.1 s (shift: ten)"),
    ("down up", "the event before, after"),
    ("home end", "the beginning, the end"),
    ("- +", "slower, faster"),
    ("c", "camera: follow, side, top, free"),
    ("t", "trails"),
    ("f", "force arrows"),
    ("g", "strip charts"),
    ("h", "this help"),
    ("r", "read the configuration again and restart (live)"),
    ("q escape", "close"),
    ("mouse", "left: turn, middle or shift: move, right or wheel: zoom;"),
    ("", "the slider: drag"),
)
"""What is listed as help."""


class Show:
    """Sources, a player, and the stage they are on.

    Parameters
    ----------
    sources : what is shown; the first one has the events, the camera and the ground.
    player : where they stand.
    layout, off_screen, size, title : see `Stage`.
    outputs : what the head-up line and the strip charts show; None: what the first scene says.

    Attributes
    ----------
    open : nobody has asked to close it.
    """

    def __init__(
        self,
        sources: Sequence[Source],
        player: Player,
        layout: str = "ghosts",
        off_screen: bool = False,
        size: tuple[int, int] = (1280, 720),
        outputs: Sequence[str] | None = None,
        title: str = "hybridsim",
    ) -> None:
        self.sources, self.player = list(sources), player
        self._wanted = outputs
        self.stage = Stage(self._looks(), layout, off_screen, size, title)
        self.open = True
        self._begin()

    def _begin(self) -> None:
        """Everything that depends on which runs there are."""
        names = [name for name, _ in self._columns(self.sources[0])]
        self._histories = [History(source, names) for source in self.sources]
        for source in self.sources:
            if names and source.finished:
                self.stage.strips.take(survey(source, names))
        self._width = max(_chart_width(source) for source in self.sources)
        for source in self.sources:
            watch: Callable[[Player], None] | None = getattr(source, "watch", None)
            if watch is not None:
                watch(self.player)

    def _looks(self) -> list[Look]:
        return [
            Look(
                source.name,
                source.scene,
                source.p,
                tuple(self._columns(source)),
                tuple(source.model.boundary_records.names),
            )
            for source in self.sources
        ]

    def _columns(self, source: Source) -> list[tuple[str, str]]:
        """Names and units of what is shown as numbers and curves."""
        columns = source.model.columns
        wanted = source.scene.outputs if self._wanted is None else self._wanted
        return [(name, columns[name].unit) for name in wanted if name in columns.names]

    def draw(self) -> list[Moment]:
        """Set everything to where the player stands. Renders nothing: `stage.render` or `screenshot` do."""
        t, stage = self.player.t, self.stage
        moments = [source.moment(t) for source in self.sources]
        stage.set_poses([moment.poses for moment in moments])
        stage.timeline.show_sources(self.sources)
        stage.timeline.set_time(t)
        stage.say(self._lines(moments))
        if stage.strips_shown or stage.trails_shown:
            self._look_back(moments)
        return moments

    def _look_back(self, moments: Sequence[Moment]) -> None:
        span = LOOK_BACK * self.player.speed
        for history, moment in zip(self._histories, moments, strict=True):
            history.go_to(moment, span)
        if self.stage.strips_shown:
            latest = self._histories[0].t
            places = 1.0 - (latest[-1] - latest) / span
            self.stage.strips.set_curves(places, [history.values for history in self._histories])
        if self.stage.trails_shown:
            self.stage.set_paths([history.paths for history in self._histories])

    def _lines(self, moments: Sequence[Moment]) -> list[str]:
        player = self.player
        first = f"t {clock(player.t, player.speed)}   {player.speed:.3g}x   {self._state()}".rstrip()
        each = [self._line(source, moment) for source, moment in zip(self.sources, moments, strict=True)]
        return [first, *each]

    def _state(self) -> str:
        """What else there is to say of the player: how the run ended, at its end."""
        player = self.player
        if player.at_end:
            ended = [textwrap.shorten(source.message, LONGEST, placeholder=" ...") for source in self.sources]
            return ended[0] if len(ended) == 1 else "the end"
        if player.playing:
            return "computing" if player.t >= player.end else ""
        return "paused"

    def _line(self, source: Source, moment: Moment) -> str:
        names = [source.name for source in self.sources]
        name = f"{source.name:<{max(map(len, names))}}  " if len(names) > 1 else ""
        numbers = "  ".join(
            f"{name} {number(moment.outputs.get(name, math.nan))} {unit}" for name, unit in self._columns(source)
        )
        return f"{name}{moment.chart:<{self._width}}  j {moment.j:<4d} {moment.last_event:<10}  {numbers}".rstrip()

    def press(self, key: str, shift: bool = False) -> None:
        """What a key does, by the names that X11 gives keys; unknown ones do nothing."""
        player, many = self.player, MANY if shift else 1
        actions: dict[str, Callable[[], Any]] = {
            "space": player.toggle,
            "Left": lambda: self._go(-many),
            "Right": lambda: self._go(many),
            "Up": lambda: self._to_event(True),
            "Down": lambda: self._to_event(False),
            "Home": player.home,
            "End": player.finish,
            "plus": player.faster,
            "minus": player.slower,
            "c": self._next_camera,
            "t": lambda: self.stage.show_trails(not self.stage.trails_shown),
            "f": lambda: self.stage.show_forces(not self.stage.forces_shown),
            "g": lambda: self.stage.show_strips(not self.stage.strips_shown),
            "h": lambda: self.stage.help.say("" if self.stage.help.words else keys_listed()),
            "r": self.restart,
            "q": self.close,
        }
        actions.get(SAME_KEYS.get(key, key.lower() if len(key) == 1 else key), lambda: None)()

    def _go(self, pictures: int) -> None:
        """By pictures while paused; else by SCRUB, and go on."""
        player = self.player
        if player.playing:
            player.scrub(player.t + pictures * SCRUB * player.speed)
        else:
            player.step(pictures)

    def _to_event(self, forward: bool) -> None:
        """Pause at the event of the first run that comes next, or came last."""
        times = [event.t for event in self.sources[0].events]
        place = bisect_right(times, self.player.t) if forward else bisect_left(times, self.player.t) - 1
        if 0 <= place < len(times):
            self.player.playing = False
            self.player.scrub(times[place])

    def _next_camera(self) -> None:
        self.stage.set_camera(CAMERAS[(CAMERAS.index(self.stage.camera) + 1) % len(CAMERAS)])

    def restart(self) -> None:
        """Begin live runs anew from their configurations; what is wrong with one is shown, and the old run stays.

        Where the last run had been played to its end, the new one is played.
        """
        over = self.player.at_end
        try:
            for source in self.sources:
                restart: Callable[[], None] | None = getattr(source, "restart", None)
                if restart is not None:
                    restart()
        except HybridsimError as problem:
            self.stage.help.say("")
            self.stage.alert.say(f"{problem}\n\nThe run goes on as it was; mend it and press r.")
            return
        self.stage.alert.say("")
        self.stage.recast(self._looks())
        self._begin()
        self.player.home()
        self.player.playing = self.player.playing or over

    def close(self) -> None:
        """Ask whoever draws to stop."""
        self.open = False


SAME_KEYS = {"equal": "plus", "KP_Add": "plus", "KP_Subtract": "minus", "underscore": "minus", "Escape": "q"}
SAME_KEYS |= {f"KP_{name}": name for name in ("Left", "Right", "Up", "Down", "Home", "End")}


def keys_listed() -> str:
    """The help."""
    return "\n".join(f"{key:<12}{what}" for key, what in KEYS)


def clock(t: float, speed: float) -> str:
    """A time [s], with as many decimals as can be seen to move."""
    digits = min(max(3 - math.floor(math.log10(speed)), 2), 9)
    return f"{t:.{digits}f} s"


def number(value: float) -> str:
    """Four digits, in seven letters at least, so that the words behind it mostly stay where they are."""
    return f"{f'{value:#.4g}'.rstrip('.'):>7}"


def _chart_width(source: Source) -> int:
    """Letters of the longest name of a chart; where charts are bit fields, those of the first one."""
    model = source.model
    return max(map(len, model.charts.names), default=len(model.chart_name(0)))

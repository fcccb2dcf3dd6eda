"""What windows, browser pages and films have in common: runs, a player, the stage with the pictures, and keys."""

from __future__ import annotations

import math
import textwrap
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, get_args

from hybridsim.errors import HybridsimError
from hybridsim.typing import BodyKind, Camera
from hybridsim.viewer.frames import chart_label, lamps_of
from hybridsim.viewer.history import N_HISTORY_SAMPLES, History, sample_outputs
from hybridsim.viewer.options import ViewOptions
from hybridsim.viewer.player import Player
from hybridsim.viewer.pushing import Pusher
from hybridsim.viewer.render.interaction import Grip
from hybridsim.viewer.render.stage import Stage, StagedRun
from hybridsim.viewer.render.strips import MIN_SHOWN_NUMBER
from hybridsim.viewer.source import RunFrame, Source
from hybridsim.viewer.steering import Steering

HISTORY_DURATION = 4.0
"""Real time that strip charts and trails cover [s]; in slow motion, less simulated time."""
SCRUB_DURATION = 0.1
"""Real time by which an arrow key scrubs while playing [s]."""
MAX_PUSH_DELAY = 0.5
"""Real time that a run may be ahead of the picture when a push begins [s]; it acts where the run has got to."""
SHIFT_FACTOR = 10
"""Factor by which the shift key lengthens the step of an arrow key."""
MAX_MESSAGE_LENGTH = 90
"""Number of characters of the message in the head-up line that explains why a run ended."""
KEY_HELP = (
    ("space", "pause, play"),
    ("left right", "one picture back, forward; while playing 0.1 s (shift: ten times)"),
    ("down up", "the previous event, the next event"),
    ("home end", "the beginning, the end"),
    ("- +", "slower, faster"),
    ("c", "camera: follow, side, top, free"),
    ("t", "trails"),
    ("f", "force arrows"),
    ("k", "cones of friction"),
    ("p", "points of contact: a cube holds, a disk slips, a ball is open"),
    ("j", "joints"),
    ("a", "axes of bodies: x red, y green, z blue"),
    ("e", "ellipsoids of inertia"),
    ("g", "strip charts"),
    ("i", "sliders for the inputs, while computing"),
    ("h ?", "this help"),
    ("r", "read the configuration again and restart (while computing)"),
    ("q escape", "close"),
    ("mouse", "left: turn, middle or shift: move, right or wheel: zoom;"),
    ("", "time slider: drag; control and left: push a body of a live run"),
)
"""Keys and what they do."""

KEYS_OF_KINDS: dict[str, BodyKind] = {
    "f": "force",
    "k": "cone",
    "p": "contact",
    "j": "joint",
    "a": "frame",
    "e": "inertia",
}
"""Keys that show and hide a kind of bodies."""

KEY_ALIASES = {"equal": "plus", "KP_Add": "plus", "KP_Subtract": "minus", "underscore": "minus"}
KEY_ALIASES |= {"Escape": "q", "question": "h"} | {
    f"KP_{name}": name for name in ("Left", "Right", "Up", "Down", "Home", "End")
}


class Session:
    """Runs, the player that goes through them, and the stage on which they are drawn.

    Parameters
    ----------
    player : Player
        The player with the runs; the first one has the events, the camera and the ground.
    options : ViewOptions
        Size, layout and outputs.
    off_screen : bool
        Whether to draw without a window.

    Attributes
    ----------
    title : str
        Title of the window, or of the page in a browser.
    stage : Stage
        The stage.
    open : bool
        False after `close` has been called.
    pusher : Pusher
        The push of the mouse on a body of a live run.
    steering : Steering
        The sliders for the inputs of a live run.
    """

    def __init__(self, player: Player, options: ViewOptions, off_screen: bool = False) -> None:
        self.player, self.sources = player, player.sources
        self.title = f"{', '.join(source.name for source in self.sources)} - hybridsim"
        self._output_names = options.outputs
        self.stage = Stage(self._staged_runs(), N_HISTORY_SAMPLES, options.layout, off_screen, options.size, self.title)
        self.stage.show_kind("cone", options.cones)
        self.open = True
        self.pusher = Pusher(self.sources, self.stage, self._refuse, self._begin_push)
        self.steering = Steering(self.sources[0], self.stage)
        self._prepare_sources()

    def _prepare_sources(self) -> None:
        """Set up everything that depends on the runs; also after a restart has exchanged them."""
        names = [name for name, _ in self._columns(self.sources[0])]
        self._histories = [History(source, names) for source in self.sources]
        for source in self.sources:
            if names and source.finished:
                self.stage.strips.extend_scales(sample_outputs(source, names))
        self._chart_width = max(_chart_width(source) for source in self.sources)
        for source in self.sources:
            follow: Callable[[Player], None] | None = getattr(source, "follow", None)
            if follow is not None:
                follow(self.player)

    def _staged_runs(self) -> list[StagedRun]:
        return [
            StagedRun(
                source.name,
                source.scene,
                source.p,
                tuple(self._columns(source)),
                tuple(source.model.boundary_records.names),
            )
            for source in self.sources
        ]

    @property
    def grips(self) -> list[Grip]:
        """What the left mouse button may take."""
        return [self.steering, self.pusher]

    def _columns(self, source: Source) -> list[tuple[str, str]]:
        """Return names and units of the outputs that are shown as numbers and curves."""
        columns = source.model.columns
        names = source.scene.outputs if self._output_names is None else self._output_names
        return [(name, columns[name].unit) for name in names if name in columns.names]

    def draw(self) -> list[RunFrame]:
        """Move everything on the stage to the player's time; `stage.render` or `stage.screenshot` makes the picture.

        Returns
        -------
        list of Frame
            What is shown of each run.
        """
        t, stage = self.player.t, self.stage
        stage.prepare()  # curves and sliders are drawn where their charts are after a resize
        frames = [source.frame(t) for source in self.sources]
        poses = [frame.poses for frame in frames]
        stage.set_poses(poses)
        self.pusher.apply(poses)
        self.steering.draw()
        self._show_progress()
        stage.timeline.set_time(t)
        stage.set_lines(self._lines(frames))
        if stage.strips_shown or stage.trails_shown:
            self._draw_histories(frames)
        return frames

    def _show_progress(self) -> None:
        """Show on the slider how far the runs have come."""
        finished = all(source.finished for source in self.sources)
        self.stage.timeline.show_runs(self.player.begin, self.player.end, finished, self.sources[0].events)

    def _draw_histories(self, frames: Sequence[RunFrame]) -> None:
        span = HISTORY_DURATION * self.player.speed
        for history, frame in zip(self._histories, frames, strict=True):
            history.advance(frame, span)
        if self.stage.strips_shown:
            t = self._histories[0].t
            places = 1.0 - (t[-1] - t) / span
            self.stage.strips.set_curves(places, [history.values for history in self._histories])
        if self.stage.trails_shown:
            self.stage.set_paths([history.paths for history in self._histories])

    def _lines(self, frames: Sequence[RunFrame]) -> list[str]:
        """Return the head-up lines: the player's, then one for each run."""
        player = self.player
        known = player.end - player.begin if all(source.finished for source in self.sources) else math.inf
        t = format_time(player.t, player.speed, known)
        first = f"t {t}   {player.speed:.3g}x   {self._player_state()}".rstrip()
        return [first, *(self._line(source, frame) for source, frame in zip(self.sources, frames, strict=True))]

    def _player_state(self) -> str:
        """Return why the run ended, if its end is shown, else whether the player waits."""
        player = self.player
        if player.at_end:
            ended = [
                textwrap.shorten(source.message, MAX_MESSAGE_LENGTH, placeholder=" ...") for source in self.sources
            ]
            return ended[0] if len(ended) == 1 else "the end"
        if player.playing:
            return "computing" if player.t >= player.end else ""
        return "paused"

    def _line(self, source: Source, frame: RunFrame) -> str:
        names = [source.name for source in self.sources]
        name = f"{source.name:<{max(map(len, names))}}  " if len(names) > 1 else ""
        numbers = "  ".join(
            f"{output} {format_number(frame.outputs.get(output, math.nan))} {unit}"
            for output, unit in self._columns(source)
        )
        jumps = f"{frame.j} {'jump' if frame.j == 1 else 'jumps'}"
        last = f"last: {frame.last_event}" if frame.last_event else ""
        return f"{name}{frame.chart:<{self._chart_width}}  {jumps:<9}  {last:<16}  {numbers}".rstrip()

    def press(self, key: str, shift: bool = False) -> None:
        """Do what a key stands for; unknown keys do nothing.

        Parameters
        ----------
        key : str
            Name of the key, as X11 calls it.
        shift : bool
            Whether the shift key is held.
        """
        player, stage, distance = self.player, self.stage, SHIFT_FACTOR if shift else 1
        actions: dict[str, Callable[[], Any]] = {
            "space": player.toggle,
            "Left": lambda: self._step(-distance),
            "Right": lambda: self._step(distance),
            "Up": lambda: self._go_to_event(forward=True),
            "Down": lambda: self._go_to_event(forward=False),
            "Home": player.home,
            "End": player.finish,
            "plus": player.faster,
            "minus": player.slower,
            "c": self._next_camera,
            "t": lambda: stage.show_trails(not stage.trails_shown),
            "i": self._show_sliders,
            "g": lambda: stage.show_strips(not stage.strips_shown),
            "h": lambda: stage.help.set_text("" if stage.help.text else self._help()),
            "r": self.restart,
            "q": self.close,
        }
        actions |= {letter: partial(stage.toggle_kind, kind) for letter, kind in KEYS_OF_KINDS.items()}
        actions.get(KEY_ALIASES.get(key, key.lower() if len(key) == 1 else key), lambda: None)()

    def _help(self) -> str:
        return "\n".join([format_key_help(), *lamps_of(self.sources[0].model)])

    def _step(self, distance: int) -> None:
        """Go forward by pictures while paused, otherwise by multiples of `SCRUB_DURATION`."""
        player = self.player
        if player.playing:
            player.scrub(player.t + distance * SCRUB_DURATION * player.speed)
        else:
            player.step(distance)

    def _go_to_event(self, forward: bool) -> None:
        """Pause at the next or the previous event of the first run."""
        times = [event.t for event in self.sources[0].events]
        number = bisect_right(times, self.player.t) if forward else bisect_left(times, self.player.t) - 1
        if 0 <= number < len(times):
            self.player.playing = False
            self.player.scrub(times[number])

    def _show_sliders(self) -> None:
        reason = self.steering.toggle()
        if reason:
            self._refuse(reason)

    def _refuse(self, reason: str) -> None:
        self.stage.help.set_text(f"{reason}\n(h hides this)")

    def _begin_push(self) -> None:
        """Go to where the run has got to, if the player has gone back: a push acts there."""
        self.stage.help.set_text("")
        if self.player.end - self.player.t > MAX_PUSH_DELAY * self.player.speed:
            self.player.finish()

    def _next_camera(self) -> None:
        cameras = get_args(Camera)
        self.stage.set_camera(cameras[(cameras.index(self.stage.camera) + 1) % len(cameras)])

    def restart(self) -> None:
        """Restart the live runs from their configurations; a problem is shown in the picture and the old run stays.

        If the old run was shown up to its end, the new one is played; otherwise the player stays paused or playing.
        """
        self.pusher.end()
        was_at_end = self.player.at_end
        try:
            for source in self.sources:
                restart: Callable[[], None] | None = getattr(source, "restart", None)
                if restart is not None:
                    restart()
        except HybridsimError as error:
            self.stage.help.set_text("")
            self.stage.alert.set_text(f"{error}\n\nThe old run continues; correct this and press r again.")
            return
        self.stage.alert.set_text("")
        self.stage.replace_runs(self._staged_runs())
        self.steering.renew()
        self._prepare_sources()
        self.player.home()
        self.player.playing = self.player.playing or was_at_end

    def close(self) -> None:
        """Set `open` to False, so that the window or the page closes soon."""
        self.open = False


def format_key_help() -> str:
    """Return the list of keys, one line each."""
    return "\n".join(f"{key:<12}{effect}" for key, effect in KEY_HELP)


def format_time(t: float, speed: float, duration: float = math.inf) -> str:
    """Return a time [s] with as many decimals as show a thousandth of a real second, or of the run if it is shorter."""
    digits = min(max(3 - math.floor(math.log10(min(speed, duration or speed))), 0), 12)
    return f"{t:.{digits}f} s"


def format_number(value: float) -> str:
    """Return four significant digits in at least seven characters, so that the text after it rarely moves."""
    value = 0.0 if abs(value) < MIN_SHOWN_NUMBER else value
    return f"{f'{value:#.4g}'.rstrip('.'):>7}"


def _chart_width(source: Source) -> int:
    """Return the length of the longest label of a chart; if charts are bit fields, all have the same."""
    model = source.model
    return max(map(len, model.charts.names), default=len(chart_label(model, 0)))

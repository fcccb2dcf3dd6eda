"""What the browsers of a page receive, and what they may do: times, inputs, pushes, restarts."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from hybridsim.errors import HybridsimError
from hybridsim.viewer.browser.header import header
from hybridsim.viewer.browser.html import packer_of
from hybridsim.viewer.options import ViewOptions
from hybridsim.viewer.pushing import force_of
from hybridsim.viewer.source import Source

PIECE_DURATION = 0.5
"""Most real time that one piece of a run covers, at the speed that was chosen [s]."""

LEAST_DURATION, RESERVE = 0.1, 0.05
"""Real time that a piece of a run covers at least while it is computed and a browser plays, as packing costs by the
piece; and that browsers have left of what they know when they need a shorter one [s]."""

MOST_PIECES = 400
"""Most pieces of a run that had ended before it was shown."""

ONLY_COMPUTED = "Only a run that is computed while it is shown can be restarted."


class Foremost:
    """The player that is furthest on of all browsers; a run that is computed follows it (see `Live.follow`)."""

    def __init__(self, begin: float, speed: float) -> None:
        self.begin, self._speed, self._known = begin, speed, begin
        self._reports: dict[object, tuple[float, float, bool, float]] = {}

    def report(self, browser: object, t: float, speed: float, playing: bool) -> None:
        """Note which time [s] a browser shows, at which speed, and whether it plays."""
        self._reports[browser] = t, speed, playing, time.perf_counter()

    def forget(self, browser: object) -> None:
        """Forget a browser that has been closed."""
        self._reports.pop(browser, None)

    def home(self) -> None:
        """Forget all times, as a new run begins."""
        self._reports.clear()
        self._known = self.begin

    def know(self, end: float) -> None:
        """Note up to which time [s] the browsers know the run; they wait there."""
        self._known = end

    def _leader(self) -> tuple[float, float, bool, float]:
        nobody = self.begin, self._speed, False, 0.0
        return max([*self._reports.values()], key=lambda report: (report[2], report[0]), default=nobody)

    @property
    def playing(self) -> bool:
        """Whether any browser plays."""
        return self._leader()[2]

    @property
    def speed(self) -> float:
        """Its speed."""
        return self._leader()[1]

    @property
    def t(self) -> float:
        """Where it is now [s], as far as the run is known to it; browsers tell it only now and then."""
        t, speed, playing, since = self._leader()
        return max(t, min(t + speed * (time.perf_counter() - since), self._known)) if playing else t


class Feed:
    """The runs as pieces for browsers, and what browsers ask for.

    Parameters
    ----------
    sources : sequence of Source
        The runs.
    options : ViewOptions
        Speed, camera, layout, outputs and the time at which to begin.

    Attributes
    ----------
    send : callable
        Called with messages to all browsers.
    open : bool
        False once a browser has closed the page.
    """

    def __init__(self, sources: Sequence[Source], options: ViewOptions) -> None:
        self.sources, self._options = sources, options
        self.send: Callable[[str], None] = lambda _: None
        self.foremost = Foremost(sources[0].begin, options.speed)
        self.open, self._restart_wanted = True, False
        self._pusher: object = None
        self._epoch = 0  # number of beginnings; what a browser reports of an earlier run says nothing of this one
        self._begin()

    def _begin(self) -> None:
        """Pack the runs from their beginning; also after a restart, which may have exchanged their models."""
        self._epoch += 1
        self.foremost.home()
        self._packers = [packer_of(number, source, self._options) for number, source in enumerate(self.sources)]
        self._ends: list[float | None] = [None] * len(self.sources)
        self._complete = [False] * len(self.sources)
        self._run: Any = self.sources[0]
        head = header(self._packers, self._options, live=True)
        self._header: list[str] = [_message("header", epoch=self._epoch, header=head)]
        for source in self.sources:
            follow = getattr(source, "follow", None)
            if follow is not None:
                follow(self.foremost)

    def advance(self) -> list[str | bytes]:
        """Return what is new since the last call: the next piece of each run; a header first, and after a restart.

        It takes as long as the model's `poses` does for a piece, and may be called in a thread, one call at a time.
        """
        if self._restart_wanted:
            self._restart_wanted = False
            problem = self._restart()
            if problem:
                return [problem]
        headers, self._header = self._header, []
        pieces = [piece for number in range(len(self.sources)) for piece in self._next(number)]
        self.foremost.know(max(end for end in self._ends if end is not None))
        return [*headers, *pieces]

    def _next(self, number: int) -> list[bytes]:
        source, begin = self.sources[number], self._ends[number]
        finished, known = source.finished, source.end  # in this order: a run that has finished does not grow
        if self._complete[number] or (begin is not None and not finished and not self._wanted(begin, known)):
            return []
        first = source.begin if begin is None else begin
        longest = max(PIECE_DURATION * self._options.speed, (known - source.begin) / MOST_PIECES if finished else 0.0)
        end = min(known, first if begin is None else first + longest)
        self._ends[number], self._complete[number] = end, finished and end == known
        return [self._packers[number].piece(first, end, self._complete[number])]

    def _wanted(self, begin: float, known: float) -> bool:
        """Whether a run that goes on is sent from `begin` on now, or when more of it is known [s]."""
        player = self.foremost
        enough = known - begin >= LEAST_DURATION * player.speed or player.t + RESERVE * player.speed >= begin
        return known > begin and (enough or not player.playing)

    def _restart(self) -> str:
        """Compute the runs again from their configurations; return a problem as a message: the old ones stay."""
        restarts = [source.restart for source in self.sources if hasattr(source, "restart")]
        if not restarts:
            return _message("message", text=ONLY_COMPUTED)
        self._release()
        try:
            for restart in restarts:
                restart()
        except HybridsimError as error:
            text = f"{error}\n\nThe old run continues; correct this and press r again."
            return _message("message", text=text, alarm=True)
        self._begin()
        return ""

    def receive(self, browser: object, text: str) -> None:
        """Do what a browser asks for; what is no such message, or names what the model does not have, is ignored."""
        actions: dict[str, Callable[[object, dict[str, Any]], None]] = {"at": self._show}
        if hasattr(self._run, "push"):
            actions |= {"input": self._set_input, "push": self._push}
        try:
            message = json.loads(text)
            kind = message["type"]
            if kind in actions:
                actions[kind](browser, message)
        except (ValueError, KeyError, TypeError, IndexError):
            return
        if kind == "release" and self._pusher is browser:
            self._release()
        self._restart_wanted |= kind == "restart"
        self.open &= kind != "close"

    def inputs(self) -> list[str]:
        """Return a message with the inputs as they are now; none of a run that has none."""
        values = getattr(self._run, "inputs", None)
        return [_message("inputs", values={**values})] if values else []

    def leave(self, browser: object) -> None:
        """Forget a browser that has been closed; its push ends."""
        self.foremost.forget(browser)
        if self._pusher is browser:
            self._release()

    def _show(self, browser: object, message: dict[str, Any]) -> None:
        if message["epoch"] == self._epoch:
            self.foremost.report(browser, _number(message["t"]), _number(message["speed"]), bool(message["playing"]))

    def _set_input(self, _: object, message: dict[str, Any]) -> None:
        name, value = message["name"], _number(message["value"])
        if name in self._run.inputs:
            self._run.set_inputs({name: value})
            self.send(_message("inputs", values={name: self._run.inputs[name]}))

    def _push(self, browser: object, message: dict[str, Any]) -> None:
        way = np.array([_number(part) for part in message["way"]])
        bodies = self._run.scene.bodies
        (push,) = (push for push in self._run.scene.pushes if bodies.index(push.body) == message["body"])
        force = force_of(push, way)
        self._pusher = browser
        self._run.push({name: float(part) for name, part in zip(push.inputs, force, strict=True) if name})

    def _release(self) -> None:
        if self._pusher is not None:
            self._pusher = None
            self._run.release()


HEADER_START = '{"type": "header"'
"""The beginning of a message that a header is in; what was sent before it is out of date."""


def _message(kind: str, **content: object) -> str:
    return json.dumps({"type": kind, **content})


def _number(value: Any) -> float:
    """Return a finite number; anything else is a ValueError."""
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(value)
    return number

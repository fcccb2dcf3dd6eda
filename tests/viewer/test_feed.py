"""What the browsers of a page receive, and what they may do with a run that is computed."""

import asyncio
import json
import time
from types import SimpleNamespace

import numpy as np
import pytest

from hybridsim import ConfigError, simulate
from hybridsim.config import config_from_keywords
from hybridsim.viewer import Replay, ViewOptions
from hybridsim.viewer.browser import feed as feeds
from hybridsim.viewer.browser import server
from hybridsim.viewer.browser.feed import HEADER_START, Feed, Foremost
from hybridsim.viewer.browser.packing import by_place, framed, head_of, summary
from hybridsim.viewer.live import Live

from .page_reader import ReadRun
from .puck import PUSH, live_puck, puck
from waiting import PATIENCE, until

ONE, OTHER = "one browser", "another browser"


def header_of(content):
    (header,) = (json.loads(text)["header"] for text in content if isinstance(text, str))
    return header


def pieces_of(content):
    return [ReadRun(piece) for piece in content if isinstance(piece, bytes)]


@pytest.fixture
def live():
    """A feed of a puck that slides while it is computed."""
    source = live_puck()
    yield Feed([source], ViewOptions())
    source.interrupt()
    source.finish()


def shown(feed, t, playing=True, browser=ONE, epoch=1):
    feed.receive(browser, json.dumps({"type": "at", "epoch": epoch, "t": t, "speed": 1.0, "playing": playing}))


def test_a_finished_run_comes_in_pieces_that_follow_each_other():
    source = Replay(simulate("slip", final_time=2.0))
    feed = Feed([source], ViewOptions())
    first = feed.advance()
    assert header_of(first)["live"] is True
    pieces = pieces_of(first)
    while not pieces[-1].head["finished"]:
        pieces += pieces_of(feed.advance())
    assert feed.advance() == []
    assert [piece.head["begin"] for piece in pieces[1:]] == [piece.head["end"] for piece in pieces[:-1]]
    assert (pieces[0].head["begin"], pieces[-1].head["end"]) == (source.begin, source.end)
    assert pieces[-1].head["message"] == source.message
    assert sum(len(piece.events["t"]) for piece in pieces) == sum(len(event.boundaries) for event in source.events)
    assert max(piece.head["end"] - piece.head["begin"] for piece in pieces) <= 0.5 + 1e-12


def test_a_run_is_computed_ahead_of_the_foremost_browser_that_plays(live):
    live.advance()
    shown(live, 3.0)
    shown(live, 7.0, playing=False, browser=OTHER)
    until(lambda: live.sources[0].end > 3.0)
    time.sleep(0.1)
    assert live.sources[0].end < 7.0
    live.leave(ONE)  # now the other one, which is paused, is the only one
    until(lambda: live.sources[0].end >= 7.0)


def test_a_browser_that_plays_is_no_further_than_what_it_has_received():
    foremost = Foremost(0.0, 1.0)
    foremost.know(0.25)
    foremost.report(ONE, 0.2, 4.0, True)
    time.sleep(0.05)
    assert foremost.t == 0.25
    foremost.know(10.0)
    assert 0.2 + 4.0 * 0.05 <= foremost.t < 10.0


class Growing:
    """A run of which only the beginning is known so far."""

    finished, n_frames = False, 0

    def __init__(self, source, end):
        self._source, self.end = source, end

    def __getattr__(self, name):
        return getattr(self._source, name)

    @property
    def events(self):
        return [event for event in self._source.events if event.t <= self.end]

    def frame(self, t, before=False):
        self.n_frames += 1
        return self._source.frame(t, before)

    def shown(self, moments):
        self.n_frames += len(moments)
        return self._source.shown(moments)


def test_pieces_of_a_run_that_is_computed_are_long_unless_a_browser_needs_them(monkeypatch):
    monkeypatch.setattr(feeds, "time", SimpleNamespace(perf_counter=lambda: 0.0))
    source = Growing(Replay(simulate("slip", final_time=2.0)), 0.3)
    feed = Feed([source], ViewOptions())
    sent = [*pieces_of(feed.advance()), *pieces_of(feed.advance())]
    assert sent[-1].head["end"] == 0.3  # nobody plays: all there is
    shown(feed, 0.2)
    source.end = 0.35
    assert feed.advance() == []
    source.end = 0.41
    assert [piece.head["end"] for piece in pieces_of(feed.advance())] == [0.41]
    source.end = 0.43
    assert feed.advance() == []
    shown(feed, 0.37)
    assert [piece.head["end"] for piece in pieces_of(feed.advance())] == [0.43]
    assert feed.advance() == []


def test_a_run_that_is_computed_needs_few_frames_where_it_moves_smoothly(monkeypatch):
    counts = {}
    for name in ("projectile", "slip"):
        source = Growing(Replay(simulate(name, final_time=1.0, record={"steps": True})), 1.0)
        source.end = source._source.end
        feed = Feed([source], ViewOptions())
        while feed.advance():
            pass
        counts[name] = source.n_frames / source.end
    assert counts["projectile"] < 40.0  # two keys in three pictures would be 40
    assert counts["slip"] < 110.0


def test_a_drag_pushes_until_it_is_released_or_the_browser_leaves(live):
    source = live.sources[0]
    for end in (lambda: live.receive(ONE, '{"type": "release"}'), lambda: live.leave(ONE)):
        live.receive(ONE, json.dumps({"type": "push", "body": 0, "way": [0.2, 5.0, 0.0]}))
        assert source.inputs["force_x"] == pytest.approx(0.2 * PUSH.stiffness)
        live.receive(OTHER, '{"type": "release"}')  # it does not push
        assert source.inputs["force_x"] != 0.0
        end()
        assert source.inputs["force_x"] == 0.0


def test_an_input_is_set_within_its_bounds_and_all_browsers_are_told():
    source, told = live_puck(pushes=()), []
    feed = Feed([source], ViewOptions())
    feed.send = told.append
    assert [each["name"] for each in header_of(feed.advance())["runs"][0]["inputs"]] == ["force_x"]
    assert [json.loads(text)["values"] for text in feed.inputs()] == [source.inputs]
    feed.receive(ONE, '{"type": "input", "name": "force_x", "value": -9}')
    feed.receive(ONE, '{"type": "input", "name": "mass", "value": 1}')
    assert source.inputs == {"force_x": -4.0}
    assert [json.loads(text) for text in told] == [{"type": "inputs", "values": {"force_x": -4.0}}]
    assert feed.inputs() == told  # what a browser that comes later is told
    source.interrupt()
    source.finish()


def test_a_restart_begins_with_a_header_and_an_error_leaves_the_old_run():
    configs = [config_from_keywords(puck(), final_time=9.0)]

    def reload():
        if not configs:
            raise ConfigError("puck.yaml:1:1: it is wrong")
        return configs.pop()

    source = Live(config_from_keywords(puck(), final_time=100.0), reload)
    feed = Feed([source], ViewOptions())
    feed.advance()
    feed.receive(ONE, '{"type": "restart"}')
    restarted = feed.advance()
    assert header_of(restarted)["runs"][0]["model"] == "puck"
    assert restarted[0].startswith(HEADER_START)
    assert source.config.final_time == 9.0
    epoch = json.loads(restarted[0])["epoch"]
    shown(feed, 8.0, epoch=epoch - 1)  # of the old run, before the browser knows of the restart
    assert feed.foremost.t == source.begin
    shown(feed, 0.5, playing=False, epoch=epoch)
    assert feed.foremost.t == 0.5
    feed.receive(ONE, '{"type": "restart"}')
    (message,) = feed.advance()
    assert "puck.yaml:1:1: it is wrong" in json.loads(message)["text"]
    assert source.restart_count == 1
    source.interrupt()
    source.finish()


def test_each_browser_receives_all_whenever_it_comes():
    aiohttp = pytest.importorskip("aiohttp", reason="aiohttp is not installed: pip install 'hybridsim[notebook]'")
    from .served import own_origin, pages, while_served  # noqa: PLC0415

    (page,) = pages()

    async def all_of(session, address):
        async with session.ws_connect(f"{address}ws", headers={"Origin": own_origin(address)}) as connection:
            received = []
            while not (received and isinstance(received[-1], bytes) and ReadRun(received[-1]).head["finished"]):
                received.append((await connection.receive(timeout=PATIENCE)).data)
            return received

    async def use(address):
        async with aiohttp.ClientSession() as session:
            both = await asyncio.gather(all_of(session, address), all_of(session, address))
            return [*both, await all_of(session, address)]

    first, second, late = while_served(page, use)
    assert first == second == late
    assert json.loads(first[0])["type"] == "header"


def texts_of(pieces, name):
    return [text for piece in pieces for text in piece.head[name]]


def test_what_is_dropped_of_a_long_run_leaves_what_later_pieces_need(monkeypatch):
    source = Replay(simulate("slip", final_time=6.0))
    feed = Feed([source], ViewOptions())
    content = feed.advance()
    while not head_of(content[-1])["finished"]:
        content += feed.advance()
    pieces = content[1:]
    monkeypatch.setattr(server, "LOG_LIMIT", sum(map(len, pieces)) // 2)
    log = server.shortened_log(pieces)
    assert sum(map(len, log[2:])) < server.LOG_LIMIT // 2 <= sum(map(len, log[1:]))
    first, *kept = pieces_of(log)
    whole = pieces_of(pieces)
    assert first.head["dropped"] is True
    assert (first.head["keys"], first.head["events"]) == (0, 0)
    assert first.head["begin"] == kept[0].head["begin"] > source.begin
    for name in ("charts", "texts"):
        assert texts_of([first, *kept], name) == texts_of(whole, name)
    assert log[1:] == pieces[-len(kept) :]
    again = server.shortened_log([*log, pieces[-1]])  # a summary is summed up, too
    assert pieces_of(again)[0].head["charts"] == first.head["charts"]


def test_tiles_of_the_ground_outlive_the_pieces_that_brought_them():
    feed = Feed([Replay(simulate("slip", final_time=2.0))], ViewOptions())
    _, first, second = (*feed.advance(), *feed.advance())
    heights = np.arange(6, dtype="<f4")
    tile = {"at": [0, 0], "x": [0.0, 1.0, 2.0], "y": [0.0, 1.0], "edges": []}
    with_tile = framed(head_of(first) | {"tiles": [tile], "keys": 0}, [heights])
    joined = summary([with_tile, with_tile], second)
    assert head_of(joined)["tiles"] == [tile, tile]
    assert joined.endswith(by_place(heights) * 2)

"""What a picture shows in front of the bodies, and what the keys do, with a run that is given by a formula."""

import math
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from hybridsim import Boundary, ConfigError, Model, Output, Parameter, Records, State
from hybridsim.scene import Body, Camera, Scene, Sphere, placed
from hybridsim.viewer import Frame, Player, ViewOptions
from hybridsim.viewer.history import N_SAMPLES, History
from hybridsim.viewer.render.strips import format_limit
from hybridsim.viewer.render.timeline import rounded_end
from hybridsim.viewer.session import (
    HISTORY_DURATION,
    KEY_HELP,
    Session,
    format_key_help,
    format_number,
    format_time,
)

from gallery import keep_chart, stand_still

SIZE = (640, 360)


def boundaries(g, t, x, p, chart):
    g[0] = g[1] = 1.0


def outputs(y, t, x, p, chart):
    y[0] = y[1] = 0.0


def poses(T, t, x, p, chart):
    T[0] = placed((x[0], 0.0, 0.0))


MODEL = Model(
    "swing",
    (State("x", 0.0, "m"),),
    vector_field=stand_still,
    boundaries=boundaries,
    transition=keep_chart,
    outputs=outputs,
    poses=poses,
    parameters=(Parameter("k", 1.0),),
    charts=Records(*()),
    boundary_records=(Boundary("left"), Boundary("right")),
    output_records=(Output("place", "m"), Output("speed", "m/s")),
    scene=Scene(
        Records(Body("bob", Sphere(0.1), "#ff0000")), camera=Camera(distance=4.0, view=(0, 1, -0.1)), outputs=("place",)
    ),
)


@dataclass(frozen=True)
class Turn:
    t: float
    boundaries: tuple
    kind: str = "crossing"


@dataclass
class Swing:
    """x = sin(t), turning at the ends."""

    name: str = "swing"
    end: float = 10.0
    finished: bool = True
    begin: float = 0.0
    message: str = ""
    model: Model = MODEL
    scene: Scene = MODEL.scene
    p: np.ndarray = field(default_factory=lambda: np.ones(1))
    n_frames: int = 0
    restarts: list = field(default_factory=list)

    @property
    def events(self):
        return [
            Turn(t, ("right" if k % 2 == 0 else "left",))
            for k in range(20)
            if (t := math.pi / 2 + k * math.pi) <= self.end
        ]

    def frame(self, t, before=False):
        self.n_frames += 1
        t = min(max(t, self.begin), self.end)
        past = [event for event in self.events if event.t <= t]
        x = math.sin(t)
        return Frame(
            t,
            len(past),
            "flow",
            np.array([x]),
            np.array([placed((x, 0.0, 0.0))]),
            {"place": x, "speed": math.cos(t)},
            past[-1].boundaries[0] if past else "",
        )


@pytest.fixture
def shown():
    sessions = []

    def session(*sources, **options):
        options = ViewOptions(size=SIZE, **options)
        player = Player(*sources, playing=False, speed=options.speed)
        sessions.append(Session(sources, player, options, off_screen=True))
        sessions[-1].draw()
        return sessions[-1]

    yield session
    for each in sessions:
        each.stage.close()


def head_up(session):
    return [text.text for text in session.stage.head_up._lines]


def test_the_head_up_lines_show_time_speed_chart_jumps_event_and_outputs(shown):
    session = shown(Swing(), speed=0.5)
    session.player.scrub(2.0)
    session.draw()
    first, second = head_up(session)
    assert first == "t 2.0000 s   0.5x   paused"
    assert second.split() == ["flow", "j", "1", "right", "place", "0.9093", "m"]
    session.press("space")
    session.draw()
    assert head_up(session)[0] == "t 2.0000 s   0.5x"


def test_at_the_end_of_the_run_the_head_up_line_shows_why_it_ended(shown):
    source = Swing(message="body toppled over")
    session = shown(source)
    session.player.finish()
    session.draw()
    assert head_up(session)[0] == "t 10.000 s   1x   body toppled over"
    source.finished = False
    session.draw()
    assert head_up(session)[0] == "t 10.000 s   1x   paused"


def test_outputs_can_be_chosen(shown):
    session = shown(Swing(), outputs=("speed", "place"))
    assert head_up(session)[1].split()[2:] == ["0", "speed", "1.000", "m/s", "place", "0.000", "m"]
    assert len(session.stage.strips) == 2


def test_each_of_several_runs_has_a_line(shown):
    session = shown(Swing("one"), Swing("another"))
    assert [line.split()[0] for line in head_up(session)] == ["t", "one", "another"]


@pytest.mark.parametrize(
    ("keys", "t"),
    [
        (["Right"], 5.0 + 1 / 30),
        (["Left", "Left"], 5.0 - 2 / 30),
        (["Home"], 0.0),
        (["End"], 10.0),
        (["Up"], 5.5 * math.pi / 2 - 0.25 * math.pi + 0.5 * math.pi),
        (["Down"], 1.5 * math.pi),
        (["Down", "Down"], 0.5 * math.pi),
        (["plus", "Right"], 5.0 + 2 / 30),
        (["minus", "minus", "Right"], 5.0 + 0.25 / 30),
        (["KP_Add", "equal", "Right"], 5.0 + 4 / 30),
    ],
)
def test_keys_move_the_time(shown, keys, t):
    session = shown(Swing())
    session.player.scrub(5.0)
    if keys == ["Up"]:
        t = 2.5 * math.pi
    for key in keys:
        session.press(key)
    assert session.player.t == pytest.approx(t)
    assert not session.player.playing


def test_shift_goes_ten_times_as_far(shown):
    session = shown(Swing())
    session.player.scrub(5.0)
    session.press("Right", shift=True)
    assert session.player.t == pytest.approx(5.0 + 10 / 30)


def test_while_playing_arrows_scrub_and_it_plays_on(shown):
    session = shown(Swing(), speed=2.0)
    session.player.scrub(5.0)
    session.press("space")
    session.press("Left")
    assert session.player.t == pytest.approx(4.8)
    assert session.player.playing


def test_keys_switch_what_is_to_be_seen(shown):
    session = shown(Swing())
    stage = session.stage
    cameras = [stage.camera]
    for _ in range(4):
        session.press("c")
        cameras.append(stage.camera)
    assert cameras == ["follow", "side", "top", "free", "follow"]
    assert (stage.trails_shown, stage.forces_shown, stage.strips_shown) == (False, True, True)
    for key in "tfg":
        session.press(key)
    assert (stage.trails_shown, stage.forces_shown, stage.strips_shown) == (True, False, False)


def test_help_lists_every_key_and_goes_away_again(shown):
    session = shown(Swing())
    without = session.stage.screenshot()
    session.press("h")
    for key, _ in KEY_HELP:
        assert key in session.stage.help.text
    assert (session.stage.screenshot() != without).any(axis=2).mean() > 0.1
    session.press("h")
    assert (session.stage.screenshot() == without).all()
    assert max(map(len, format_key_help().splitlines())) < 80


def test_unknown_keys_do_nothing(shown):
    session = shown(Swing())
    before = session.stage.screenshot()
    for key in ("F5", "w", "e", "p", "3", "Shift_L", ""):
        session.press(key)
    session.draw()
    assert (session.stage.screenshot() == before).all()
    assert session.open


@pytest.mark.parametrize("key", ["q", "Q", "Escape"])
def test_a_key_closes_it(shown, key):
    session = shown(Swing())
    session.press(key)
    assert not session.open


class Again(Swing):
    def restart(self):
        if self.restarts:
            raise self.restarts.pop()
        self.end = 5.0


def test_a_restart_begins_anew(shown):
    source = Again()
    session = shown(source)
    session.player.scrub(7.0)
    session.press("r")
    session.draw()
    assert (source.end, session.player.t) == (5.0, 0.0)
    assert not session.stage.alert.text


@pytest.mark.parametrize("finished", [True, False])
def test_a_restart_at_the_end_plays_and_one_in_a_pause_stays_paused(shown, finished):
    session = shown(Again(finished=finished))
    session.player.finish()
    session.press("r")
    assert session.player.playing == finished


def test_what_is_wrong_with_a_restart_is_shown_and_the_old_run_stays(shown):
    source = Again(restarts=[ConfigError("run.yaml:3:5: parameters.k: expected a number, found 'soft'")])
    session = shown(source)
    session.player.scrub(7.0)
    without = session.stage.screenshot()
    session.press("r")
    session.draw()
    assert "run.yaml:3:5: parameters.k: expected a number, found 'soft'" in session.stage.alert.text.replace("\n", " ")
    assert (session.stage.screenshot() != without).any(axis=2).mean() > 0.05
    assert session.player.t == 7.0
    session.press("r")
    assert not session.stage.alert.text


def test_a_long_message_stays_in_the_picture(shown):
    session = shown(Swing())
    session.stage.alert.set_text("word " * 80 + "\n" + "w" * 300)
    fitting = SIZE[0] / session.stage.canvas.character()[0]
    assert max(map(len, session.stage.alert.text.splitlines())) < fitting


def test_the_slider_gives_the_time_at_every_place(shown):
    timeline = shown(Swing()).stage.timeline
    bar = timeline._axis
    for t in (0.0, 2.5, 9.0):
        x = float(bar.x(np.array(t)))
        assert timeline.time_at(x, bar.y) == pytest.approx(t)
        assert timeline.time_at(x, bar.y + 200) is None
        assert timeline.time_at(x, bar.y + 200, held=True) == pytest.approx(t)
    assert timeline.time_at(0, bar.y, held=True) == 0.0
    assert timeline.time_at(SIZE[0], bar.y, held=True) == 10.0


def test_events_are_ticks_in_the_colour_of_their_boundary(shown):
    session = shown(Swing())
    picture = session.stage.screenshot().astype(int)
    bar, unit = session.stage.timeline._axis, session.stage.canvas.unit
    row = SIZE[1] - 1 - round(bar.y + 5 * unit)
    red, green = np.array([0xB2, 0x18, 0x2B]), np.array([0x1B, 0x78, 0x37])
    for k, colour in enumerate((green, red, green)):  # right is the second boundary, left the first
        x = round(float(bar.x(np.array(math.pi / 2 + k * math.pi))))
        assert np.abs(picture[row, x - 1 : x + 2] - colour).sum(axis=1).min() < 150
    between = round(float(bar.x(np.array(math.pi))))
    assert np.abs(picture[row, between - 1 : between + 2] - red).sum(axis=1).min() > 150


def test_ticks_of_a_live_run_appear_as_it_goes_on(shown):
    source = Swing(end=1.0, finished=False)
    session = shown(source)
    timeline = session.stage.timeline
    assert not timeline._ticks
    source.end = 5.0
    session.draw()
    assert {name: len(ticks.times) for name, ticks in timeline._ticks.items()} == {"left": 1, "right": 1}
    assert timeline._axis.end > 5.0
    source.finished = True
    session.draw()
    assert timeline._axis.end == 5.0


@pytest.mark.parametrize(("end", "above"), [(0.9, 1.0), (1.0, 1.5), (9.9, 15.0), (0.0, 1e-9), (2.0, 3.0)])
def test_a_run_that_goes_on_has_a_slider_of_round_length(end, above):
    assert rounded_end(0.0, end) == pytest.approx(above)


def test_a_curve_is_where_its_values_are(shown):
    session = shown(Swing())
    session.player.scrub(6.0)
    session.draw()
    session.stage.render()
    (strip,) = session.stage.strips._strips
    left, bottom, right, top = strip._box
    points = np.array(strip._curves[0]._shape.points[:, :2])
    t = 6.0 - HISTORY_DURATION * (right - points[:, 0]) / (right - left)
    expected = bottom + (np.sin(t) - strip.low) / (strip.high - strip.low) * (top - bottom)
    assert points[:, 1] == pytest.approx(
        expected, abs=0.5 + 0.5 * (top - bottom) / 2 * HISTORY_DURATION / (right - left) + 0.2
    )
    assert (strip.low, strip.high) == pytest.approx((-1.0, 1.0), abs=1e-2)


@pytest.mark.parametrize("letters", [10, 100])
def test_curves_are_to_the_right_of_the_head_up_line_or_below_it(shown, letters):
    session = shown(Swing())
    stage = session.stage
    stage.set_lines(["w" * letters])
    right, bottom = stage.head_up.corner
    left, _, _, top = stage.strips._strips[0]._box
    side_by_side = right < left
    assert side_by_side == (letters == 10)
    assert side_by_side or top < bottom
    assert top > SIZE[1] / 2


def test_history_asks_for_no_more_frames_than_it_needs():
    source = Swing()
    history = History(source, ("place", "missing"))
    history.advance(source.frame(5.0), 2.0)
    assert source.n_frames <= N_SAMPLES + 1
    source.n_frames = 0
    for t in 5.0 + np.arange(1, 11) / 60:
        history.advance(source.frame(t), 2.0)
    assert source.n_frames <= 10 + 1 + 10 / 60 / (2.0 / (N_SAMPLES - 2))
    assert history.t[-1] == pytest.approx(5.0 + 1 / 6)
    assert np.diff(history.t).min() >= 0.0
    assert history.values[:, 0] == pytest.approx(np.sin(history.t), abs=1e-12)
    assert np.isnan(history.values[:, 1]).all()
    assert history.paths[:, 0, 0] == pytest.approx(np.sin(history.t), abs=1e-12)


def test_history_before_the_beginning_is_empty():
    source = Swing()
    history = History(source, ("place",))
    history.advance(source.frame(1.0), 2.0)
    known = np.isfinite(history.values[:, 0])
    assert (known == (history.t >= 0.0)).all()
    history.advance(source.frame(0.0), 2.0)  # back again
    assert np.isfinite(history.values[:, 0]).sum() == 2


@pytest.mark.parametrize(
    ("value", "written"),
    [(0.0, "0"), (2931.6, "2932"), (0.85341, "0.8534"), (1.23e-9, "1.2e-09"), (-1.5, "-1.5"), (1e12, "1.0e+12")],
)
def test_the_ends_of_scales_are_short(value, written):
    assert format_limit(value) == written


def test_numbers_keep_their_width():
    assert {len(format_number(value)) for value in (0.0, 1.0, -1.0, 1234.0, 0.001234)} == {7, 8}
    assert format_number(math.nan).strip() == "nan"


def test_the_clock_has_decimals_enough_to_be_seen_moving():
    assert [format_time(1.0, speed) for speed in (10.0, 1.0, 0.1, 0.001)] == [
        "1.00 s",
        "1.000 s",
        "1.0000 s",
        "1.000000 s",
    ]


def test_the_documentation_has_every_key():
    page = (Path(__file__).parents[2] / "docs" / "view.md").read_text()
    for key, _ in KEY_HELP:
        if key and key != "mouse":
            assert "`" + "` `".join(key.split()) + "`" in page

"""What a frame shows beside the bodies, and what the keys do; with a run that is no more than a formula."""

import math
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from hybridsim import Boundary, ConfigError, Model, Output, Parameter, Records, State
from hybridsim.scene import Body, Camera, Scene, Sphere, placed
from hybridsim.viewer import Moment, Player
from hybridsim.viewer.history import LENGTH, History
from hybridsim.viewer.render.strips import short
from hybridsim.viewer.render.timeline import round_above
from hybridsim.viewer.session import KEYS, LOOK_BACK, Show, clock, keys_listed, number

SIZE = (640, 360)


def vector_field(xdot, t, x, p, chart):
    xdot[0] = 0.0


def boundaries(g, t, x, p, chart):
    g[0] = g[1] = 1.0


def transition(x_new, t, x, p, chart, crossed):
    return 0


def outputs(y, t, x, p, chart):
    y[0] = y[1] = 0.0


def poses(T, t, x, p, chart):
    T[0] = placed((x[0], 0.0, 0.0))


MODEL = Model(
    "swing",
    (State("x", 0.0, "m"),),
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
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
    asked: int = 0
    restarts: list = field(default_factory=list)

    @property
    def events(self):
        return [
            Turn(t, ("right" if k % 2 == 0 else "left",))
            for k in range(20)
            if (t := math.pi / 2 + k * math.pi) <= self.end
        ]

    def moment(self, t, before=False):
        self.asked += 1
        t = min(max(t, self.begin), self.end)
        past = [event for event in self.events if event.t <= t]
        x = math.sin(t)
        return Moment(
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
    shows = []

    def show(*sources, **options):
        player = Player(*sources, playing=False, **{k: options.pop(k) for k in ("speed",) if k in options})
        shows.append(Show(sources, player, off_screen=True, size=SIZE, **options))
        shows[-1].draw()
        return shows[-1]

    yield show
    for each in shows:
        each.stage.close()


def words(show):
    return [text.words for text in show.stage.headline._lines]


def test_the_head_up_line_tells_time_speed_chart_jumps_event_and_outputs(shown):
    show = shown(Swing(), speed=0.5)
    show.player.scrub(2.0)
    show.draw()
    first, second = words(show)
    assert first == "t 2.0000 s   0.5x   paused"
    assert second.split() == ["flow", "j", "1", "right", "place", "0.9093", "m"]
    show.press("space")
    show.draw()
    assert words(show)[0] == "t 2.0000 s   0.5x"


def test_at_the_end_of_the_run_the_head_up_line_tells_why_it_ended(shown):
    source = Swing(message="body toppled over")
    show = shown(source)
    show.player.finish()
    show.draw()
    assert words(show)[0] == "t 10.000 s   1x   body toppled over"
    source.finished = False
    show.draw()
    assert words(show)[0] == "t 10.000 s   1x   paused"


def test_outputs_can_be_chosen(shown):
    show = shown(Swing(), outputs=("speed", "place"))
    assert words(show)[1].split()[2:] == ["0", "speed", "1.000", "m/s", "place", "0.000", "m"]
    assert len(show.stage.strips) == 2


def test_each_of_several_runs_has_a_line(shown):
    show = shown(Swing("one"), Swing("another"))
    assert [line.split()[0] for line in words(show)] == ["t", "one", "another"]


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
    show = shown(Swing())
    show.player.scrub(5.0)
    if keys == ["Up"]:
        t = 2.5 * math.pi
    for key in keys:
        show.press(key)
    assert show.player.t == pytest.approx(t)
    assert not show.player.playing


def test_shift_goes_ten_times_as_far(shown):
    show = shown(Swing())
    show.player.scrub(5.0)
    show.press("Right", shift=True)
    assert show.player.t == pytest.approx(5.0 + 10 / 30)


def test_while_playing_arrows_scrub_and_it_plays_on(shown):
    show = shown(Swing(), speed=2.0)
    show.player.scrub(5.0)
    show.press("space")
    show.press("Left")
    assert show.player.t == pytest.approx(4.8)
    assert show.player.playing


def test_keys_switch_what_is_to_be_seen(shown):
    show = shown(Swing())
    stage = show.stage
    cameras = [stage.camera]
    for _ in range(4):
        show.press("c")
        cameras.append(stage.camera)
    assert cameras == ["follow", "side", "top", "free", "follow"]
    assert (stage.trails_shown, stage.forces_shown, stage.strips_shown) == (False, True, True)
    for key in "tfg":
        show.press(key)
    assert (stage.trails_shown, stage.forces_shown, stage.strips_shown) == (True, False, False)


def test_help_lists_every_key_and_goes_away_again(shown):
    show = shown(Swing())
    without = show.stage.screenshot()
    show.press("h")
    for key, _ in KEYS:
        assert key in show.stage.help.words
    assert (show.stage.screenshot() != without).any(axis=2).mean() > 0.1
    show.press("h")
    assert (show.stage.screenshot() == without).all()
    assert max(map(len, keys_listed().splitlines())) < 80


def test_unknown_keys_do_nothing(shown):
    show = shown(Swing())
    before = show.stage.screenshot()
    for key in ("F5", "w", "e", "p", "3", "Shift_L", ""):
        show.press(key)
    show.draw()
    assert (show.stage.screenshot() == before).all()
    assert show.open


@pytest.mark.parametrize("key", ["q", "Q", "Escape"])
def test_a_key_closes_it(shown, key):
    show = shown(Swing())
    show.press(key)
    assert not show.open


class Again(Swing):
    def restart(self):
        if self.restarts:
            raise self.restarts.pop()
        self.end = 5.0


def test_a_restart_begins_anew(shown):
    source = Again()
    show = shown(source)
    show.player.scrub(7.0)
    show.press("r")
    show.draw()
    assert (source.end, show.player.t) == (5.0, 0.0)
    assert not show.stage.alert.words


@pytest.mark.parametrize("finished", [True, False])
def test_a_restart_at_the_end_plays_and_one_in_a_pause_stays_paused(shown, finished):
    show = shown(Again(finished=finished))
    show.player.finish()
    show.press("r")
    assert show.player.playing == finished


def test_what_is_wrong_with_a_restart_is_shown_and_the_old_run_stays(shown):
    source = Again(restarts=[ConfigError("run.yaml:3:5: parameters.k: expected a number, found 'soft'")])
    show = shown(source)
    show.player.scrub(7.0)
    without = show.stage.screenshot()
    show.press("r")
    show.draw()
    assert "run.yaml:3:5: parameters.k: expected a number, found 'soft'" in show.stage.alert.words.replace("\n", " ")
    assert (show.stage.screenshot() != without).any(axis=2).mean() > 0.05
    assert show.player.t == 7.0
    show.press("r")
    assert not show.stage.alert.words


def test_a_long_message_stays_in_the_picture(shown):
    show = shown(Swing())
    show.stage.alert.say("word " * 80 + "\n" + "w" * 300)
    fitting = SIZE[0] / show.stage.canvas.letter()[0]
    assert max(map(len, show.stage.alert.words.splitlines())) < fitting


def test_the_slider_knows_the_time_at_every_place(shown):
    timeline = shown(Swing()).stage.timeline
    bar = timeline._bar
    for t in (0.0, 2.5, 9.0):
        x = float(bar.x(np.array(t)))
        assert timeline.time_at(x, bar.y) == pytest.approx(t)
        assert timeline.time_at(x, bar.y + 200) is None
        assert timeline.time_at(x, bar.y + 200, held=True) == pytest.approx(t)
    assert timeline.time_at(0, bar.y, held=True) == 0.0
    assert timeline.time_at(SIZE[0], bar.y, held=True) == 10.0


def test_events_are_ticks_in_the_colour_of_their_boundary(shown):
    show = shown(Swing())
    picture = show.stage.screenshot().astype(int)
    bar, unit = show.stage.timeline._bar, show.stage.canvas.unit
    row = SIZE[1] - 1 - round(bar.y + 5 * unit)
    red, green = np.array([0xB2, 0x18, 0x2B]), np.array([0x1B, 0x78, 0x37])
    for k, colour in enumerate((green, red, green)):  # right is the second boundary, left the first
        x = round(float(bar.x(np.array(math.pi / 2 + k * math.pi))))
        assert np.abs(picture[row, x - 1 : x + 2] - colour).sum(axis=1).min() < 150
    between = round(float(bar.x(np.array(math.pi))))
    assert np.abs(picture[row, between - 1 : between + 2] - red).sum(axis=1).min() > 150


def test_ticks_of_a_live_run_appear_as_it_goes_on(shown):
    source = Swing(end=1.0, finished=False)
    show = shown(source)
    timeline = show.stage.timeline
    assert not timeline._ticks
    source.end = 5.0
    show.draw()
    assert {name: len(ticks.times) for name, ticks in timeline._ticks.items()} == {"left": 1, "right": 1}
    assert timeline._bar.end > 5.0
    source.finished = True
    show.draw()
    assert timeline._bar.end == 5.0


@pytest.mark.parametrize(("end", "above"), [(0.9, 1.0), (1.0, 1.5), (9.9, 15.0), (0.0, 1e-9), (2.0, 3.0)])
def test_a_run_that_goes_on_has_a_slider_of_round_length(end, above):
    assert round_above(0.0, end) == pytest.approx(above)


def test_a_curve_is_where_its_values_are(shown):
    show = shown(Swing())
    show.player.scrub(6.0)
    show.draw()
    show.stage.render()
    (strip,) = show.stage.strips._strips
    left, bottom, right, top = strip._box
    points = np.array(strip._curves[0]._shape.points[:, :2])
    t = 6.0 - LOOK_BACK * (right - points[:, 0]) / (right - left)
    expected = bottom + (np.sin(t) - strip.low) / (strip.high - strip.low) * (top - bottom)
    assert points[:, 1] == pytest.approx(
        expected, abs=0.5 + 0.5 * (top - bottom) / 2 * LOOK_BACK / (right - left) + 0.2
    )
    assert (strip.low, strip.high) == pytest.approx((-1.0, 1.0), abs=1e-2)


@pytest.mark.parametrize("letters", [10, 100])
def test_curves_are_beside_the_head_up_line_or_below_it(shown, letters):
    show = shown(Swing())
    stage = show.stage
    stage.say(["w" * letters])
    right, bottom = stage.headline.corner
    left, _, _, top = stage.strips._strips[0]._box
    beside = right < left
    assert beside == (letters == 10)
    assert beside or top < bottom
    assert top > SIZE[1] / 2


def test_history_asks_for_no_more_moments_than_it_needs():
    source = Swing()
    history = History(source, ("place", "missing"))
    history.go_to(source.moment(5.0), 2.0)
    assert source.asked <= LENGTH + 1
    source.asked = 0
    for t in 5.0 + np.arange(1, 11) / 60:
        history.go_to(source.moment(t), 2.0)
    assert source.asked <= 10 + 1 + 10 / 60 / (2.0 / (LENGTH - 2))
    assert history.t[-1] == pytest.approx(5.0 + 1 / 6)
    assert np.diff(history.t).min() >= 0.0
    assert history.values[:, 0] == pytest.approx(np.sin(history.t), abs=1e-12)
    assert np.isnan(history.values[:, 1]).all()
    assert history.paths[:, 0, 0] == pytest.approx(np.sin(history.t), abs=1e-12)


def test_history_before_the_beginning_is_not_known():
    source = Swing()
    history = History(source, ("place",))
    history.go_to(source.moment(1.0), 2.0)
    known = np.isfinite(history.values[:, 0])
    assert (known == (history.t >= 0.0)).all()
    history.go_to(source.moment(0.0), 2.0)  # back again
    assert np.isfinite(history.values[:, 0]).sum() == 2


@pytest.mark.parametrize(
    ("value", "written"),
    [(0.0, "0"), (2931.6, "2932"), (0.85341, "0.8534"), (1.23e-9, "1.2e-09"), (-1.5, "-1.5"), (1e12, "1.0e+12")],
)
def test_the_ends_of_scales_are_short(value, written):
    assert short(value) == written


def test_numbers_keep_their_width():
    assert {len(number(value)) for value in (0.0, 1.0, -1.0, 1234.0, 0.001234)} == {7, 8}
    assert number(math.nan).strip() == "nan"


def test_the_clock_has_decimals_enough_to_be_seen_moving():
    assert [clock(1.0, speed) for speed in (10.0, 1.0, 0.1, 0.001)] == ["1.00 s", "1.000 s", "1.0000 s", "1.000000 s"]


def test_the_documentation_has_every_key():
    page = (Path(__file__).parents[2] / "docs" / "view.md").read_text()
    for key, _ in KEYS:
        if key and key != "mouse":
            assert "`" + "` `".join(key.split()) + "`" in page

"""What the head-up lines of a session show, what the keys do, and restarts."""

import math
from pathlib import Path

import pytest

from hybridsim import ConfigError
from hybridsim.viewer.render.headup import break_line
from hybridsim.viewer.session import (
    KEY_HELP,
    format_key_help,
    format_number,
    format_time,
)

from .swing import SIZE, Swing, head_up


def test_the_head_up_lines_show_time_speed_chart_jumps_event_and_outputs(shown):
    session = shown(Swing(), speed=0.5)
    session.player.scrub(2.0)
    session.draw()
    first, second = head_up(session)
    assert first == "t 2.0000 s   0.5x   paused"
    assert second.split() == ["flow", "1", "jump", "last:", "right", "place", "0.9093", "m"]
    session.press("space")
    session.draw()
    assert head_up(session)[0] == "t 2.0000 s   0.5x"


def test_a_line_that_is_wider_than_the_window_is_broken_in_front_of_a_name():
    line = "walk  mode=1 foot1=3  j 17  sample      com_vx  0.4050 m/s  fz_right   -12.0 N"
    for width in range(16, 90):
        parts = break_line(line, width)
        assert max(map(len, parts)) <= width
        assert "".join("".join(parts).split()) == "".join(line.split())
        if width >= 24:
            assert {part.split()[0] for part in parts} <= {"walk", "mode=1", "j", "sample", "com_vx", "fz_right"}


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
    assert head_up(session)[1].split()[1:] == ["0", "jumps", "speed", "1.000", "m/s", "place", "0.000", "m"]
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
    assert (stage.trails_shown, stage.strips_shown) == (False, True)
    before = dict(stage.kinds_shown)
    assert [kind for kind, seen in before.items() if not seen] == ["cone", "frame", "inertia"]
    for key in "tgfkpjae":
        session.press(key)
    assert (stage.trails_shown, stage.strips_shown) == (True, False)
    assert stage.kinds_shown == {kind: seen == (kind == "body") for kind, seen in before.items()}


def test_help_lists_every_key_and_goes_away_again(shown):
    session = shown(Swing())
    without = session.stage.screenshot()
    session.press("h")
    for key, _ in KEY_HELP:
        assert key in session.stage.help.text
    assert (session.stage.screenshot() != without).any(axis=2).mean() > 0.1
    session.press("question")
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


def test_numbers_keep_their_width():
    assert {len(format_number(value)) for value in (0.0, 1.0, -1.0, 1234.0, 0.001234)} == {7, 8}
    assert format_number(math.nan).strip() == "nan"
    assert format_number(-1.7e-16) == format_number(0.0)


def test_the_clock_has_decimals_enough_to_be_seen_moving():
    assert [format_time(1.0, speed) for speed in (10.0, 1.0, 0.1, 0.001)] == [
        "1.00 s",
        "1.000 s",
        "1.0000 s",
        "1.000000 s",
    ]
    assert format_time(2.5e-5, 1.0, duration=4e-4) == "0.0000250 s"
    assert format_time(1.0e6, 1e3, duration=1e7) == "1000000 s"


def test_the_documentation_has_every_key():
    page = (Path(__file__).parents[2] / "docs" / "view.md").read_text()
    for key, _ in KEY_HELP:
        if key and key != "mouse":
            assert "`" + "` `".join(key.split()) + "`" in page

"""The player: what time is shown."""

from dataclasses import dataclass

import pytest

from hybridsim.viewer import Player
from hybridsim.viewer.player import MAX_SPEED, MIN_SPEED


@dataclass
class Run:
    begin: float = 0.0
    end: float = 2.0
    finished: bool = True


def test_time_passes_at_the_speed():
    player = Player(Run(), speed=0.5)
    assert player.tick(1.0) == 0.5
    player.faster()
    assert player.tick(1.0) == 1.5
    player.slower()
    player.slower()
    assert player.tick(1.0) == 1.75


def test_it_stays_at_the_end_and_never_begins_anew_by_itself():
    player = Player(Run())
    assert [player.tick(1.5), player.tick(1.5), player.tick(1.5)] == [1.5, 2.0, 2.0]
    assert not player.playing
    assert player.at_end


def test_play_at_the_very_end_plays_again_from_the_beginning():
    player = Player(Run(begin=-1.0))
    player.finish()
    player.tick(1.0)
    player.toggle()
    assert player.playing
    assert player.t == -1.0


def test_it_waits_for_a_run_that_is_being_computed_and_goes_on_with_it():
    run = Run(end=0.25, finished=False)
    player = Player(run)
    assert player.tick(1.0) == 0.25
    assert player.playing
    run.end = 3.0
    assert player.tick(1.0) == 1.25
    run.end, run.finished = 1.5, True
    player.tick(1.0)
    assert (player.t, player.playing) == (1.5, False)


def test_a_pause_holds_the_picture():
    player = Player(Run())
    player.tick(0.5)
    player.toggle()
    assert player.tick(1.0) == 0.5
    player.toggle()
    assert player.tick(1.0) == 1.5


def test_a_step_is_one_picture_at_the_speed_and_pauses():
    player = Player(Run(), speed=0.5, fps=50.0)
    player.step(3)
    assert player.t == pytest.approx(0.03)
    player.step(-2)
    assert player.t == pytest.approx(0.01)
    player.step(-2)
    assert player.t == 0.0
    assert not player.playing


def test_scrubbing_stays_within_the_run_and_leaves_the_pause_as_it_is():
    player = Player(Run(begin=1.0, end=2.0))
    for wanted, shown in ((1.5, 1.5), (7.0, 2.0), (-7.0, 1.0)):
        player.scrub(wanted)
        assert player.t == shown
    assert player.playing


def test_home_and_end():
    player = Player(Run(begin=1.0, end=2.0), playing=False)
    player.finish()
    assert player.t == 2.0
    player.home()
    assert player.t == 1.0


def test_several_runs_are_played_from_the_first_beginning_to_the_last_end():
    player = Player(Run(begin=0.5, end=1.0), Run(begin=0.75, end=3.0))
    assert player.t == 0.5
    player.finish()
    assert player.t == 3.0


def test_the_speed_has_an_end_in_both_directions():
    player = Player(Run())
    for _ in range(50):
        player.faster()
    assert player.speed == MAX_SPEED
    for _ in range(50):
        player.slower()
    assert player.speed == MIN_SPEED


def test_it_begins_at_the_start_time_and_follows_a_run_that_is_still_before_it():
    assert Player(Run(), start=1.5).tick(0.25) == 1.5
    run = Run(end=0.5, finished=False)
    player = Player(run, start=1.5)
    assert player.tick(0.25) == 0.5
    run.end = 2.0
    assert [player.tick(0.25), player.tick(0.25)] == [1.5, 1.75]
    assert Player(Run(), start=7.0).tick(0.25) == 2.0

import numpy as np
import pytest

from hybridsim.results.colours import family_labels
from hybridsim.viewer.render.timeline import LEAST_HEIGHT, MEAN_HEIGHT, round_end, tick_heights

LENGTH, CROWD = 1000.0, 8.0


def test_a_long_family_of_boundaries_has_one_colour_and_others_have_one_each():
    toes = [f"{kind}{leg}" for leg in range(6) for kind in ("liftoff", "touchdown")]
    assert [*family_labels([*toes, "left0", "left1", "empty"])] == [
        ("liftoff0 ... 5", [f"liftoff{leg}" for leg in range(6)]),
        ("touchdown0 ... 5", [f"touchdown{leg}" for leg in range(6)]),
        ("left0", ["left0"]),
        ("left1", ["left1"]),
        ("empty", ["empty"]),
    ]


def test_the_slider_of_an_unfinished_run_ends_at_a_round_time_after_it():
    assert [round_end(0.0, end) for end in (0.9, 1.0, 4.0, 9.6)] == [1.0, 1.5, 5.0, 15.0]


def heights(at):
    return tick_heights(np.asarray(at, float), np.unique(at), LENGTH, CROWD)


def test_ticks_with_room_around_them_have_their_full_height():
    assert (heights(np.arange(0.0, 1000.0, 20.0)) == 1.0).all()


def test_the_ticks_of_a_clock_are_low_and_equal_and_do_not_make_the_slider_solid():
    assert heights(np.arange(96.0, 1096.0, 4.0)) == pytest.approx(MEAN_HEIGHT)
    assert not heights(np.arange(96.0, 1096.0, 2.0)).any()
    every, burst = np.arange(0.0, 1000.0, 2.0), np.repeat(np.arange(496.0, 504.0), 20)
    found = dict(zip(np.unique([*every, *burst]), heights([*every, *burst]), strict=True))
    assert found[500.0] == 1.0
    assert found[100.0] == 0.0


def test_of_two_thousand_ticks_those_of_a_burst_stand_out():
    background, burst = np.arange(0.0, 1000.0, 4.0), np.repeat(np.arange(496.0, 504.0), 200)
    found = dict(zip(np.unique([*background, *burst]), heights([*background, *burst]), strict=True))
    assert found[500.0] == 1.0
    assert found[100.0] == LEAST_HEIGHT

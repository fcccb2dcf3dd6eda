"""The root finder by itself: a function, a bracket, and the two adjacent floats between which the function falls."""

import math

import numba
import numpy as np
import pytest

from hybridsim.engine.events.fall import FOUND, NOT_FINITE, NOT_LOCATED
from hybridsim.engine.events.root_finding import find_fall

MAX_ITERATIONS = 200


@numba.njit
def line(arguments, t):
    return arguments[0] - t


@numba.njit
def cubic(arguments, t):
    return arguments[0] - t * t * t


@numba.njit
def jump(arguments, t):
    return 1.0 if t < arguments[0] else -1.0


@numba.njit
def hole(arguments, t):
    return math.nan if 0.4 < t < 0.6 else arguments[0] - t


@numba.njit
def flat_at_zero(arguments, t):
    """Positive, then zero from 0.25 on, then negative after 0.75."""
    return max(0.25 - t, 0.0) + min(0.75 - t, 0.0) + 0.0 * arguments[0]


@numba.njit
def fall_of_line(level, before, after, strict, most, first=math.nan):
    return find_fall(line, (level,), before, line((level,), before), after, line((level,), after), first, strict, most)


@numba.njit
def fall_of_cubic(level, before, after, strict, most, first=math.nan):
    return find_fall(
        cubic, (level,), before, cubic((level,), before), after, cubic((level,), after), first, strict, most
    )


@numba.njit
def fall_of_jump(level, before, after, strict, most, first=math.nan):
    return find_fall(jump, (level,), before, jump((level,), before), after, jump((level,), after), first, strict, most)


@numba.njit
def fall_of_hole(level, before, after, strict, most, first=math.nan):
    return find_fall(hole, (level,), before, hole((level,), before), after, hole((level,), after), first, strict, most)


@numba.njit
def fall_of_flat(level, before, after, strict, most, first=math.nan):
    arguments = (level,)
    first, last = flat_at_zero(arguments, before), flat_at_zero(arguments, after)
    return find_fall(flat_at_zero, arguments, before, first, after, last, first, strict, most)


def test_a_line_is_found_to_the_last_bit_in_few_evaluations():
    for level in np.random.default_rng(1).uniform(0.01, 0.99, 100):
        result, t, value, iterations = fall_of_line(level, 0.0, 1.0, False, MAX_ITERATIONS)
        assert result == FOUND
        assert t == level
        assert value == 0.0
        assert iterations <= 10


def test_the_result_is_the_float_at_which_the_value_is_nearest_to_zero():
    for level in np.random.default_rng(2).uniform(0.01, 7.9, 100):
        result, t, value, iterations = fall_of_cubic(level, 0.0, 2.0, False, MAX_ITERATIONS)
        assert result == FOUND
        assert value == level - t * t * t
        for other in (np.nextafter(t, 0.0), np.nextafter(t, 2.0)):
            assert abs(value) <= abs(level - other * other * other) + 1e-15
        assert t == pytest.approx(np.cbrt(level), rel=4e-16)
        assert iterations <= 25


@pytest.mark.parametrize("off", [0.0, 1e-16, -3e-16, 1e-12, -1e-6, 0.3, -1.0, 5.0, math.inf])
def test_a_guess_good_or_bad_leads_to_the_same_floats(off):
    for level in np.random.default_rng(3).uniform(0.01, 7.9, 30):
        expected = fall_of_cubic(level, 0.0, 2.0, False, MAX_ITERATIONS)
        found = fall_of_cubic(level, 0.0, 2.0, False, MAX_ITERATIONS, np.cbrt(level) + off)
        assert found[:3] == expected[:3]
        assert found[3] <= 25


def test_a_strict_fall_is_below_zero_where_the_function_rests_on_zero():
    _, touching, *_ = fall_of_flat(0.0, 0.0, 1.0, False, MAX_ITERATIONS)
    _, leaving, value, _ = fall_of_flat(0.0, 0.0, 1.0, True, MAX_ITERATIONS)
    assert touching == 0.25
    assert leaving == np.nextafter(0.75, 1.0)
    assert value < 0.0


def test_a_jump_is_bracketed_by_adjacent_floats_though_no_value_is_near_zero():
    result, t, value, iterations = fall_of_jump(0.3, 0.0, 1.0, False, MAX_ITERATIONS)
    assert (result, t, value) == (FOUND, 0.3, -1.0)
    assert iterations < MAX_ITERATIONS


def test_a_value_that_is_not_a_number_and_too_few_iterations_are_reported():
    assert fall_of_hole(0.5, 0.0, 1.0, False, MAX_ITERATIONS)[0] == NOT_FINITE
    assert fall_of_jump(0.3, 0.0, 1.0, False, 5)[0] == NOT_LOCATED


def test_a_bracket_of_adjacent_floats_needs_no_evaluation():
    before = 1.0
    after = np.nextafter(before, 2.0)
    assert fall_of_line(before, before, after, True, 0)[:2] == (FOUND, after)

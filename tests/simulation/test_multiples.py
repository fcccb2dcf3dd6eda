"""The multiples of a period at which a run stops to look, for periods of any size at any time."""

import math

import pytest

from hybridsim.simulation.multiples import multiple, multiples_before, next_multiple

TIMES = [0.0, 0.3, -0.3, 1.0, 1e6, -1e6, 1e6 + 1 / 3, 1e300]
PERIODS = [0.1, 1 / 3, 1e-3, 7.0, 1e9]
SMALLER_THAN_ROUNDING = [1e-20, 1e-300, 1e-320]


@pytest.mark.parametrize("period", PERIODS)
@pytest.mark.parametrize("t", TIMES[:-1])
def test_the_next_multiple_is_the_first_one_after_a_time(t, period):
    k = multiples_before(t, period)
    assert multiple(k, period) <= t < multiple(k + 1, period) == next_multiple(t, period)


@pytest.mark.parametrize(("t", "k"), [(1.0, 10), (0.3, 2), (0.30000000000000004, 3), (-0.3, -3), (1e6, 10_000_000)])
def test_multiples_are_compared_as_they_are_printed(t, k):
    assert multiples_before(t, 0.1) == k  # 3 x 0.1 is 0.30000000000000004, so -0.3 is after -3 x 0.1


@pytest.mark.parametrize("period", SMALLER_THAN_ROUNDING)
@pytest.mark.parametrize("t", TIMES)
def test_a_period_smaller_than_the_resolution_of_time_ends_at_the_next_number(t, period):
    first = period if t == 0.0 else math.nextafter(t, math.inf)
    assert next_multiple(t, period) == first


@pytest.mark.parametrize("t", TIMES)
def test_without_a_period_there_is_no_multiple(t):
    assert next_multiple(t, 0.0) == math.inf

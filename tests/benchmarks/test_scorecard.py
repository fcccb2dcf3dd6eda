"""The scorecard judges rightly, and hybridsim's column is right."""

import math
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

from scorecard import frames, probes, resets, runner, switching, with_hybridsim
from scorecard.case import Case, Chart, Outcome, judge

CASES = [*probes.CASES, *resets.CASES, *frames.CASES, *switching.CASES, *runner.CASES]
EXACT = [(1.0, "a"), (1.0, "b"), (2.0, "a")]


def verdict(events, *, t=10.0, x=0.0, **more):
    case = Case("case", "", {"x": 0.0}, {"flow": Chart(("0.0",))}, (0.0, 10.0), EXACT, **more)
    return judge(case, Outcome(events, t, [x]), 1e-10)


def test_all_events_in_any_order_of_ties_are_right():
    judged = verdict([(1.0, "b"), (1.0, "a"), (2.0 + 1e-6, "a")])
    assert judged.right
    assert (judged.found, judged.error) == (3, pytest.approx(1e-6))


def test_an_event_that_is_late_is_missed_and_invented():
    judged = verdict([(1.0, "a"), (1.0, "b"), (2.1, "a")])
    assert (judged.found, judged.missed, judged.invented) == (2, 1, 1)


def test_an_event_of_another_guard_does_not_count():
    judged = verdict([(1.0, "a"), (1.0, "b"), (2.0, "b")])
    assert (judged.found, judged.missed, judged.invented) == (2, 1, 1)


def test_an_event_counted_twice_is_invented_once():
    judged = verdict([(1.0, "a"), (1.0, "a"), (1.0, "b"), (2.0, "a")])
    assert (judged.found, judged.missed, judged.invented) == (3, 0, 1)


def test_a_run_that_ends_early_or_elsewhere_is_wrong():
    assert verdict(EXACT, t=3.0).end == "ends at 3"
    assert not verdict(EXACT, x=0.5, final={"x": 0.0}).right
    assert not verdict(EXACT, x=float("nan"), final={"x": 0.0}).right


def test_events_close_to_an_accumulation_need_not_be_found_and_those_after_it_are_invented():
    judged = verdict([*EXACT, (2.5, "a"), (3.5, "a")], t=3.0, accumulation=3.0)
    assert (judged.missed, judged.invented, judged.end) == (0, 1, "")


def test_a_run_may_end_where_events_accumulate_or_go_on_from_the_limit():
    limit = {"accumulation": 3.0, "final": {"x": 0.0}}
    assert verdict(EXACT, t=3.0, **limit).right
    assert verdict(EXACT, t=10.0, **limit).right
    assert verdict(EXACT, t=10.0, x=-2.0, **limit).end == "x off by 2.0e+00"
    assert verdict(EXACT, t=4.0, **limit).end == "ends at 4"


def test_late_events_may_be_a_few_spacings_of_time_off():
    begin = 1.7e9
    case = Case("late", "", {"x": 0.0}, {"flow": Chart(("0.0",))}, (begin, begin + 1e-3), [(begin + 1e-4, "a")])
    late = [begin + 1e-4 + k * math.ulp(begin) for k in (8, 12)]
    assert [judge(case, Outcome([(t, "a")], case.span[1], [0.0]), 1e-10).found for t in late] == [1, 0]


def test_the_runner_comes_down_for_the_24th_time_where_it_is_known_to():
    (case,) = runner.CASES
    downs = [t for t, name in case.events if name in ("touchdown", "fall")]
    assert len(downs) == 24
    assert case.final["x"] == pytest.approx(54.3431974, abs=5e-8)


@pytest.mark.members(4)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_hybridsim_is_right(case):
    outcome = with_hybridsim.prepare(case, "dp5", 1e-10)()
    assert judge(case, outcome, 1e-10).right, outcome

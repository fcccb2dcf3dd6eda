"""`hybridsim orbit find --starts` and `hybridsim orbit find-all`: motions looked for with a sample."""

import csv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COMPASS = str(ROOT / "configs" / "walkers" / "orbits" / "compass_gait.yaml")
BOX = ("theta_st=-0.5..-0.1", "theta_sw=0.1..0.5", "thetadot_st=0.5..2", "thetadot_sw=-1..1.5")
ONE_STRIDE = ("--max-strides", "1", "--samples", "128")


def test_a_guess_that_falls_leads_to_the_gait_with_more_starts(hybridsim):
    rough = ("orbit", "find", COMPASS, "initial.thetadot_st=1.4", "-o", "gait.h5")
    assert hybridsim(*rough).code == 1
    found = hybridsim(*rough, "--starts", "64")
    assert found.code == 0
    assert "stable, 1 stride in 0.7343463911" in found.out
    assert hybridsim("orbit", "find", COMPASS, "--starts", "0").code == 2


def test_all_motions_in_a_box_are_printed_and_written(hybridsim):
    found = hybridsim("orbit", "find-all", COMPASS, *BOX, *ONE_STRIDE, "-o", "gaits.csv")
    assert found.code == 0
    with Path("gaits.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["stable"] for row in rows] == ["stable", "unstable"]
    assert float(rows[0]["period"]) == pytest.approx(0.734346391159, abs=1e-11)
    assert found.out.splitlines()[0].split() == [*rows[0]]


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ((COMPASS,), 2, "expected the ranges of states"),
        ((COMPASS, "slope=0.01..0.02"), 2, "expected the ranges of states"),
        ((COMPASS, "theta_st=1.2..1.4", *ONE_STRIDE), 1, "no motion was found from 128 states"),
    ],
)
def test_a_box_of_nothing_is_told(hybridsim, words, code, message):
    refused = hybridsim("orbit", "find-all", *words)
    assert refused.code == code
    assert message in refused.err

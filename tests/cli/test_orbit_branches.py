"""`hybridsim orbit continue` and `orbit map`: ranges, interruptions, and what their files are good for."""

from pathlib import Path

import numpy as np
import pytest

from hybridsim import load_branch, load_orbit
from hybridsim.analysis import map_rows

MAPS = Path(__file__).parents[1] / "map_model.py"
ORBITS = Path(__file__).parents[2] / "configs" / "walkers" / "orbits"


@pytest.fixture
def fold(tmp_path):
    """The folder of a config `fold.yaml`: orbits u^2 = r, which meet at r = 0; the orbit begins at r = 0.4."""
    (tmp_path / "maps.py").write_text(MAPS.read_text())
    (tmp_path / "fold.yaml").write_text(
        "model: ./maps.py\nparameters: {map: 3, r: 0.4}\ninitial: {u: 0.6}\norbit: {section: tick}\n"
    )
    return tmp_path


@pytest.mark.exhaustive  # a range in both directions is one of `tests/analysis`
def test_a_range_that_begins_beyond_a_fold_is_followed_both_ways(hybridsim, fold):
    outcome = hybridsim("orbit", "continue", "fold.yaml", "parameters.r=-0.3..0.6", "-o", "b.h5", "--resume")
    assert outcome.code == 0
    assert "there is no b.h5 yet, so the branch begins" in outcome.err
    assert "the orbit at r = 0.4 does not reach -0.3: it is followed both ways" in outcome.err
    branch = load_branch("b.h5")
    u, r = branch.points["u"], branch.points["r"]
    np.testing.assert_allclose(u**2, r, atol=1e-11)
    assert u.max() >= np.sqrt(0.6) - 1e-9
    assert u.min() <= -np.sqrt(0.6) + 1e-9
    assert [each.kind for each in branch.bifurcations] == ["fold"]
    other = hybridsim("orbit", "continue", "fold.yaml", "parameters.r=-0.3..0.4", "-o", "b.h5")
    assert "the orbit at r = 0.4 does not reach -0.3: it is followed from 0.4" in other.err
    assert load_branch("b.h5").points["u"].min() <= -np.sqrt(0.4) + 1e-9
    beyond = hybridsim("orbit", "continue", "fold.yaml", "parameters.r=-0.3..-0.1")
    assert beyond.code == 1
    assert "they go to" in beyond.err
    assert "choose a range up to there" in beyond.err


def test_the_file_of_a_branch_says_what_it_is_and_gives_its_orbits(hybridsim, fold):
    assert hybridsim("orbit", "continue", "fold.yaml", "parameters.r=0.2..0.6", "-o", "b.h5").code == 0
    for arguments in (("verify", "b.h5"), ("run", "b.h5"), ("orbit", "measure", "b.h5")):
        outcome = hybridsim(*arguments)
        assert outcome.code == 2
        assert "b.h5: a branch of orbits, not a run" in outcome.err
        assert "hybridsim orbit find b.h5 parameters.r=VALUE" in outcome.err
    assert "say which of them: parameters.r=VALUE" in hybridsim("orbit", "find", "b.h5").err
    beyond = hybridsim("orbit", "find", "b.h5", "parameters.r=9").err
    assert "parameters.r=9: its orbits have r from" in beyond
    assert "follow them further" in beyond
    assert "orbits of 1 strides only" in hybridsim("orbit", "find", "b.h5", "parameters.r=0.3", "orbit.strides=2").err
    assert hybridsim("orbit", "find", "b.h5", "parameters.r=0.25", "-o", "o.h5").code == 0
    assert load_orbit("o.h5").x["u"] == pytest.approx(0.5, abs=1e-11)


def test_another_place_of_the_model_is_given_by_name(hybridsim, fold):
    assert hybridsim("orbit", "find", "fold.yaml", "-o", "o.h5").code == 0
    (fold / "maps.py").rename(fold / "moved.py")
    words = ("orbit", "continue", "o.h5", "parameters.r=0.3..0.5", "-o", "b.h5")
    refused = hybridsim(*words)
    assert refused.code == 2
    assert "--model PATH_OR_NAME" in refused.err
    assert hybridsim(*words, "--model", "moved.py").code == 0
    assert load_branch("b.h5", "moved.py").points["r"][0] == 0.3


def test_a_parameter_of_another_name_in_the_changed_model_is_refused_in_words(hybridsim, fold):
    assert hybridsim("orbit", "find", "fold.yaml", "-o", "o.h5").code == 0
    text = (fold / "maps.py").read_text()
    (fold / "maps.py").write_text(text.replace('Parameter("s"', 'Parameter("shrink"').replace("P.s]", "P.shrink]"))
    refused = hybridsim("orbit", "continue", "o.h5", "parameters.r=0.3..0.5", "--model", "maps.py")
    assert refused.code == 2
    assert "parameters.s: the model has no such parameter" in refused.err
    assert "has changed since the run; what is continued is the model as it is now" in refused.err


def test_a_section_of_another_kind_replaces_that_of_the_config(hybridsim, fold):
    (fold / "timed.yaml").write_text((fold / "fold.yaml").read_text().replace("section: tick", "section: {time: 1}"))
    assert hybridsim("orbit", "find", "timed.yaml", "orbit.section={boundary: tick}", "-o", "o.h5").code == 0
    assert load_orbit("o.h5").section.boundary == "tick"


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("orbit.tolerance=1e-30", "the tolerance of 1e-30 is below rounding"),
        ("orbit.fixed={energy: 100}", "there is an orbit with energy = 17"),
    ],
)
def test_what_cannot_be_reached_is_said(hybridsim, tmp_path, override, message):
    (tmp_path / "slip.yaml").write_text(
        "model: slip\nparameters: {hold_touchdown_angle: 1}\ninitial: {y: 0.95, xdot: 5.0}\n"
        "orbit: {section: apex, fixed: {energy: 1784.8}}\n"
    )
    outcome = hybridsim("orbit", "find", "slip.yaml", override)
    assert outcome.code == 1
    assert message in outcome.err


def test_a_map_is_drawn_kept_and_continued(hybridsim, tmp_path, monkeypatch):
    ranges = ("parameters.slope=2 deg..5 deg:4", "parameters.m_H=5..15:3")
    words = ("orbit", "map", str(ORBITS / "compass_gait.yaml"), *ranges, "--folder", "rows", "-o", "map.png")
    row = map_rows.MapRows.row

    def stop_soon(self, first, second, *others):
        if second > 5.0:
            raise KeyboardInterrupt
        return row(self, first, second, *others)

    with monkeypatch.context() as patched:
        patched.setattr(map_rows.MapRows, "row", stop_soon)
        interrupted = hybridsim(*words)
    assert interrupted.code == 130
    assert "--folder rows --resume" in interrupted.err
    assert len([*Path("rows").glob("part-*")]) == 1
    assert "continue it with --resume" in hybridsim(*words).err
    whole = hybridsim(*words, "--resume")
    assert whole.code == 0
    assert "12 of 12 orbits found" in whole.out
    assert Path("map.png").exists()
    assert Path("map.parquet").exists()


@pytest.mark.exhaustive  # another map is drawn in the ordinary run
def test_a_map_says_how_many_orbits_it_does_not_reach(hybridsim, tmp_path):
    plugin = Path(__file__).parents[1] / "analysis" / "pulled_spring.py"
    section = "{state: v, value: 0}"
    (tmp_path / "spring.yaml").write_text(f"model: {plugin}\ninitial: {{y: -1}}\norbit: {{section: {section}}}\n")
    outcome = hybridsim("orbit", "map", "spring.yaml", "d=0.02..1.5:2", "gain=0.5..3:2")
    assert outcome.code == 0
    assert "3 of 4 orbits found, 3 of them stable; 1 not reached (grey)" in outcome.out


@pytest.mark.parametrize(
    ("ranges", "message"),
    [
        (["parameters.r=0.1..0.2"], "expected the ranges of two parameters"),
        (["parameters.r=0.1..0.2", "initial.u=0..1"], "maps has no parameter 'u'"),
        (["parameters.r=0.1..0.2", "engine.rtol=0..1"], "expected the ranges of two parameters"),
        (["parameters.r=0.1..0.2:1", "parameters.s=0..1"], "with at least two values"),
        (["parameters.r=0.1..0.2", "parameters.ss=0..1"], "did you mean `s`"),
        (["parameters.r=0.1..0.2", "parameters.map=0..1"], "map is no real number"),
    ],
)
def test_ranges_that_make_no_map_are_refused(hybridsim, fold, ranges, message):
    outcome = hybridsim("orbit", "map", "fold.yaml", *ranges)
    assert outcome.code == 2
    assert message in outcome.err

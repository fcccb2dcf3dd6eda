"""`hybridsim orbit bifurcation`: a bifurcation of a branch through a second parameter."""

import itertools
from pathlib import Path

import pytest

from hybridsim import continue_orbit, find_orbit, load_bifurcations
from hybridsim.analysis.bifurcation_curve import BifurcationCurve

MODEL = Path(__file__).parents[1] / "analysis" / "generalised_henon.py"


@pytest.fixture(scope="module")
def orbits():
    """A branch with a torus and a fold, p = -0.2178 and -0.43..."""
    return continue_orbit(find_orbit(MODEL, section="tick"), "p", to=0.5, back_to=-2.0)


@pytest.fixture
def branch(orbits, tmp_path):
    """Its file; the folder is the present one."""
    return orbits.save(tmp_path / "branch.h5")


def test_a_bifurcation_is_followed_kept_and_drawn(hybridsim, branch):
    outcome = hybridsim("orbit", "bifurcation", str(branch), "q=0.97..1.03", "--number", "1", "-o", "tori.h5")
    assert outcome.code == 0
    curve = load_bifurcations("tori.h5")
    assert (curve["q"][0], curve["q"][-1]) == (0.97, 1.03)
    lines = [" ".join(line.split()) for line in outcome.out.splitlines()]
    assert "q 0.97 to 1.03" in lines
    assert "special point p q" in lines
    assert any(line.startswith("1:4 ") for line in lines)
    assert hybridsim("plot", "tori.h5").code == 0
    assert Path("tori.png").read_bytes().startswith(b"\x89PNG")
    assert hybridsim("orbit", "bifurcation", str(branch), "q=1.02..1.03", "--number", "1").code == 0
    assert load_bifurcations(branch.with_name("branch-bifurcation.h5"))["q"][0] == pytest.approx(1.02)


def test_what_was_found_before_ctrl_c_is_kept(hybridsim, branch, monkeypatch):
    calls, renew = itertools.count(), BifurcationCurve.renew

    def renew_some(self, point):
        if next(calls) == 5:
            raise KeyboardInterrupt
        renew(self, point)

    monkeypatch.setattr(BifurcationCurve, "renew", renew_some)
    outcome = hybridsim("orbit", "bifurcation", str(branch), "q=1.02..1.2", "--number", "1", "-o", "tori.h5")
    assert (outcome.code, "interrupted at p = " in outcome.out) == (130, True)
    q = load_bifurcations("tori.h5")["q"]
    assert (q[0], len(q) >= 5, q[-1] < 1.2) == (1.02, True, True)


@pytest.mark.members(1)
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([], "expected the file of one branch, which `hybridsim orbit continue` writes"),
        (["BRANCH"], "expected the range of one parameter, found 0"),
        (["BRANCH", "q=0.8..1.2"], "which of its bifurcations (1: torus at "),
        (["BRANCH", "q=0.8..1.2", "--number", "0"], "choose one with --number N"),
        (["BRANCH", "q=1.1..1.2", "--number", "1"], "the bifurcation is at q = 1.02; give a range that contains it"),
        (["BRANCH", "p=-5..5", "--number", "1"], "parameters: expected two different ones"),
        (["BRANCH", "s=0..1", "--number", "1"], "s: expected a parameter, or a state"),
        (["BRANCH", "q=0.8..9", "--number", "1"], "q: expected a number from -3 to 3"),
        (["BRANCH", "q=0.8..1.2", "-o", "tori.png"], "expected a name that ends in .h5"),
        (["nothing.h5", "q=0.8..1.2"], "there is no such file"),
    ],
)
def test_wrong_words_are_answered(hybridsim, branch, words, expected):
    outcome = hybridsim("orbit", "bifurcation", *(str(branch) if word == "BRANCH" else word for word in words))
    assert outcome.code == 2
    assert expected in " ".join(outcome.err.split())


@pytest.mark.exhaustive  # a matter of sentences
def test_names_and_times_are_not_for_curves_of_bifurcations(hybridsim, branch):
    hybridsim("orbit", "bifurcation", str(branch), "q=1.01..1.03", "--number", "1", "-o", "tori.h5")
    for words in (["u"], ["--from", "1"]):
        outcome = hybridsim("plot", "tori.h5", *words)
        assert (outcome.code, "is drawn over both parameters" in outcome.err) == (2, True)
    outcome = hybridsim("plot", "tori.h5", "--as", "multipliers")
    assert (outcome.code, "holds bifurcations; leave it out" in outcome.err) == (2, True)


def test_help_shows_examples(hybridsim):
    outcome = hybridsim("orbit", "bifurcation", "--help")
    assert "hybridsim orbit bifurcation branch.h5 parameters.m_H=5..20" in " ".join(outcome.out.split())

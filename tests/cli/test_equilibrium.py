from pathlib import Path

import pytest

from hybridsim import load_equilibria, load_equilibrium

BRUSSELATOR = str(Path(__file__).parents[1] / "analysis" / "brusselator.py")


def test_an_equilibrium_is_printed_with_its_eigenvalues(hybridsim):
    """At x = a, y = b / a the trace is b - 1 - a^2 and the determinant a^2."""
    outcome = hybridsim("equilibrium", BRUSSELATOR, "parameters.a=2", "parameters.b=4", "initial.x=2.2")
    assert outcome.code == 0
    lines = [" ".join(line.split()) for line in outcome.out.splitlines()]
    assert "equilibrium stable" in lines
    assert "state x = 2" in lines
    assert "y = 2" in lines
    assert "eigenvalues -0.5 + 1.93649167 i (size 2)" in lines


def test_a_range_is_followed_and_drawn(hybridsim, tmp_path):
    picture = tmp_path / "equilibria.png"
    outcome = hybridsim("equilibrium", BRUSSELATOR, "b=1..3", "-o", str(picture))
    assert outcome.code == 0
    assert "supercritical hopf  2  0      larger    an orbit begins" in outcome.out
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_what_is_found_is_kept_in_a_file_and_drawn_from_it(hybridsim, tmp_path):
    file, picture = tmp_path / "equilibria.h5", tmp_path / "equilibria.png"
    outcome = hybridsim("equilibrium", BRUSSELATOR, "b=1..3", "-o", str(file))
    assert (outcome.code, f"wrote {file}" in outcome.out) == (0, True)
    assert "curve 0 b 1 to 3, 16 of 29 equilibria stable, 1 not decided" in " ".join(outcome.out.split())
    assert len(load_equilibria(file).points) == 29
    assert hybridsim("plot", str(file), "y", "-o", str(picture)).code == 0
    assert picture.read_bytes().startswith(b"\x89PNG")
    outcome = hybridsim("plot", str(file), "--as", "multipliers")
    assert (outcome.code, "holds equilibria; leave it out" in outcome.err) == (2, True)
    outcome = hybridsim("orbit", "find", str(file), "parameters.b=2")
    assert (outcome.code, "expected a branch of orbits, found equilibria" in outcome.err) == (2, True)


def test_one_equilibrium_is_kept_and_is_no_picture(hybridsim, tmp_path):
    file = tmp_path / "rest.h5"
    assert hybridsim("equilibrium", BRUSSELATOR, "parameters.b=1.5", "-o", str(file)).code == 0
    assert load_equilibrium(file).x == pytest.approx({"x": 1.0, "y": 1.5}, rel=1e-14)
    outcome = hybridsim("plot", str(file))
    assert (outcome.code, "a single equilibrium, and there is nothing to draw" in outcome.err) == (2, True)


def test_a_model_that_always_moves_has_none(hybridsim):
    outcome = hybridsim("equilibrium", "bouncing_ball")
    assert outcome.code == 1
    assert "no solution: bouncing_ball: Newton's method comes from this guess to no state" in outcome.err


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["b=1..3", "a=1..2"], "expected the range of one parameter, found 2"),
        (["-o", "picture.png"], "expected the range of one parameter, found 0"),
        (["engine.rtol=1e-3..1e-2"], "engine.rtol: expected a parameter"),
        (["--chart", "spring"], "there is no chart 'spring'"),
    ],
)
def test_wrong_words_are_answered(hybridsim, words, expected):
    outcome = hybridsim("equilibrium", BRUSSELATOR, *words)
    assert outcome.code == 2
    assert expected in outcome.err

from pathlib import Path

import pytest

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

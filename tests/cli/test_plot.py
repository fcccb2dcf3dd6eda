"""`hybridsim plot`: several runs in a picture, its size and style, and what is refused."""

import pytest
from PIL import Image

from hybridsim import simulate


def test_the_help_has_examples(hybridsim):
    text = hybridsim("plot", "--help").out
    assert "hybridsim plot runs/soft.h5 runs/stiff.h5 y leg_force" in text
    assert "--size" in text
    assert "--style" in text


def test_several_runs_share_a_picture(hybridsim, ball):
    for name, y in (("low", 1.0), ("high", 2.0)):
        assert hybridsim("run", "ball.yaml", f"initial.y={y}", f"output.base={name}").code == 0
    assert hybridsim("plot", "low.h5", "high.h5", "y", "-o", "both.svg").out == "wrote both.svg\n"
    text = (ball / "both.svg").read_text()
    assert "<!-- low -->" in text
    assert "<!-- high -->" in text
    assert hybridsim("plot", "low.h5", "high.h5", "--as", "phase", "-o", "phase.png").code == 0


def test_a_picture_has_the_size_and_the_style_that_are_asked_for(hybridsim, ball):
    hybridsim("run", "ball.yaml")
    (ball / "paper.mplstyle").write_text("font.size: 8\nfont.family: serif\n")
    for style in ("paper.mplstyle", "grayscale"):
        assert hybridsim("plot", "ball.h5", "y", "--size", "4", "2", "--style", style, "-o", "a.png").code == 0
        with Image.open(ball / "a.png") as picture:
            assert picture.size == (600, 300)  # 150 dots per inch
    hybridsim("plot", "ball.h5", "y", "-o", "b.png")
    with Image.open(ball / "b.png") as picture:
        assert picture.size != (600, 300)


@pytest.mark.members(6)
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["ball.h5", "yy"], "yy: the run has nothing of this name; did you mean `y`"),
        (
            ["ball.h5", "--size", "0", "2"],
            "--size: expected a width and a height above 0 and up to 100 inches, found 0 2",
        ),
        (["ball.h5", "--size", "3", "-1"], "found 3 -1"),
        (["ball.h5", "--size", "3", "nan"], "found 3 nan"),
        (["ball.h5", "--style", "ggplott"], "there is no file and no style 'ggplott'; did you mean `ggplot`"),
        (["ball.h5", "--style", "wrong.mplstyle"], "wrong.mplstyle is no style of matplotlib: Bad value in file"),
        (["ball.h5", "--style", "ball.h5"], "ball.h5 is no style of matplotlib"),
        (["ball.h5", "slip.h5"], "ball is of bouncing_ball, slip is of slip; draw one for each model"),
        (["ball.h5", "nothing.h5"], "nothing.h5: there is no such file or folder"),
        (["ball.h5", "ball.h5"], "ball.h5: given more than once"),
        (["ball.h5", "other.h5", "--as", "multipliers"], "--as multipliers: of one run, found 2"),
    ],
)
def test_what_cannot_be_drawn_gets_a_sentence(hybridsim, ball, arguments, message):
    hybridsim("run", "ball.yaml")
    (ball / "other.h5").write_bytes((ball / "ball.h5").read_bytes())
    (ball / "wrong.mplstyle").write_text("lines.linewidth: fat\n")
    simulate("slip", final_time=0.1).save(ball / "slip.h5")
    outcome = hybridsim("plot", *arguments, "-o", "a.png")
    assert outcome.code == 2
    assert message in " ".join(outcome.err.split())
    assert not (ball / "a.png").exists()

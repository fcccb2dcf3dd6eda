"""Pictures of sweeps, drawn by `hybridsim plot FOLDER`."""

import pytest


def test_a_sweep_is_drawn_next_to_its_folder(hybridsim, balls):
    hybridsim("sweep", "balls.yaml")
    outcome = hybridsim("plot", "balls/")
    assert outcome.code == 0
    assert outcome.out == "wrote balls.png\n"
    assert (balls / "balls.png").read_bytes().startswith(b"\x89PNG")
    fixed = hybridsim("plot", "balls", "bounces", "status", "y=1.1", "-o", "curves.svg")
    assert fixed.code == 0
    assert fixed.out == "at y = 1 m\nwrote curves.svg\n"
    whole = (balls / "balls.png").read_bytes()
    assert hybridsim("plot", "balls", "bounces", "y=1.1 m").out == "at y = 1 m\nwrote balls-y=1.1m.png\n"
    assert (balls / "balls.png").read_bytes() == whole


def test_an_unfinished_sweep_is_drawn_with_room_for_the_rest(hybridsim, balls):
    hybridsim("sweep", "balls.yaml")
    sorted((balls / "balls").glob("part-*"))[-1].unlink()
    assert hybridsim("plot", "balls", "bounces", "-o", "part.svg").code == 0
    text = (balls / "part.svg").read_text()
    assert "unfinished, 4 of 6 runs" in text
    assert "<!-- 0.6 -->" in text  # the restitution whose rows are missing


def test_an_unfinished_sweep_whose_config_is_broken_is_drawn_with_a_note(hybridsim, balls):
    hybridsim("sweep", "balls.yaml")
    sorted((balls / "balls").glob("part-*"))[-1].unlink()
    with (balls / "balls" / "_config.yaml").open("a") as file:
        file.write("colour: red\n")
    outcome = hybridsim("plot", "balls", "bounces", "-o", "part.svg")
    assert outcome.code == 0
    assert outcome.err.startswith("note: the axes end with the finished rows")
    assert "colour: there is no such key" in outcome.err
    assert "<!-- 0.6 -->" not in (balls / "part.svg").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["."], "holds no results of a sweep"),
        (["nothing"], "no such file or folder"),
        (["ball.yaml", "-x", "y"], "-x: for sweeps"),
        (["balls.yaml"], "expected the .h5 of a run, or the folder of a sweep"),
        (["balls/part-0000000-0000001.parquet"], "expected the .h5 of a run, or the folder of a sweep"),
        (["balls", "-o", "nowhere/a.png"], "choose another file with -o"),
        (["balls", "bunces"], "did you mean `bounces`"),
        (["balls", "x=1"], "no such axis"),
        (["balls", "-x", "z"], "choose y or restitution"),
    ],
)
def test_what_cannot_be_drawn_is_one_message(hybridsim, balls, arguments, message):
    hybridsim("sweep", "balls.yaml")
    outcome = hybridsim("plot", *arguments)
    assert outcome.code == 2
    assert message in outcome.err
    assert not [*balls.glob("*.png")]

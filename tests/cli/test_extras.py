"""A command whose extra is not installed names it before anything is computed."""

import sys

import pytest

SWEEP = "sweep:\n  axes:\n    restitution: [0.2, 0.4]\nmetrics:\n  bounces: count(floor)\n"


@pytest.mark.parametrize(
    ("module", "arguments", "extra"),
    [
        ("imageio_ffmpeg", ("run", "ball.yaml", "--record", "drop.mp4"), "video"),
        ("aiohttp.web", ("run", "ball.yaml", "--web"), "notebook"),
        ("distributed", ("sweep", "balls.yaml", "--cluster", "local:1"), "cluster"),
    ],
)
def test_a_command_names_the_extra_that_it_needs(hybridsim, ball, monkeypatch, module, arguments, extra):
    (ball / "balls.yaml").write_text((ball / "ball.yaml").read_text() + SWEEP)
    monkeypatch.setitem(sys.modules, module, None)
    outcome = hybridsim(*arguments)
    assert outcome.code == 2
    assert f"pip install 'hybridsim[{extra}]'" in outcome.err
    assert sorted(path.name for path in ball.iterdir()) == ["ball.yaml", "balls.yaml"]


@pytest.mark.parametrize(
    ("module", "arguments", "extra"),
    [
        ("imageio_ffmpeg", ("view", "ball.h5", "--record", "drop.mp4"), "video"),
        ("aiohttp.web", ("view", "ball.h5", "--web"), "notebook"),
    ],
)
def test_viewing_a_finished_run_names_the_extra_that_it_needs(hybridsim, ball, monkeypatch, module, arguments, extra):
    assert hybridsim("run", "ball.yaml").code == 0
    monkeypatch.setitem(sys.modules, module, None)
    outcome = hybridsim(*arguments)
    assert outcome.code == 2
    assert f"pip install 'hybridsim[{extra}]'" in outcome.err
    assert not (ball / "drop.mp4").exists()

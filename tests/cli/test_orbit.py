"""`hybridsim orbit`, and the commands that take its files."""

import math
from pathlib import Path

import pytest

from hybridsim import continue_orbit, find_orbit, load_branch, load_orbit, load_run
from hybridsim.analysis import orbit_at, search
from hybridsim.errors import ConfigError

PLUGIN = Path(__file__).parents[1] / "analysis" / "relay_oscillator.py"
ORBITS = Path(__file__).parents[2] / "configs" / "walkers" / "orbits"


@pytest.fixture
def relay(tmp_path):
    """The folder of a config `relay.yaml`: a relay with a filter, of period 2 width."""
    (tmp_path / "relay.yaml").write_text(f"model: {PLUGIN}\nparameters: {{width: 0.7}}\norbit: {{section: top}}\n")
    return tmp_path


def test_an_orbit_is_found_run_verified_measured_and_continued(hybridsim, relay):
    outcome = hybridsim("orbit", "find", "relay.yaml", "-o", "gait.h5")
    assert outcome.code == 0
    for text in ("stable, 1 stride in 1.4 s", "x = 0.7", "V", "0.246596964", "bottom at 0.7", "gait.h5"):
        assert text in outcome.out
    assert load_orbit("gait.h5").period == pytest.approx(1.4)
    assert hybridsim("verify", "gait.h5").code == 0
    assert hybridsim("run", "gait.h5", "strides=4").code == 0
    assert load_run("gait-strides.h5").events.count("top") == 4
    assert hybridsim("run", "gait.h5", "final_time=2.5", "parameters.width=0.5", "output.base=other").code == 0
    assert load_run("other.h5").t[-1] == 2.5
    measured = hybridsim("orbit", "measure", "gait.h5", "y.mean", "square.integral(fall)")
    assert measured.code == 0
    name, mean, unit, other, integral, *units = measured.out.split()
    assert (name, mean, unit, other, units) == ("y.mean", "0.5", "V", "square.integral(fall)", ["V^2", "s"])
    assert float(integral) == pytest.approx(0.5 * math.tanh(0.35), abs=1e-11)  # half the difference of the squares
    assert "y.max" in hybridsim("orbit", "measure", "gait.h5").out
    followed = hybridsim("orbit", "continue", "gait.h5", "parameters.width=0.5..0.9")
    assert followed.code == 0
    assert "no bifurcations" in followed.out
    points = load_branch("gait-branch.h5").points
    assert points["width"][0] == 0.5
    assert points["period"] == pytest.approx(2.0 * points["width"], abs=1e-11)


def test_the_file_is_named_like_the_config(hybridsim, relay):
    assert hybridsim("orbit", "find", "relay.yaml", "output.folder=out").code == 0
    assert hybridsim("orbit", "find", "out/relay-orbit.h5", "parameters.width=0.9", "-o", "wide.h5").code == 0
    assert load_orbit("wide.h5").period == pytest.approx(1.8)


def test_a_cascade_is_a_table_and_a_picture_and_an_interrupted_one_goes_on(hybridsim, tmp_path, monkeypatch):
    words = (
        str(ORBITS / "simplest_walker.yaml"),
        "parameters.slope=0.0145..0.0155",
        "--max-strides",
        "2",
        "-o",
        "b.h5",
    )
    follow = search.follow

    def stop_soon(curve, *lengths):
        left = iter(range(4))
        for there in follow(curve, *lengths):
            if curve.problem.return_map.strides == 2 and next(left, None) is None:
                raise KeyboardInterrupt
            yield there

    with monkeypatch.context() as patched:
        patched.setattr(search, "follow", stop_soon)
        interrupted = hybridsim("orbit", "continue", *words)
    assert interrupted.code == 130
    assert "--resume" in interrupted.err
    assert not load_branch("b.h5").complete
    whole = hybridsim("orbit", "continue", *words, "--resume")
    assert whole.code == 0
    assert "0.0150884379" in whole.out
    assert "the period doubles" in whole.out
    assert load_branch("b.h5").complete
    for arguments in (("theta", "period"), ("--as", "multipliers"), ("--from", "0.015")):
        assert hybridsim("plot", "b.h5", *arguments, "-o", "b.png").code == 0
    other = hybridsim("orbit", "continue", words[0], "parameters.slope=0.0145..0.0156", "-o", "b.h5", "--resume")
    assert other.code == 2
    assert "leave --resume out" in other.err


def test_a_range_is_given_with_the_name_or_the_key_of_a_parameter_or_state(hybridsim, relay):
    for name in ("width", "parameters.width"):
        assert hybridsim("orbit", "continue", "relay.yaml", f"{name}=0.5..0.9", "-o", f"{name}.h5").code == 0
        assert load_branch(f"{name}.h5").points["period"][-1] >= 1.8
    basin = ("orbit", "basin", "relay.yaml", "x=0.7..0.71:2", "initial.y=0.1..0.3:2")
    assert "x and y do not vary independently on the section" in hybridsim(*basin).err


def test_a_word_of_other_programs_leads_to_the_keyword():
    for word, present in {"tol": "tolerance", "max_period": "max_time", "period": "strides"}.items():
        with pytest.raises(ConfigError, match=f"{word}: there is no such keyword; it is called `{present}` here"):
            find_orbit(PLUGIN, section="top", **{word: 1.0})


def test_a_key_leads_to_the_name_of_the_parameter():
    orbit = find_orbit(PLUGIN, section="top")
    for follow in (lambda key: continue_orbit(orbit, key, to=2.0), lambda key: orbit_at(orbit, key, 2.0)):
        with pytest.raises(ConfigError, match=r"no parameter 'parameters\.width'; it is called `width` here"):
            follow("parameters.width")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["find", "none.yaml"], 2, "there is no such file"),
        (["find", "relay.yaml", "orbit.section=topp"], 2, "no boundary 'topp'; did you mean `top`?"),
        (
            ["find", "relay.yaml", "orbit.sektion=top"],
            2,
            "orbit.sektion: there is no such key; did you mean `section`?",
        ),
        (["find", "relay.yaml", "orbit.section={boundary: top, time: 1}"], 2, "expected a boundary, a time or a state"),
        (["find", "relay.yaml", "orbit.symmetry.swap=[[x, y, x]]"], 2, "expected pairs of states"),
        (["find", "relay.yaml", "orbit.symmetry.negate=[z]"], 2, "no state 'z'"),
        (["find", "relay.yaml", "orbit.fixed.z=1"], 2, "no state or output 'z'"),
        (["find", "relay.yaml", "orbit.strides=0"], 2, "orbit.strides: expected a number of at least 1, found 0"),
        (["find", "relay.yaml", "orbit=null"], 2, "the boundaries are top, bottom"),
        (["find", "relay.yaml", "orbit.max_time=0.5"], 1, "too far: the guess makes no stride: the section, after top"),
        (["find", "relay.yaml", "-o", "gait.txt"], 2, "expected a name that ends in .h5"),
        (["continue", "relay.yaml"], 2, "expected the range of one parameter, found 0"),
        (
            ["continue", "relay.yaml", "parameters.width=0.1.."],
            2,
            "expected FROM..TO without a number of values, found",
        ),
        (
            ["continue", "relay.yaml", "parameters.width=1..2:9"],
            2,
            "expected FROM..TO without a number of values, found",
        ),
        (["find", "relay.yaml", "orbit.period=2"], 2, "there is no such key; it is called `orbit.strides` here"),
        (["find", "relay.yaml", "orbit.guess.y=2"], 2, "there is no such key; it is called `initial` here"),
        (["find", "relay.yaml", "orbit.max_period=2"], 2, "it is called `orbit.max_time` here"),
        (["table", "relay.yaml", "sweep.threads=2"], 2, "there is no such key; it is called `--workers` here"),
        (["continue", "relay.yaml", "parameters.widht=0.1..1"], 2, "did you mean `width`"),
        (["continue", "relay.yaml", "engine.rtol=0.1..1"], 2, "expected a parameter"),
        (["continue", "relay.yaml", "parameters.width=0.9..0.9"], 2, "give another value to go to"),
        (["measure", "relay.yaml"], 2, "not an HDF5 file"),
    ],
)
def test_bad_input_is_one_sentence(hybridsim, relay, arguments, code, message):
    outcome = hybridsim("orbit", *arguments)
    assert outcome.code == code
    assert message in outcome.err
    assert len(outcome.err.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["continue", "relay.yaml", "parameters.width=1..2", "--max-period", "2"], "it is called --max-strides here"),
        (["map", "relay.yaml", "--threads", "2"], "it is called --workers here"),
        (["basin", "relay.yaml", "--points", "20"], "KEY=VALUE"),
        (["find", "relay.yaml", "--period", "2"], "without dashes, orbit.strides=VALUE"),
        (["find", "relay.yaml", "--at", "y=2"], "without dashes, initial=VALUE"),
        (["find", "relay.yaml", "--rtol", "2"], "without dashes, engine.rtol=VALUE"),
    ],
)
def test_a_former_option_leads_to_the_present_spelling(hybridsim, relay, arguments, message):
    outcome = hybridsim("orbit", *arguments)
    assert outcome.code == 2
    assert message in " ".join(outcome.err.replace("│", " ").split())


def test_the_file_of_a_run_is_no_orbit(hybridsim, ball):
    assert hybridsim("run", "ball.yaml").code == 0
    for arguments in (
        ("run", "ball.h5"),
        ("orbit", "measure", "ball.h5"),
        ("orbit", "continue", "ball.h5", "parameters.g=1..2"),
    ):
        outcome = hybridsim(*arguments)
        assert outcome.code == 2
        assert "not of an orbit" in outcome.err


@pytest.mark.exhaustive  # a cascade has a picture in the ordinary run
def test_pictures_of_an_orbit_and_what_they_refuse(hybridsim, relay):
    assert hybridsim("orbit", "find", "relay.yaml", "-o", "gait.h5").code == 0
    assert hybridsim("run", "gait.h5", "initial.y=0.2", "strides=8").code == 0
    for arguments in (
        ("gait.h5", "--as", "phase"),
        ("gait.h5", "--as", "phase", "y", "x"),
        ("gait.h5", "--as", "multipliers"),
        ("gait.h5", "y"),
        ("gait-strides.h5", "--as", "return-map", "y"),
        ("gait-strides.h5", "--as", "return-map", "y", "bottom"),
    ):
        assert hybridsim("plot", *arguments, "-o", "picture.png").code == 0, arguments
    for arguments, message in (
        (("gait.h5", "--as", "phase", "x"), "expected two states, found 1"),
        (("gait.h5", "--as", "phase", "x", "z"), "the run has no output, state or input 'z'"),
        (("gait.h5", "--as", "return-map", "y"), "expected three events of top at least, found 1"),
        (("gait.h5", "--as", "return-map"), "write NAME BOUNDARY"),
        (("gait-strides.h5", "--as", "multipliers"), "not an orbit"),
    ):
        outcome = hybridsim("plot", *arguments, "-o", "picture.png")
        assert outcome.code == 2
        assert message in outcome.err

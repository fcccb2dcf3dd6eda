"""Theorems about branches of orbits and their bifurcations, beside formulas; and their certificates."""

import importlib
import json
import math
from fractions import Fraction
from functools import cache

import pytest
from map_model import FOLD, LOGISTIC, MODEL

import hybridsim
from hybridsim.cli.main import command
from hybridsim.errors import ConfigError
from hybridsim.proofs import NotProvenError
from hybridsim.proofs.check import check
from hybridsim.proofs.check_numbers import RefusedError

pytest.importorskip("flint")


@cache
def logistic():
    """The fixed point u = 1 - 1 / r, whose multiplier is 2 - r."""
    parameters = {"map": LOGISTIC, "r": 2.5, "s": 0.0}
    orbit = hybridsim.find_orbit(MODEL, section="tick", parameters=parameters, initial={"u": 0.6})
    return hybridsim.continue_orbit(orbit, "r", to=3.4)


@cache
def parabola():
    """The fixed points u = +-sqrt(r), with the multipliers 1 - 2 u; they meet at r = 0."""
    parameters = {"map": FOLD, "r": 0.16, "s": 0.0}
    orbit = hybridsim.find_orbit(MODEL, section="tick", parameters=parameters, initial={"u": 0.4})
    return hybridsim.continue_orbit(orbit, "r", to=-0.1, back_to=0.2)


@cache
def bouncing():
    orbit = hybridsim.find_orbit(
        "vibrating_table", section="table", initial={"gap": 0.0, "rate": 0.654, "phase": 0.634}
    )
    return hybridsim.continue_orbit(orbit, "acceleration", to=1.6)


@cache
def theorem_of_logistic():
    return hybridsim.prove_branch(logistic(), interval=(2.96, 3.04))


@cache
def theorem_of_flip():
    return hybridsim.prove_bifurcation(logistic().bifurcations[0], "r")


def test_for_each_value_there_is_the_fixed_point_of_the_formula():
    balls, pieces = (importlib.import_module(f"hybridsim.proofs.{name}") for name in ("balls", "pieces"))
    theorem = theorem_of_logistic()
    (tube,) = theorem.tubes
    assert (tube.interval, theorem.not_proven, theorem.is_whole) == ((2.96, 3.04), (), True)
    (records,) = theorem.certificate["tubes"]
    free = theorem.certificate["models"][records[0]["chain"]]["variables"].index("u")
    for piece, record in zip(tube.pieces, records, strict=True):
        for r in (piece.low, 0.5 * (piece.low + piece.high), piece.high):
            with balls.working(80, 20):
                low, high = balls.ends(pieces.orbit_at(record, r)[record["pass"]["free"].index(free)])
            assert low <= 1 - 1 / Fraction(r) <= high < low + Fraction(1, 100)
    # |2 - r| is smaller than 1 below 3, and larger above
    assert [word for *_, word in tube.stability] == ["exponentially stable", "not decided", "unstable"]
    (_, left, _), (_, right, _), _ = tube.stability
    assert 2.99 < left < 3.0 < right < 3.01
    assert "there is exactly one orbit in the tube" in " ".join(str(theorem).split())


def test_the_period_doubles_at_exactly_three():
    theorem = theorem_of_flip()
    assert 3 in theorem.value
    assert theorem.value.radius < 1e-12
    assert Fraction(2, 3) in theorem.box["u"]
    at, reach = theorem.within
    assert at == pytest.approx(3.0, abs=1e-12)
    assert reach > 1e-6
    assert theorem.multiplier == -1
    assert (theorem.inside, theorem.outside, theorem.undecided) == (len(theorem.others), 0, 0)
    assert "crosses -1" in " ".join(str(theorem).split())


def test_two_fixed_points_meet_at_exactly_zero():
    (fold,) = (each for each in parabola().bifurcations if each.kind == "fold")
    theorem = hybridsim.prove_bifurcation(fold, "r")
    assert 0 in theorem.value
    assert 0 in theorem.box["u"]
    assert theorem.multiplier == 1
    assert "turns round there" in " ".join(str(theorem).split())


def test_a_branch_is_proven_on_both_sides_of_its_fold():
    theorem = hybridsim.prove_branch(parabola(), narrowest=2e-3)
    upper, lower = sorted(theorem.tubes, key=lambda tube: tube.pieces[0].state["u"], reverse=True)
    assert upper.stability[-1][2] == "exponentially stable"
    assert lower.stability[-1][2] == "unstable"
    assert {tube.interval[1] for tube in theorem.tubes} == {0.2, upper.interval[1]}
    for tube in theorem.tubes:
        assert 0.0 < tube.interval[0] < 0.1
        for piece in tube.pieces:
            root = math.copysign(math.sqrt(0.5 * (piece.low + piece.high)), piece.state["u"])
            assert piece.state["u"] == pytest.approx(root, abs=1e-9)
    assert all(low < 0.1 for low, _, _ in theorem.not_proven)
    assert len(theorem.bifurcations) == 1


def test_the_ball_doubles_its_period_where_the_formula_says():
    """acceleration^2 = (pi (1 - e) / (1 + e))^2 + (2 (1 + e^2) / (1 + e)^2)^2; the double 2 pi is not the number."""
    flip = next(each for each in bouncing().bifurcations if each.kind == "flip")
    theorem = hybridsim.prove_bifurcation(flip, "acceleration")
    exact = math.hypot(math.pi / 3.0, 10.0 / 9.0)
    assert float(theorem.value.low) - 1e-15 <= exact <= float(theorem.value.high) + 1e-15
    assert theorem.value.radius < 1e-13
    assert abs(theorem.others[0].centre + 0.25) <= theorem.others[0].radius  # the determinant is e^2


@pytest.mark.exhaustive
def test_the_compass_gait_doubles_its_period_at_the_slope_that_is_known():
    """4.390898 degrees (docs/gait-analysis.md; Goswami and others 1996 print 4.37)."""
    orbit = hybridsim.find_orbit("compass_gait", section="heelstrike", parameters={"slope": math.radians(4.2)})
    flip = next(each for each in hybridsim.continue_orbit(orbit, "slope", to=0.08).bifurcations if each.kind == "flip")
    theorem = hybridsim.prove_bifurcation(flip, "slope")
    assert math.degrees(float(theorem.value)) == pytest.approx(4.390898, abs=5e-7)
    assert (theorem.inside, theorem.outside) == (3, 0)


def test_what_is_no_branch_of_isolated_orbits_is_refused():
    branch = logistic()
    with pytest.raises(ConfigError, match="the branch has no curve 7; it has 0"):
        hybridsim.prove_branch(branch, curve=7)
    with pytest.raises(ConfigError, match=r"the curve has values from 2\.5 to 3\.4"):
        hybridsim.prove_branch(branch, interval=(2.0, 3.0))
    with pytest.raises(ConfigError, match="has no real parameter 'q'"):
        hybridsim.prove_bifurcation(branch.bifurcations[0], "q")


def test_of_an_orbit_alone_its_multiplier_says_which_bifurcation_it_is():
    """The multiplier of the fixed point 1 - 1 / r of r x (1 - x) is 2 - r."""
    branch = logistic()
    with pytest.raises(NotProvenError, match=r"near to 1 or -1: the nearest is .* away from -?1; follow the orbit"):
        hybridsim.prove_bifurcation(branch.orbit, "r")
    flip = branch.bifurcations[0]
    (fold,) = (each for each in parabola().bifurcations if each.kind == "fold")
    assert hybridsim.prove_bifurcation(flip.orbit, "r").multiplier == -1
    assert hybridsim.prove_bifurcation(fold.orbit, "r").multiplier == 1


@pytest.mark.exhaustive  # those of the command hold in the ordinary run
def test_certificates_of_a_branch_and_a_flip_hold(tmp_path):
    said = check(theorem_of_logistic().save(tmp_path / "branch.json"))
    assert said.startswith("maps, over r: checked, tubes: 1, bifurcations: 1")
    assert "from 2.96 to 3.04" in said
    assert "has a multiplier -1" in check(theorem_of_flip().save(tmp_path / "flip.json"))


def one_and_exhaustive(names):
    first, *others = names
    return [first, *(pytest.param(name, marks=pytest.mark.exhaustive) for name in others)]


MUTATIONS = {
    "a piece left out": lambda c: c["tubes"][0].pop(1),
    "a piece that is wider": lambda c: c["tubes"][0][0].update(interval=[(2.0).hex(), c["tubes"][0][0]["interval"][1]]),
    "a box beside the next": lambda c: c["tubes"][0][1]["pass"]["centre"][0].__setitem__(0, 1),
    "another tilt": lambda c: c["tubes"][0][1]["pass"]["tilt"].__setitem__(0, [1, 3]),
    "another parameter": lambda c: c["parameters"].update({"p.map": (3.0).hex()}),
    "a bifurcation of another model": lambda c: c["bifurcations"][0]["parameters"].update({"p.s": (0.5).hex()}),
    "another count": lambda c: c["tubes"][0][0]["claims"].update(counts=[0, 2, 0]),
    "a piece of other events": lambda c: c["tubes"][0][1].update(chain="0"),
}


@pytest.mark.parametrize("mutation", one_and_exhaustive(MUTATIONS))
def test_a_branch_that_was_changed_does_not_hold(mutation, tmp_path):
    file = theorem_of_logistic().save(tmp_path / "branch.json")
    certificate = json.loads(file.read_text())
    MUTATIONS[mutation](certificate)
    file.write_text(json.dumps(certificate))
    with pytest.raises(RefusedError):
        check(file)


MUTATIONS_OF_FLIP = {
    "a fold": lambda c: c.update(multiplier=1),
    "another value": lambda c: c["claims"].update(value=["2", "2.5"]),
    "another entry held": lambda c: c.update(one=1 - c["one"]),
    "no bound of the eigenvectors": lambda c: c["vector rows"].update(
        inverse=[["0x0p+0" for _ in row] for row in c["vector rows"]["inverse"]]
    ),
    "a wider box": lambda c: c["unique"].update(reach=[[m, e + 30] for m, e in c["unique"]["reach"]]),
    "a deviation that is not 0": lambda c: c["sharp"]["centre"].__setitem__(-1, [1, 0]),
    "another parameter": lambda c: c["parameters"].update({"p.map": (3.0).hex()}),
    "another count": lambda c: c["claims"].update(counts=[0, 1, 0]),
}


@pytest.mark.parametrize("mutation", one_and_exhaustive(MUTATIONS_OF_FLIP))
def test_a_flip_that_was_changed_does_not_hold(mutation, tmp_path):
    file = theorem_of_flip().save(tmp_path / "flip.json")
    certificate = json.loads(file.read_text())
    MUTATIONS_OF_FLIP[mutation](certificate)
    file.write_text(json.dumps(certificate))
    with pytest.raises(RefusedError):
        check(file)


def run(capsys, *words):
    with pytest.raises(SystemExit) as end:
        command([str(word) for word in words], standalone_mode=True)
    return end.value.code, *capsys.readouterr()


def test_the_command_keeps_pieces_and_goes_on(tmp_path, capsys):
    file = tmp_path / "bounce.h5"
    bouncing().save(file)
    words = ("prove", file, "parameters.acceleration=1.4..1.41")
    code, out, _ = run(capsys, *words)
    assert code == 0
    assert "For each acceleration from 1.4 to 1.41" in out
    assert f"written: {tmp_path / 'bounce.proof.json'}" in out
    with pytest.raises(ConfigError, match="--resume"):
        command([str(word) for word in words])
    parts = sorted((tmp_path / "bounce.pieces").glob("part*"))
    parts[0].unlink()
    code, again, _ = run(capsys, *words, "--resume")
    assert code == 0
    assert again.split("For each")[0] == out.split("For each")[0]
    assert parts[0].exists()
    code, said, _ = run(capsys, "prove", "--check", tmp_path / "bounce.proof.json")
    assert (code, "from 1.4 to 1.41" in said) == (0, True)


def test_the_command_refuses_the_range_of_something_else(tmp_path):
    file = tmp_path / "bounce.h5"
    bouncing().save(file)
    with pytest.raises(ConfigError, match="the branch is one over acceleration"):
        command(["prove", str(file), "parameters.restitution=0.4..0.5"])

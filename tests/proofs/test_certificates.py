"""Certificates are checked by other code, which refuses every one that does not hold; and the command."""

import ast
import json
from pathlib import Path

import pytest

import hybridsim.proofs
from hybridsim.cli.main import command
from hybridsim.errors import ConfigError
from hybridsim.proofs.check import check
from hybridsim.proofs.check_numbers import RefusedError

FOLDER = Path(hybridsim.proofs.__file__).parent


@pytest.mark.parametrize(
    "name",
    [
        "wheel",
        pytest.param("impact", marks=pytest.mark.exhaustive),
        pytest.param("simplest", marks=pytest.mark.exhaustive),
        pytest.param("compass", marks=pytest.mark.exhaustive),
    ],
)
def test_the_certificate_of_a_theorem_holds(theorem, name, tmp_path):
    said = check(theorem(name).save(tmp_path / "it.json"))
    assert said.startswith(f"{theorem(name).model}: checked, ")
    assert f"of its multipliers {theorem(name).inside} are smaller than 1 in size" in said


STANDARD = {
    "__future__",
    "collections.abc",
    "copy",
    "dataclasses",
    "fractions",
    "functools",
    "json",
    "math",
    "pathlib",
    "typing",
}
CHECKER = "hybridsim.proofs.check"


def imported(source):
    """Return the modules that a file imports, anywhere in it; what is imported from a package may be one."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "an import is relative"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def foreign_to_a_checker(source):
    """Return what a file of the checker imports though it belongs neither to it nor to the standard library."""
    return {
        name
        for name in imported(source)
        if not name.startswith(CHECKER) and not {name, name.rpartition(".")[0]} & STANDARD
    }


def of_the_checker(source):
    """Return what a file of the prover imports of the checker."""
    return {name for name in imported(source) if name.startswith(CHECKER)}


def test_the_checker_and_the_prover_share_no_code():
    files = {file.name: file.read_text() for file in FOLDER.glob("*.py")}
    checker = {name: source for name, source in files.items() if name.startswith("check")}
    assert {"check.py", "check_algebra.py", "check_time.py"} <= {*checker} < {*files}
    for name, source in files.items():
        shared = foreign_to_a_checker(source) if name in checker else of_the_checker(source)
        assert not shared, f"{name} imports {shared}"


def test_code_that_is_shared_is_seen():
    inside = "def found():\n    from hybridsim.proofs.{} import {}\n"
    assert of_the_checker(inside.format("check_time", "TIME")) == {"hybridsim.proofs.check_time.TIME"}
    assert of_the_checker("from hybridsim.proofs import balls, check_algebra") == {"hybridsim.proofs.check_algebra"}
    assert foreign_to_a_checker(inside.format("events", "TIME")) == {"hybridsim.proofs.events.TIME"}
    assert foreign_to_a_checker("from hybridsim.graph import Graph\nimport numpy") == {"hybridsim.graph.Graph", "numpy"}
    assert not foreign_to_a_checker("import json\nfrom hybridsim.proofs.check_numbers import Ball")


def shrink(number):
    return [number[0], number[1] - 4]


def require_also(program, *lines):
    """Append lines to a program, of which the last has to be defined; -1 stands for the line before."""
    for word, *others in lines:
        n = len(program["lines"])
        program["lines"].append([word, *(n + k if k in (-1, -2) and word != "power" else k for k in others)])
    program["results"].append(len(program["lines"]) - 1)


def hide_a_branch(c):
    """Put a branch on a speed, which does not hold, among those on parameters."""
    leg, speed = c["legs"][0], c["variables"][-1]
    require_also(leg["constants"], ["input", speed], ["const", (0.001).hex()], ["sub", -1, -2])
    leg["constant_guards"].append({"kind": "positive", "where": "model.py:1"})


def drop_a_direction(c):
    """Leave one of the vectors out, and its disc: the others are still near to eigenvectors."""
    c["vectors"] = [row[:-1] for row in c["vectors"]]
    c["inverse_vectors"] = c["inverse_vectors"][:-1]
    c["claims"]["multipliers"] = c["claims"]["multipliers"][:-1]
    c["claims"]["counts"][0] = len(c["claims"]["multipliers"])


def to_a_power(n):
    """Demand a power of the angle, which passes zero."""

    def change(c):
        program = c["legs"][0]["watched"]
        program["lines"].append(["input", c["variables"][0]])
        program["lines"].append(["power", len(program["lines"]) - 1, n])
        program["results"].append(len(program["lines"]) - 1)

    return change


MUTATIONS = {
    "a branch on a state among those on parameters": hide_a_branch,
    "fewer directions than states": drop_a_direction,
    "one over what passes zero": to_a_power(-1),
    "half a power": to_a_power(2.5),
    "zero over what passes zero": lambda c: require_also(
        c["legs"][0]["watched"], ["input", c["variables"][0]], ["const", (0.0).hex()], ["div", -1, -2]
    ),
    "a larger step than its series converge": lambda c: c["sharp"]["legs"][0]["steps"][3].update(rho=[1, 3]),
    "smaller discs": lambda c: c["unique"]["legs"][0]["steps"][5].update(
        rings=[[shrink(n) for n in ring] for ring in c["unique"]["legs"][0]["steps"][5]["rings"]]
    ),
    "a ring left out": lambda c: c["unique"]["legs"][0]["steps"][5]["rings"].pop(2),
    "rings in another order": lambda c: c["unique"]["legs"][0]["steps"][5]["rings"].reverse(),
    "no rings": lambda c: c["unique"]["legs"][0]["steps"][5].update(rings=[]),
    "an event said to change nothing": lambda c: c["legs"][0].update(transparent=True),
    "a sign that is not there": lambda c: c["unique"]["legs"][0]["steps"][-1]["pieces"][0].__setitem__(
        -1, [[1, 3], "positive"]
    ),
    "a watch without pieces": lambda c: c["unique"]["legs"][0]["steps"][4]["pieces"].__setitem__(1, []),
    "a bracket beside the crossing": lambda c: c["sharp"]["legs"][0].update(
        bracket=c["sharp"]["legs"][0]["bracket"][:1] * 2
    ),
    "a smaller box": lambda c: c["unique"].update(reach=[[1, -60] for _ in c["unique"]["reach"]]),
    "a box elsewhere": lambda c: c["sharp"]["centre"].__setitem__(1, [1, 0]),
    "a shorter period": lambda c: c["claims"].update(period=["1", "1"]),
    "smaller multipliers": lambda c: c["claims"]["multipliers"].__setitem__(
        0, [(0.4).hex(), (0.0).hex(), (1e-9).hex()]
    ),
    "another count": lambda c: c["claims"].update(counts=[1, 1, 0]),
    "another parameter": lambda c: c["parameters"].update({"p.slope": (0.09).hex()}),
    "a boundary said to be zero": lambda c: c["legs"][0]["watches"][0].update(begins_at_zero=True),
    "another inverse": lambda c: c["unique"].update(inverse=[[[1, 0], [0, 0]], [[0, 0], [1, 0]]]),
    "an inverse of no size": lambda c: c["unique"].update(inverse=[]),
    "a radius of convergence below zero": lambda c: c["sharp"]["legs"][0]["steps"][2].update(rho=[-1, 3]),
    "a state twice": lambda c: c["unique"].update(free=[c["unique"]["free"][0]] * len(c["unique"]["free"])),
    "a box without an inside": lambda c: c["unique"].update(reach=[[0, 0] for _ in c["unique"]["reach"]]),
    "a disc without a multiplier": lambda c: c["claims"]["multipliers"].__setitem__(
        -1, [(17.0).hex(), (0.0).hex(), (1e-9).hex()]
    ),
    "a count below zero": lambda c: c["claims"].update(counts=[3, 0, -1]),
    "a radius without a bound": lambda c: c["claims"]["multipliers"].__setitem__(0, ["0x0p+0", "0x0p+0", "inf"]),
    "no legs": lambda c: c.update(legs=[]),
    "another format": lambda c: c.update(format="hybridsim proof 0"),
    "a missing key": lambda c: c.pop("vectors"),
}


@pytest.mark.members(3)
@pytest.mark.parametrize("mutation", MUTATIONS)
def test_a_certificate_that_was_changed_does_not_hold(theorem, mutation, tmp_path):
    file = theorem("wheel").save(tmp_path / "wheel.json")
    certificate = json.loads(file.read_text())
    MUTATIONS[mutation](certificate)
    file.write_text(json.dumps(certificate))
    with pytest.raises(RefusedError):
        check(file)


MUTATIONS_OF_PASSING = {
    "what the next leg watches left out": lambda c: c["sharp"]["legs"][0].update(pieces_behind=[]),
    "none of it watched": lambda c: c["sharp"]["legs"][0].update(
        pieces_behind=[[] for _ in c["sharp"]["legs"][0]["pieces_behind"]]
    ),
    "a bracket before the crossing": lambda c: c["sharp"]["legs"][0].update(
        bracket=[[m, e - 4] for m, e in c["sharp"]["legs"][0]["bracket"]]
    ),
    "heelstrike said to change nothing": lambda c: c["legs"][1].update(transparent=True),
    "another field behind it": lambda c: c["legs"][1]["field"]["results"].reverse(),
}


@pytest.mark.members(1)
@pytest.mark.parametrize(
    "mutation",
    MUTATIONS_OF_PASSING,
)
def test_an_event_at_which_only_the_chart_changes_is_checked(theorem, mutation, tmp_path):
    file = theorem("simplest").save(tmp_path / "gait.json")
    certificate = json.loads(file.read_text())
    assert [leg["transparent"] for leg in certificate["legs"]] == [True, False]
    MUTATIONS_OF_PASSING[mutation](certificate)
    file.write_text(json.dumps(certificate))
    with pytest.raises(RefusedError):
        check(file)


MUTATIONS_OF_A_LEVEL = {
    "another level": lambda c: c["fixed"].update(value=(1780.0).hex()),
    "no level": lambda c: c.update(fixed=None),
    "another quantity": lambda c: (
        c["fixed"]["quantities"][1]["lines"].append(["const", (2.0).hex()])
        or c["fixed"]["quantities"][1].update(results=[len(c["fixed"]["quantities"][1]["lines"]) - 1])
    ),
    "another state replaced": lambda c: c["fixed"].update(replaced=2),
    "the multiplier 1 among the others": lambda c: c["claims"]["multipliers"].append(
        [(1.0).hex(), (0.0).hex(), (1e-9).hex()]
    ),
    "other gravity": lambda c: c["parameters"].update({"p.g_stance": (9.82).hex()}),
}


@pytest.mark.members(1)
@pytest.mark.parametrize(
    "mutation",
    ["another quantity", None, *MUTATIONS_OF_A_LEVEL],
)
def test_a_level_of_energy_is_checked(theorem, mutation, tmp_path):
    file = theorem("runner").save(tmp_path / "runner.json")
    if mutation is None:
        assert check(file).startswith("slip: checked, ")
        return
    certificate = json.loads(file.read_text())
    MUTATIONS_OF_A_LEVEL[mutation](certificate)
    file.write_text(json.dumps(certificate))
    with pytest.raises(RefusedError):
        check(file)


def run(capsys, *words):
    with pytest.raises(SystemExit) as end:
        command([str(word) for word in words], standalone_mode=True)
    return end.value.code, *capsys.readouterr()


def test_the_command_proves_an_orbit_and_checks_its_certificate(orbit, tmp_path, capsys):
    file = orbit("wheel").save(tmp_path / "roll.h5")
    code, out, _ = run(capsys, "prove", file)
    certificate = tmp_path / "roll.proof.json"
    assert code == 0
    assert "Theorem (computer-assisted). Let the model rimless_wheel" in out
    assert f"written: {certificate}" in out
    code, out, _ = run(capsys, "prove", "--check", certificate)
    assert (code, out.startswith("rimless_wheel: checked")) == (0, True)


@pytest.mark.parametrize("content", [b"{}", b"[1]", b"\xff\x00", b"state: 3", b"[" * 100_000, b'{"format": []}'])
def test_a_file_that_is_no_certificate_is_refused_in_plain_words(content, tmp_path, capsys):
    file = tmp_path / "gait.proof.json"
    file.write_bytes(content)
    code, _, err = run(capsys, "prove", "--check", file)
    assert code == 1
    assert "the certificate does not hold: the file is no certificate" in " ".join(err.split())
    assert "Error" not in err


@pytest.mark.parametrize(
    ("words", "unused"),
    [
        (["--curve", 2], "--curve"),
        (["--resume", "--workers", 2], "--workers and --resume"),
        (["--check", "--digits", 20], "--digits"),
        (["--check", "parameters.slope=0.07..0.08"], "an interval"),
    ],
)
def test_an_option_without_meaning_is_refused(orbit, words, unused, tmp_path):
    file = orbit("wheel").save(tmp_path / "roll.h5")
    with pytest.raises(ConfigError, match=f"{unused}: without meaning for"):
        command(["prove", str(file), *map(str, words)])
    assert not (tmp_path / "roll.proof.json").exists()


def test_an_orbit_tells_of_the_certificate_beside_it(orbit, theorem, tmp_path, capsys):
    wheel = orbit("wheel")
    file = wheel.save(tmp_path / "roll.h5")
    theorem("wheel").save(tmp_path / "roll.proof.json")
    code, out, _ = run(capsys, "orbit", "find", file, "-o", tmp_path / "roll.h5")
    assert code == 0
    assert "proven to be the only one nearby; hybridsim prove --check" in " ".join(out.split())
    code, out, _ = run(capsys, "orbit", "find", file, "parameters.m=2", "-o", tmp_path / "roll.h5")
    assert code == 0
    assert "about another orbit, or other files" in " ".join(out.split())
    for change in (
        lambda c: c["claims"].update(period=["3/2", "8/5"]),
        lambda c: c["legs"][0].update(boundary="strike_backward"),
        lambda c: c["legs"].append(c["legs"][0]),
    ):
        certificate = json.loads(theorem("wheel").save(tmp_path / "roll.proof.json").read_text())
        change(certificate)
        (tmp_path / "roll.proof.json").write_text(json.dumps(certificate))
        code, out, _ = run(capsys, "orbit", "find", file, "-o", tmp_path / "roll.h5")
        assert "about another orbit, or other files" in " ".join(out.split())
    code, out, _ = run(capsys, "orbit", "find", file, "-o", tmp_path / "other.h5")
    assert "proof" not in out


def test_the_command_takes_an_interval_with_units(orbit, tmp_path, capsys):
    file = orbit("wheel").save(tmp_path / "roll.h5")
    code, out, _ = run(capsys, "prove", file, "parameters.slope=4.5836 deg..4.5837 deg", "-o", tmp_path / "all.json")
    assert code == 0
    assert "For each slope from 0.0799" in " ".join(out.split())
    check(tmp_path / "all.json")

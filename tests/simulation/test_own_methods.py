"""Runs with an integration method of one's own: from Python, in a config, and from a plug-in file."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest

import hybridsim
from hybridsim import ConfigError, Tableau, simulate
from hybridsim.config.loading import load_orbit_config
from hybridsim.engine.methods import METHODS

from gallery import IMPACT, falling

ORBIT = hybridsim.load_model(Path(__file__).parents[1] / "engine" / "orbit.py")
FALL = falling()
YEAR = 2.0 * np.pi

HEUN = Tableau("heun", a=[[], [1]], b=[1 / 2, 1 / 2], e=[-1 / 2, 1 / 2], order=2)

# Bogacki, Shampine: A 3(2) pair of Runge-Kutta formulas, Appl. Math. Lett. 2 (1989).
BOGACKI_SHAMPINE = Tableau(
    "bogacki_shampine",
    a=[[], [1 / 2], [0, 3 / 4]],
    b=[2 / 9, 1 / 3, 4 / 9],
    e=[2 / 9 - 7 / 24, 1 / 3 - 1 / 4, 4 / 9 - 1 / 3, -1 / 8],
    order=3,
)

# Verner: Explicit Runge-Kutta methods with estimates of the local truncation error, SIAM J. Numer. Anal. 15 (1978).
VERNER_WEIGHTS = [3 / 40, 0, 875 / 2244, 23 / 72, 264 / 1955, 0, 125 / 11592, 43 / 616]
VERNER_LOWER = [13 / 160, 0, 2375 / 5984, 5 / 16, 12 / 85, 3 / 44, 0, 0]
VERNER = Tableau(
    "verner",
    a=[
        [],
        [1 / 6],
        [4 / 75, 16 / 75],
        [5 / 6, -8 / 3, 5 / 2],
        [-165 / 64, 55 / 6, -425 / 64, 85 / 96],
        [12 / 5, -8, 4015 / 612, -11 / 36, 88 / 255],
        [-8263 / 15000, 124 / 75, -643 / 680, -81 / 250, 2484 / 10625],
        [3501 / 1720, -300 / 43, 297275 / 52632, -319 / 2322, 24068 / 84065, 0, 3850 / 26703],
    ],
    b=VERNER_WEIGHTS,
    e=np.subtract(VERNER_WEIGHTS, VERNER_LOWER),
    order=6,
)

METHOD_FILE = """
from hybridsim import Tableau

METHOD = Tableau("heun", a=[[], [1]], b=[1 / 2, 1 / 2], e=[-1 / 2, 1 / 2], order=2)
"""


def bits(run):
    return [array.tobytes() for array in (run.t, run.x, run.chart, run.events.t, run.events.x_after, run.extension)]


@pytest.mark.parametrize(
    ("method", "steps"), [(HEUN, (2000, 4000, 8000)), (BOGACKI_SHAMPINE, (800, 1600, 3200)), (VERNER, (100, 200, 400))]
)
def test_halving_the_step_divides_the_error_by_the_declared_power_of_two(method, steps):
    keywords = method.keywords()
    del keywords["e"]
    errors = []
    for n in steps:
        run = simulate(ORBIT, final_time=YEAR, first_step=YEAR / n, record=False, method=Tableau(**keywords))
        errors.append(np.linalg.norm(run.x[-1] - run.x[0]))
    powers = np.log2(np.divide(errors[:-1], errors[1:]))
    assert powers == pytest.approx(method.order, abs=0.35)


@pytest.mark.parametrize("name", sorted(METHODS.keys() - {"series", "rodas5p", "rk4_adaptive"}))
def test_the_numbers_of_a_bundled_method_make_the_same_bits_as_its_name(name):
    bundled = METHODS[name]()
    keywords = {"final_time": 3.0, "max_step": 0.01 if name == "rk4" else np.inf}
    copied = Tableau(**bundled.keywords() | {"name": "mine"})
    assert bits(simulate("slip", method=copied, **keywords)) == bits(simulate("slip", method=name, **keywords))


def test_a_bundled_method_is_its_name():
    run = simulate("slip", final_time=0.1, method=METHODS["tsit5"]())
    assert run.provenance["config"]["engine"]["method"] == "tsit5"


@pytest.mark.parametrize("method", [HEUN, BOGACKI_SHAMPINE, VERNER])
def test_events_are_found_where_the_formula_puts_them(method):
    run = simulate(FALL, final_time=1.0, method=method)
    assert run.events.t[0] == pytest.approx(IMPACT, rel=1e-9)  # a fall is a parabola, exact at order 2


@pytest.mark.members(1)
@pytest.mark.parametrize("method", [HEUN, BOGACKI_SHAMPINE, VERNER])
def test_a_run_is_verified_from_its_file_which_has_the_coefficients(method, tmp_path):
    made = simulate("slip", final_time=1.0, method=method, rtol=1e-6)
    made.save(tmp_path / "own.h5")
    run = hybridsim.load_run(tmp_path / "own.h5")
    assert Tableau(**run.provenance["config"]["engine"]["method"]).keywords() == method.keywords()
    assert hybridsim.verify(run).ok
    x = run.x.copy()
    x[len(x) // 2, 0] += 1e-3
    assert not hybridsim.verify(dataclasses.replace(run, x=x)).ok


def test_a_run_with_fixed_steps_is_verified():
    method = Tableau("heun_fixed", a=[[], [1]], b=[1 / 2, 1 / 2], order=2)
    assert hybridsim.verify(simulate("slip", final_time=1.0, method=method, max_step=1e-3)).ok


def test_a_config_has_the_coefficients_or_names_the_file_that_has_them(tmp_path):
    (tmp_path / "heun.py").write_text(METHOD_FILE)
    coefficients = "{name: heun, a: [[], [1]], b: [0.5, 0.5], e: [-0.5, 0.5], order: 2}"
    runs = []
    for number, method in enumerate(["./heun.py", coefficients]):
        path = tmp_path / f"run{number}.yaml"
        path.write_text(f"model: slip\nfinal_time: 1\nengine: {{method: {method}, rtol: 1e-6}}\n")
        config = hybridsim.load_config(path)
        assert config.origins["engine.method.name"].startswith(str(path))
        runs.append(hybridsim.Simulation.from_config(config).run())
    assert bits(runs[0]) == bits(runs[1]) == bits(simulate("slip", final_time=1.0, method=HEUN, rtol=1e-6))


def test_an_orbit_is_found_with_it_as_with_a_bundled_one():
    """Events on a cubic are as near as the cubic is: the motion may miss itself by that much."""
    keywords = {"section": "heelstrike", "tolerance": 1e-7}
    own, bundled = (hybridsim.find_orbit("compass_gait", method=m, **keywords) for m in (VERNER, "dop853"))
    assert own.period == pytest.approx(bundled.period, rel=1e-6)


def test_the_config_of_an_orbit_may_name_one(tmp_path):
    keywords = ", ".join(f"{name}: {value}" for name, value in VERNER.keywords().items())
    path = tmp_path / "gait.yaml"
    path.write_text(f"model: compass_gait\norbit: {{section: heelstrike}}\nengine: {{method: {{{keywords}}}}}\n")
    config = load_orbit_config(path)
    assert config.engine.tableau.keywords() == VERNER.keywords()
    assert config.engine.rtol == 1e-12  # as of orbits that do not say otherwise


@pytest.mark.parametrize(
    ("method", "sentence"),
    [
        ("./absent.py", "absent.py: there is no such plug-in file"),
        ({"name": "mine", "a": [[]], "order": 1}, "missing 1 required keyword-only argument: 'b'"),
        ({"name": "mine", "a": [[]], "b": [0.9], "order": 1}, "the method mine: b: the weights must add up to 1"),
        ({"name": "mine", "a": [[]], "b": [1.0], "order": 1, "f": 1}, "f: there is no such keyword"),
        ({"name": "dp5", "a": [[]], "b": [1.0], "order": 1}, "dp5 is the name of a bundled method"),
        (Tableau("mine", a=[[]], b=[1.0], order=1), "the method mine takes fixed steps; set first_step or max_step"),
        ("ode45", "did you mean `dp5`"),
        (5, "expected one of 'dp5', 'dop853'"),
    ],
)
def test_what_is_no_method_is_refused(method, sentence):
    with pytest.raises(ConfigError, match=sentence.replace("(", r"\(")):
        simulate(FALL, final_time=1.0, method=method)


def test_each_mistake_of_coefficients_in_a_config_is_a_line_with_its_place(tmp_path):
    path = tmp_path / "run.yaml"
    method = "{name: mine, a: [[], [1]], b: [0.5, 0.4], e: [0.5, 0.5], order: 2}"
    path.write_text(f"model: slip\nfinal_time: 1\nengine:\n  method: {method}\n")
    with pytest.raises(ConfigError) as caught:
        hybridsim.load_config(path)
    place = f"{path}:4:3: engine.method: the method mine: "
    assert [line.removeprefix(place)[:2] for line in caught.value.problems] == ["b:", "e:"]


def test_a_file_without_a_method_says_what_it_should_end_with(tmp_path):
    (tmp_path / "empty.py").write_text("x = 1\n")
    with pytest.raises(ConfigError, match="defines no `METHOD`; a plug-in ends with `METHOD = Tableau"):
        simulate(FALL, final_time=1.0, method=str(tmp_path / "empty.py"))


def test_the_file_that_a_foreign_record_names_is_not_executed(tmp_path):
    """A record has coefficients; one that was changed to name a file is refused like a model's file."""
    (tmp_path / "heun.py").write_text(f"open({str(tmp_path / 'executed')!r}, 'w')\n{METHOD_FILE}")
    run = simulate("slip", final_time=0.1)
    config = run.provenance["config"]
    config = {**config, "engine": {**config["engine"], "method": str(tmp_path / "heun.py")}}
    changed = dataclasses.replace(run, provenance={**run.provenance, "config": config})
    with pytest.raises(ConfigError, match=r"heun\.py"):
        hybridsim.verify(changed)
    assert not (tmp_path / "executed").exists()


def test_every_run_of_a_sweep_is_made_with_it():
    found = hybridsim.sweep("slip", axes={"k": [15e3, 20e3]}, metrics={"y": "final(y)"}, final_time=1.0, method=HEUN)
    runs = [simulate("slip", parameters={"k": k}, final_time=1.0, method=HEUN) for k in (15e3, 20e3)]
    assert found.to_pandas()["y"].tolist() == [run["y"][-1] for run in runs]

import pytest

from hybridsim.config.optimization import load_optimization_config
from hybridsim.errors import ConfigError

BASE = """model: slip
final_time: 10
metrics: {steps: count(touchdown), force: max(leg_force)}
optimize:
  parameters:
    k: uniform(15e3, 25e3)
  stages:
    - {maximize: steps, until: steps >= 5}
    - {minimize: force}
"""


def problems_of(tmp_path, text, *overrides):
    (tmp_path / "legs.yaml").write_text(text)
    with pytest.raises(ConfigError) as refused:
        load_optimization_config(tmp_path / "legs.yaml", overrides)
    return [problem.replace(f"{tmp_path}/", "") for problem in refused.value.problems]


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (
            "k: uniform",
            "kk: uniform",
            "legs.yaml:6:5: optimize.parameters.kk: there is no 'kk' to vary; did you mean `k`",
        ),
        (
            "uniform(15e3, 25e3)",
            "uniform(25e3, 15e3)",
            "6:5: optimize.parameters.k: expected the first bound to lie below",
        ),
        ("uniform(15e3, 25e3)", "normal(1, 2)", "6:5: optimize.parameters.k: expected bounds, found 'normal(1, 2)'"),
        ("uniform(15e3, 25e3)", "3", "6:5: optimize.parameters.k: expected uniform(a, b), loguniform(a, b)"),
        ("uniform(15e3, 25e3)", "loguniform(-1, 2)", "6:5: optimize.parameters.k: expected two ends above 0"),
        ("k: uniform(15e3, 25e3)", "body_mass: uniform(-1, 2)", "6:5: optimize.parameters.body_mass: value [0]"),
        (
            "k: uniform(15e3, 25e3)",
            "spri: uniform(1.5, 3)",
            "6:5: optimize.parameters.spri: value [0] of uniform(1.5, 3)",
        ),
        ("k: uniform(15e3, 25e3)", "k: fraction(j, 1, 2)", "6:5: optimize.parameters.k: there is no 'j' to vary"),
        (
            "k: uniform(15e3, 25e3)",
            "k: fraction(k, 1, 2)",
            "6:5: optimize.parameters.k: expected a fraction of another",
        ),
        (
            "k: uniform(15e3, 25e3)",
            "k: simplex(3)",
            "6:5: optimize.parameters.k: expected a parameter that is an array",
        ),
        ("steps >= 5", "steps 5", "8:25: optimize.stages[0].until: expected a comparison (>= <= == = > <)"),
        (", until: steps >= 5", "", "8:7: optimize.stages[0]: it never ends"),
        ("minimize: force", "minimize: forse", "9:7: optimize.stages[1].minimize: there is no metric 'forse'"),
        ("minimize: force", "minimise: force", "9:8: optimize.stages[1].minimise: there is no such key"),
        ("{minimize: force}", "{minimize: force, maximize: steps}", "9:7: optimize.stages[1]: expected `minimize` or"),
        (
            "minimize: force",
            "minimize: force, until: force < 3",
            "9:7: optimize.stages[1]: nothing comes behind the last",
        ),
    ],
)
def test_bad_input_is_a_sentence_with_its_place(tmp_path, old, new, problem):
    assert old in BASE
    found = problems_of(tmp_path, BASE.replace(old, new))
    assert any(problem in each for each in found), found


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ("method: psoo", "optimize.method.name: expected one of 'pso', 'mmpso', 'cma' or 'random', found 'psoo'"),
        ("method: {population: 1}", "optimize.method.population: expected a number of at least 2"),
        ("runs: 0", "optimize.runs: expected a number of at least 1"),
        (
            "structure: {hold_touchdown_angle: [0, 1]}",
            "method pso makes no choices; with `structure`, write method: mmpso",
        ),
        ("structure: {hold_touchdown_angle: [1]}\n  method: mmpso", "expected two or more different choices"),
        ("structure: {hold_angle: [0, 1]}\n  method: mmpso", "optimize.structure.hold_angle: there is no 'hold_angle'"),
        ("start: nowhere.yaml", "optimize.start: "),
        ("repeats: {samples: 3, axes: {k: 'normal(2e4, 10)'}}", "optimize.repeats.axes.k: it is searched, too"),
        ("repeats: {samples: 3, axes: {y: 'normal(1)'}}", "optimize.repeats.axes.y: expected uniform(a, b)"),
        ("generations: 3", "optimize.generations: there is no such key"),
    ],
)
def test_bad_settings_are_sentences_too(tmp_path, lines, problem):
    found = problems_of(tmp_path, f"{BASE}  {lines}\n")
    assert any(problem in each for each in found), found


def test_all_problems_are_said_at_once(tmp_path):
    text = (
        BASE.replace("uniform(15e3, 25e3)", "3")
        .replace("steps >= 5", "steps")
        .replace("final_time: 10", "final_time: -1")
    )
    found = problems_of(tmp_path, f"{text}  runs: 0\n")
    assert len(found) == 4


def test_a_config_without_a_search_says_what_is_missing(tmp_path):
    (found,) = problems_of(tmp_path, "model: slip\nfinal_time: 1\n")
    assert "legs.yaml:1:1: optimize: this key is required to optimize; write for example optimize: {" in found


def test_fractions_of_each_other_are_refused(tmp_path):
    text = BASE.replace("k: uniform(15e3, 25e3)", "q_0: fraction(q_rt, 0.5, 1)\n    q_rt: fraction(q_0, 0.5, 1)")
    assert any("are fractions of each other" in each for each in problems_of(tmp_path, text))


def test_a_start_outside_of_the_ranges_is_refused(tmp_path):
    (tmp_path / "start.yaml").write_text("model: slip\nfinal_time: 1\nparameters: {k: 9e3}\n")
    (found,) = problems_of(tmp_path, f"{BASE}  start: start.yaml\n")
    assert "optimize.start" in found
    assert "parameters.k = 9000 lies outside of what is searched" in found


def test_metrics_may_name_the_functions_of_a_file_beside_the_config(tmp_path):
    (tmp_path / "late.py").write_text("def lateness(t, x, p, chart):\n    return t\n")
    text = BASE.replace("force: max(leg_force)", "force: mean(lateness)") + "  extra_outputs: ./late.py\n"
    (tmp_path / "legs.yaml").write_text(text)
    config = load_optimization_config(tmp_path / "legs.yaml")
    assert [*config.sweeps[0].extra_outputs][:1] == ["lateness"]
    assert config.data["optimize"]["extra_outputs"] == str(tmp_path / "late.py")


def test_a_file_of_extra_outputs_that_is_not_there_is_named(tmp_path):
    (found,) = problems_of(tmp_path, f"{BASE}  extra_outputs: ./late.py\n")
    assert "there is no such plug-in file" in found

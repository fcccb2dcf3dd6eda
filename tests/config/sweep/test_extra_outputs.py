from pathlib import Path

import pytest

from hybridsim.config.sweep import load_sweep_config
from hybridsim.errors import ConfigError

CONFIG = """model: leg.py
final_time: 10
sweep: {axes: {k: [1]}, extra_outputs: ./more.py}
metrics: [status, max(clearance)]
"""
CLEARANCE = "def clearance(t, x, p, chart):\n    return x[0]\n"


@pytest.fixture
def sweep(folder):
    """The sweep with extra outputs of that text."""

    def load(text):
        Path("run.yaml").write_text(CONFIG)
        if text is not None:
            Path("more.py").write_text(text)
        return load_sweep_config("run.yaml")

    return load


def test_public_functions_that_the_file_defines_are_extra_outputs(sweep, folder):
    Path("beside.py").write_text("def leg(x):\n    return x\n")
    config = sweep(
        "from math import sin\nfrom beside import leg\nLENGTH = 2.0\n\ndef _half(x):\n    return 0.5 * x\n\n"
        f"{CLEARANCE}\ndef lift(time, state, p, chart):\n    return _half(leg(state[0])) + sin(0.0) + LENGTH\n"
    )
    assert list(config.extra_outputs) == ["clearance", "lift"]
    assert config.extra_outputs["lift"](0.0, [3.0], [], 0) == 3.5
    assert config.extra_outputs_file == config.data["sweep"]["extra_outputs"] == str(folder / "more.py")


def test_they_may_stand_in_the_folder_of_a_model_that_imports_its_neighbours(sweep, folder):
    Path("beside.py").write_text("FALL = 9.81\n")
    plugin = Path("leg.py").read_text()
    Path("leg.py").write_text(f"from .beside import FALL\n{plugin}")
    for _ in range(2):
        config = sweep(f"from .leg import MODEL\nfrom beside import FALL\n{CLEARANCE}")
        assert config.run.model.name == "leg"
        assert list(config.extra_outputs) == ["clearance"]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (None, "more.py: there is no such plug-in file"),
        ("", "more.py: it defines no public function; write `def NAME(t, x, p, chart):` that returns a number"),
        ("def _clearance(t, x, p, chart):\n    return 0.0\n", "more.py: it defines no public function"),
        ("from math import sin\n", "more.py: it defines no public function"),
        ("def clearance(t, x, p, chart)\n", "the plug-in is not valid Python: expected ':'; correct this line"),
        ("raise RuntimeError('no')\n", "more.py:1: the plug-in could not be loaded: RuntimeError: no"),
        (
            f"{CLEARANCE}\ndef lift(t, x):\n    return 0.0\n",
            "more.py:4: `lift` takes (t, x); expected lift(t, x, p, chart); correct its arguments, or call it _lift if",
        ),
        (
            f"{CLEARANCE}\ndef height(t, x, p, chart):\n    return 0.0\n",
            "`height` has the name of a state or output of",
        ),
        (f"{CLEARANCE}\ndef y(t, x, p, chart):\n    return 0.0\n", "more.py:4: `y` has the name of a state or output"),
        (f"{CLEARANCE}\ndef t(t, x, p, chart):\n    return 0.0\n", "more.py:4: `t` has the name of a state or output"),
        (
            f"{CLEARANCE}\ndef low(t, x, p, chart):\n    return x[-1]\n",
            "more.py:5: in `low`: the negative index `x[-1]`",
        ),
    ],
)
def test_a_file_that_cannot_be_taken_is_refused(sweep, text, what):
    with pytest.raises(ConfigError) as caught:
        sweep(text)
    (problem,) = caught.value.problems  # and none for metrics that name its functions
    assert problem.startswith("run.yaml:3:25: sweep.extra_outputs: ")
    assert what in problem


@pytest.mark.parametrize("mistake", ["extra_output: ./more.py", "extra_outputs: [./more.py]"])
def test_where_the_file_is_not_named_right_its_functions_are_not_missed(folder, mistake):
    Path("more.py").write_text(CLEARANCE)
    Path("run.yaml").write_text(CONFIG.replace("extra_outputs: ./more.py", mistake))
    with pytest.raises(ConfigError) as caught:
        load_sweep_config("run.yaml")
    (problem,) = caught.value.problems
    assert problem.startswith("run.yaml:3:25: sweep.extra_output")


def test_every_wrong_function_is_reported(sweep):
    with pytest.raises(ConfigError) as caught:
        sweep("def a(t):\n    return 0.0\n\ndef b(x):\n    return 0.0\n")
    assert len(caught.value.problems) == 2


def test_a_metric_of_a_function_that_is_not_there_is_refused(sweep):
    with pytest.raises(ConfigError, match=r"nor is it an extra output; did you mean `clearances`"):
        sweep(CLEARANCE.replace("clearance", "clearances"))

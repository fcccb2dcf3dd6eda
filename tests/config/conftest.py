from collections.abc import Callable
from pathlib import Path

import pytest

from hybridsim.config import RunConfig, load_config
from hybridsim.errors import ConfigError

LEG = """
from hybridsim import Boundary, Model, Output, Parameter, State

def vector_field(xdot, t, x, p, chart):
    xdot[0] = x[1]

def boundaries(g, t, x, p, chart):
    g[0] = x[0]

def transition(x_new, t, x, p, chart, crossed):
    return 0

def outputs(y, t, x, p, chart):
    y[0] = x[0]

MODEL = Model(
    "leg",
    [State("y", 1.0, "m", lower=0.0), State("ydot", 0.0, "m/s"), State("angle", 0.5, "rad")],
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    outputs=outputs,
    parameters=[
        Parameter("k", 20000.0, "N/m", lower=0.0),
        Parameter("spring", 2, integer=True),
        Parameter("slope", 10.0, "deg"),
        Parameter("terrain", "flat", choices=("flat", "sloped"), aliases=("terrain_type",)),
        Parameter("heights", (0.0, 0.1, 0.2), "m"),
        Parameter("field", (1, 2, 0.5, 1.0), "m", lower=0.0, upper=10.0, is_matrix=True),
    ],
    boundary_records=[Boundary("touchdown"), Boundary("liftoff")],
    output_records=[Output("height"), Output("energy")],
)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with the plug-in leg.py in it."""
    (tmp_path / "leg.py").write_text(LEG)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def load(folder: Path) -> Callable[..., RunConfig]:
    """Load a config of that text, with overrides."""

    def load_text(text: str, *overrides: str, name: str = "run.yaml") -> RunConfig:
        Path(name).write_text(text)
        return load_config(name, overrides)

    return load_text


@pytest.fixture
def problems(load: Callable[..., RunConfig]) -> Callable[..., tuple[str, ...]]:
    """The problems in a config of that text, with overrides."""

    def problems_in(text: str, *overrides: str, name: str = "run.yaml") -> tuple[str, ...]:
        with pytest.raises(ConfigError) as caught:
            load(text, *overrides, name=name)
        return caught.value.problems

    return problems_in


@pytest.fixture
def refused(problems: Callable[..., tuple[str, ...]]) -> Callable[..., None]:
    """Check that a config of that text has one problem, which begins with its place and contains the fragments."""

    def check(text: str, place: str, *fragments: str) -> None:
        (problem,) = problems(text)
        assert problem.startswith(f"run.yaml:{place}")
        for fragment in fragments:
            assert fragment in problem

    return check

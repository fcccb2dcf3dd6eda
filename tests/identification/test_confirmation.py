"""A solution is confirmed if, and only if, a simulation comes to the same motion."""

import numpy as np
import pytest

from hybridsim import simulate
from hybridsim.errors import ConfigError

from .trials import CONFIGS, found_in, motion, write

BALL = """
from hybridsim import Model, Parameter, State

def vector_field(xdot, t, x, p, chart):
    xdot[0] = x[1]
    xdot[1] = -9.81 - p[0] * x[1] * abs(x[1])

def boundaries(g, t, x, p, chart):
    g[0] = x[0]

def transition(x_new, t, x, p, chart, crossed):
    x_new[1] = -p[1] * x[1]
    return 0

MODEL = Model(
    "ball",
    [State("y", 1.0, "m"), State("v", 0.0, "m/s")],
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    boundary_records=["floor"],
    parameters=[Parameter("drag", 1.0, "1/m"), Parameter("restitution", 0.8)],
)
"""


def bounces(folder, more):
    """Return what is identified of a ball with drag that bounces twice."""
    (folder / "ball.py").write_text(BALL)
    run = simulate(folder / "ball.py", final_time=1.2, rtol=1e-10, atol=1e-12)
    t = np.linspace(0.0, 1.2, 121)
    write(folder / "trial.csv", t=t, y=run.at(t)[:, 0])
    return found_in(
        folder,
        f"""
model: ./ball.py
data: {{file: trial.csv}}
measured: {{y: y}}
free: {{drag: 0.5, restitution: 0.7}}
initial: {{v: 0}}
phases:
  - {{chart: 0, until: floor, duration: 0.5}}
  - {{chart: 0, until: floor, duration: 0.4}}
  - {{chart: 0}}
collocation: {more}
""",
    )


def test_phases_without_nodes_inside_are_compared_at_their_ends(tmp_path):
    # Between two nodes a motion is a cubic, which a fall with drag is not: the drag is wrong by some per cent.
    assert not bounces(tmp_path, "{nodes: 2}").confirmed
    found = bounces(tmp_path, "{nodes: 21}")
    assert found.confirmed, found.why_not
    assert found.confirmation.windows == 1


def test_the_error_of_a_coarse_scheme_does_not_hide_in_parts_of_a_motion(tmp_path):
    assert not bounces(tmp_path, "{nodes: 21, scheme: euler}").confirmed


def test_the_period_of_a_stable_motion_is_not_confirmed_from_too_few_nodes(tmp_path):
    t, x = motion(CONFIGS / "pendulum.py", "initial.theta=30 deg", duration=20, n=2001)
    write(tmp_path / "trial.csv", t=t, theta=x[:, 0], omega=x[:, 1])
    text = f"""
model: {CONFIGS / "pendulum.py"}
data: {{file: trial.csv}}
measured: {{theta: theta, omega: omega}}
free: {{stiffness: 9}}
"""
    assert not found_in(tmp_path, text + "collocation: {nodes: 61}\n").confirmed


@pytest.mark.exhaustive  # slow: two searches
def test_shooting_through_events_has_the_standard_errors_of_collocation(tmp_path):
    noise = ["data.noise.y=0.005"]
    bounces(tmp_path, "{nodes: 41}")
    config = (tmp_path / "identify.yaml").read_text()
    by_collocation = found_in(tmp_path, config, *noise)
    by_shooting = found_in(tmp_path, config.partition("phases:")[0] + "method: shooting\n", *noise)
    for name, error in by_collocation.standard_errors.items():
        assert by_shooting.standard_errors[name] == pytest.approx(error, rel=1e-3)


@pytest.mark.members(1)
@pytest.mark.parametrize("more", ["final: {y: 1}", "limits: {y: {lower: -1}}"])
def test_shooting_refuses_what_it_would_ignore(tmp_path, more):
    bounces(tmp_path, "{nodes: 5}")
    config = (tmp_path / "identify.yaml").read_text().partition("phases:")[0]
    with pytest.raises(ConfigError, match="shooting knows no"):
        found_in(tmp_path, f"{config}method: shooting\n{more}\n")


def test_shooting_refuses_a_parameter_that_is_not_free(tmp_path):
    bounces(tmp_path, "{nodes: 5}")
    config = (tmp_path / "identify.yaml").read_text().partition("phases:")[0]
    fixed = config.replace("drag: 0.5", "drag: {guess: 1, lower: 1, upper: 1}")
    with pytest.raises(ConfigError, match=r"free\.drag: its bounds are the same"):
        found_in(tmp_path, f"{fixed}method: shooting\n")


def test_what_is_measured_at_rest_is_explained_by_its_noise(tmp_path):
    # A coordinate that stays where it is has no variance but noise, of which no motion explains anything.
    (tmp_path / "decay.py").write_text(
        "from hybridsim import Model, Parameter, State\n\n"
        "def vector_field(xdot, t, x, p, chart):\n    xdot[0] = -p[0] * x[0]\n    xdot[1] = 0.0\n\n"
        'MODEL = Model("decay", [State("x", 1.0), State("rest", 3.0)], vector_field=vector_field, '
        'parameters=[Parameter("rate", 1.0)])\n'
    )
    t, rng = np.linspace(0.0, 2.0, 41), np.random.default_rng(1)
    noise = 0.01 * rng.normal(size=(2, 41))
    write(tmp_path / "trial.csv", t=t, x=np.exp(-1.5 * t) + noise[0], rest=3.0 + noise[1])
    text = "model: ./decay.py\ndata: {file: trial.csv, noise: {x: 0.01, rest: NOISE}}\n"
    text += "measured: {x: x, rest: rest}\nfree: {rate: 1}\n"
    found = found_in(tmp_path, text.replace("NOISE", "0.01"))
    assert found.confirmed, found.why_not
    assert not found_in(tmp_path, text.replace("NOISE", "0.001")).confirmed

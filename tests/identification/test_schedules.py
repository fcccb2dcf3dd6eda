"""Many parameters, each of which matters at some times only; and data that are a run."""

import numpy as np
import pytest

from hybridsim import identify, simulate
from hybridsim.config.identification import load_identification_config
from hybridsim.identification.guess import motion_of
from hybridsim.identification.problem import problem_of
from hybridsim.identification.schedules import parts_of

POINTS = 24
SCHEDULE = f"""
import hybridsim

def vector_field(xdot, t, x, p, chart):
    place = {POINTS - 1} * t / 2.0
    i = min(int(place), {POINTS - 2})
    first = int(p[0]) + i
    force = p[first] + (place - i) * (p[first + 1] - p[first])
    push = p[1] if x[0] > 0.2 else 0.0
    xdot[0] = x[1]
    xdot[1] = force - x[0] - push

MODEL = hybridsim.Model(
    "scheduled",
    states=[hybridsim.State("x", 0.0, "m"), hybridsim.State("v", 0.0, "m/s")],
    vector_field=vector_field,
    parameters=[hybridsim.Parameter("force", (0.0,) * {POINTS}), hybridsim.Parameter("push", 0.0)],
)
"""


@pytest.fixture
def asked(tmp_path):
    """A config with exact data of a known schedule, and the schedule."""
    (tmp_path / "scheduled.py").write_text(SCHEDULE)
    truth = np.sin(np.arange(POINTS)) + 0.5
    run = simulate(
        tmp_path / "scheduled.py", parameters={"force": tuple(truth)}, final_time=2.0, method="dop853",
        rtol=1e-12, atol=1e-13, max_step=0.005,
    )  # fmt: skip
    run.save(tmp_path / "run.h5")
    free = "\n".join(f"  force[{i}]: 0" for i in range(POINTS))
    (tmp_path / "fit.yaml").write_text(
        "model: ./scheduled.py\ndata: {file: run.h5}\nmeasured: {x: x, v: v}\n"
        f"collocation: {{nodes: 461}}\nfree:\n{free}\n  push: 0.1\n"
    )
    return tmp_path / "fit.yaml", truth


def test_a_schedule_is_found_from_the_file_of_a_run(asked):
    path, truth = asked
    found = identify(path)
    assert found.confirmed, found.why_not
    values = np.array([found.parameters[f"force[{i}]"] for i in range(POINTS)])
    np.testing.assert_allclose(values, truth, atol=1e-5)
    assert found.parameters["push"] == pytest.approx(0.0, abs=1e-5)


def test_intervals_read_the_two_points_between_which_they_are_and_what_depends_on_the_state(asked):
    config = load_identification_config(asked[0])
    problem = problem_of(config, [motion_of(config, trial) for trial in config.trials])
    (grid,) = problem.paths[0].grids
    seen = set()
    for part, chosen in parts_of(grid, problem.z):
        assert "push" in part.field.parameters  # at no time alone
        points = [int(name[6:-1]) for name in part.field.parameters if name != "push"]
        middles = 0.5 * (grid.places[chosen] + grid.places[chosen + 1]) * (POINTS - 1)
        for middle in middles:
            assert {int(middle), int(middle) + 1} <= {*points}
        assert len(points) <= 3  # beside a point, one more is read
        seen.update(chosen.tolist())
    assert seen == set(range(grid.n_intervals))

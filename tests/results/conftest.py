"""A run made by hand: a ball of 1 kg falls from 1 m with g = 2 m/s2, meets the floor at t = 1 s, and rises again."""

import numpy as np
import pytest

from hybridsim.engine.status import Status
from hybridsim.model import Output, Records, State
from hybridsim.results.events import Events
from hybridsim.results.trajectory import Trajectory

STATES = Records(
    State("y", 1.0, "m", "height", upper=10.0), State("v", 0.0, "m/s"), State("bounces", 0.0, continuous=False)
)
T = np.array([0.0, 0.5, 1.0, 1.0, 1.5])
X = np.array([[1.0, 0.0, 0.0], [0.75, -1.0, 0.0], [0.0, -2.0, 0.0], [0.0, 1.0, 1.0], [0.25, 0.0, 1.0]])


@pytest.fixture
def run() -> Trajectory:
    events = Events(
        names=("floor", "wall"),
        states=STATES.names,
        t=np.array([1.0]),
        j=np.array([0]),
        crossed=np.array([[True, False]]),
        chart_before=np.array([0]),
        chart_after=np.array([0]),
        x_before=X[2:3],
        x_after=X[3:4],
        certificate=["exact"],
        declined=np.array([False]),
        kind=["crossing"],
        adjacent_chart=np.array([-1]),
        surface=np.array([-1]),
        value=np.array([-1e-17]),
        depth=np.array([0.25]),
        error=np.array([1e-9]),
    )
    extension = np.zeros((5, 2, 3))
    extension[[0, 1, 3], 0, 0] = 0.5 * X[[0, 1, 3], 1]
    extension[[0, 1, 3], 1, 0] = -0.25
    extension[[0, 1, 3], 0, 1] = -1.0
    return Trajectory(
        model_name="ball",
        states=STATES,
        outputs=Records(Output("energy", "J", "kinetic and potential"), Output("height", "m")),
        boundaries=("floor", "wall"),
        charts={0: "flight"},
        parameters={"gravity": 2.0, "terrain": "sloped", "profile": (0.1, 1 / 3)},
        t=T,
        j=np.array([0, 0, 0, 1, 1]),
        chart=np.zeros(5, dtype=np.int64),
        adjacent_chart=np.full(5, -1),
        surface=np.full(5, -1),
        sliding_weight=np.ones(5),
        certificate=np.array([3, 3, -1, 3, -1]),
        x=X,
        y=np.column_stack([0.5 * X[:, 1] ** 2 + 2.0 * X[:, 0], X[:, 0]]),
        xdot=None,
        extension=extension,
        step=np.array([0.5, 0.5, 1.0, 0.5, 1.0]),
        events=events,
        status=Status.STOPPED,
        message="stopped at the first `floor`",
        statistics={"steps": 3, "rejected": 0, "wall_time": 0.25},
        provenance={
            "config": {
                "model": "ball",
                "engine": {"rtol": 1e-08, "max_step": float("inf")},
                "record": {"period": None},
            },
            "versions": {"hybridsim": "0.1.0", "numpy": np.__version__},
            "plugin_hash": "0123abcd",
            "source": "ball.py",
        },
    )

"""A run given by a formula, and sessions that show it."""

import math
from dataclasses import dataclass, field

import numpy as np

from hybridsim import Boundary, Model, Output, Parameter, Records, State
from hybridsim.scene import Body, Camera, Scene, Sphere, placed
from hybridsim.viewer import RunFrame

from gallery import keep_chart, stand_still

SIZE = (640, 360)


def boundaries(g, t, x, p, chart):
    g[0] = g[1] = 1.0


def outputs(y, t, x, p, chart):
    y[0] = y[1] = 0.0


def poses(T, t, x, p, chart):
    T[0] = placed((x[0], 0.0, 0.0))


MODEL = Model(
    "swing",
    (State("x", 0.0, "m"),),
    vector_field=stand_still,
    boundaries=boundaries,
    transition=keep_chart,
    outputs=outputs,
    poses=poses,
    parameters=(Parameter("k", 1.0),),
    charts=Records(*()),
    boundary_records=(Boundary("left"), Boundary("right")),
    output_records=(Output("place", "m"), Output("speed", "m/s")),
    scene=Scene(
        Records(Body("bob", Sphere(0.1), "#ff0000")), camera=Camera(distance=4.0, view=(0, 1, -0.1)), outputs=("place",)
    ),
)


@dataclass(frozen=True)
class Turn:
    t: float
    boundaries: tuple
    kind: str = "crossing"


@dataclass
class Swing:
    """x = sin(t), turning at the ends."""

    name: str = "swing"
    end: float = 10.0
    finished: bool = True
    begin: float = 0.0
    message: str = ""
    model: Model = MODEL
    scene: Scene = MODEL.scene
    p: np.ndarray = field(default_factory=lambda: np.ones(1))
    n_frames: int = 0
    restarts: list = field(default_factory=list)

    @property
    def events(self):
        return [
            Turn(t, ("right" if k % 2 == 0 else "left",))
            for k in range(20)
            if (t := math.pi / 2 + k * math.pi) <= self.end
        ]

    def frame(self, t, before=False):
        self.n_frames += 1
        t = min(max(t, self.begin), self.end)
        past = [event for event in self.events if event.t <= t]
        x = math.sin(t)
        return RunFrame(
            t,
            len(past),
            "flow",
            np.array([x]),
            np.array([placed((x, 0.0, 0.0))]),
            {"place": x, "speed": math.cos(t)},
            past[-1].boundaries[0] if past else "",
        )


def head_up(session):
    return [text.text for text in session.stage.head_up._lines]

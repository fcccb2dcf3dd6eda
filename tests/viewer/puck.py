"""A puck that slides without friction, and that an input pushes: live runs of it, played without a clock."""

import numpy as np

from hybridsim import Input, Model, Parameter, State
from hybridsim.config import config_from_keywords
from hybridsim.scene import Body, Camera, Push, Scene, Sphere, placed
from hybridsim.viewer.live import Live

from waiting import until

SIZE = (400, 300)
MASS = 2.0
PUSH = Push("puck", ("force_x", "", ""), stiffness=10.0, limit=5.0)


def vector_field(xdot, t, x, p, chart):
    xdot[0] = x[1]
    xdot[1] = p[1] / p[0]


def poses(T, t, x, p, chart):
    T[0] = placed((x[0], 0.0, 0.0))


def puck(pushes=(PUSH,)):
    return Model(
        "puck",
        (State("x", 0.0, "m"), State("v", 0.0, "m/s")),
        vector_field=vector_field,
        poses=poses,
        parameters=(Parameter("m", MASS, "kg"),),
        inputs=(Input("force_x", 0.0, "N", lower=-4.0),),
        scene=Scene(
            (Body("puck", Sphere(0.2)),),
            ground=None,
            camera=Camera("puck", distance=4.0, view=(0.0, 1.0, 0.0)),
            pushes=pushes,
        ),
    )


def live_puck(**settings):
    return Live(config_from_keywords(puck(**settings), final_time=100.0, max_step=0.01))


def middle(session):
    renderer = session.stage.cameras[0].renderer
    renderer.SetWorldPoint(*session.sources[0].frame(session.player.t).poses[0, :3, 3], 1.0)
    renderer.WorldToDisplay()
    return np.array(renderer.GetDisplayPoint()[:2])


def played_until(session, t):
    def reached():
        session.player.tick(0.02)
        session.draw()
        return session.player.t >= t

    until(reached, every=0.001)


def impulse(run):
    """The integral of the force of a run over its time [N s]."""
    changes = run.inputs
    ends = [*changes.t[1:], run.t[-1]]
    return sum(value * (end - t) for t, end, value in zip(changes.t, ends, changes.value, strict=True))

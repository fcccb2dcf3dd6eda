"""heyoka as a C++ program uses it: the integrators that Python has made, in a loop without Python."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import gait
import heyoka as hy
from rivals import drivers
from rivals.heyoka_solver import integrators
from slip import Contender, State

Go = Callable[[], State]


@cache
def driver() -> Any:
    found = drivers.library("heyoka", "heyoka")
    interface = found.name.split(".so.")[1].split(".")[0]  # libheyoka-....so.45.0 has the namespace heyoka::v45
    return drivers.driver("heyoka.cpp", f"-DHEYOKA=v{interface}", libraries=(found,))


def prepare(model: Callable[..., Any], charts: Callable[[float], Any], tolerance: float, strides: int) -> Go:
    # What Python holds is, after the head of its object, a pointer to the integrator.
    heads = [id(integrator) + object.__basicsize__ for integrator in charts(tolerance)]
    pointers = [ctypes.cast(head, ctypes.POINTER(ctypes.c_void_p))[0] for head in heads]
    return model(driver(), (ctypes.c_void_p * len(pointers))(*pointers), strides=strides)  # type: ignore[no-any-return]


@cache
def walkers(tolerance: float) -> list[Any]:
    """The compass gait, an integrator for each chart."""
    m, m_hip, a, b, gravity, slope = gait.PARAMETERS
    states = hy.make_vars("stance", "swing", "stance_rate", "swing_rate")
    stance, swing, stance_rate, swing_rate = states
    length, cosine = a + b, hy.cos(stance - swing)
    coupling = m * length * b * hy.sin(stance - swing)
    first = coupling * swing_rate * swing_rate + gravity * (m * a + (m_hip + m) * length) * hy.sin(stance + slope)
    second = -coupling * stance_rate * stance_rate - gravity * m * b * hy.sin(swing + slope)
    m11, m12, m22 = m * a * a + (m_hip + m) * length * length, -m * length * b * cosine, m * b * b
    determinant = m11 * m22 - m12 * m12
    rates = (
        stance_rate,
        swing_rate,
        (m22 * first - m12 * second) / determinant,
        (m11 * second - m12 * first) / determinant,
    )
    return [
        hy.taylor_adaptive(
            list(zip(states, rates, strict=True)),
            list(gait.START),
            tol=tolerance,
            t_events=[hy.t_event(boundary, direction=hy.event_direction.negative)],
        )
        for boundary in (swing - stance, -(stance + swing))
    ]


CONTENDERS, WALKERS = (
    [Contender("heyoka Taylor, loop in C++", partial(prepare, model, charts), strides=500, version=hy.__version__)]
    for model, charts in ((drivers.runner, integrators), (drivers.walker, walkers))
)

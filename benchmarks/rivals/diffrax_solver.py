"""diffrax: Runge-Kutta methods with events, all strides in one compiled loop."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import diffrax
import jax
import jax.numpy as jnp
import optimistix
from slip import (
    AHEAD,
    GRAVITY,
    LENGTH,
    MASS,
    START,
    STIFFNESS,
    Contender,
    State,
    apex,
    bottom,
    liftoff,
    touchdown,
)

jax.config.update("jax_enable_x64", True)


def flight(t: Any, x: Any, footx: Any) -> Any:
    return jnp.stack([x[2], x[3], 0.0 * t, 0.0 * t - GRAVITY])


def stance(t: Any, x: Any, footx: Any) -> Any:
    legx = x[0] - footx
    rho = jnp.sqrt(legx * legx + x[1] * x[1])
    push = STIFFNESS * (LENGTH - rho) / (MASS * rho)
    return jnp.stack([x[2], x[3], push * legx, push * x[1] - GRAVITY])


@partial(jax.jit, static_argnums=0)
def run(method: Any, strides: Any, tolerance: Any) -> Any:
    def solve(field: Any, boundary: Any, x: Any, footx: Any) -> Any:
        root_finder = optimistix.Newton(rtol=1e-12, atol=1e-12)
        return diffrax.diffeqsolve(
            diffrax.ODETerm(field),
            method(),
            *(0.0, 10.0, None, x, footx),
            saveat=diffrax.SaveAt(t1=True),
            stepsize_controller=diffrax.PIDController(rtol=tolerance, atol=0.01 * tolerance),
            event=diffrax.Event(lambda t, y, args, **_: boundary(t, y, args), root_finder, direction=False),
            max_steps=100_000,
        ).ys[0]

    def stride(_: Any, x: Any) -> Any:
        footx = x[0] + AHEAD
        x = solve(stance, bottom, x, footx)
        x = solve(stance, liftoff, x, footx)
        x = solve(flight, apex, x, footx)
        return solve(flight, touchdown, x, footx)

    first = solve(flight, touchdown, jnp.array(START), 0.0)
    return jax.lax.fori_loop(0, strides - 1, stride, first)


def prepare(method: Any, tolerance: float, strides: int) -> Callable[[], State]:
    run(method, 1, tolerance)  # compiles

    def go() -> State:
        x = run(method, strides, tolerance).block_until_ready()
        return float(x[0]), float(x[1]), float(x[2]), float(x[3])

    return go


CONTENDERS = [
    Contender(f"diffrax {method.__name__}", partial(prepare, method), strides=100, version=diffrax.__version__)
    for method in (diffrax.Dopri5, diffrax.Dopri8)
]

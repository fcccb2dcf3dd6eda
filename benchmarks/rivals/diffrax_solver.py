"""diffrax: Runge-Kutta methods with events, all strides in one compiled loop."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import diffrax
import gait
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


M, M_HIP, A, B, G, SLOPE = gait.PARAMETERS


def solved(cosine: Any, first: Any, second: Any) -> tuple[Any, Any]:
    """The rates, or accelerations, that the inertia of the compass gait gives."""
    m11, m12, m22 = M * A * A + (M_HIP + M) * (A + B) ** 2, -M * (A + B) * B * cosine, M * B * B
    determinant = m11 * m22 - m12 * m12
    return (m22 * first - m12 * second) / determinant, (m11 * second - m12 * first) / determinant


def swing(t: Any, x: Any, _: Any) -> Any:
    coupling = M * (A + B) * B * jnp.sin(x[0] - x[1])
    stance_pull = G * (M * A + (M_HIP + M) * (A + B)) * jnp.sin(x[0] + SLOPE)
    swing_pull = G * M * B * jnp.sin(x[1] + SLOPE)
    first, second = coupling * x[3] * x[3] + stance_pull, -coupling * x[2] * x[2] - swing_pull
    return jnp.stack([x[2], x[3], *solved(jnp.cos(x[0] - x[1]), first, second)])


def passing(t: Any, y: Any, args: Any, **_: Any) -> Any:
    return y[1] - y[0]


def heelstrike(t: Any, y: Any, args: Any, **_: Any) -> Any:
    return -(y[0] + y[1])


@partial(jax.jit, static_argnums=0)
def walk(method: Any, strides: Any, end: Any, tolerance: Any) -> Any:
    def solve(boundary: Any, t: Any, x: Any, end: Any) -> tuple[Any, Any]:
        root_finder = optimistix.Newton(rtol=1e-12, atol=1e-12)
        event = boundary and diffrax.Event(boundary, root_finder, direction=False)
        solution = diffrax.diffeqsolve(
            diffrax.ODETerm(swing),
            method(),
            *(t, end, None, x),
            saveat=diffrax.SaveAt(t1=True),
            stepsize_controller=diffrax.PIDController(rtol=tolerance, atol=0.01 * tolerance),
            event=event,
            max_steps=100_000,
        )
        return solution.ts[0], solution.ys[0]

    def stride(_: Any, start: Any) -> Any:
        t, x = solve(passing, *start, start[0] + 10.0)
        t, x = solve(heelstrike, t, x, t + 10.0)
        cosine, hip = jnp.cos(x[0] - x[1]), -M * A * B * x[2]
        foot = ((M_HIP * (A + B) + 2.0 * M * A) * (A + B) * cosine - M * A * B) * x[2] - M * A * B * x[3]
        return t, jnp.stack([x[1], x[0], *solved(cosine, foot - hip, hip)])

    t, x = jax.lax.fori_loop(0, strides, stride, (jnp.array(0.0), jnp.array(gait.START)))
    return solve(None, t, x, end)[1]  # the legs do not pass each other in the last third of a stride


def prepare_walker(method: Any, tolerance: float, strides: int) -> Callable[[], State]:
    walk(method, 1, gait.end(1), tolerance)  # compiles

    def go() -> State:
        x = walk(method, strides, gait.end(strides), tolerance).block_until_ready()
        return float(x[0]), float(x[1]), float(x[2]), float(x[3])

    return go


CONTENDERS, WALKERS = (
    [
        Contender(f"diffrax {method.__name__}", partial(prepared, method), strides=100, version=diffrax.__version__)
        for method in (diffrax.Dopri5, diffrax.Dopri8)
    ]
    for prepared in (prepare, prepare_walker)
)

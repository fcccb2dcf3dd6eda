"""Soles in space, with friction at each corner: what touches anyhow and moves anyhow goes on, and loses energy."""

import math

import numpy as np
import pytest

from hybridsim import Status, simulate
from hybridsim.contacts import Patch, contact_model
from hybridsim.errors import ConfigError
from hybridsim.multibody import Body, Free, Mechanism

G, WIDTH, DEPTH, HEIGHT = 9.81, 0.2, 0.3, 0.8
INERTIA = [(a**2 + b**2) / 12 for a, b in ((DEPTH, HEIGHT), (WIDTH, HEIGHT), (WIDTH, DEPTH))]
SOLE = [(x * WIDTH / 2, y * DEPTH / 2, -HEIGHT / 2) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]


def box(points=SOLE):
    """A box of 1 kg on a sole."""
    body = Body("box", Free("box"), mass=1.0, inertia=INERTIA)
    return contact_model("cornered", Mechanism(body), [Patch("sole", "box", points)])


def stance(rng):
    """A box that touches the ground with its sole, an edge or a corner of it, and moves anyhow; its energy."""
    down = rng.integers(3)
    tilts = [0.0, 0.0] if down == 0 else [0.0, rng.uniform(0.05, 0.8)] if down == 1 else rng.uniform(0.05, 0.8, 2)
    (s, c), (u, v) = ((math.sin(each / 2), math.cos(each / 2)) for each in tilts)
    q = np.array([c * v, s * v, c * u, -s * u])  # about y after x
    w, x, y, z = q
    up = np.array([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)])
    height = -min(up @ np.array(corner) for corner in SOLE)
    velocity, turn = rng.normal(size=3) * rng.choice([0.0, 0.1, 1.0], 3), rng.normal(size=3) * rng.choice([0.0, 2.0], 3)
    state = {"box_z": height} | {f"box_q{axis}": each for axis, each in zip("wxyz", q, strict=True)}
    state |= {f"box_{axis}dot": each for axis, each in zip("xyz", velocity, strict=True)}
    state |= {f"box_w{axis}": each for axis, each in zip("xyz", turn, strict=True)}
    return state, 0.5 * velocity @ velocity + 0.5 * turn @ (np.array(INERTIA) * turn) + G * height


@pytest.mark.parametrize("seeds", [range(200), pytest.param(range(200, 10_000), marks=pytest.mark.exhaustive)])
def test_a_solution_is_found_for_all_but_all_stances_and_it_takes_energy_away(seeds):
    """None is found for three of 10,000, with friction above 0.9: the run does not begin, and its message says so."""
    model, struck, jammed = box(), 0, []
    for seed in seeds:
        rng = np.random.default_rng(seed)
        state, energy = stance(rng)
        mu = dict.fromkeys(("sole_static", "sole_kinetic"), rng.uniform(0.0, 1.2))
        try:
            run = simulate(model, initial=state, parameters=mu, final_time=1e-4, record=True)
        except ConfigError as error:
            jammed.append((seed, mu["sole_kinetic"], str(error)))
            continue
        assert run.status == Status.FINAL_TIME, (seed, run.message)
        assert run["energy"][0] <= energy + 1e-9, seed
        assert np.diff(run["energy"]).max() < 1e-8, seed
        struck += run["energy"][0] < energy - 1e-3
    assert len(jammed) <= len(seeds) // 3000, jammed
    assert all(friction > 0.9 and "no consistent state" in message for _, friction, message in jammed)
    assert struck > 0.3 * len(seeds)


def test_a_box_that_turns_on_an_edge_has_its_friction_at_both_ends():
    """Its mass centre is above the middle of the edge, which slips along x and turns: each end against its velocity."""
    tilt, mu, v, w = math.atan2(WIDTH, HEIGHT), 0.3, 0.4, 3.0
    run = simulate(
        box(),
        initial={
            "box_z": math.hypot(WIDTH, HEIGHT) / 2,
            "box_qw": math.cos(tilt / 2),
            "box_qy": math.sin(tilt / 2),
            "box_xdot": v,
            "box_wx": -w * math.sin(tilt),
            "box_wz": w * math.cos(tilt),
        },
        parameters={"sole_static": mu, "sole_kinetic": mu},
        final_time=1e-6,
        record=True,
    )
    lever = run.parameters["sole_lever"]
    ends = [np.array([v - w * y, 0.0, lever * w]) for y in (-DEPTH / 2, DEPTH / 2)]
    loads = [run[f"sole{i}_force"][0] for i in (1, 2)]
    friction = [-mu * n * s / np.linalg.norm(s) for n, s in zip(loads, ends, strict=True)]
    assert run["sole_normal"][0] == pytest.approx(sum(loads), rel=1e-12)
    assert run["sole_tangential"][0] == pytest.approx(sum(f[0] for f in friction), rel=1e-9)
    assert min(loads) > 0.1

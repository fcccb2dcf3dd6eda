"""Bodies that are thrown in space: each throw ends at its final time, and keeps the laws of contacts."""

import math

import numpy as np
import pytest

from hybridsim import Status, simulate, verify
from hybridsim.contacts import Patch, Plane, Sphere, contact_model
from hybridsim.multibody import Body, Free, Mechanism

G, WIDTH, DEPTH, HEIGHT = 9.81, 0.2, 0.3, 0.8
INERTIA = [(a**2 + b**2) / 12 for a, b in ((DEPTH, HEIGHT), (WIDTH, HEIGHT), (WIDTH, DEPTH))]
CORNERS = [(x * WIDTH / 2, y * DEPTH / 2, -HEIGHT / 2) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
PLANE = Plane(slope=0.1, heading=0.4)
SHAPES = {
    "sole": lambda: [Patch("c0", "box", CORNERS, plane=PLANE)],
    "edge": lambda: [Patch(f"c{i}", "box", CORNERS[2 * i : 2 * i + 2], plane=PLANE) for i in range(2)],
    "points": lambda: [Patch(f"c{i}", "box", [corner], plane=PLANE) for i, corner in enumerate(CORNERS)],
    "ball": lambda: [Sphere(f"c{i}", "box", 0.1, (0.0, 0.0, z), plane=PLANE) for i, z in enumerate((-0.3, 0.3))],
}


def thrown(kind):
    """A box of 1 kg on contacts of this kind."""
    return contact_model(kind, Mechanism(Body("box", Free("box"), mass=1.0, inertia=INERTIA)), SHAPES[kind]())


def throw(rng, n_contacts, lean):
    """A state above the ground that turns and falls, and coefficients: friction 0..2, restitution 0..0.95."""
    axis, angle = rng.normal(size=3), rng.uniform(0.0, lean)
    axis *= math.sin(angle / 2) / np.linalg.norm(axis)
    state = {"box_z": 0.9, "box_qw": math.cos(angle / 2), "box_zdot": -rng.uniform(0.0, 3.0)}
    state |= {f"box_q{each}": value for each, value in zip("xyz", axis, strict=True)}
    state |= {f"box_w{each}": 2.0 * rng.normal() for each in "xyz"} | {f"box_{each}dot": rng.normal() for each in "xy"}
    mu = float(rng.choice([0.0, rng.uniform(0.0, 2.0), rng.uniform(0.0, 1.0), rng.uniform(0.0, 0.2)]))
    numbers = {"static": mu * rng.choice([1.0, 1.3]), "kinetic": mu}
    numbers["restitution"] = rng.choice([0.0, rng.uniform(0.0, 0.95)])
    return state, {f"c{i}_{key}": float(each) for i in range(n_contacts) for key, each in numbers.items()}


SETTINGS = {"rtol": 1e-7, "atol": 1e-9, "final_time": 1.2}

TURNS = {
    "a slip that turns as it begins, and moves backward at first": 189,
    "two corners that hold together with all but all of their friction": 230,
}
"""Throws on two edges that had ended early, by what was missed."""


@pytest.mark.exhaustive  # throws of the family are in the ordinary run
@pytest.mark.members(1)
@pytest.mark.parametrize("what", TURNS)
def test_what_once_ended_early_goes_on(what):
    state, numbers = throw(np.random.default_rng(TURNS[what]), 2, (0.2, 0.7, 3.0)[TURNS[what] % 3])
    run = simulate(thrown("edge"), initial=state, parameters=numbers, **SETTINGS)
    assert run.status == Status.FINAL_TIME, run.message


@pytest.mark.members(1)
@pytest.mark.parametrize("kind", SHAPES)
def test_every_throw_ends_at_its_final_time_and_keeps_the_laws(kind):
    model, impacts, slips = thrown(kind), 0, 0
    contacts = [each.removesuffix("_normal") for each in model.output_records.names if each.endswith("_normal")]
    for seed in range(45):
        state, numbers = throw(np.random.default_rng(seed), len(contacts), (0.2, 0.7, 3.0)[seed % 3])
        run = simulate(model, initial=state, parameters=numbers, record=True, **SETTINGS)
        assert run.status == Status.FINAL_TIME, (seed, numbers, run.message)
        assert np.diff(run["energy"]).max() < 1e-5, (seed, numbers)
        for contact in contacts:
            size = np.hypot(run[f"{contact}_tangential"], run[f"{contact}_lateral"])
            assert run[f"{contact}_normal"].min() > -1e-5, (seed, numbers)
            assert (size - run.parameters[f"{contact}_static"] * run[f"{contact}_normal"]).max() < 1e-4, (seed, numbers)
            slips += int((np.abs(run[f"{contact}_slip"]) > 1e-3).sum())
        assert min(run[name].min() for name in run.outputs.names if name.endswith("_gap")) > -1e-6, (seed, numbers)
        impacts += sum("gap" in str(names) for names in (event.boundaries for event in run.events))
    assert impacts > 200
    assert slips > 200


@pytest.mark.exhaustive  # throws of the family are in the ordinary run
def test_two_balls_hold_together_what_one_could_not():
    """Along the line between them, friction of both is shared as it must be: one bears 0.05 of the weight at most."""
    slope = 0.3
    body = Body("box", Free("box"), mass=1.0, inertia=(0.01, 0.01, 0.01))
    hill = Plane(slope=slope)
    balls = [
        Sphere(f"c{i}", "box", 0.1, (x, 0.0, 0.0), friction=mu, plane=hill)
        for i, (x, mu) in enumerate(((-0.5, 0.1), (0.5, 0.9)))
    ]
    model = contact_model("balls", Mechanism(body), balls)
    initial = {"box_z": 0.1 / math.cos(slope), "box_qw": math.cos(slope / 2), "box_qy": -math.sin(slope / 2)}
    run = simulate(model, initial=initial, final_time=1.0, record=True)
    assert run.status == Status.FINAL_TIME
    assert len(run.events.t) == 0
    assert np.ptp(run["box_x"]) < 1e-9
    forces = [run[f"c{i}_tangential"][-1] for i in range(2)]
    assert sum(forces) == pytest.approx(G * math.sin(slope), rel=1e-9)
    assert abs(forces[0]) <= 0.1 * run["c0_normal"][-1]
    assert verify(run, model=model).ok

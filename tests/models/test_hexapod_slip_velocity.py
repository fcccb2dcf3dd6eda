"""The velocity of a toe that slips, on its way from rest to free sliding, for random legs."""

import itertools
import math

import numpy as np
import pytest
from scipy.optimize import brentq

from hybridsim import load_model
from hybridsim.model.parameters import pack_parameters
from hybridsim_models.hexapod.contact import Foot, free_toe, rest_toe
from hybridsim_models.hexapod.legs import Leg, load_leg
from hybridsim_models.hexapod.motor import Hip
from hybridsim_models.hexapod.records import P
from hybridsim_models.hexapod.slide import (
    LEAST_DIFFERENCE,
    LEAST_RELEASE,
    reduce_slide,
    release_rate,
    rest_surplus,
    try_at,
    velocity_of,
)
from hybridsim_models.hexapod.vectors import Vector

MODEL = load_model("hexapod")
DEFAULTS = {record.name: record.default for record in (*MODEL.parameters, *MODEL.inputs)}


def random_foot(rng, friction="coulomb", bend=0.0, **changed):
    """A leg in a random posture, loaded and moved at random, on random ground; its hip's torque bends."""
    p = pack_parameters(
        MODEL,
        DEFAULTS
        | {"friction": friction, "friction_coeff": 10.0 ** rng.uniform(-1.3, 0.7)}
        | {"creep_limit": 10.0 ** rng.uniform(-1.0, 1.7), "creep_damping": 10.0 ** rng.uniform(1.0, 3.5)}
        | changed,
    )
    theta, phi, rho = rng.normal(0.0, 0.1), rng.normal(0.0, 0.9), rng.uniform(0.12, 0.17)
    demand = rng.normal(0.0, 6.0)
    reach = rho * math.cos(theta)
    leg = Leg(
        0,
        Vector(0.0, 0.0, -0.15),
        Vector(*rng.normal(0.0, 0.7, 3)),
        Vector(math.sin(theta), math.cos(theta) * math.sin(phi), -math.cos(theta) * math.cos(phi)),
        Vector(math.cos(theta) / rho, -math.sin(theta) * math.sin(phi) / rho, math.sin(theta) * math.cos(phi) / rho),
        Vector(0.0, math.cos(phi) / reach, math.sin(phi) / reach),
        rho,
        theta,
        phi,
        rng.normal(25.0, 15.0),
        rng.normal(0.0, 2.0),
        12.0 * 10.0 ** rng.uniform(-1.0, 0.3),
        0.12,
    )
    empty = int(rng.random() < 0.1)
    hip = Hip(0.0, p, 0, phi, empty, lambda _t, _i, _phi, rate: demand - 0.67 * rate - bend * rate * abs(rate))
    x, y = rng.normal(0.0, 0.3, 2)
    size = 1.0 / math.sqrt(1.0 + x * x + y * y)
    return Foot(leg, hip, Vector(-x * size, -y * size, size))


def slide_of(foot):
    return reduce_slide(foot.leg, foot.hip, foot.normal)


def drag_of(foot, velocity):
    """The leg's force along the ground at a velocity of its toe, and its push, from the leg's own equations."""
    force = np.array(load_leg(foot.leg, foot.hip, Vector(*(np.array(foot.leg.w_rest) + velocity))).force)
    push = -force @ foot.normal
    return force + push * np.array(foot.normal), push


@pytest.mark.members(1)
@pytest.mark.parametrize("bend", [0.0, 0.01])
def test_on_its_way_the_drag_is_along_the_velocity_and_falls_while_the_velocity_grows(bend):
    rng = np.random.default_rng(7)
    for _ in range(100):
        foot = random_foot(rng, bend=bend)
        slide, before = slide_of(foot), (0.0, math.inf)
        for y in np.linspace(0.05, 1.0, 20):
            trial = try_at(slide, y)
            velocity = np.array(velocity_of(slide, trial))
            drag, push = drag_of(foot, velocity)
            k = slide.scale * (1.0 - y) / y
            np.testing.assert_allclose(drag, k * velocity, atol=1e-8)  # tau is known to 1e-11 N m
            assert trial.resistance == pytest.approx(foot.hip.p[P.friction_coeff] * push, abs=1e-8)
            assert trial.surplus == pytest.approx(np.linalg.norm(drag) - trial.resistance, abs=1e-8)
            assert trial.speed > before[0]
            assert k < before[1]
            before = trial.speed, k


def test_the_way_begins_at_rest_and_ends_without_friction():
    rng = np.random.default_rng(3)
    for _ in range(100):
        foot = random_foot(rng, "creep")
        slide, rest, free = slide_of(foot), rest_toe(foot), free_toe(foot)
        np.testing.assert_allclose(np.linalg.norm(drag_of(foot, np.array(free.velocity))[0]), 0.0, atol=1e-8)
        cone = foot.hip.p[P.friction_coeff] * rest.push
        if rest.push > 0.0:
            assert rest_surplus(slide) == pytest.approx(rest.drag - cone, abs=1e-9)
            assert try_at(slide, 0.0).surplus == pytest.approx(rest.drag - cone, abs=1e-9)


def test_a_toe_comes_to_rest_where_friction_exceeds_its_drag_and_speeds_up_where_it_does_not():
    """The same at y = 0: stick and slip are told by one function."""
    rng, n_held = np.random.default_rng(5), 0
    for _ in range(100):
        foot = random_foot(rng, "creep")
        for release in (0.0, LEAST_RELEASE, 0.3, 0.9):
            trial, rate = release_rate(slide_of(foot), release)
            assert np.sign(rate) == np.sign(trial.surplus)
            n_held += rate < 0.0
    assert 50 < n_held < 350


def test_with_little_lag_the_mass_is_accelerated_by_drag_less_friction():
    rng, release = np.random.default_rng(1), 1e-4
    for _ in range(50):
        slide = slide_of(random_foot(rng, slip_lag=1e-6))
        trial, rate = release_rate(slide, release)
        later = try_at(slide, release * (1.0 + 1e-6))
        acceleration = (later.speed - trial.speed) / (release * 1e-6) * rate
        assert acceleration == pytest.approx(trial.surplus / 0.01, rel=0.02)  # slip_lag makes it slower


@pytest.mark.parametrize("friction", ["coulomb", "creep"])
def test_no_toe_follows_its_drag_faster_than_the_lag_allows(friction):
    """Where drag and friction balance, its deviation decays with the time constant of m / damping, or the lag."""
    rng, n_found = np.random.default_rng(2), 0
    for _ in range(200):
        slide = slide_of(random_foot(rng, friction))
        if not rest_surplus(slide) > 0.1 or not try_at(slide, 1.0).surplus < -0.1:
            continue
        place = brentq(lambda y, slide=slide: try_at(slide, y).surplus, 0.0, 1.0, xtol=1e-14)
        if place < 2.0 * LEAST_DIFFERENCE:
            continue
        assert abs(release_rate(slide, place)[1]) < 1e-6
        step = 1e-6 * min(place, 1.0 - place)
        decay = (release_rate(slide, place - step)[1] - release_rate(slide, place + step)[1]) / (2.0 * step)
        trial, after = try_at(slide, place - step), try_at(slide, place + step)
        damping = (trial.surplus - after.surplus) / (2.0 * step) / (trial.speed / place)
        secant = rest_surplus(slide) / trial.speed
        assert decay == pytest.approx(damping / math.hypot(0.01, 5e-4 * secant), rel=1e-3)
        n_found += 1
    assert n_found > 20


def test_a_torque_that_is_known_to_a_nanonewton_metre_only_gives_a_velocity():
    """The hip turns as fast as that of the tangent, no tangent agrees, and the bracket has one end only."""
    rng, errors = np.random.default_rng(4), itertools.cycle((0.0, 0.0, 1e-9))
    foot = random_foot(rng)
    hip = foot.hip._replace(empty=0, torque=lambda _t, _i, _phi, rate: -0.5 * rate + next(errors))
    trial = try_at(slide_of(foot)._replace(hip=hip, h1=0.0, h2=0.0), 0.5)
    assert math.isfinite(trial.speed)
    assert math.isfinite(trial.surplus)

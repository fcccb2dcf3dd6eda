"""Orbits that theorems are about, and the theorems; each is computed once."""

import math
from functools import cache

import pytest

import hybridsim

pytest.importorskip("flint")

ORBITS = {
    "wheel": (
        "rimless_wheel",
        {"section": "strike_forward", "initial": {"theta": 0.08 - math.pi / 8, "thetadot": 1.1}},
    ),
    "impact": ("impact_oscillator", {"section": "period", "initial": {"x": 0.05, "v": -0.5}}),
    "ball": ("vibrating_table", {"section": "table", "initial": {"gap": 0.0, "rate": 0.654, "phase": 0.634}}),
    "simplest": ("simplest_walker", {"section": "heelstrike"}),
    "short": (
        "simplest_walker",
        {
            "section": "heelstrike",
            "initial": {"theta": 0.194, "phi": 0.388, "thetadot": -0.204, "phidot": -0.0154},
        },
    ),
    "compass": ("compass_gait", {"section": "heelstrike"}),
    "other": (
        "compass_gait",
        {
            "section": "heelstrike",
            "parameters": {"slope": math.radians(4.6)},
            "initial": {"theta_st": -0.2955, "theta_sw": 0.2955, "thetadot_st": 1.3485, "thetadot_sw": 0.5906},
        },
    ),
    "two strides": (
        "compass_gait",
        {
            "section": "heelstrike",
            "strides": 2,
            "parameters": {"slope": math.radians(4.6)},
            "initial": {"theta_st": -0.32557, "theta_sw": 0.32557, "thetadot_st": 1.1734, "thetadot_sw": 0.09159},
        },
    ),
    "straight legs": ("straight_legs", {"section": "heelstrike"}),
    "knees": ("kneed_walker", {"section": "heelstrike"}),
    "runner": (
        "slip",
        {
            "section": "apex",
            "parameters": {"hold_touchdown_angle": 1.0},
            "initial": {"y": 0.9433756503515938, "xdot": 4.999063235410837},
            "fixed": {"energy": 1739.9865396613814},
        },
    ),
}


@cache
def orbit_of(name):
    model, given = ORBITS[name]
    return hybridsim.find_orbit(model, **given)


@cache
def theorem_of(name):
    return hybridsim.prove(orbit_of(name))


@pytest.fixture(scope="session")
def orbit():
    return orbit_of


@pytest.fixture(scope="session")
def theorem():
    return theorem_of

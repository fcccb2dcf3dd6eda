"""The free biped of 17 speeds against sympy's equations, which derive_biped.py stores in biped_by_sympy.json."""

import json
from pathlib import Path

import numpy as np
import pytest

from hybridsim.multibody import Body, Compound, Mechanism, Prismatic, Revolute

FIXTURE = json.loads(Path(__file__).with_name("biped_by_sympy.json").read_text(encoding="utf-8"))
TOLERANCE = 1e-12


@pytest.fixture(scope="module")
def biped():
    kinds, bodies, parent = {"slide": Prismatic, "turn": Revolute}, [], "world"
    for given in FIXTURE["bodies"]:
        name, places = given["name"], iter([given["place"]])
        split = [joint.split() for joint in given["joints"]]
        joints = [kinds[k](f"{name}_{k}_{axis}", axis, place=next(places, (0.0, 0.0, 0.0))) for k, axis in split]
        bodies.append(Body(name, Compound(joints), parent, given["mass"], given["centre"], given["inertia"]))
        parent = name
    return Mechanism(*bodies, gravity=(0.0, 0.0, -FIXTURE["gravity"]))


@pytest.mark.members(4)
@pytest.mark.parametrize("state", FIXTURE["states"], ids=lambda state: f"q0={state['q'][0]}")
def test_mass_matrix_and_inertia_forces_are_those_that_sympy_derives(biped, state):
    """Errors are measured in the units in which the diagonal of the mass matrix is 1, so that light feet count, too."""
    mass, forces = np.array(state["M"]), np.array(state["h"])
    assert mass.shape == (17, 17)
    scale = 1.0 / np.sqrt(np.diag(mass))
    errors = scale[:, None] * (biped.mass_matrix(state["q"]) - mass) * scale
    assert np.abs(errors).max() <= TOLERANCE
    error = scale * (biped.inertia_forces(state["q"], state["u"]) - forces)
    assert np.linalg.norm(error) <= TOLERANCE * np.linalg.norm(scale * forces)

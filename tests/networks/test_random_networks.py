"""Random networks have the slopes that numpy finds for the same nodes and edges, in Python and in machine code."""

import numpy as np
import pytest
from networks.random_networks import random_network

import hybridsim
from hybridsim.model.model import default_values
from hybridsim.model.parameters import pack_parameters
from hybridsim.networks import network

TOGETHER = 8
"""Networks that one model holds, side by side; with other numbers and other edges its machine code stays the same."""


def check(first, variant, is_compiled):
    networks = [random_network(seed, variant) for seed in range(first, first + TOGETHER)]
    nodes = {name: each for made in networks for name, each in made.nodes.items()}
    model = network("many", nodes, [each for made in networks for each in made.edges])
    slopes = {}
    for each in networks:
        slopes |= each.slopes()
    blocks = [each.name.split(".") for each in model.states.blocks]
    expected = np.concatenate([slopes[name][state] for name, state in blocks])
    x = model.states.column("default").astype(float)
    found = np.empty_like(x)
    if is_compiled:
        found = hybridsim.functions(model).vector_field(0.3, x)
    else:
        model.vector_field(found, 0.3, x, pack_parameters(model, default_values(model)), 0)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-11)
    return sum(len(made.edges) for made in networks)


@pytest.mark.parametrize("first", range(0, 12 * TOGETHER, TOGETHER))
def test_networks_in_python(first):
    assert check(first, first, is_compiled=False) > TOGETHER


@pytest.mark.exhaustive
@pytest.mark.parametrize("variant", range(4))
def test_networks_in_machine_code(variant):
    assert check(0, variant, is_compiled=True) > TOGETHER


@pytest.mark.exhaustive
@pytest.mark.parametrize("first", range(0, 1000, TOGETHER))
def test_a_thousand_networks_in_python(first):
    check(first, 1, is_compiled=False)


@pytest.mark.exhaustive
@pytest.mark.parametrize("variant", range(25))
@pytest.mark.parametrize("first", range(0, 5 * TOGETHER, TOGETHER))
def test_a_thousand_networks_in_machine_code(first, variant):
    check(first, variant, is_compiled=True)

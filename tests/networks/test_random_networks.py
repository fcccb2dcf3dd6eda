"""Random networks have the slopes that numpy finds for the same nodes and edges, in Python and in machine code."""

import numpy as np
import pytest
from networks.random_networks import random_network

import hybridsim
from hybridsim.model.model import default_values, pack_parameters
from hybridsim.networks import network

TOGETHER = 25
"""Networks that one model holds, side by side, so that they are compiled at once."""

N_NETWORKS = 1000


def expected_slopes(networks, model):
    slopes = {}
    for each in networks:
        slopes |= each.slopes()
    parts = (slopes[name][state] for name, state in (each.name.split(".") for each in model.states.blocks))
    return np.concatenate(list(parts))


def check(first, is_compiled):
    networks = [random_network(seed, f"s{seed}") for seed in range(first, first + TOGETHER)]
    nodes = {name: each for made in networks for name, each in made.nodes.items()}
    model = network("many", nodes, [each for made in networks for each in made.edges])
    x = model.states.column("default").astype(float)
    found = np.empty_like(x)
    if is_compiled:
        found = hybridsim.functions(model).vector_field(0.3, x)
    else:
        model.vector_field(found, 0.3, x, pack_parameters(model, default_values(model)), 0)
    np.testing.assert_allclose(found, expected_slopes(networks, model), rtol=1e-12, atol=1e-11)
    return sum(len(made.edges) for made in networks)


@pytest.mark.parametrize("first", range(0, 100, TOGETHER))
def test_networks_in_python(first):
    assert check(first, is_compiled=False) > TOGETHER


def test_networks_in_machine_code():
    assert check(0, is_compiled=True) > TOGETHER


@pytest.mark.exhaustive
@pytest.mark.parametrize("first", range(0, N_NETWORKS, TOGETHER))
@pytest.mark.parametrize("is_compiled", [False, True])
def test_a_thousand_networks(first, is_compiled):
    check(first, is_compiled)

"""Networks of masses that bounce and neurons that fire, and the same model written as a plain plug-in."""

import dataclasses

import numpy as np

from hybridsim import Boundary, Constant, Model, Parameter, Records, State, integers, scratch
from hybridsim.networks import Edges, Nodes, Pattern, network
from hybridsim.networks.edge_shelf import EDGES
from hybridsim.networks.node_shelf import NODES

MASSES, NEURONS, SPRINGS, SYNAPSES = 4, 6, 5, 12

STATES = Records(
    State("pogo.y", 1.0, shape=MASSES),
    State("pogo.v", 0.0, shape=MASSES),
    State("lif.v", 0.0, shape=NEURONS),
    State("lif.s", 0.0, shape=NEURONS),
)
BOUNDARIES = Records(
    Boundary("pogo.touchdown", degree=1, shape=MASSES),
    Boundary("pogo.liftoff", degree=1, shape=MASSES),
    Boundary("lif.spike", degree=1, shape=NEURONS),
)
PARAMETERS = Records(
    Parameter("m", (1.0,) * MASSES),
    Parameter("K", (1.0,) * MASSES),
    Parameter("I", (1.0,) * NEURONS),
    Parameter("stiffness", (1.0,) * SPRINGS),
    Parameter("weight", (1.0,) * SYNAPSES),
)


def constants(springs, synapses):
    """Return the ends of springs and synapses, from and to."""
    return Records(
        Constant("springs.source", springs[0]),
        Constant("springs.target", springs[1]),
        Constant("synapses.source", synapses[0]),
        Constant("synapses.target", synapses[1]),
    )


NO_EDGES = constants(np.zeros((2, SPRINGS), int), np.zeros((2, SYNAPSES), int))
S, B, P = STATES.indices, BOUNDARIES.indices, (PARAMETERS + NO_EDGES).indices


def vector_field(xdot, t, x, p, chart):
    force, current = scratch(MASSES), scratch(NEURONS)
    for i in range(MASSES):
        force[i] = 0.0
    for i in range(NEURONS):
        current[i] = 0.0
    source, target = integers(p, P.springs_source, SPRINGS), integers(p, P.springs_target, SPRINGS)
    for e in range(SPRINGS):
        stretch = x[S.pogo_y + source[e]] - x[S.pogo_y + target[e]]
        force[target[e]] += p[int(p[P.stiffness]) + e] * stretch
    source, target = integers(p, P.synapses_source, SYNAPSES), integers(p, P.synapses_target, SYNAPSES)
    for e in range(SYNAPSES):
        current[target[e]] += p[int(p[P.weight]) + e] * x[S.lif_s + source[e]]
    for i in range(MASSES):
        y, v = x[S.pogo_y + i], x[S.pogo_v + i]
        if chart >> i & 1:
            force[i] += p[int(p[P.K]) + i] * (0.1 - y) - v
        xdot[S.pogo_y + i] = v
        xdot[S.pogo_v + i] = -9.81 + force[i] / p[int(p[P.m]) + i]
    for i in range(NEURONS):
        xdot[S.lif_v + i] = (p[int(p[P.I]) + i] + current[i] - x[S.lif_v + i]) / 0.02
        xdot[S.lif_s + i] = -x[S.lif_s + i] / 0.005


def boundaries(g, t, x, p, chart):
    for i in range(MASSES):
        if chart >> i & 1:
            g[B.pogo_liftoff + i] = 0.1 - x[S.pogo_y + i]
        else:
            g[B.pogo_touchdown + i] = x[S.pogo_y + i] - 0.1
    for i in range(NEURONS):
        g[B.lif_spike + i] = 1.0 - x[S.lif_v + i]


def transition(x_new, t, x, p, chart, crossed):
    for i in range(MASSES):
        if crossed[B.pogo_touchdown + i] or crossed[B.pogo_liftoff + i]:
            chart ^= 1 << i
    for i in range(NEURONS):
        if crossed[B.lif_spike + i]:
            x_new[S.lif_v + i] = 0.0
            x_new[S.lif_s + i] = x[S.lif_s + i] + 1.0
    return chart


PLAIN = Model(
    "plain",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    parameters=PARAMETERS,
    constants=NO_EDGES,
    boundary_records=BOUNDARIES,
    chart_fields={"pogo.ground": MASSES},
)


def random_pair(seed, order=("pogo", "lif")):
    """Return a network, its twin, and settings of the twin; populations and edges are declared in this order."""
    random = np.random.default_rng(seed)
    springs, synapses = random.integers(MASSES, size=(2, SPRINGS)), random.integers(NEURONS, size=(2, SYNAPSES))
    m, stiffness = random.uniform(0.3, 1.0, MASSES), random.uniform(1.0, 8.0, SPRINGS)
    K, I = random.uniform(300.0, 1500.0, MASSES), random.uniform(0.8, 2.0, NEURONS)  # noqa: E741
    weight, y, v = random.uniform(-0.5, 0.5, SYNAPSES), random.uniform(0.2, 1.0, MASSES), random.uniform(0, 1, NEURONS)
    nodes = {
        "pogo": Nodes(NODES["pogo"], MASSES, m=m, K=K, y=y),
        "lif": Nodes(NODES["integrate_and_fire"], NEURONS, I=I, v=v),
    }
    edges = {
        "pogo": Edges(EDGES["spring_damper"], "pogo", "pogo", Pattern(*springs), K=stiffness),
        "lif": Edges(EDGES["synapse"], "lif", "lif", Pattern(*synapses), weight=weight),
    }
    net = network("net", {key: nodes[key] for key in order}, [edges[key] for key in order])
    values = {"m": m, "K": K, "I": I, "stiffness": stiffness, "weight": weight}
    parameters = {key: tuple(map(float, numbers)) for key, numbers in values.items()}
    initial = {"pogo.y": tuple(map(float, y)), "lif.v": tuple(map(float, v))}
    twin = dataclasses.replace(PLAIN, constants=constants(springs, synapses))
    return net, twin, {"parameters": parameters, "initial": initial}

"""Random networks, and their slopes by numpy: each edge is a row of an array, and sums are those of `numpy.add.at`."""

from dataclasses import dataclass, field

import numpy as np

from hybridsim.networks import Edges, Nodes, Pattern, all_pairs, chain, pairs, random_pairs, ring
from hybridsim.networks.edge_shelf import EDGES
from hybridsim.networks.node_shelf import NODES

TURN = 2.0 * np.pi

SLOPES = {
    "integrator": lambda x, p, u: {"x": p["rate"] + u["flow"]},
    "phase": lambda x, p, u: {"phi": p["omega"] + u["pull"]},
    "amplitude_phase": lambda x, p, u: {
        "phi": TURN * p["f"] + u["pull"],
        "r": x["rdot"],
        "rdot": p["a"] * (p["a"] / 4.0 * (p["R"] - x["r"]) - x["rdot"]),
    },
    "hopf": lambda x, p, u: {
        "phi": TURN * p["f"] + u["pull"],
        "r": p["gamma"] * (p["mu"] - x["r"] ** 2) * x["r"],
    },
    "van_der_pol": lambda x, p, u: {"x": x["v"], "v": p["mu"] * (1.0 - x["x"] ** 2) * x["v"] - x["x"] + u["force"]},
    "matsuoka_neuron": lambda x, p, u: {
        "x": (p["c"] - x["x"] - p["beta"] * x["v"] - u["inhibition"]) / p["tau1"],
        "v": (np.maximum(x["x"], 0.0) - x["v"]) / p["tau2"],
    },
    "point_mass": lambda x, p, u: {"y": x["v"], "v": -p["g"] + (u["force"] - p["drag"] * x["v"]) / p["m"]},
}
"""Slopes by type of node: of its states, parameters and inflows, by name, an array of all nodes each."""

TERMS = {
    "phase": lambda s, e, p: p["weight"] * s["r"] * np.sin(s["phi"] - e["phi"] - p["bias"]),
    "sine": lambda s, e, p: p["weight"] * np.sin(s["phi"] - e["phi"] - p["bias"]),
    "diffusive": lambda s, e, p: p["weight"] * (s["x"] - e["x"]),
    "spring_damper": lambda s, e, p: p["K"] * (s["y"] - e["y"] - p["rest"]) + p["D"] * (s["v"] - e["v"]),
    "inhibition": lambda s, e, p: p["weight"] * np.maximum(s["x"], 0.0),
    "projection": lambda s, e, p: p["weight"] * s["x"],
}
"""What an edge adds, by type: of states of the source and of the target ("end"), and of parameters."""

ENDS = {
    "phase": (("hopf", "amplitude_phase"), ("phase", "hopf", "amplitude_phase")),
    "sine": (("phase", "hopf", "amplitude_phase"), ("phase", "hopf", "amplitude_phase")),
    "diffusive": (("integrator", "van_der_pol"), ("integrator",)),
    "spring_damper": (("point_mass",), ("point_mass",)),
    "inhibition": (("matsuoka_neuron", "integrator"), ("matsuoka_neuron",)),
    "projection": (("integrator", "van_der_pol", "matsuoka_neuron"), ("van_der_pol", "point_mass")),
}
"""Types of nodes between which a type of edges can be."""


@dataclass
class RandomNetwork:
    """A network, as `network` takes it and as arrays."""

    nodes: dict = field(default_factory=dict)
    edges: list = field(default_factory=list)
    states: dict = field(default_factory=dict)

    def slopes(self):
        """Return the slopes by population and state."""
        flows = {name: {each: np.zeros(nodes.n) for each in nodes.node.inflows} for name, nodes in self.nodes.items()}
        for edges in self.edges:
            pattern = edges.pattern.listed
            source = {key: x[pattern.sources] for key, x in self.states[edges.source].items()}
            target = {key: x[pattern.targets] for key, x in self.states[edges.target].items()}
            terms = TERMS[edges.edge.name](source, target, values_of(edges.edge, edges.values))
            (inflow,) = edges.edge.feeds
            np.add.at(flows[edges.target][inflow], pattern.targets, terms)
        return {
            name: SLOPES[nodes.node.name](self.states[name], values_of(nodes.node, nodes.values), flows[name])
            for name, nodes in self.nodes.items()
        }


def values_of(kind, values):
    return {each.name: np.asarray(values.get(each.name, each.default)) for each in kind.parameters}


def random_values(random, varied, kind, n):
    """Every second parameter has a number for each where they vary; the others have one for all."""
    sizes = {each.name: n if varied and k % 2 == 0 else None for k, each in enumerate(kind.parameters)}
    return {name: random.uniform(0.2, 2.0, size) for name, size in sizes.items()}


def random_pattern(kinds, random, n_sources, n_targets, is_same):
    """Return a pattern; `kinds` decides which, and how many edges it has, and `random` between whom."""
    n_edges = kinds.integers(1, min(n_sources * n_targets, 60) + 1)
    drawn = random.integers(n_sources * n_targets, size=n_edges)
    seed = int(random.integers(1000))
    found = [Pattern(drawn % n_sources, drawn // n_sources), all_pairs(n_sources, None if is_same else n_targets)]
    if is_same:
        found += [chain(n_sources), ring(n_sources), ring(n_sources).T, random_pairs(n_sources, n_sources // 2, seed)]
    if n_sources == n_targets:
        found.append(pairs(n_sources))
    return found[kinds.integers(len(found))]


def random_network(seed, variant=0):
    """Up to four populations, of which one may be large, and up to six groups of edges.

    The seed decides on the types, and on how many nodes and edges there are; the variant on all numbers.
    """
    kinds, random, made = np.random.default_rng(seed), np.random.default_rng((seed, variant)), RandomNetwork()
    sizes = kinds.integers(1, 9, kinds.integers(1, 5))
    if kinds.random() < 0.1:
        sizes[0] = kinds.integers(40, 80)
    for k, n in enumerate(map(int, sizes)):
        node, name = NODES[kinds.choice([*SLOPES])], f"s{seed}n{k}"
        states = {each.name: random.uniform(-3.0, 3.0, n) for each in node.states}
        made.states[name] = states
        count = None if n == 1 and kinds.random() < 0.5 else n
        made.nodes[name] = Nodes(node, count, **random_values(random, kinds.random() < 0.5, node, n), **states)
    types = {name: nodes.node.name for name, nodes in made.nodes.items()}
    possible = [
        (edge, source, target)
        for edge, (sources, targets) in ENDS.items()
        for source in types
        for target in types
        if types[source] in sources and types[target] in targets
    ]
    for k in range(kinds.integers(1, 7) if possible else 0):
        word, source, target = possible[kinds.integers(len(possible))]
        pattern = random_pattern(kinds, random, made.nodes[source].n, made.nodes[target].n, source == target)
        values = random_values(random, kinds.random() < 0.5, EDGES[word], pattern.n_edges)
        made.edges.append(Edges(EDGES[word], source, target, pattern, name=f"s{seed}e{k}", **values))
    return made

"""Patterns, names, parameters and messages of networks; their pictures and what commands say of them."""

import math
import subprocess
import sys
from pathlib import Path

import matplotlib.image
import numpy as np
import pytest
import scipy.sparse

import hybridsim
from hybridsim import ConfigError, Input, ModelError, Parameter, Part, Plant, Slot, State
from hybridsim.networks import (
    Edge,
    Edges,
    Node,
    Nodes,
    Pattern,
    all_pairs,
    chain,
    from_matrix,
    network,
    pairs,
    random_pairs,
    ring,
)
from hybridsim.networks.edge_shelf import EDGES
from hybridsim.networks.node_shelf import NODES
from hybridsim.plotting import plot_network

CONFIGS = sorted((Path(__file__).parents[2] / "configs/networks").glob("*.yaml"))


def pairs_of(pattern):
    listed = pattern.listed
    return {(int(i), int(j)) for i, j in zip(listed.sources, listed.targets, strict=True)}


def test_patterns_connect_whom_their_names_say():
    assert pairs_of(chain(4)) == {(0, 1), (1, 2), (2, 3)}
    assert pairs_of(chain(4).T) == {(1, 0), (2, 1), (3, 2)}
    assert pairs_of(ring(3)) == {(0, 1), (1, 2), (2, 0)}
    assert pairs_of(pairs(2)) == {(0, 0), (1, 1)}
    assert pairs_of(all_pairs(3)) == {(i, j) for i in range(3) for j in range(3) if i != j}
    assert pairs_of(all_pairs(2, 3)) == {(i, j) for i in range(2) for j in range(3)}
    assert pairs_of(all_pairs(2, 3).T) == {(j, i) for i in range(2) for j in range(3)}
    assert all_pairs(100_000).n_edges == 100_000 * 99_999  # which are never listed


@pytest.mark.parametrize(("n", "degree", "n_targets"), [(5, 4, None), (50, 10, None), (7, 7, 3), (30, 0, None)])
def test_random_pairs_are_different_and_as_many_for_each_target(n, degree, n_targets):
    found = random_pairs(n, degree, 1, n_targets)
    targets = n if n_targets is None else n_targets
    assert len(pairs_of(found)) == found.n_edges == degree * targets
    assert (np.bincount(found.targets, minlength=targets) == degree).all()
    assert n_targets is not None or (found.sources != found.targets).all()
    assert pairs_of(random_pairs(n, degree, 1, n_targets)) == pairs_of(found)


def test_a_matrix_has_a_row_for_each_target(tmp_path):
    matrix = np.array([[0.0, 2.0, 0.0], [0.5, 0.0, -1.0]])
    np.savetxt(tmp_path / "m.csv", matrix, delimiter=",")
    np.save(tmp_path / "m.npy", matrix)
    np.savez(tmp_path / "m.npz", matrix)
    scipy.sparse.save_npz(tmp_path / "sparse.npz", scipy.sparse.csr_matrix(matrix))
    (tmp_path / "list.csv").write_text("from,to,weight\n1,0,2\n0,1,0.5\n2,1,-1\n")
    for source in (matrix, *(tmp_path / name for name in ("m.csv", "m.npy", "m.npz", "sparse.npz", "list.csv"))):
        found = from_matrix(source)
        weights = {(int(i), int(j)): w for i, j, w in zip(found.sources, found.targets, found.weights, strict=True)}
        assert weights == {(1, 0): 2.0, (0, 1): 0.5, (2, 1): -1.0}


def test_weights_of_a_matrix_are_parameters_in_the_order_of_targets():
    matrix = [[0.0, 2.0], [0.5, 0.0]]
    model = network("net", {"x": Nodes(NODES["integrator"], 2)}, [Edges(EDGES["diffusive"], "x", "x", matrix)])
    assert model.parameters["diffusive.weight"].default == (2.0, 0.5)


def test_groups_share_what_they_do_not_give_themselves():
    both = [Edges(EDGES["sine"], "o", "o", each, bias=bias) for each, bias in ((chain(3), 1.0), (chain(3).T, -1.0))]
    model = network("net", {"o": Nodes(NODES["phase"], 3)}, both)
    assert set(model.parameters.names) == {"o.omega", "sine.weight", "sine1.bias", "sine2.bias"}


def test_a_record_is_shared_by_all_who_name_it():
    drive = Input("drive", 3.0)
    model = network("net", {"a": Nodes(NODES["phase"], 2, omega=drive), "b": Nodes(NODES["phase"], omega=drive)})
    assert model.inputs.names == ("drive",)
    run = hybridsim.simulate(model, inputs={"drive": 0.5}, final_time=2.0)
    np.testing.assert_allclose(run.at(2.0), 1.0, rtol=1e-14)


def test_edges_can_be_turned_to_states_and_inflows_of_other_names():
    heater = Edges(EDGES["diffusive"], "cell", "x", "all", states={"x": "v"}, inflows={"flow": "flow"})
    with pytest.raises(ModelError, match="reads the state 'v', and integrator has none"):
        network("net", {"cell": NODES["fitzhugh_nagumo"], "x": NODES["integrator"]}, [heater])
    current = Edges(EDGES["diffusive"], "a", "a", "all", states={"x": "v"}, inflows={"flow": "current"})
    model = network("net", {"a": Nodes(NODES["fitzhugh_nagumo"], 2, v=(1.0, -1.0), w=0.0, I=0.0)}, [current])
    slopes = hybridsim.functions(model).vector_field(0.0, [1.0, -1.0, 0.0, 0.0])
    np.testing.assert_allclose(slopes[:2], [1.0 - 1.0 / 3.0 - 2.0, -1.0 + 1.0 / 3.0 + 2.0], rtol=1e-14)


@pytest.mark.exhaustive  # sums in memory of the model are in the ordinary run
def test_sums_of_all_pairs_do_not_depend_on_how_they_are_made():
    """Coupling of all with all is summed without its edges; a bias for each edge makes it a list of them."""
    phases = np.random.default_rng(5).uniform(-9.0, 9.0, 700)
    nodes = {"o": Nodes(NODES["phase"], 700, omega=0.0, phi=phases)}
    fast = network("fast", nodes, [Edges(EDGES["sine"], "o", "o", "all", bias=0.4)])
    listed = network("listed", nodes, [Edges(EDGES["sine"], "o", "o", "all", bias=np.full(700 * 699, 0.4))])
    assert "sine.sources" not in fast.constants
    found, expected = (hybridsim.functions(each).vector_field(0.0, phases) for each in (fast, listed))
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-11)
    order = abs(np.exp(1j * phases).mean())
    assert hybridsim.functions(fast).outputs(0.0, phases)[0] == pytest.approx(order, rel=1e-13)


def test_a_large_network_has_its_sums_in_memory_of_the_model():
    n = 5000
    model = network("large", {"o": Nodes(NODES["phase"], n, omega=0.5)}, [Edges(EDGES["sine"], "o", "o", "ring")])
    x = np.random.default_rng(1).uniform(-3.0, 3.0, n)
    expected = 0.5 + np.sin(np.roll(x, 1) - x)
    np.testing.assert_allclose(hybridsim.functions(model).vector_field(0.0, x), expected, rtol=0, atol=1e-14)


def slopes_of_clock(xdot, t, x, p, inflow):
    xdot[0] = p[0] + inflow[0]


def test_types_from_a_file_and_of_ones_own_are_nodes_like_others():
    clock = Node(
        "clock",
        [State("s")],
        parameters=[Parameter("rate", 2.0)],
        inflows=("push",),
        vector_field=slopes_of_clock,
    )
    push = Edge("push", {"push": lambda t, source, target, p: 0.5 * source[0]}, source=("s",))
    model = network("net", {"a": clock, "b": clock}, [Edges(push, "a", "b")])
    run = hybridsim.simulate(model, final_time=1.0)
    np.testing.assert_allclose(run.at(1.0), [2.0, 2.5], rtol=1e-12)


def test_too_many_edges_are_refused_before_there_is_no_memory_left():
    with pytest.raises(ModelError, match=r"9,999,900,000 edges; expected at most 268,435,456"):
        network("net", {"x": Nodes(NODES["integrator"], 100_000)}, [Edges(EDGES["diffusive"], "x", "x", "all")])


def torque(t, x, p, chart):
    return math.cos(x[0])


def rest(t, x, p, chart):
    return 0.0


def turned(xdot, t, x, p, chart, torque):
    xdot[0] = torque(t)


@pytest.mark.exhaustive  # the hexapod's pattern generator is one in `tests/models`
def test_a_network_can_be_a_part():
    nodes, edges = {"o": Nodes(NODES["phase"], 3, omega=(1.0, 2.0, 2.5))}, [Edges(EDGES["sine"], "o", "o", "ring")]
    part = network("cpg", nodes, edges, part_for="robot.control", couplings={"torque": torque})
    nothing = Part("nothing", couplings={"torque": rest})
    slot = Slot("control", couplings=("torque",), choices={"nothing": nothing}, default="nothing")
    plant = Plant("robot", [State("speed")], vector_field=turned, slots=(slot,), parameters=[Parameter("mass", 1.0)])
    run = hybridsim.simulate(hybridsim.compose(plant, {"control": part}), final_time=3.0, rtol=1e-9)
    alone = hybridsim.simulate(network("cpg", nodes, edges), final_time=3.0, rtol=1e-9)
    np.testing.assert_allclose(run.at(3.0)[1:], alone.at(3.0), rtol=0, atol=1e-7)
    assert run.at(3.0)[0] != 0.0
    assert run["o.order"][-1] == pytest.approx(alone["o.order"][-1], abs=1e-7)


@pytest.mark.members(1)
@pytest.mark.parametrize("method", ["series", "rodas5p"])
def test_power_series_and_exact_jacobians_know_networks(method):
    model = hybridsim.load_config(CONFIGS[0]).model
    runs = [
        hybridsim.simulate(model, final_time=1.0, rtol=1e-9, atol=1e-10, method=each) for each in (method, "dop853")
    ]
    np.testing.assert_allclose(runs[0].at(1.0), runs[1].at(1.0), rtol=0, atol=1e-6)


def test_every_problem_is_reported_at_once():
    nodes = {"h": Nodes(NODES["hopf"], 3, gama=1.0, phi=(1.0, 2.0)), "m": NODES["point_mass"]}
    edges = [
        Edges(EDGES["phase"], "h", "q", "chain"),
        Edges(EDGES["phase"], "h", "m", "all"),
        Edges(EDGES["phase"], "h", "h", Pattern(np.array([0]), np.array([3]))),
        Edges(EDGES["phase"], "h", "h", "chain", weight=(1.0, 2.0, 3.0)),
    ]
    with pytest.raises(ModelError) as failure:
        network("net", nodes, edges)
    for text in (
        "nodes h gama: hopf has no parameter or state 'gama'; did you mean `gamma`?",
        "nodes h phi: expected one number, or 3 of them, found 2",
        "edges 0 to: there are no nodes 'q'",
        "edges 1 to: the edge phase feeds 'pull', and point_mass does not sum it; choose from: force",
        "edges 2 pattern: there is no target 3; the population has 3 nodes, from 0 on",
        "edges 3 weight: expected one number, or 2 of them, found 3",
    ):
        assert text in str(failure.value)


BAD = """model:
  network:
    nodes:
      h: {type: hopff, count: 5}
      g: {type: hopf, count: 4, phi: [1, 2]}
    edges:
      - {type: phase, from: g, to: q}
      - {type: phase, from: g, to: g, pattern: chian}
      - {type: sine, from: g, to: g, pattern: chain, bias: [10 deg, 1]}
final_time: 1
"""


def test_a_config_is_wrong_with_line_and_column(tmp_path):
    file = tmp_path / "bad.yaml"
    file.write_text(BAD)
    with pytest.raises(ConfigError) as failure:
        hybridsim.load_config(file)
    places = {
        "4:11: model.network.nodes.h.type: there is no type of nodes 'hopff'; did you mean `hopf`?",
        "5:33: model.network.nodes.g.phi: expected one number, or 4 of them, found 2",
        "7:32: model.network.edges[0].to: there are no nodes 'q'; choose from: g",
        "9:54: model.network.edges[2].bias: expected one number, or 3 of them, found 2",
    }
    assert places <= {problem.removeprefix(f"{file}:") for problem in failure.value.problems}
    assert any("8:39: model.network.edges[1].pattern" in problem for problem in failure.value.problems)


def test_a_node_without_edges_is_noted(tmp_path):
    file = tmp_path / "lonely.yaml"
    file.write_text(
        "model: {network: {nodes: {h: {type: phase, count: 3}}, edges: [{type: sine, from: h, to: h, "
        "pattern: [[0, 1]]}]}}\nfinal_time: 1\n"
    )
    assert any("no edge begins or ends at h[2]" in note for note in hybridsim.load_config(file).notes)


def test_a_config_may_change_one_number_of_what_the_network_gives_for_all():
    given = ["final_time=1", "parameters.h.f=1.2", "parameters.h.f[2]=1.3", "parameters.phase.weight=0"]
    run = hybridsim.Simulation.from_config(hybridsim.load_config(CONFIGS[0].with_name("hopf_chain.yaml"), given)).run()
    turned = (run["h.phi"][-1] - run["h.phi"][0]) / (2.0 * math.pi)
    np.testing.assert_allclose(turned, [1.2, 1.2, 1.3, 1.2, 1.2], rtol=1e-12)


def test_types_and_matrices_are_read_from_files(tmp_path):
    (tmp_path / "types.py").write_text(
        "from hybridsim import State\nfrom hybridsim.networks import Node\n\n\n"
        "def slopes(xdot, t, x, p, inflow):\n    xdot[0] = inflow[0] - x[0]\n\n\n"
        "LEAK = Node('leak', [State('x', 1.0)], inflows=('flow',), vector_field=slopes)\n"
    )
    (tmp_path / "w.csv").write_text("0,0\n2,0\n")
    file = tmp_path / "net.yaml"
    file.write_text(
        "model:\n  network:\n    nodes: {a: {type: types.py:LEAK, count: 2}}\n    edges:\n"
        "      - {type: projection, from: a, to: a, pattern: {matrix: w.csv}, inflows: {force: flow}}\nfinal_time: 1\n"
    )
    model = hybridsim.load_config(file).model
    np.testing.assert_allclose(hybridsim.functions(model).vector_field(0.0, [1.0, 3.0]), [-1.0, -1.0])


@pytest.mark.members(1)
@pytest.mark.parametrize("file", CONFIGS, ids=lambda file: file.stem)
def test_networks_that_ship_are_drawn(file, tmp_path):
    plot_network(hybridsim.load_config(file).model, tmp_path / "net.png")
    picture = matplotlib.image.imread(tmp_path / "net.png")
    assert 0.002 < (picture[..., :3].min(axis=2) < 0.9).mean() < 0.5


def test_a_large_network_is_drawn_as_a_matrix(tmp_path):
    model = network(
        "large", {"o": Nodes(NODES["phase"], 300)}, [Edges(EDGES["sine"], "o", "o", random_pairs(300, 5, 1))]
    )
    plot_network(model, tmp_path / "net.png")
    assert (tmp_path / "net.png").is_file()


def test_commands_list_types_and_groups(tmp_path):
    def said(*arguments):
        command = [sys.executable, "-m", "hybridsim", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path, timeout=120).stdout

    shelf = said("models", "--shelf")
    assert all(name in shelf for name in (*NODES, *EDGES))
    described = said("models", str(CONFIGS[0].parent / "salamander.yaml"))
    assert all(name in described for name in ("left.phi (8)", "girdles_left", "drive_oscillator", "0 to 4"))
    said("plot", str(CONFIGS[0]), "--network", "-o", "net.svg")
    assert (tmp_path / "net.svg").is_file()


def code_of_page(language):
    page = (CONFIGS[0].parents[2] / "docs/networks.md").read_text()
    return [block.partition("```")[0] for block in page.split(f"```{language}\n")[1:]]


@pytest.mark.exhaustive  # the command lists types and groups
def test_the_page_shows_what_there_is(capsys):
    assert code_of_page("yaml")[0] in (CONFIGS[0].parent / "hopf_chain.yaml").read_text()
    for code in code_of_page("python"):
        exec(compile(code, "docs/networks.md", "exec"), {})
    first, *events = capsys.readouterr().out.splitlines()
    shape, order = first.rsplit(maxsplit=1)
    assert shape.endswith(", 5)")
    assert float(order) < 0.1  # phases that are a fifth of a turn apart
    assert [line.split("crossing")[1].split("->")[0].split()[:-1] for line in events[1:]] == [
        ["ball.floor[0],", "ball.floor[1]"],
        ["ball.floor[2]"],
        ["ball.floor[3]"],
    ]


def growth_of_both(xdot, t, x, p, inflow):
    xdot[0], xdot[1] = x[0], 2.0 * x[1]


def decay_of_the_first(xdot, t, x, p, inflow):
    if t >= 0.0:
        xdot[0] = -x[0]


def test_a_slope_that_a_node_does_not_write_is_zero():
    """Nothing is left from the node before it, whose slopes are written into the same numbers."""
    both = Node("both", [State("x", 1.0), State("y", 1.0)], vector_field=growth_of_both)
    first = Node("first", [State("x", 1.0), State("y", 1.0)], vector_field=decay_of_the_first)
    run = hybridsim.simulate(network("net", {"a": Nodes(both, 2), "b": Nodes(first, 3)}), final_time=1.0, rtol=1e-10)
    np.testing.assert_allclose(run["b.x"][-1], np.full(3, math.exp(-1.0)), rtol=1e-8)
    np.testing.assert_array_equal(run["b.y"][-1], np.ones(3))
    np.testing.assert_allclose(run["a.y"][-1], np.full(2, math.exp(2.0)), rtol=1e-8)

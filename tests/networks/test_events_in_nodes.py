"""Boundaries, transitions and bits of nodes: masses that bounce, neurons that fire, and types of a file."""

import dataclasses
import math
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from networks.nets_with_events import random_pair
from scipy.integrate import solve_ivp

import hybridsim
from hybridsim import DECLINED, Boundary, ConfigError, ModelError, Parameter, Part, Plant, Slot, State
from hybridsim.networks import Edges, Node, Nodes, network
from hybridsim.networks.edge_shelf import EDGES
from hybridsim.networks.node_shelf import NODES

CONFIGS = Path(__file__).parents[2] / "configs/networks"
TIGHT = {"rtol": 1e-12, "atol": 1e-12, "method": "dop853"}


def times_of(run, name):
    return run.events.t[run.events.crossed[:, run.events.names.index(name)] != 0]


@cache
def bouncing():
    model = hybridsim.load_config(CONFIGS / "pogo.yaml").model
    return hybridsim.simulate(model, final_time=5.0, max_step=5e-3, **{**TIGHT, "rtol": 1e-14, "atol": 1e-14})


@pytest.mark.parametrize(
    ("mass", "touchdown", "liftoff", "bounces"),
    [
        (0, 0.4283529368781193, 0.5010209041069154, 6),
        (1, 0.6223823880068597, 0.7016235647189407, 7),
        (2, 0.7689170535695853, 0.8520854226596768, 5),
    ],
)
def test_masses_touch_down_and_lift_off_when_they_should(mass, touchdown, liftoff, bounces):
    down, up = (times_of(bouncing(), f"pogo.{name}[{mass}]") for name in ("touchdown", "liftoff"))
    assert down[0] == pytest.approx(touchdown, abs=1e-13)
    assert up[0] == pytest.approx(liftoff, abs=2e-13)
    assert len(down) == bounces


def test_a_mass_bounces_on_as_it_should():
    assert times_of(bouncing(), "pogo.touchdown[0]")[1] == pytest.approx(1.305627872894453, abs=1e-12)
    assert bouncing().at(5.0)[0] == pytest.approx(0.1303027466330595, abs=1e-11)


def test_a_mass_that_begins_below_the_length_of_its_leg_stands():
    model = network("two", {"pogo": Nodes(NODES["pogo"], 2, y=(1.0, 0.08))})
    run = hybridsim.simulate(model, final_time=0.3)
    assert run.events.chart_before[0] == 2
    assert times_of(run, "pogo.liftoff[1]")[0] == run.events.t[0]


CURRENTS = np.linspace(1.2, 2.0, 1000)


@pytest.mark.exhaustive
def test_a_thousand_neurons_fire_with_the_periods_of_the_formula():
    model = network("neurons", {"n": Nodes(NODES["integrate_and_fire"], 1000, I=CURRENTS)})
    run = hybridsim.simulate(model, final_time=0.1, rtol=1e-9, atol=1e-11)
    periods = 0.02 * np.log(CURRENTS / (CURRENTS - 1.0))
    assert run.statistics["exact_events"] == run.statistics["events"] > 3000
    crossed = np.asarray(run.events.crossed) != 0
    np.testing.assert_array_equal(crossed.sum(axis=0), np.floor(0.1 / periods))
    for event, neuron in zip(*np.nonzero(crossed), strict=True):
        spikes = crossed[: event + 1, neuron].sum()
        assert run.events.t[event] == pytest.approx(spikes * periods[neuron], abs=1e-9)


@pytest.mark.exhaustive  # `tests/scorecard` has a hundred of them
def test_neurons_that_are_alike_fire_at_the_same_instants():
    model = network("alike", {"n": Nodes(NODES["integrate_and_fire"], 100)})
    run = hybridsim.simulate(model, final_time=0.1, **TIGHT)
    np.testing.assert_allclose(run.events.t, 0.02 * math.log(3.0) * np.arange(1, 5), rtol=1e-11)
    assert np.all(np.asarray(run.events.crossed))
    assert np.ptp(run["n.v"], axis=1).max() == 0.0
    decay = np.exp(-(0.1 - run.events.t) / 0.005)
    np.testing.assert_allclose(run.at(0.1)[100:], decay.sum(), rtol=1e-9)


def cell(t, x):
    """The model of Izhikevich (2003) in ms, with the current 10."""
    return [0.04 * x[0] ** 2 + 5.0 * x[0] + 140.0 - x[1] + 10.0, 0.02 * (0.2 * x[0] - x[1])]


def peak(t, x):
    return x[0] - 30.0


peak.terminal = True


def test_a_cell_of_izhikevich_fires_when_scipy_says():
    spikes, t, x = [], 0.0, [-65.0, -13.0]
    while t < 200.0:
        solution = solve_ivp(cell, (t, 200.0), x, method="DOP853", rtol=1e-12, atol=1e-12, events=peak)
        t = solution.t[-1]
        if solution.status == 1:
            spikes.append(t)
            x = [-65.0, solution.y[1, -1] + 8.0]
    run = hybridsim.simulate(network("cell", {"n": NODES["izhikevich"]}), final_time=0.2, **TIGHT)
    assert len(spikes) > 4
    np.testing.assert_allclose(run.events.t, np.array(spikes) / 1000.0, rtol=0, atol=1e-9)
    np.testing.assert_allclose(run.at(0.2)[[0, 2]], solution.y[:, -1], rtol=0, atol=1e-5)


def check_pair(seed):
    net, twin, given = random_pair(seed)
    settings = {"final_time": 0.4, "rtol": 1e-10, "atol": 1e-10}
    ours, plain = hybridsim.simulate(net, **settings), hybridsim.simulate(twin, **settings, **given)
    assert len(ours.events.t) == len(plain.events.t) > 5
    np.testing.assert_array_equal(ours.events.crossed, plain.events.crossed)
    np.testing.assert_array_equal(ours.events.chart_after, plain.events.chart_after)
    np.testing.assert_allclose(ours.events.t, plain.events.t, rtol=0, atol=1e-9)
    np.testing.assert_allclose(ours.at(0.4), plain.at(0.4), rtol=0, atol=1e-6)


@pytest.mark.members(1)
@pytest.mark.parametrize("seed", range(4))
def test_random_networks_run_as_the_same_model_written_by_hand(seed):
    check_pair(seed)


@pytest.mark.exhaustive
@pytest.mark.parametrize("first", range(0, 200, 20))
def test_two_hundred_networks_run_as_the_same_model_written_by_hand(first):
    for seed in range(first, first + 20):
        check_pair(seed)


@pytest.mark.exhaustive
def test_the_order_of_declaration_makes_no_difference():
    runs = [
        hybridsim.simulate(random_pair(7, order)[0], final_time=0.4, **TIGHT)
        for order in (("pogo", "lif"), ("lif", "pogo"))
    ]
    np.testing.assert_allclose(runs[0].events.t, runs[1].events.t, rtol=0, atol=1e-11)
    for name in runs[0].events.names:
        assert len(times_of(runs[0], name)) == len(times_of(runs[1], name))
    np.testing.assert_allclose(runs[0]["pogo.y"][-1], runs[1]["pogo.y"][-1], rtol=0, atol=1e-10)


@pytest.mark.exhaustive  # a network runs as the same model written by hand above
@pytest.mark.members(1)
@pytest.mark.parametrize("name", ["pogo", "spiking"])
def test_verify_accepts_networks_with_events(name):
    config = hybridsim.load_config(
        CONFIGS / f"{name}.yaml", ["final_time=1"] if name == "pogo" else ["final_time=0.05"]
    )
    run = hybridsim.Simulation.from_config(config).run()
    assert len(run.events.t) > 2
    assert hybridsim.verify(run).ok
    run.events.t[1] += 1e-3
    assert not hybridsim.verify(run).ok


def test_power_series_know_events_of_nodes():
    model = network("three", {"pogo": Nodes(NODES["pogo"], 3, y=(1.0, 2.0, 3.0))})
    runs = [
        hybridsim.simulate(model, final_time=1.0, rtol=1e-11, atol=1e-11, method=each) for each in ("series", "dp5")
    ]
    np.testing.assert_allclose(runs[0].at(1.0), runs[1].at(1.0), rtol=0, atol=1e-7)


@pytest.mark.exhaustive  # power series and Jacobians know networks
def test_a_bounce_has_the_derivatives_of_its_neighbours():
    model = network("two", {"pogo": Nodes(NODES["pogo"], 2, y=(1.0, 0.5)), "n": NODES["integrate_and_fire"]})

    def run(y):
        return hybridsim.simulate(model, final_time=0.6, initial={"pogo.y[0]": y}, **TIGHT)

    found = hybridsim.sensitivity(run(1.0), "pogo.y[0]", model=model).state[-1].ravel()
    h = 1e-5
    difference = (run(1.0 + h).at(0.6) - run(1.0 - h).at(0.6)) / (2.0 * h)
    np.testing.assert_allclose(found, difference, rtol=1e-6, atol=1e-6)
    assert abs(found[2]) > 1.0


def stay(xdot, t, x, p, inflow, chart):
    xdot[0] = 1.0 + chart


def next_tick(g, t, x, p, chart):
    g[0] = x[1] - t


def tick(x_new, t, x, p, chart, crossed):
    """Every node counts in its three bits, up to 7."""
    x_new[1] = x[1] + p[0]
    return min(chart + 1, 7)


def number(t, x, p, chart):
    return 10.0 * chart


COUNTER = Node(
    "counter",
    [State("x"), State("due", 0.1, continuous=False)],
    parameters=[Parameter("period", 0.1)],
    vector_field=stay,
    boundaries=next_tick,
    transition=tick,
    boundary_records=[Boundary("tick", time=True)],
    fields={"low": 1, "high": 2},
    outputs={"number": number},
)


@pytest.mark.exhaustive  # a network runs as the same model written by hand
def test_every_node_has_its_own_bits_in_each_field():
    periods, due = (0.1, 0.25, 0.05), (0.1, 0.25, 0.05)
    model = network("counters", {"before": COUNTER, "c": Nodes(COUNTER, 3, period=periods, due=due)})
    assert model.chart_fields == {"before.low": 1, "before.high": 2, "c.low": 3, "c.high": 6}
    run = hybridsim.simulate(model, final_time=0.62)
    counts = [min(int(0.62 / period + 1e-9), 7) for period in (0.1, *periods)]
    np.testing.assert_array_equal(run["c.number"][-1], 10.0 * np.array(counts[1:]))
    assert run["before.number"][-1] == 10.0 * counts[0]
    slopes = hybridsim.functions(model).vector_field(0.0, np.zeros(8), int(run.events.chart_after[-1]))
    np.testing.assert_allclose(slopes[[0, 2, 3, 4]], 1.0 + np.array(counts))


def half(g, t, x, p, chart):
    g[0] = 0.5 - x[0]


def decline(x_new, t, x, p, chart, crossed):
    x_new[1] = 99.0
    return DECLINED


@pytest.mark.exhaustive  # nodes that cross at once are in the ordinary run
def test_a_node_may_decline_while_another_one_jumps():
    watched = Boundary("half", degree=1, armed="when_positive")
    watcher = dataclasses.replace(COUNTER, boundaries=half, transition=decline, boundary_records=[watched])
    model = network("both", {"w": watcher, "c": Nodes(COUNTER, due=0.5)})
    run = hybridsim.simulate(model, final_time=0.55)
    np.testing.assert_allclose(run.events.t, 0.5, rtol=1e-12)
    assert run.events.declined.tolist() == [False, True]
    np.testing.assert_allclose(run.at(0.55), [0.55, 0.1, 0.6, 0.6], rtol=1e-12)
    assert run.events.chart_after.tolist() == [8, 8]


@pytest.mark.exhaustive  # composed models have it in `tests/model`
def test_a_transition_to_a_chart_that_a_node_has_not_ends_the_run():
    broken = dataclasses.replace(COUNTER, transition=lambda x_new, t, x, p, chart, crossed: 8)
    run = hybridsim.simulate(network("broken", {"c": Nodes(broken, 2)}), final_time=1.0)
    assert run.status is not hybridsim.Status.FINAL_TIME


def test_more_bits_than_a_chart_has_are_refused():
    network("most", {"a": Nodes(NODES["pogo"], 40), "b": Nodes(NODES["pogo"], 22)})
    with pytest.raises(ModelError, match=r"nodes b count: .* 63 bits; it can have 62: take fewer nodes, or"):
        network("more", {"a": Nodes(NODES["pogo"], 40), "b": Nodes(NODES["pogo"], 23)})


def test_types_with_events_are_checked():
    for wrong, text in (
        ({"transition": None}, "it has boundaries but no function `transition`"),
        ({"boundary_records": []}, "declares no boundaries"),
        ({"boundaries": None, "boundary_records": [], "transition": None}, "no function `transition` that changes"),
        ({"fields": {}}, r"`vector_field` takes .*inflow, chart\); expected .*inflow\)"),
        ({"fields": {"low": 0}}, "field 'low': expected a number of bits"),
        ({"boundaries": number}, "`boundaries` takes"),
    ):
        with pytest.raises(ModelError, match=text):
            dataclasses.replace(COUNTER, **wrong)


def test_a_config_with_too_many_bits_is_wrong_with_its_line(tmp_path):
    file = tmp_path / "many.yaml"
    file.write_text("model:\n  network:\n    nodes:\n      p: {type: pogo, count: 63}\nfinal_time: 1\n")
    with pytest.raises(ConfigError, match=r"many.yaml:4:\d+: model.network.nodes.p.count: .* the chart has 63 bits"):
        hybridsim.load_config(file)


def fall(xdot, t, x, p, chart, height):
    xdot[0] = height(t)


def height(t, x, p, chart):
    return x[1]


def nothing(t, x, p, chart):
    return 0.0


@pytest.mark.exhaustive  # composed models have events of parts in `tests/model`
def test_a_part_has_the_events_of_its_nodes():
    nodes = {"pogo": Nodes(NODES["pogo"], 2, y=(1.0, 0.5))}
    part = network("masses", nodes, part_for="table.load", couplings={"height": height})
    slot = Slot(
        "load", couplings=("height",), choices={"none": Part("none", couplings={"height": nothing})}, default="none"
    )
    table = Plant("table", [State("z")], vector_field=fall, slots=(slot,), chart_fields={"up": 2})
    run = hybridsim.simulate(hybridsim.compose(table, {"load": part}), final_time=1.0, **TIGHT)
    alone = hybridsim.simulate(network("masses", nodes), final_time=1.0, **TIGHT)
    np.testing.assert_allclose(run.events.t, alone.events.t, rtol=0, atol=1e-10)
    np.testing.assert_array_equal(run.events.chart_after, 4 * alone.events.chart_after)


def test_edges_pass_spikes_on():
    """A neuron that fires once pushes another one, whose potential is then a difference of two exponentials."""
    nodes = {"n": Nodes(NODES["integrate_and_fire"], 2, I=(1.1, 0.0), v=(0.999, 0.0))}
    edges = [Edges(EDGES["synapse"], "n", "n", ([0], [1]), weight=0.5)]
    run = hybridsim.simulate(network("two", nodes, edges), final_time=0.03, **TIGHT)
    (spike,) = run.events.t
    pushed = 0.5 * (math.exp((spike - 0.03) / 0.02) - math.exp((spike - 0.03) / 0.005)) / (0.02 / 0.005 - 1.0)
    assert run.at(0.03)[1] == pytest.approx(pushed, rel=1e-9)

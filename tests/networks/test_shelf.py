"""The types of nodes and edges that come with hybridsim, against exact solutions and numbers of two integrators.

Where no formula is beside a number, it was computed in 34 digits by Taylor series, or by two methods that agree.
"""

import math
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import hybridsim
from hybridsim import Section
from hybridsim.networks import Edges, Nodes, network, ring
from hybridsim.networks.edge_shelf import EDGES
from hybridsim.networks.node_shelf import NODES

ROOT = Path(__file__).parents[2]
TIGHT = {"rtol": 1e-12, "atol": 1e-12, "method": "dop853"}


def run_of(nodes, edges=(), **settings):
    return hybridsim.simulate(network("net", nodes, edges), **TIGHT, **settings)


def test_two_integrators_approach_each_other():
    run = run_of(
        {"a": Nodes(NODES["integrator"], 2, rate=(-1.0, 1.0), x=(1.0, 0.0))},
        [Edges(EDGES["diffusive"], "a", "a", "all")],
        final_time=1.0,
    )
    np.testing.assert_allclose(run.at(1.0), [math.exp(-2.0), 1.0 - math.exp(-2.0)], rtol=0, atol=1e-12)


def test_two_masses_on_a_spring_fall():
    run = run_of(
        {"m": Nodes(NODES["point_mass"], 2, m=(0.6, 0.4), drag=1.0, y=(20.0, 8.0))},
        [Edges(EDGES["spring_damper"], "m", "m", "all", K=5.0)],
        final_time=5.0,
    )
    expected = {
        1.0: (10.243571710375, 12.605076556037, 2.7193480010257, -15.725642667566),
        5.0: (-8.1936029790673, -7.9403865599655, -4.9066531911214, -4.9300463657358),
    }
    for t, x in expected.items():
        np.testing.assert_allclose(run.at(t), x, rtol=0, atol=2e-11)


@cache
def van_der_pol():
    return network("van_der_pol", {"o": NODES["van_der_pol"]})


@pytest.mark.members(2)
@pytest.mark.parametrize(
    ("mu", "period", "amplitude"),
    [
        (0.1, 6.28711127228872680605, 2.00010397987279592382),
        (1.0, 6.66328685932313018970, 2.00861986087484313651),
        (2.0, 7.62987447967484163197, 2.01989138466713602411),
        (5.0, 11.61223066771957003456, 2.02150806156232132384),
        (10.0, 19.07836956693901407043, 2.01428536092640528533),
    ],
)
def test_van_der_pols_oscillator_has_its_period_and_amplitude(mu, period, amplitude):
    at_the_top = Section(state="o.v", value=0.0)
    orbit = hybridsim.find_orbit(
        van_der_pol(), section=at_the_top, parameters={"o.mu": mu}, initial={"o.x": 2.0, "o.v": 0.0}
    )
    assert orbit.period == pytest.approx(period, abs=1e-11)
    assert abs(orbit.x["o.x"]) == pytest.approx(amplitude, abs=1e-11)


def test_a_force_drives_van_der_pols_oscillator():
    run = run_of({"o": NODES["forced_van_der_pol"]}, final_time=50.0)
    np.testing.assert_allclose(run.at(10.0)[:2], [1.62371318102, -0.24636439625], rtol=0, atol=2e-11)
    np.testing.assert_allclose(run.at(50.0)[:2], [-1.75742191143, 0.12517275914], rtol=0, atol=2e-11)


def amplitude_of_hopf(t, r0):
    """The amplitude solves r' = 5 (1 - r^2) r."""
    return (1.0 + (1.0 / r0**2 - 1.0) * math.exp(-10.0 * t)) ** -0.5


def test_a_hopf_oscillator_grows_to_its_circle_in_both_coordinates():
    run = run_of({"polar": NODES["hopf"], "plane": Nodes(NODES["hopf_xy"], x=1e-3)}, final_time=2.0, max_step=0.01)
    for t in (1.0, 1.27168972692957, 2.0):
        phi, r, x, y = run.at(t)
        assert r == pytest.approx(amplitude_of_hopf(t, 1e-3), abs=1e-10)
        assert phi == pytest.approx(2.0 * math.pi * t, abs=1e-11)
        assert x == pytest.approx(r * math.cos(phi), abs=1e-10)
        assert y == pytest.approx(r * math.sin(phi), abs=1e-10)
    assert run.at(1.27168972692957)[1] == pytest.approx(0.5, abs=1e-10)


def test_a_wave_travels_along_a_chain_of_hopf_oscillators():
    model = hybridsim.load_config(ROOT / "configs/networks/hopf_chain.yaml").model
    run = hybridsim.simulate(model, final_time=60.0, max_step=0.02, **TIGHT)
    at_2 = (13.031065141285, 10.222172635686, 14.407864217641, 14.749924644215, 11.520826432969)
    at_10 = (63.162254992313, 58.093491697974, 65.565043495239, 66.753525839568, 61.684949333885)
    np.testing.assert_allclose(run.at(2.0)[:5], at_2, rtol=0, atol=3e-11)
    np.testing.assert_allclose(run.at(10.0)[:5], at_10, rtol=0, atol=3e-11)
    lags = np.mod(np.diff(run.at(60.0)[:5]), 2.0 * math.pi)
    slowest = 2.0 * (1.0 - math.cos(math.pi / 5.0))  # the rate at which errors decay
    np.testing.assert_allclose(lags, 2.0 * math.pi / 5.0, rtol=0, atol=10.0 * math.exp(-60.0 * slowest) + 1e-10)


@cache
def matsuoka():
    inner = [Edges(EDGES["inhibition"], "n", "n", "all", weight=2.5)]
    return network(
        "both_forms", {"pair": NODES["matsuoka"], "n": Nodes(NODES["matsuoka_neuron"], 2, x=(0.1, 0.0))}, inner
    )


@pytest.mark.members(1)
@pytest.mark.parametrize(
    ("tau1", "tau2", "beta", "a", "period", "peak"),
    [
        (0.1, 0.1, 2.0, 2.5, 0.83351527178817455, 0.43399978502855031),
        (0.1, 0.2, 2.5, 2.0, 0.75615395561418023, 0.46038536162125140),
        (0.1, 0.2, 2.5, 2.5, 0.89210320528520800, 0.48037056936170650),
        (0.1, 1.2, 2.5, 2.5, 2.95818142441450010, 0.61268568348099842),
    ],
)
def test_matsuokas_oscillator_has_its_period_and_output(tau1, tau2, beta, a, period, peak):
    model = network("matsuoka", {"m": NODES["matsuoka"]})
    given = {"m.tau1": tau1, "m.tau2": tau2, "m.beta": beta, "m.a": a}
    begin = {"m.x1": 0.0, "m.v1": 0.2, "m.x2": 0.1, "m.v2": 0.1}
    orbit = hybridsim.find_orbit(model, section=Section(state="m.x1", value=0.0), parameters=given, initial=begin)
    assert orbit.period == pytest.approx(period, abs=2e-11)
    run = hybridsim.simulate(model, parameters=given, initial=orbit.x, final_time=period, max_step=1e-3, **TIGHT)
    x1, _, x2, _ = run.at(np.linspace(0.0, period, 100_000)).T
    assert np.max(np.maximum(x1, 0.0) - np.maximum(x2, 0.0)) == pytest.approx(peak, abs=1e-9)


@pytest.mark.exhaustive  # the oscillator of two neurons is in the ordinary run
def test_two_neurons_with_edges_are_the_oscillator_of_two_neurons():
    run = hybridsim.simulate(matsuoka(), final_time=3.0, **TIGHT)
    x1, v1, x2, v2, *neurons = run.at(3.0)
    np.testing.assert_allclose(neurons, [x1, x2, v1, v2], rtol=0, atol=1e-12)


def test_morphed_oscillators_meet_and_follow_their_shapes():
    begin = {"phi": (-0.4 * math.pi, 0.5 * math.pi), "r": (0.0, -4.0)}
    run = run_of(
        {"m": Nodes(NODES["morphed"], 2, s0=(0.0, 0.5), **begin)},
        [Edges(EDGES["sine"], "m", "m", "all", weight=0.5)],
        final_time=2.0,
    )
    expected = [12.016364898877273, 13.430535595200052, -0.41212621070672162, -0.59735069963230209]
    np.testing.assert_allclose(run.at(2.0), expected, rtol=0, atol=1e-12)
    ahead = 2.0 * math.atan(math.tan(0.45 * math.pi) * math.exp(-2.0))
    assert run.at(2.0)[1] - run.at(2.0)[0] == pytest.approx(ahead, abs=1e-12)
    shapes = [math.cos(2.0 * p + 0.2 * math.pi) * (0.1 + math.sin(p)) for p in run.at(2.0)[:2]]
    at_first = [math.cos(2.0 * p + 0.2 * math.pi) * (0.1 + math.sin(p)) for p in begin["phi"]]
    left = (np.array(begin["r"]) - at_first - [0.0, 0.5]) * math.exp(-2.0)
    np.testing.assert_allclose(run.at(2.0)[2:] - shapes - [0.0, 0.5], left, rtol=0, atol=1e-12)


def kuramoto(omega, coupling):
    n = len(omega)
    nodes = {"o": Nodes(NODES["phase"], n, omega=tuple(omega))}
    return network(f"kuramoto_{n}", nodes, [Edges(EDGES["sine"], "o", "o", "all", weight=coupling / n)])


@pytest.mark.members(1)
@pytest.mark.parametrize(
    ("n", "critical", "order"),
    [
        (2, 2.0, math.sqrt(0.5)),
        (3, 1.704378315997, 0.728713553878),
        (10, 1.392294711566, 0.763777158539),
        (100, 1.285485373313, 0.782646670500),
    ],
)
def test_equally_spaced_oscillators_lock_from_their_critical_coupling_on(n, critical, order):
    omega = np.linspace(-1.0, 1.0, n)
    model = kuramoto(omega, critical)
    angles = np.arcsin(omega / (critical * order))  # the last locked state, where the extreme ones are about to slip
    functions = hybridsim.functions(model)
    np.testing.assert_allclose(functions.vector_field(0.0, angles), 0.0, atol=2e-12)
    assert functions.outputs(0.0, angles)[-2] == pytest.approx(order, abs=2e-12)
    for factor, is_locked in ((0.99, False), (1.01, True)):
        run = hybridsim.simulate(model, parameters={"sine.weight": factor * critical / n}, final_time=400.0)
        assert (abs(run.at(400.0) - run.at(200.0)).max() < 0.1) == is_locked


@pytest.mark.members(1)
@pytest.mark.parametrize("q", [1, 2, 3])
def test_twisted_states_of_a_ring_decay_as_the_formula_says(q):
    n, coupling = 9, 0.7
    both = [Edges(EDGES["sine"], "o", "o", each, weight=coupling) for each in (ring(n), ring(n).T)]
    model = network("twisted", {"o": Nodes(NODES["phase"], n)}, both)
    matrix = hybridsim.functions(model).jacobian("vector_field", 0.0, 2.0 * math.pi * q / n * np.arange(n))
    k = np.arange(n)
    rates = -2.0 * coupling * math.cos(2.0 * math.pi * q / n) * (1.0 - np.cos(2.0 * math.pi * k / n))
    np.testing.assert_allclose(np.sort(np.linalg.eigvals(matrix).real), np.sort(rates), rtol=0, atol=1e-13)


@pytest.mark.exhaustive  # its config is run in `tests/models`
def test_the_salamander_swims_with_a_wave_of_the_length_of_its_body():
    config = hybridsim.load_config(ROOT / "configs/networks/salamander.yaml")
    run = hybridsim.simulate(config.model, final_time=40.0, **TIGHT)
    for side in ("left", "right"):
        np.testing.assert_allclose(np.diff(run[f"{side}.phi"][-1]), -math.pi / 4.0, rtol=0, atol=1e-9)
        np.testing.assert_allclose(run[f"{side}.r"][-1], 0.065 * 4.0 + 0.196, rtol=0, atol=1e-10)
    speed = hybridsim.functions(config.model).vector_field(40.0, run.at(40.0))
    np.testing.assert_allclose(speed[:8], 2.0 * math.pi * 1.1, rtol=0, atol=1e-8)
    grown = 1.0 - 6.0 * math.exp(-5.0)  # of a critically damped amplitude after ten times its time constant
    np.testing.assert_allclose(run.at(0.5)[8:16] / 0.456, grown, rtol=0, atol=1e-11)


def test_the_salamander_walks_with_a_standing_wave():
    config = hybridsim.load_config(ROOT / "configs/networks/salamander.yaml")
    run = hybridsim.simulate(config.model, inputs={"drive": 2.0}, final_time=60.0, **TIGHT)
    limb, left = run["limb.phi"][-1], run["left.phi"][-1]
    np.testing.assert_allclose(
        np.mod(limb - limb[0] + 1.0, 2.0 * math.pi) - 1.0, [0.0, math.pi, math.pi, 0.0], atol=1e-9
    )
    expected = [0.3293882186684, 0.177059118971, 0.09979791472798, -0.238292959645]
    expected += [-2.558067270827, -2.915443333571, -2.996155401084, 3.137303725341]
    np.testing.assert_allclose(np.exp(1j * (left - limb[0])), np.exp(1j * np.array(expected)), rtol=0, atol=1e-9)


def test_an_adaptive_oscillator_learns_the_frequency_of_its_force():
    run = hybridsim.simulate(
        network(
            "learning",
            {
                "teacher": Nodes(NODES["hopf_xy"], f=4.0),
                "pupil": Nodes(NODES["adaptive_hopf"], omega=20.0, epsilon=5.0),
            },
            [Edges(EDGES["projection"], "teacher", "pupil")],
        ),
        final_time=60.0,
    )
    assert np.mean(run["pupil.omega"][run.t > 50.0]) == pytest.approx(8.0 * math.pi, rel=5e-3)


@pytest.mark.exhaustive  # slow; oscillators of the shelf have their periods in the ordinary run
def test_cells_have_the_slopes_of_their_equations_where_they_rest():
    """At the origin a cell of Rowat and Selverston oscillates from sigma_f = 1 + tau_m/tau_s on."""
    model = network("cells", {"rs": NODES["rowat_selverston"], "fn": NODES["fitzhugh_nagumo"]})
    rest = np.roots([-1.0 / 3.0, 0.0, 1.0 - 1.0 / 0.8, 0.5 - 0.7 / 0.8])
    v = float(rest[abs(rest.imag) < 1e-12].real[0])
    at_rest = [0.0, 0.0, v, (v + 0.7) / 0.8]
    found = hybridsim.functions(model, parameters={"rs.sigma_f": 1.1})
    np.testing.assert_allclose(found.vector_field(0.0, at_rest), 0.0, atol=1e-14)
    matrix = found.jacobian("vector_field", 0.0, at_rest)
    np.testing.assert_allclose(np.linalg.eigvals(matrix[:2, :2]).real, 0.0, atol=1e-14)
    np.testing.assert_allclose(matrix[2:, 2:], [[1.0 - v * v, -1.0], [0.08, -0.064]], rtol=0, atol=1e-15)

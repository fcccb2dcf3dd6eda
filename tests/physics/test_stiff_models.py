"""The bundled stiff models against what is known of them in closed form."""

from pathlib import Path

import numpy as np
import pytest

from hybridsim import Simulation, load_config, load_model

CONFIGS = Path(__file__).parents[2] / "configs" / "stiff"


def run_of(name, *overrides):
    return Simulation.from_config(load_config(CONFIGS / f"{name}.yaml", overrides)).run()


def test_the_converter_settles_at_the_mean_voltage_that_balances_the_coil():
    model = load_model("buck_converter")
    supply, duty, period, inductance, _, load, coil, switch, _, diode, diode_resistance = (
        parameter.default for parameter in model.parameters
    )
    expected = (duty * supply - (1.0 - duty) * diode) * load
    expected /= load + coil + duty * switch + (1.0 - duty) * diode_resistance
    run = run_of("buck_converter", "final_time=4e-3", "record=true")
    t = np.linspace(4e-3 - 20 * period, 4e-3, 40_001)[:-1]
    x = run.at(t)
    assert x[:, 1].mean() == pytest.approx(expected, rel=1e-3)  # C_s takes 1e-3 of a period to charge
    assert x[:, 0].mean() == pytest.approx(expected / load, rel=1e-3)
    rise = (supply - expected - (coil + switch) * expected / load) * duty * period / inductance
    assert np.ptp(x[:, 0]) == pytest.approx(rise, rel=1e-2)


def test_tolerances_do_not_matter_for_when_the_converter_switches():
    loose, tight = (run_of("buck_converter", f"engine.rtol={tol}", f"engine.atol={tol}") for tol in (1e-6, 1e-10))
    assert [e.boundaries for e in loose.events] == [e.boundaries for e in tight.events]
    np.testing.assert_allclose(loose.events.t, tight.events.t, rtol=0, atol=1e-6 * 10e-6)  # of a period
    np.testing.assert_allclose(loose.x[-1], tight.x[-1], rtol=0, atol=1e-6)


def test_robertsons_amounts_add_up_and_b_is_in_balance():
    run = run_of("robertson", "record=true")
    a, b, c = run.x.T
    np.testing.assert_allclose(a + b + c, 1.0, atol=1e-13)
    late = run.t > 1.0
    balance = 0.04 * a[late] - 1e4 * b[late] * c[late] - 3e7 * b[late] ** 2  # bdot, next to nothing
    np.testing.assert_array_less(abs(balance), 1e-3 * 0.04 * a[late])
    assert run["a"][-1] == pytest.approx(0.2083340149701255e-7, rel=1e-5)  # Hairer, Wanner (1996), IV.10

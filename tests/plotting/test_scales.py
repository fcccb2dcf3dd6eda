"""Scales of plots: logarithmic axes, edges of cells, and units with prefixes."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from hybridsim.plotting.scales import edges, is_geometric, label_time, metric_scale


@pytest.mark.parametrize(
    ("values", "geometric"),
    [
        (np.geomspace(1e-8, 1e-2, 7), True),
        (np.linspace(1.0, 100.0, 50), False),
        ([1.0, 2.0, 5.0, 10.0, 20.0, 50.0], True),
        ([1e-8, 1e-6], True),
        ([1.0, 2.0], False),
        (np.linspace(0.0, 5e4, 100), False),
        (np.geomspace(1.0, 3.0, 5), False),
        (10.0 * 8.0 ** (np.array([0.1, 0.15, 0.3, 0.4, 0.5, 0.6, 0.75, 0.8, 0.9])), True),  # loguniform(10, 80)
    ],
)
def test_geometric_axes_are_logarithmic(values, geometric):
    assert is_geometric(np.array(values)) is geometric


def test_cells_end_midway_between_values():
    np.testing.assert_allclose(edges(np.array([0.0, 1.0, 3.0]), log=False), [-0.5, 0.5, 2.0, 4.0])
    np.testing.assert_allclose(edges(np.array([1.0, 10.0, 100.0]), log=True), 10.0 ** np.array([-0.5, 0.5, 1.5, 2.5]))
    np.testing.assert_allclose(edges(np.array([2.0]), log=False), [1.5, 2.5])


@pytest.mark.parametrize(
    ("unit", "largest", "label", "shown"),
    [
        ("N/m", 5e4, "k [kN/m]", 50.0),
        ("J", 2e6, "k [MJ]", 2.0),
        ("m", 2e-3, "k [mm]", 2.0),
        ("m^2", 2e-3, "k [10⁻³ m²]", 2.0),
        ("kg", 2e4, "k [10³ kg]", 20.0),
        ("", 2e4, "k [10³]", 20.0),
        ("Nm", 2e4, "k [10³ Nm]", 20.0),
        ("m", 20.0, "k [m]", 20.0),
    ],
)
def test_thousands_go_into_the_unit(unit, largest, label, shown):
    scale = metric_scale("k", unit, np.array([0.0, np.nan, largest]))
    assert scale.label == label
    assert np.nanmax(scale.values) == pytest.approx(shown)


@pytest.mark.members(5)
@pytest.mark.parametrize(
    ("begin", "duration", "label", "ticks"),
    [
        (0.0, 5e-5, "time [µs]", {"0", "10", "20"}),
        (0.0, 0.002, "time [ms]", {"0", "0.5", "1"}),
        (3.0, 0.1, "time [ms]", {"3020", "3040"}),
        (0.0, 20.0, "time [s]", {"0.0", "5.0", "10.0"}),
        (0.0, 3600.0, "time [min]", {"0", "10", "20", "60"}),
        (7200.0, 1800.0, "time [min]", {"120", "125", "150"}),
        (0.0, 86400.0, "time [h]", {"0", "3", "24"}),
        (0.0, 1e6, "time [d]", {"0", "2", "4"}),
        (0.0, 7e8, "time [d]", {"0", "1000", "8000"}),
        (0.0, 1e11, "time [10⁹ s]", {"0", "20", "100"}),
        (5000.0, 0.1, "time after 5000 s [ms]", {"0", "20", "100"}),
        (1.7e9 + 60.0, 3600.0, "time after 1700000000 s [min]", {"0", "10", "60"}),
    ],
)
def test_times_are_in_a_unit_that_is_easy_to_read(begin, duration, label, ticks):
    figure = Figure()
    panel = figure.subplots()
    panel.set_xlim(begin, begin + max(duration, 1e-9))
    label_time(panel.xaxis, begin, begin + duration)
    figure.draw_without_rendering()
    found = [text.get_text() for text in panel.get_xticklabels()]
    assert panel.get_xlabel() == label
    assert ticks <= set(found), found
    assert len(found) == len(set(found)) <= 13

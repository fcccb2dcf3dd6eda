"""Pictures of identifications."""

import numpy as np

from hybridsim.model import Input, Model, Records, State
from hybridsim.plotting.identifications import plot_identification


def at_rest(xdot, t, x, p, chart):
    xdot[0] = 0.0


def test_the_legend_covers_no_panel(tmp_path):
    t = np.linspace(0.0, 1.0, 11)
    x = t[:, None]
    trial = {"t": t, "x": x, "inputs": x, "samples": t, "data": x, "misfits": 0.0 * x}
    record = {"measured": ("x",), "inputs": ("u",), "trials": 2, "trial_0": trial, "trial_1": trial}
    model = Model("line", [State("x")], vector_field=at_rest, inputs=Records(Input("u")))
    figure = plot_identification(record, model, tmp_path / "line.png")
    (legend,) = figure.legends
    assert {text.get_text() for text in legend.get_texts()} == {"measured", "identified"}
    for panel in figure.axes:
        assert panel.get_legend() is None
        assert not panel.get_tightbbox().overlaps(legend.get_window_extent())

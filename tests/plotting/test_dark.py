"""Pictures in styles with a dark background can be read."""

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from hybridsim import simulate
from hybridsim.plotting import plot_portraits, plot_run
from hybridsim.plotting.files import look


def contrast(colour, other):
    """The contrast of two colours, from 1 to 21 (WCAG 2.2)."""
    linear = [
        np.where((c := np.array(to_rgb(each))) <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
        for each in (colour, other)
    ]
    low, high = sorted(float(each @ (0.2126, 0.7152, 0.0722)) for each in linear)
    return (high + 0.05) / (low + 0.05)


@pytest.fixture(scope="module")
def run():
    return simulate("slip", final_time=1.0)


@pytest.mark.members
@pytest.mark.parametrize("style", ["dark_background", "Solarize_Light2", "grayscale", "ggplot", "default"])
@pytest.mark.parametrize("kind", ["time", "phase"])
def test_curves_and_marks_stand_out_and_shades_do_not(run, style, kind):
    with look(style="" if style == "default" else style):
        if kind == "time":
            figure = plot_run(run, ["y", "leg_force"])
        else:
            figure = plot_portraits(run, ["y:ydot"])
    panel = figure.axes[0]
    ground = panel.get_facecolor()
    curves = [line for line in panel.lines if len(line.get_xdata()) > 20]
    assert curves
    assert min(contrast(line.get_color(), ground) for line in curves) > 3.0
    shades = [face for each in panel.collections for face in each.get_facecolor()]
    assert bool(shades) == (kind == "time")
    for shade in shades:
        assert contrast(shade, ground) < contrast(curves[0].get_color(), shade)
    texts = [*panel.get_xticklabels(), panel.xaxis.label, *figure.legends[0].get_texts()]
    assert min(contrast(text.get_color(), figure.get_facecolor()) for text in texts) > 3.0
    marks = [each.get_markerfacecolor() for each in panel.lines if each.get_marker() in ("^", "v", "s", "o")]
    of_keys = {
        to_rgb(each.get_markerfacecolor())
        for each in figure.legends[0].legend_handles
        if hasattr(each, "get_markerfacecolor")
    }
    assert {to_rgb(each) for each in marks} <= of_keys


def test_colours_of_light_styles_are_those_of_hybridsim(run):
    with look(style="ggplot"):
        other = plot_run(run, ["y"]).axes[0].lines[0].get_color()
    assert other == plot_run(run, ["y"]).axes[0].lines[0].get_color()

"""Colours can be told apart by eyes without red cones (protanopia) or green cones (deuteranopia) as well."""

from itertools import combinations

import numpy as np
import pytest

from hybridsim.plotting.bars import BAR_COLORS
from hybridsim.plotting.colours import STATUS_COLORS
from hybridsim.plotting.orbit_maps import ORBIT_COLOURS
from hybridsim.results.colours import BOUNDARY_COLOURS, CHART_SHADES, CURVE_COLOURS

VISION = {
    "usual": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
}
"""How linear red, green and blue are seen (G. M. Machado et al., IEEE Trans. Vis. Comput. Graph. 15, 2009)."""
TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
WHITE = np.array([0.95047, 1.0, 1.08883])


def linear(colour):
    values = np.frombuffer(bytes.fromhex(colour[1:]), np.uint8) / 255.0
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def lab(rgb):
    """Lightness and the two opponent colours, CIE 1976, of linear red, green and blue."""
    xyz = TO_XYZ @ np.clip(rgb, 0.0, 1.0) / WHITE
    root = np.where(xyz > (6 / 29) ** 3, np.cbrt(xyz), xyz / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * root[1] - 16, 500 * (root[0] - root[1]), 200 * (root[1] - root[2])])


def distance(first, second, eyes):
    """The colour difference dE of 1976; a difference of 2.3 is just seen where both colours touch."""
    return float(np.linalg.norm(lab(VISION[eyes] @ linear(first)) - lab(VISION[eyes] @ linear(second))))


def contrast(first, second):
    """The ratio of luminances of the Web Content Accessibility Guidelines."""
    low, high = sorted(float(TO_XYZ[1] @ linear(colour)) for colour in (first, second))
    return (high + 0.05) / (low + 0.05)


def test_a_difference_is_what_the_definition_says():
    assert lab(linear("#ffffff")) == pytest.approx([100.0, 0.0, 0.0], abs=0.01)
    assert lab(linear("#ff0000")) == pytest.approx([53.24, 80.09, 67.20], abs=0.02)
    # Red and green of one lightness are what these eyes confuse.
    assert distance("#b2182b", "#1b7837", "deuteranopia") < 0.5 * distance("#b2182b", "#1b7837", "usual")


LISTS = {
    "boundaries": (BOUNDARY_COLOURS, 20.0),
    "runs": (CURVE_COLOURS, 20.0),
    "charts": (CHART_SHADES, 9.0),
    "statuses": ([*STATUS_COLORS.values()], 20.0),
    "bars": (BAR_COLORS, 20.0),
    "orbits": (ORBIT_COLOURS, 20.0),
}


@pytest.mark.parametrize("eyes", VISION)
@pytest.mark.parametrize(("colours", "least"), LISTS.values(), ids=LISTS)
def test_any_two_colours_of_a_list_can_be_told_apart(colours, least, eyes):
    assert min(distance(first, second, eyes) for first, second in combinations(colours, 2)) > least


def test_texts_in_the_colours_of_boundaries_and_runs_can_be_read_on_white():
    assert min(contrast(colour, "#ffffff") for colour in (*BOUNDARY_COLOURS, *CURVE_COLOURS)) > 4.5


def test_text_and_curves_can_be_seen_on_the_shades_of_charts():
    assert min(contrast(shade, "#1d2a38") for shade in CHART_SHADES) > 7.0

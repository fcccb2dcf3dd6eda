"""What stands for pyplot while PyVista is imported. That it is not imported is seen in `test_export`."""

import colorsys
import sys

from hybridsim.viewer.render.quick_import import Later


def test_a_module_that_others_have_imported_is_there_when_it_is_first_used(monkeypatch):
    later = Later("colorsys")
    monkeypatch.setitem(sys.modules, "colorsys", later)
    import colorsys as imported  # noqa: PLC0415

    assert imported is later
    assert imported.rgb_to_hsv(1.0, 0.0, 0.0) == colorsys.rgb_to_hsv(1.0, 0.0, 0.0)
    assert sys.modules["colorsys"] is not later


def test_where_the_module_is_there_already_its_names_are_its_own():
    assert Later("colorsys").hls_to_rgb is colorsys.hls_to_rgb


def test_pyvista_draws_its_charts_of_figures():
    import pyvista  # noqa: PLC0415

    chart = pyvista.ChartMPL()
    assert type(chart._canvas).__name__ == "FigureCanvasAgg"

"""What notebooks show: figures, runs with a small picture, pages that need no server; without warnings of rich."""

import html
import inspect
import io
import re
import warnings
from base64 import b64decode

import numpy as np
import pytest
from PIL import Image
from rich.console import Console

from hybridsim import plotting, simulate
from hybridsim.results import progress
from hybridsim.viewer import show


@pytest.fixture(scope="module")
def run():
    return simulate("slip", final_time=1.0)


def test_a_figure_is_shown_and_pyplot_does_not_know_it(run):
    figure = run.plot("y")
    assert figure._repr_png_().startswith(b"\x89PNG")
    assert figure.canvas.manager is None
    assert run.plot("y:ydot").axes[0].get_xlabel() == "y [m]"


def test_a_run_is_shown_with_a_small_picture_and_its_text(run):
    shown = run._repr_html_()
    assert html.escape(repr(run)) in shown
    with Image.open(io.BytesIO(b64decode(re.search('base64,([^"]+)"', shown)[1]))) as picture:
        assert picture.width < 600
        assert np.ptp(np.asarray(picture.convert("L"))) > 100
    assert len(shown) < 200_000


def test_a_run_without_states_is_shown_too():
    shown = simulate("slip", final_time=1.0, record={"states": False})._repr_html_()
    assert "data:image/png" in shown


def test_a_page_in_a_cell_is_the_file_of_the_run_and_asks_for_nothing(run, tmp_path):
    shown = show(run, height=321, speed=0.5)._repr_html_()
    page = html.unescape(re.fullmatch(r'<iframe srcdoc="([^"]*)" style="[^"]*height: 321px[^"]*"></iframe>', shown)[1])
    assert page == run.html(tmp_path / "run.html", speed=0.5).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [name for name in plotting.__all__ if name.startswith("plot_")])
def test_every_plot_takes_axes_and_needs_no_path(name):
    parameters = inspect.signature(getattr(plotting, name)).parameters
    assert parameters["path"].default is None
    assert parameters["ax"].default is None
    assert inspect.signature(getattr(plotting, name)).return_annotation == "Figure"


def test_where_rich_cannot_show_a_bar_in_a_notebook_it_is_not_asked_to(monkeypatch):
    monkeypatch.setattr(progress, "find_spec", lambda name: None)
    monkeypatch.setattr(progress, "Console", lambda **options: Console(force_jupyter=True))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with progress.RowProgress(10) as bar:
            bar._delay = 0.0
            bar(5, {})
    assert bar._bar is None

"""Pictures of sweeps mark the runs that have failed, unless the config says that their status is a result."""

import dataclasses

import numpy as np
import pytest
from matplotlib.figure import Figure

from hybridsim.plotting.sweeps import plot_sweep

from .sweep_tables import MASS, axis, figure_of, metric, table


@pytest.fixture
def half_failed(grid):
    """The grid, in which the runs at the larger angle have failed."""
    return dataclasses.replace(grid, results=())


def test_cells_of_failed_runs_have_a_dot(half_failed):
    (dots,) = figure_of(half_failed, ["value"]).axes[0].lines
    assert sorted(zip(*dots.get_data(), strict=True)) == [(20.0, mass) for mass in MASS]
    assert figure_of(half_failed, ["end"]).axes[0].lines[:] == []  # its colours show that


def test_failed_runs_are_hollow_marks_beside_the_curve(half_failed):
    curve, marks = figure_of(half_failed, ["value"], {"mass": "2"}).axes[0].lines
    np.testing.assert_array_equal(curve.get_ydata(), [30.0, np.nan])
    assert marks.get_xydata().tolist() == [[20.0, 40.0]]
    assert marks.get_markerfacecolor() == "none"


@pytest.mark.parametrize("n_axes", [2, 3])
def test_failed_samples_are_rings(n_axes):
    rng = np.random.default_rng(3)
    columns = [(axis(name, values := rng.random(8), 0), values) for name in "xyz"[:n_axes]]
    ends = ["ZENO"] * 3 + ["FINAL_TIME"] * 5
    sweep = table(columns, [(metric("value"), rng.random(8)), (metric("end", "status"), ends)])
    full, rings = figure_of(dataclasses.replace(sweep, results=()), ["value"]).axes[0].collections
    assert (len(full.get_offsets()), len(rings.get_offsets())) == (5, 3)
    assert len(rings.get_facecolors()) == 0
    along = columns[-1 if n_axes == 2 else 0][1]  # a map has its last axis along x
    assert sorted(rings.get_offsets()[:, 0].tolist()) == sorted(along[:3].tolist())


def test_the_title_counts_failed_runs_by_their_status(half_failed, tmp_path, monkeypatch):
    titles = []
    monkeypatch.setattr(Figure, "suptitle", lambda _, text, **__: titles.append(text))
    plot_sweep(half_failed, ["value"], path=tmp_path / "a.png")
    plot_sweep(half_failed, ["value"], {"angle": "10"}, tmp_path / "b.png")
    plot_sweep(dataclasses.replace(half_failed, results=("ZENO",)), ["value"], path=tmp_path / "c.png")
    assert "marked, as they ended early: 3 ZENO" in titles[0]
    assert "marked" not in titles[1] + titles[2]

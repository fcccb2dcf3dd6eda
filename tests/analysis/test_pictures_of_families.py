"""Basins of attraction and curves of bifurcations, against closed forms."""

import matplotlib
import numpy as np
import pyarrow.parquet as pq
import pytest
from impact_orbits import PERIOD_DOUBLINGS, Orbit, doubling_amplitude
from map_model import LOGISTIC, MODEL
from typer.testing import CliRunner

import hybridsim
from hybridsim.cli.main import app
from hybridsim.errors import ConfigError
from hybridsim.plotting.orbit_maps import plot_basin


def fixed_point(r=2.5):
    return hybridsim.find_orbit(
        MODEL, parameters={"map": LOGISTIC, "r": r}, section="tick", initial={"u": 0.5, "v": 0.1}
    )


def test_the_basin_of_the_logistic_map_is_the_unit_interval(tmp_path):
    u, v = np.linspace(-0.3, 1.3, 33), np.linspace(-1.0, 1.0, 3)
    found = hybridsim.basin(fixed_point(), {"u": u, "v": v}, strides=30)
    inside = (u > 1e-9) & (u < 1.0 - 1e-9)
    assert found.labels.shape == (33, 3)
    assert (found.labels[inside] == 0).all()
    at_zero = np.isclose(u, 0.0) | np.isclose(u, 1.0)  # u = 0 is another orbit, an unstable one
    assert (found.labels[at_zero] == -2).all()
    assert (found.labels[~inside & ~at_zero] == -1).all()
    table = pq.read_table(found.save(tmp_path / "basin.parquet"))
    assert table.column_names == ["u", "v", "orbit"]
    np.testing.assert_array_equal(table["orbit"].to_numpy(), found.labels.ravel())


def test_a_basin_in_a_folder_goes_on_where_it_was(tmp_path):
    axes = {"u": np.linspace(0.1, 0.9, 5), "v": np.linspace(-1.0, 1.0, 3)}
    first = hybridsim.basin(fixed_point(), axes, folder=tmp_path / "rows")
    again = hybridsim.basin(fixed_point(), axes, folder=tmp_path / "rows", resume=True)
    np.testing.assert_array_equal(first.labels, again.labels)


@pytest.mark.parametrize(("axes", "message"), [({"u": [0.1]}, "two states"), ({"u": [0.1], "w": [0.2]}, "'w' is not")])
def test_a_basin_has_two_free_states(axes, message):
    with pytest.raises(ConfigError, match=message):
        hybridsim.basin(fixed_point(), axes)


def test_two_states_that_are_tied_on_the_section_make_no_basin():
    orbit = hybridsim.find_orbit("compass_gait", section="heelstrike")
    with pytest.raises(ConfigError, match="theta_st and theta_sw do not vary independently"):
        hybridsim.basin(orbit, {"theta_st": [-0.3, -0.2], "theta_sw": [0.2, 0.3]})


@pytest.mark.members(1)
@pytest.mark.parametrize(("second", "share"), [("restitution", 0.2), ("omega", 0.01), ("gap", 0.5)])
@pytest.mark.parametrize("number", [0, 1])
def test_period_doublings_are_followed_through_two_parameters(number, second, share):
    omega, n, e, gap = PERIOD_DOUBLINGS[number]
    doubling = doubling_amplitude(omega, n, e, gap)
    start = Orbit(omega, n, e, gap, 1.02 * doubling)
    orbit = hybridsim.find_orbit(
        "impact_oscillator", parameters=start.parameters, section="impact", initial=start.after_impact
    )
    branch = hybridsim.continue_orbit(orbit, "amplitude", to=0.98 * doubling)
    (flip,) = (bifurcation for bifurcation in branch.bifurcations if bifurcation.kind == "flip")
    begin = {"omega": omega, "restitution": e, "gap": gap}
    to, back_to = (begin[second] * (1.0 + sign * share) for sign in (1.0, -1.0))
    curve = hybridsim.continue_bifurcation(flip, ("amplitude", second), to=to, back_to=back_to)
    values = ({**begin, second: value} for value in curve[second])
    expected = [doubling_amplitude(each["omega"], n, each["restitution"], each["gap"]) for each in values]
    assert len(curve) > 5
    np.testing.assert_allclose(curve["amplitude"], expected, rtol=1e-9)
    assert (curve[second][0], curve[second][-1]) == (back_to, to)


def test_an_orbit_is_no_bifurcation():
    orbit = hybridsim.find_orbit(MODEL, parameters={"map": 1, "r": 1.8}, section="tick", initial={"u": 0.4, "v": 0.4})
    with pytest.raises(
        ConfigError, match=r"expected one of those of a branch, branch.bifurcations\[0\], found a Orbit"
    ):
        hybridsim.continue_bifurcation(orbit, ("r", "s"), to=1.0)


def test_the_command_draws_a_basin_and_refuses_what_is_no_range(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "walker.yaml").write_text("model: simplest_walker\nfinal_time: 10\norbit: {section: heelstrike}\n")
    ranges = ["initial.theta=0.15..0.25:6", "initial.thetadot=-0.25..-0.15:6"]
    done = CliRunner().invoke(app, ["orbit", "basin", "walker.yaml", *ranges, "--strides", "5"])
    assert done.exit_code == 0, done.output
    assert "36 initial states" in done.output
    assert {"walker-basin.png", "walker-basin.parquet"} <= {file.name for file in tmp_path.iterdir()}
    refused = CliRunner().invoke(app, ["orbit", "basin", "walker.yaml", "initial.theta=0.1..", ranges[1]])
    assert "initial.theta: expected FROM..TO or FROM..TO:N, with at least two values, found '0.1..'" in str(
        refused.exception
    )


@pytest.mark.members(1)
@pytest.mark.parametrize("n_orbits", [1, 4, 5, 30])
def test_a_basin_of_any_number_of_orbits_is_drawn(tmp_path, n_orbits):
    first, second = np.arange(n_orbits + 2.0), np.arange(3.0)
    labels = np.repeat(np.arange(-2, n_orbits)[:, None], 3, axis=1)
    file = tmp_path / "basin.svg"
    with matplotlib.rc_context({"svg.fonttype": "none"}):  # letters as letters
        plot_basin({"u": first, "v": second}, labels, {"u": "m", "v": ""}, {"u": 1.0, "v": 1.0}, file)
    text = file.read_text()
    names = ["comes to the orbit"] if n_orbits == 1 else [f"comes to orbit {n}" for n in range(n_orbits)]
    assert all(f">{name}<" in text for name in [*names, "u [m]", "v", "elsewhere at the end"])

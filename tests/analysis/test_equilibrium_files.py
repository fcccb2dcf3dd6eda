"""Equilibria are read again as they were written, and only if the model still has them."""

import h5py
import numpy as np
import pytest
from smooth_fields import BRUSSELATOR, LORENZ, MODEL

import hybridsim
from hybridsim import ConfigError, Model, Parameter, Records, State

FORM = ("kind", "value", "curve", "boundary", "type", "side", "coefficient", "omega", "slope")


def branch_of(field, r, to, **more):
    rest = hybridsim.find_equilibrium(MODEL, parameters={"field": field, "r": r})
    return hybridsim.continue_equilibrium(rest, "r", to=to, **more)


@pytest.mark.members(1)
@pytest.mark.parametrize(
    ("field", "r", "to", "more"), [(BRUSSELATOR, 1.5, 3.0, {"back_to": 1.0}), (LORENZ, 0.5, 30.0, {})]
)
def test_a_branch_is_read_as_it_was_written(field, r, to, more, tmp_path):
    branch = branch_of(field, r, to, **more)
    assert branch.save(tmp_path / "branch.h5") == tmp_path / "branch.h5"
    again = hybridsim.load_equilibria(tmp_path / "branch.h5", MODEL)
    assert (again.parameter, again.to, again.back_to, again.notes) == ("r", to, branch.back_to, branch.notes)
    assert [*again.points.columns] == [*branch.points.columns]
    for name, column in branch.points.columns.items():
        assert again.points[name].dtype == column.dtype
        np.testing.assert_array_equal(np.ma.filled(again.points[name], 2), np.ma.filled(column, 2))
    assert (np.ma.getmaskarray(again.points["stable"]) == np.ma.getmaskarray(branch.points["stable"])).all()
    for before, after in zip(branch.bifurcations, again.bifurcations, strict=True):
        for name in FORM:
            np.testing.assert_equal(getattr(after, name), getattr(before, name))
        assert after.equilibrium.x == before.equilibrium.x
        scale = abs(before.equilibrium.eigenvalues).max()
        np.testing.assert_allclose(after.equilibrium.eigenvalues, before.equilibrium.eigenvalues, atol=1e-12 * scale)
    again.save(tmp_path / "again.h5")
    assert (tmp_path / "again.h5").read_bytes() == (tmp_path / "branch.h5").read_bytes()
    assert hybridsim.load_equilibrium(tmp_path / "branch.h5", MODEL).x == branch.equilibrium.x


def test_an_orbit_begins_at_a_hopf_point_from_a_file(tmp_path):
    branch = branch_of(BRUSSELATOR, 1.5, 3.0)
    branch.save(tmp_path / "branch.h5")
    (hopf,) = hybridsim.load_equilibria(tmp_path / "branch.h5", MODEL).bifurcations
    orbits, expected = (hybridsim.continue_orbit(each, "r", to=2.2) for each in (hopf, branch.bifurcations[0]))
    assert orbits.points["period"][-1] == pytest.approx(expected.points["period"][-1], rel=1e-10)


def test_one_equilibrium_is_read_as_it_was_written(tmp_path):
    rest = hybridsim.find_equilibrium("compass_gait")
    rest.save(tmp_path / "rest.h5")
    again = hybridsim.load_equilibrium(tmp_path / "rest.h5")
    assert (again.x, again.chart, again.family, again.boundaries) == (rest.x, rest.chart, rest.family, rest.boundaries)
    assert (again.stable, again.kept, again.parameters) == (rest.stable, rest.kept, rest.parameters)
    assert again.eigenvalues == pytest.approx(rest.eigenvalues, rel=1e-13)
    with pytest.raises(ConfigError, match="expected a branch of equilibria, found one equilibrium; use load_equilib"):
        hybridsim.load_equilibria(tmp_path / "rest.h5")


def line_field(xdot, t, x, p, chart):
    xdot[0] = p[0] - x[0]


def other_field(xdot, t, x, p, chart):
    xdot[0] = 2.0 * p[0] - x[0]


def growing_field(xdot, t, x, p, chart):
    xdot[0] = 1.0 + x[0] * x[0]


def line(field):
    return Model("line", Records(State("x")), vector_field=field, parameters=Records(Parameter("q", 1.0)))


@pytest.mark.parametrize(
    ("field", "why"), [(other_field, "the nearest one is 0.5 of the states' sizes"), (growing_field, "no solution")]
)
def test_a_model_that_has_another_equilibrium_is_refused(field, why, tmp_path):
    hybridsim.find_equilibrium(line(line_field)).save(tmp_path / "rest.h5")
    with pytest.raises(ConfigError, match=f"line has this equilibrium no longer.*{why}"):
        hybridsim.load_equilibrium(tmp_path / "rest.h5", line(field))


def test_other_files_are_refused_with_what_they_are(tmp_path):
    branch_of(BRUSSELATOR, 1.5, 3.0).save(tmp_path / "equilibria.h5")
    sentence = (
        "expected a branch of orbits, found equilibria; `hybridsim plot` draws it, load_equilibrium or load_equilib"
    )
    for read in (hybridsim.load_branch, hybridsim.load_orbit, hybridsim.load_run):
        with pytest.raises(
            ConfigError, match=sentence if read is hybridsim.load_branch else "a table of equilibria, not"
        ):
            read(tmp_path / "equilibria.h5")
    orbit = hybridsim.find_orbit("compass_gait", section="heelstrike")
    hybridsim.continue_orbit(orbit, "slope", to=orbit.parameters["slope"] + 1e-3).save(tmp_path / "branch.h5")
    with pytest.raises(
        ConfigError, match="expected equilibria, found a branch of orbits; `hybridsim plot` draws it, load_b"
    ):
        hybridsim.load_equilibrium(tmp_path / "branch.h5")
    orbit.save(tmp_path / "orbit.h5")
    with pytest.raises(ConfigError, match="not the file of a branch"):
        hybridsim.load_equilibria(tmp_path / "orbit.h5")
    with pytest.raises(ConfigError, match=r"there is no such file; give the \.h5 file of equilibria"):
        hybridsim.load_equilibria(tmp_path / "nothing.h5")


@pytest.mark.members(2)
@pytest.mark.parametrize(
    "place", ["points/r", "points/a", "points/stable", "points/multipliers", "bifurcations/omega", "config"]
)
def test_a_damaged_file_names_the_place(place, tmp_path):
    branch_of(BRUSSELATOR, 1.5, 3.0).save(tmp_path / "branch.h5")
    with h5py.File(tmp_path / "branch.h5", "a") as file:
        del file[place]
    with pytest.raises(ConfigError, match=rf"(branch\.h5|the table of equilibria).*{place.rpartition('/')[2]}"):
        hybridsim.load_equilibria(tmp_path / "branch.h5", MODEL)


def test_a_file_that_cannot_be_written_leaves_the_old_one(tmp_path):
    rest = hybridsim.find_equilibrium(line(line_field))
    with pytest.raises(ConfigError):
        rest.save(tmp_path / "missing" / "rest.h5")
    (tmp_path / "folder.h5").mkdir()
    with pytest.raises(ConfigError):
        rest.save(tmp_path / "folder.h5")

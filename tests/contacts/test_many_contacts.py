"""Many contacts: pivoting finds what trying all modes does, and what cannot be tried runs."""

import numpy as np
import pytest

from hybridsim import Status, simulate
from hybridsim.contacts import Patch, Plane, contact_model, modes, settle
from hybridsim.contacts.layout import read_layout
from hybridsim.contacts.sets import NEXT, all_slips, set_of, with_free
from hybridsim.contacts.soles import is_whole
from hybridsim.multibody import Body, Free, Mechanism, Planar, Revolute

G, SLOPE = 9.81, 0.1


def chain(n, in_space=False):
    """Links of 0.4 m that lie on the ground, each with a point; the base is the first one."""
    bodies = []
    for i in range(n):
        joint = Free("base") if in_space else Planar("base", normal="y")
        joint = Revolute(f"hinge{i}", "y", place=(0.4, 0.0, 0.0), damping=0.01) if i else joint
        parent = f"link{i - 1}" if i else "world"
        inertia = (0.02, 0.02, 0.01)
        bodies.append(Body(f"link{i}", joint, parent=parent, mass=1.0, centre=(0.2, 0.0, 0.05), inertia=inertia))
    return Mechanism(*bodies)


def problem(monkeypatch, model):
    """The work space and the arguments with which modes are sought where a run begins, and all may slip."""
    found = []
    real = settle.find_mode
    monkeypatch.setattr(settle, "find_mode", lambda *given: found.append((given[0].copy(), *given[1:])) or real(*given))
    x = model.states.column("default").astype(float)
    p = np.array([model.parameters[name].default for name in model.p_indices])
    model.initial_chart(x.copy(), 0.0, x, p)
    monkeypatch.undo()
    return found[0][:3]


CASES = {
    "a chain": (chain(3), [Patch(f"p{i}", f"link{i}", [(0.05, 0.0, -0.1)], friction=0.3) for i in range(3)], 40),
    "a bar": (chain(1), [Patch(f"p{i}", "link0", [(0.15 * i, 0.0, -0.1)], friction=0.5) for i in range(3)], 40),
    "a plate": (
        chain(1, in_space=True),
        [Patch(f"p{i}", "link0", [(0.15 * i, 0.1 * (-1) ** i, -0.1)], friction=0.4) for i in range(3)],
        6,
    ),
}
CORNERS = [(0.3, 0.1, -0.1), (0.3, -0.1, -0.1), (0.0, -0.1, -0.1), (0.0, 0.1, -0.1)]


@pytest.mark.members(1)
@pytest.mark.parametrize("what", CASES)
def test_pivoting_finds_the_motion_that_trying_all_modes_finds(monkeypatch, what):
    """Random forces, and random velocities before impacts with and without restitution."""
    mechanism, contacts, n = CASES[what]
    work, p, members = problem(monkeypatch, contact_model("lies", mechanism, contacts, initial={"base_z": 0.1}))
    layout, rng = read_layout(work), np.random.default_rng(0)
    rows, allowed = layout.n_rows, set_of(layout, NEXT)
    x = work[layout.x : layout.x + rows * layout.n_speeds].reshape(rows, layout.n_speeds)
    for k in range(n):
        work[layout.base : layout.base + rows] = x @ rng.normal(size=layout.n_speeds)
        work[layout.target : layout.target + rows] = 0.0
        for i in range(layout.n_points if k % 4 == 1 else 0):
            row = int(work[layout.normal + i])
            work[layout.target + row] = -0.5 * min(work[layout.base + row], 0.0)
        for j in range(layout.n_slipping):
            work[allowed + j] = all_slips(layout, j)
        tried, pivoted = work.copy(), work.copy()
        assert modes.find_mode(tried, p, members, allowed, k % 2, 0, -1) >= 0
        sets = with_free(pivoted, layout, p, allowed)
        assert modes.find_by_pivoting(pivoted, layout, p, members, sets, k % 2, 0) >= 0
        z = slice(layout.z, layout.z + rows)
        np.testing.assert_allclose(
            tried[z], pivoted[z], atol=1e-7 * np.abs(work[layout.base : layout.base + rows]).max()
        )


def test_pivoting_puts_no_sole_on_three_corners_or_a_diagonal(monkeypatch):
    """Three corners may be down, as of a sole that turns about a diagonal; trying all modes finds the same."""
    model = contact_model("sole", chain(1, in_space=True), [Patch("sole", "link0", CORNERS)], initial={"base_z": 0.1})
    work, p, members = problem(monkeypatch, model)
    layout, rng, n_found = read_layout(work), np.random.default_rng(0), 0
    rows, allowed, z = layout.n_rows, set_of(layout, NEXT), slice(layout.z, layout.z + layout.n_rows)
    x = work[layout.x : layout.x + rows * layout.n_speeds].reshape(rows, layout.n_speeds)
    for k in range(24):
        work[layout.base : layout.base + rows] = x @ rng.normal(size=layout.n_speeds)
        work[layout.target : layout.target + rows] = 0.0
        work[allowed] = all_slips(layout, 0)
        tried, pivoted, three = work.copy(), work.copy(), members & ~(1 << k % 4)
        found = modes.find_mode(tried, p, three, allowed, k % 2, 0, -1)
        sets = with_free(pivoted, layout, p, allowed)
        mode = modes.find_by_pivoting(pivoted, layout, p, three, sets, k % 2, k % 3 // 2)
        if mode >= 0:
            assert is_whole(pivoted, layout, mode)
            assert found >= 0
            np.testing.assert_allclose(tried[z], pivoted[z], atol=1e-7 * np.abs(work[layout.base :][:rows]).max())
            n_found += 1
    assert n_found > 12


@pytest.mark.exhaustive
def test_a_table_of_sixteen_points_lands_on_a_slope_and_stays():
    points = [(0.1 * i - 0.15, 0.1 * k - 0.15, -0.2) for i in range(4) for k in range(4)]
    contacts = [
        Patch(f"c{i}", "box", [place], friction=0.5, plane=Plane(slope=SLOPE)) for i, place in enumerate(points)
    ]
    box = Mechanism(Body("box", Free("box"), mass=2.0, inertia=(0.05, 0.05, 0.05)))
    model = contact_model("table", box, contacts, initial={"box_z": 0.3})
    run = simulate(model, final_time=1.0, record=True)
    assert run.status == Status.FINAL_TIME, run.message
    normal = np.sum([run[f"c{i}_normal"][-1] for i in range(16)])
    assert normal == pytest.approx(2.0 * G * np.cos(SLOPE), rel=1e-7)
    assert np.sum([run[f"c{i}_tangential"][-1] for i in range(16)]) == pytest.approx(2.0 * G * np.sin(SLOPE), rel=1e-6)
    assert np.diff(run["energy"]).max() < 1e-8
    assert min(run[f"c{i}_gap"].min() for i in range(16)) > -1e-8


@pytest.mark.timeout(120)
@pytest.mark.parametrize("n", [9, pytest.param(20, marks=pytest.mark.exhaustive)])
def test_a_bar_on_many_points_slides_until_it_stops(n):
    """v / (mu g), as a block does; 4^9 modes are too many to try them all in the states of a check before the run."""
    speed, mu = 1.0, 0.5
    points = [(0.05 * i - 0.025 * (n - 1), 0.0, -0.02) for i in range(n)]
    contacts = [Patch(f"c{i}", "bar", [place], friction=mu) for i, place in enumerate(points)]
    bar = Mechanism(Body("bar", Planar("bar", normal="y"), mass=2.0, inertia=(0.2, 0.2, 0.2)))
    model = contact_model("bar", bar, contacts, initial={"bar_z": 0.02, "bar_xdot": speed})
    run = simulate(model, final_time=0.5, record=True, rtol=1e-10, atol=1e-12)
    assert run.events.t[-1] == pytest.approx(speed / (mu * G), abs=1e-9)
    assert run["bar_x"][-1] == pytest.approx(speed**2 / (2.0 * mu * G), abs=1e-9)

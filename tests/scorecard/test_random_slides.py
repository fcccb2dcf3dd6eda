"""Random flows on both sides of a line, against an integrator that is written for them alone."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from hybridsim import load_model, simulate

END = 8.0
REFERENCE = {"method": "DOP853", "rtol": 1e-12, "atol": 1e-13, "max_step": 0.05}


def flows(seed):
    """Rows (6,): the two fields of the plane, turned about and pulled to the line."""
    chance = np.random.default_rng(seed)
    right, left = chance.normal(size=6), chance.normal(size=6)
    right[0:3] += [0.0, 1.0, -0.5]
    left[0:3] += [0.0, 1.0, 0.5]
    right[[0, 4]] -= 0.5
    left[[0, 4]] -= 0.5
    return right, left


def field(rows, z):
    return np.array([rows[0:3] @ [*z, 1.0], rows[3:6] @ [*z, 1.0]])


def filippov(right, left):
    """Events (kind, t) and the state at END from (1, 0): by scipy's DOP853, piece by piece (Filippov 1988)."""

    def slide(z):
        a, b = field(right, z), field(left, z)
        weight = b[0] / (b[0] - a[0])
        return np.array([0.0, weight * a[1] + (1.0 - weight) * b[1]])

    fields = {
        "right": lambda t, z: field(right, z),
        "left": lambda t, z: field(left, z),
        "slide": lambda t, z: slide(z),
    }
    ends = {
        "right": [falling(lambda t, z: z[0])],
        "left": [falling(lambda t, z: -z[0])],
        "slide": [falling(lambda t, z: -field(right, z)[0]), falling(lambda t, z: field(left, z)[0])],
    }
    t, z, mode, events = 0.0, np.array([1.0, 0.0]), "right", []
    while True:
        piece = solve_ivp(fields[mode], (t, END), z, events=ends[mode], **REFERENCE)
        t, z = piece.t[-1], piece.y[:, -1]
        if piece.status == 0:
            return events, z
        z[0] = 0.0
        if mode == "slide":
            mode, kind = "right" if len(piece.t_events[0]) else "left", "exit"
        elif field(right, z)[0] < 0.0 < field(left, z)[0]:
            mode, kind = "slide", "entry"
        else:
            mode, kind = "left" if mode == "right" else "right", "crossing"
        events.append((kind, t))


def falling(function):
    """An event of solve_ivp that ends the piece where the function falls to zero."""

    def event(t, z):
        return function(t, z)

    event.terminal, event.direction = True, -1.0
    return event


@pytest.mark.members(3)
@pytest.mark.parametrize("seed", range(30))
def test_random_flows_slide_cross_and_leave_like_the_reference(plugin, seed):
    right, left = flows(seed)
    events, state = filippov(right, left)
    model = load_model(plugin("plane"))
    parameters = dict(zip(model.parameters.names, [*right, *left], strict=True))
    run = simulate(model, parameters=parameters, final_time=END, rtol=1e-11, atol=1e-12)
    assert [event.kind for event in run.events] == [kind for kind, _ in events]
    np.testing.assert_allclose(run.events.t, [t for _, t in events], rtol=0, atol=1e-8)
    np.testing.assert_allclose(run.x[-1], state, rtol=1e-7, atol=1e-8)

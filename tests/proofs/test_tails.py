"""What series leave out, in the prover and in its checker: formulas that a half of each bound would miss."""

import dataclasses
import json
from dataclasses import dataclass
from fractions import Fraction

import pytest

import hybridsim
from hybridsim.config.run_config import with_values
from hybridsim.model import Boundary, Parameter, Records
from hybridsim.model.parameters import pack_parameters
from hybridsim.proofs import NotProvenError, chart_flow, check_period, check_step
from hybridsim.proofs.balls import ball, ends, matrix, working
from hybridsim.proofs.check import check
from hybridsim.proofs.check_numbers import Ball, RefusedError
from hybridsim.proofs.enclosure import Accuracy
from hybridsim.proofs.legs import Chain
from hybridsim.proofs.shooting import Box
from hybridsim.proofs.system import System
from hybridsim_models.basics import impact_oscillator as oscillator
from hybridsim_models.basics.impact_oscillator import boundaries as own_boundaries
from hybridsim_models.basics.impact_oscillator import vector_field as own_field

OMEGA, AMPLITUDE = 2.2, 0.6
SHARE = Fraction(1, 8)
"""The time that is looked at, in radii of convergence."""


@dataclass
class Bounds:
    """What a step bounds: of the impact oscillator, whose variables are x, v and phase."""

    rho: float
    order: int
    rings: list
    phase: float
    speed: float
    left_out: float
    left_out_of_slope: float
    of_derivative: float
    of_watches: list

    def hold(self):
        """Compare them with formulas; each is the largest that an analytic function can have, or near to it."""
        n, rho = self.order, self.rho
        assert float(SHARE**n / (1 - SHARE)) <= self.left_out * (1 + 1e-9)
        slope = sum(k * SHARE ** (k - 1) for k in range(n, n + 200))
        assert float(slope) / rho <= self.left_out_of_slope * (1 + 1e-9)
        assert all(size >= reach * (1 - 1e-9) for size, reach in zip(self.of_watches, self.of_distances, strict=True))
        assert self.of_derivative >= self.largest_derivative * (1 - 1e-9)
        inner, *others = self.rings
        for ring in others:  # of x' = v and phase' = omega
            speeds = abs(self.speed) + ring[1], 0.0, OMEGA
            for i in (0, 2):
                assert rho / len(others) * speeds[i] <= (ring[i] - inner[i]) * (1 + 1e-6)
            inner = ring

    @property
    def of_distances(self):
        """How far gap - x and 2 pi - phase go from their values at the centre."""
        return self.rings[-1][0], self.rings[-1][2]

    @property
    def largest_derivative(self):
        """|dx/dv| <= sup |x - x_0| / R_0,v (Cauchy): x moves from the first ring to the last while v varies in its."""
        return (self.rings[-1][0] - self.rings[0][0]) / self.rings[0][1]


def of_prover(orbit, theorem, monkeypatch, tmp_path):
    found, accuracy = orbit("impact"), Accuracy(80, 20, 1e-12)
    at = found.found.x0
    box = Box([ball(float(v)) for v in at], (0, 1, 2), [ball(0)] * 3, [])
    with working(accuracy.bits, accuracy.order):
        chain = Chain(found, pack_parameters(found.model, dict(found.config.parameters)))
        step = System(chain, accuracy, box.deviations).step(chain.legs[0], box.ensemble(), ball(0.5))
        t = step.rho / 8
        numbers = step._left_out(t), step._left_out_of_slope(t), step._v_sizes[0][1], *step._watched_sizes
        left_out, of_slope, derivative, *watched = (float(ends(a)[1]) for a in numbers)
        rings, rho = [[float(r) for r in ring] for ring in step.rings], float(step.rho)
    return Bounds(rho, step.order, rings, at[2], at[1], left_out, of_slope, derivative, watched)


class EnoughError(Exception):
    """The first step is all that is looked at."""


def of_checker(orbit, theorem, monkeypatch, tmp_path):
    steps = []

    class Seen(check_step.Step):
        def __init__(self, *given):
            super().__init__(*given)
            steps.append(self)
            raise EnoughError

    monkeypatch.setattr(check_period, "Step", Seen)
    with pytest.raises(EnoughError):
        check(theorem("impact").save(tmp_path / "impact.json"))
    (step,), unit = steps, float(1 << Ball.bits)
    t = step.rho.over(8)
    numbers = step._left_out(t, step.rough), step._left_out_of_slope(t), step.v_sizes[0][1], *step.watched_sizes
    left_out, of_slope, derivative, *watched = (a.high / unit for a in numbers)
    rings = [[r.low / unit for r in ring] for ring in step.rings]
    _, speed, phase = (c.m / unit for c in step.start.centre)
    return Bounds(step.rho.low / unit, step.rough, rings, phase, speed, left_out, of_slope, derivative, watched)


@pytest.mark.parametrize("of", [of_prover, of_checker])
def test_what_a_step_leaves_out_is_bounded(orbit, theorem, of, monkeypatch, tmp_path):
    of(orbit, theorem, monkeypatch, tmp_path).hold()


def halved(function, of):
    """Return a function or method whose result is a half."""

    def half(*given):
        found = function(*given)
        rows = found if isinstance(found, list) else [found]
        rows = [a / ball(2) if of is of_prover else a.over(2) for a in rows]
        return rows if isinstance(found, list) else rows[0]

    return half


def then_halved(function, name, of):
    """Return a method behind which an attribute is a half."""

    def method(step, *given):
        found = function(step, *given)
        rows = getattr(step, name)
        half = halved(lambda row: row, of)
        setattr(step, name, [half(row) for row in rows])
        return found

    return method


MUTATIONS = {
    "series": (of_prover, "_left_out", None),
    "slopes": (of_prover, "_left_out_of_slope", None),
    "boundaries": (of_prover, "_sizes_of_watches", None),
    "derivatives": (of_prover, "_prove_domain", "_v_sizes"),
    "series of the checker": (of_checker, "_left_out", None),
    "slopes of the checker": (of_checker, "_left_out_of_slope", None),
    "boundaries of the checker": (of_checker, "_see", "watched_sizes"),
    "derivatives of the checker": (of_checker, "_domain", "v_sizes"),
}


@pytest.mark.parametrize("mutation", MUTATIONS)
def test_a_half_of_what_is_left_out_is_seen_to_be_too_little(orbit, theorem, mutation, monkeypatch, tmp_path):
    of, method, attribute = MUTATIONS[mutation]
    owner = chart_flow.Step if of is of_prover else check_step.Step
    own = getattr(owner, method)
    monkeypatch.setattr(owner, method, halved(own, of) if attribute is None else then_halved(own, attribute, of))
    bounds = of(orbit, theorem, monkeypatch, tmp_path)
    with pytest.raises(AssertionError):
        bounds.hold()


def test_the_noise_of_a_point_is_all_that_is_not_known_of_it():
    """A point 1 +- 1/4, 2 +- 1/2 whose noise was 1/8 in the first place, and is carried to both."""
    before, by = [[Fraction(1, 8), 0], [0, 0]], [[1, 0], [2, 1]]
    with working(80, 20):
        known = [ball(1, ball(0.25)), ball(2, ball(0.5))]
        made = [matrix([[ball(float(a)) for a in row] for row in rows]) for rows in (before, by)]
        centre, noise = chart_flow.with_noise(known, [made[0]], made[1])
        box = [[float(end) for end in ends(a)] for a in chart_flow.around(centre, noise)]
    Ball.bits = 80
    known = [Ball(1 << 80, 1 << 78), Ball(2 << 80, 1 << 79)]
    made = [[[Ball(int(a * 2**80)) for a in row] for row in rows] for rows in (before, by)]
    checked = check_step.around(*check_step.with_noise(known, [made[0]], made[1]))
    for found in (box, [[a.low / 2.0**80, a.high / 2.0**80] for a in checked]):
        assert found == [pytest.approx([0.625, 1.375], abs=1e-8), pytest.approx([1.25, 2.75], abs=1e-8)]
        assert found[0][0] <= 0.625
        assert found[1][1] >= 2.75


def test_rings_that_are_too_small_are_refused_by_the_checker(theorem, tmp_path):
    """Each but the first: the inequality is one of every state that moves. In the first one initial states vary."""
    file = theorem("impact").save(tmp_path / "impact.json")
    certificate = json.loads(file.read_text())
    for k in range(1, len(certificate["unique"]["legs"][0]["steps"][0]["rings"])):
        changed = json.loads(file.read_text())
        rings = changed["unique"]["legs"][0]["steps"][0]["rings"]
        rings[k] = [[97 * m, e - 7] for m, e in rings[k]]  # three quarters
        (tmp_path / "changed.json").write_text(json.dumps(changed))
        with pytest.raises(RefusedError, match=r"the states may leave their discs|outside of the one before"):
            check(tmp_path / "changed.json")


def with_dip(g, t, x, p, chart):
    own_boundaries(g, t, x, p, chart)
    g[4] = p[5] - x[1]


def kinked(xdot, t, x, p, chart):
    own_field(xdot, t, x, p, chart)
    if x[0] < -0.3:
        xdot[1] = xdot[1] + 0.0 * p[5]


def changed(**given):
    """The impact oscillator with a parameter `limit` and other functions."""
    base = oscillator.MODEL
    parameters = Records(*base.parameters, Parameter("limit", 10.0))
    return dataclasses.replace(base, name="changed", parameters=parameters, source="", **given)


@pytest.mark.members(1)
@pytest.mark.parametrize("dropped", ["watch", "guard"])
def test_what_the_prover_would_not_watch_it_would_prove(dropped, monkeypatch):
    """So the refusals of these two models are what shows that nothing is dropped."""
    records = Records(*oscillator.MODEL.boundary_records, Boundary("dip", touch="ignore"))
    models = {"watch": {"boundaries": with_dip, "boundary_records": records}, "guard": {"vector_field": kinked}}
    model = changed(**models[dropped])
    orbit = hybridsim.find_orbit(model, section="period", initial={"x": -0.542445, "v": 0.0218037})
    orbit = dataclasses.replace(orbit, config=with_values(orbit.config, {"parameters.limit": 0.2}))
    with pytest.raises(NotProvenError, match="dip" if dropped == "watch" else r"test_tails\.py:\d+"):
        hybridsim.prove(orbit)
    own = Chain._watches
    kept = {"watch": lambda name: name != "dip", "guard": lambda name: "test_tails.py" not in name}[dropped]
    monkeypatch.setattr(Chain, "_watches", lambda *given: tuple(w for w in own(*given) if kept(w.name)))
    assert hybridsim.prove(orbit).stable


DROPPED = {
    "what a branch of the transition has to be": lambda leg, steps: leg["reset_guards"].pop(),
    "what a branch on parameters has to be": lambda leg, steps: leg["constant_guards"].pop(),
    "what is watched": lambda leg, steps: leg["watches"].pop(),
    "the signs of what is watched": lambda leg, steps: steps[2]["pieces"].pop(),
    "a piece of time": lambda leg, steps: steps[2]["pieces"][1].pop(),
    "a step": lambda leg, steps: steps.pop(2),
    "the last step": lambda leg, steps: steps.pop(),
}


@pytest.mark.members(3)
@pytest.mark.parametrize("part", ["unique", pytest.param("sharp", marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("dropped", DROPPED)
def test_a_certificate_without_one_of_its_parts_does_not_hold(theorem, dropped, part, tmp_path):
    file = theorem("wheel").save(tmp_path / "wheel.json")
    certificate = json.loads(file.read_text())
    DROPPED[dropped](certificate["legs"][0], certificate[part]["legs"][0]["steps"])
    file.write_text(json.dumps(certificate))
    with pytest.raises(RefusedError):
        check(file)

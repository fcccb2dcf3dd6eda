"""What a proof rests on: sets contain what they have to, and a step that is left out is missed."""

import math
from dataclasses import replace
from fractions import Fraction

import mpmath
import numpy as np
import pytest

import hybridsim
from hybridsim.graph import Graph, Program
from hybridsim.model.parameters import pack_parameters
from hybridsim.proofs import NotProvenError, balls
from hybridsim.proofs.balls import DISCS, REALS, SERIES, Disc, ball, coefficients, ends, series, working
from hybridsim.proofs.chart_flow import Step
from hybridsim.proofs.check import check
from hybridsim.proofs.check_discs import sizes_on_discs
from hybridsim.proofs.check_numbers import Ball as Checked
from hybridsim.proofs.check_numbers import RefusedError
from hybridsim.proofs.check_programs import Expressions
from hybridsim.proofs.enclosure import Accuracy, Enclosure, below, tidy
from hybridsim.proofs.float_discs import FUNCTIONS as FLOAT_DISCS
from hybridsim.proofs.float_discs import sizes_of
from hybridsim.proofs.legs import Chain
from hybridsim.proofs.multipliers import count
from hybridsim.proofs.shooting import Box, period
from hybridsim.proofs.system import System

FUNCTIONS = ("sqrt", "exp", "log", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh")
ACCURACY = Accuracy(80, 20, 1e-12)


@pytest.fixture(autouse=True)
def many_digits():
    with mpmath.workdps(50), working(120, 12):
        yield


def exact(value):
    return mpmath.mpf(value.numerator) / value.denominator


def is_in(value, a):
    low, high = ends(a)
    return exact(low) <= value <= exact(high)


@pytest.mark.members(4)
@pytest.mark.parametrize("count", [40, pytest.param(1000, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_of_sets_contain_those_of_their_points(name, count):
    chance, reference = np.random.default_rng(3), getattr(mpmath, name)
    for _ in range(count):
        at = chance.uniform(0.05, 0.6) if name in ("sqrt", "log") else chance.uniform(-0.6, 0.6)
        reach = 0.9 * chance.uniform() * min(abs(at), 0.3)
        found = REALS[name](ball(at, ball(reach)))
        disc = DISCS[name](Disc(ball(at), ball(reach)))
        for angle in chance.uniform(0.0, 2.0 * math.pi, 6):
            assert is_in(reference(at + mpmath.mpf(reach) * mpmath.cos(angle)), found)
            point = at + mpmath.mpf(reach) * mpmath.expjpi(angle / math.pi)
            away = abs(reference(point) - reference(mpmath.mpf(at)))
            assert away <= exact(ends(disc.r)[1]) * (1 + mpmath.mpf(10) ** -25)
    along = SERIES[name](series([ball(0.3), ball(0.7)], 8))
    known = mpmath.taylor(lambda t: reference(mpmath.mpf(0.3) + mpmath.mpf(0.7) * t), 0, 7)
    assert all(abs(value - exact(ends(c)[0])) < 1e-20 for value, c in zip(known, coefficients(along, 8), strict=True))


def test_products_and_quotients_of_discs_contain_those_of_their_points():
    chance = np.random.default_rng(4)
    for _ in range(60):
        (a, b), (r, s) = chance.uniform(0.5, 2.0, 2), chance.uniform(0.0, 0.4, 2)
        first, second = Disc(ball(a), ball(r)), Disc(ball(-b), ball(s))
        points = a + r * np.exp(1j * chance.uniform(0, 7, 20)), -b + s * np.exp(1j * chance.uniform(0, 7, 20))
        for found, values in (
            (first * second, points[0] * points[1]),
            (first / second, points[0] / points[1]),
            (first - second, points[0] - points[1]),
            (DISCS["power"](second, 3), points[1] ** 3),
        ):
            assert (abs(values - float(found.c)) <= float(found.r) * (1.0 + 1e-12)).all()


@pytest.mark.members(8)
@pytest.mark.parametrize("name", [*FUNCTIONS, "power", "over", "what cancels"])
def test_bounds_on_discs_about_points_hold_for_their_points(name):
    """Of both the prover and the checker: points of the discs, in the complex plane."""
    graph, chance = Graph(), np.random.default_rng(6)
    x, y = graph.input("x"), graph.input("y")
    mixed = graph.add(graph.mul(x, y), graph.sub(x, graph.const(0.25)))
    made = {
        "power": lambda: graph.power(mixed, 3),
        "over": lambda: graph.div(y, mixed),
        "what cancels": lambda: graph.sub(graph.mul(mixed, mixed), graph.mul(x, mixed)),
    }
    node = made[name]() if name in made else graph.apply(name, mixed)
    direct = {
        "power": lambda m, x, y: m**3,
        "over": lambda m, x, y: y / m,
        "what cancels": lambda m, x, y: m * m - x * m,
    }
    function = direct.get(name, lambda m, x, y: getattr(mpmath, name)(m))
    program, tape = Program(graph, [node]), Expressions()
    ours = tape.program(tape.read({"lines": _lines(program), "results": program.results}, {}))
    for _ in range(10):
        centre, radius = chance.uniform([0.5, 0.2], [0.6, 0.4]), chance.uniform(0.001, 0.05, 2)
        discs = [(ball(c), ball(r)) for c, r in zip(centre, radius, strict=True)]
        bound = exact(ends(balls.upper(sizes_of(program, ["x", "y"])(discs, {}, balls.PAIRS)[0]))[1])
        fixed = {name: Checked.of_float(c) for name, c in zip("xy", centre, strict=True)}
        (other,) = sizes_on_discs(ours, fixed, ["x", "y"], [Checked.of_float(r) for r in radius])
        roughly = sizes_of(program, ["x", "y"])(list(zip(centre, radius, strict=True)), {}, FLOAT_DISCS)[0]
        assert float(bound) == pytest.approx(roughly, rel=1e-9)
        assert other.high / 2**Checked.bits == pytest.approx(roughly, rel=1e-9)
        for angles in chance.uniform(0.0, 2.0, (12, 2)):
            z = [
                mpmath.mpf(c) + mpmath.mpf(r) * mpmath.expjpi(a) for c, r, a in zip(centre, radius, angles, strict=True)
            ]
            assert abs(function(z[0] * z[1] + z[0] - 0.25, *z)) <= bound


def _lines(program):
    return [[word, float(a[0]).hex()] if word == "const" else [word, *a] for word, *a in program.instructions]


def test_what_is_left_out_of_a_series_is_bounded(orbit):
    """A geometric series is the largest that the bound allows: half of the bound would be too little."""
    chain = chain_of(orbit("wheel"))
    system = System(chain, Accuracy(120, 12, 1e-9), [ball(0), ball(0)])
    start = Box([ball(v) for v in orbit("wheel").found.x0[:2]], (0, 1), [ball(0), ball(0)], []).ensemble()
    step = system.step(chain.legs[0], start, ball(0.1))
    (rho, _), t = ends(step.rho), Fraction(1, 64)
    share = t / rho
    rest = share**step.order / (1 - share)
    slope = sum(k * share ** (k - 1) for k in range(step.order, 400)) / rho
    moment = ball(1) / 64
    assert rest <= ends(step._left_out(moment))[1] <= rest * Fraction(101, 100)
    assert slope <= ends(step._left_out_of_slope(moment))[1] <= slope * Fraction(101, 100)


def chain_of(orbit, varied=""):
    return Chain(orbit, pack_parameters(orbit.model, dict(orbit.config.parameters)), varied)


class TestImages:
    """States of a box, carried by the formulas of the linear oscillator."""

    OMEGA, AMPLITUDE, GAP, E = (mpmath.mpf(value) for value in (2.2, 0.6, 0.1, 0.8))
    TURN = mpmath.mpf(2.0 * math.pi)

    def flow(self, t, x, v, phase):
        a = self.AMPLITUDE / (1 - self.OMEGA**2)
        c, s = x - a * mpmath.cos(phase), v + a * self.OMEGA * mpmath.sin(phase)
        angle = self.OMEGA * t + phase
        return (
            c * mpmath.cos(t) + s * mpmath.sin(t) + a * mpmath.cos(angle),
            -c * mpmath.sin(t) + s * mpmath.cos(t) - a * self.OMEGA * mpmath.sin(angle),
            angle,
        )

    def image(self, x, v, phase, guess):
        """Return the state after an impact and the end of the force's period, and the times of both."""
        hit = mpmath.findroot(lambda t: self.flow(t, x, v, phase)[0] - self.GAP, guess)
        _, speed, angle = self.flow(hit, x, v, phase)
        rest = (self.TURN - angle) / self.OMEGA
        x, v, _ = self.flow(rest, self.GAP, -self.E * speed, angle)
        return (x, v, mpmath.mpf(0)), (hit, hit + rest)

    @pytest.mark.parametrize("count", [60, pytest.param(1000, marks=pytest.mark.exhaustive)])
    def test_images_times_and_derivatives_of_states_of_a_box_are_enclosed(self, orbit, count):
        found_orbit, chance = orbit("impact"), np.random.default_rng(11)
        chain, at = chain_of(found_orbit), found_orbit.found.x0
        reach = [2e-5, 1e-5, 2e-5]
        box = Box([ball(v) for v in at], (0, 1, 2), [ball(r) for r in reach], [])
        with working(ACCURACY.bits, ACCURACY.order):
            found = period(chain, box, ACCURACY)
            slopes = balls.rows_of(found.end.v)
        guess = float(found.moments[0])
        for k in range(count):
            state = [
                mpmath.mpf(a) + r * mpmath.mpf(d) for a, r, d in zip(at, reach, chance.uniform(-1, 1, 3), strict=True)
            ]
            end, (hit, end_time) = self.image(*state, guess)
            assert all(is_in(value, enclosure) for value, enclosure in zip(end, found.end.x, strict=True))
            assert is_in(hit, found.moments[0])
            assert is_in(end_time, found.moments[-1])
            if k < 10:
                step = mpmath.mpf(10) ** -20
                for j in range(3):
                    moved = [value + (step if i == j else 0) for i, value in enumerate(state)]
                    change = [(b - a) / step for a, b in zip(end, self.image(*moved, guess)[0], strict=True)]
                    # within the error of the difference quotient
                    assert all(
                        is_in(d, balls.ball(e, ball(1e-15)))
                        for d, e in zip(change, (row[j] for row in slopes), strict=True)
                    )

    def test_second_derivatives_of_states_of_a_box_are_enclosed(self, orbit):
        """Beside second differences of the formulas, whose error is that of their fourth derivatives."""
        found_orbit, chance = orbit("impact"), np.random.default_rng(12)
        chain, at, reach = chain_of(found_orbit), found_orbit.found.x0, [2e-5, 1e-5, 2e-5]
        box = Box([ball(v) for v in at], (0, 1, 2), [ball(r) for r in reach], [])
        with working(ACCURACY.bits, ACCURACY.order):
            found = period(chain, box, replace(ACCURACY, second=12))
        guess = float(found.moments[0])
        second, step = [balls.rows_of(each) for each in found.end.second], mpmath.mpf(10) ** -12
        assert all(balls.radius(entry) < 0.1 for each in second[:2] for row in each for entry in row)
        for _ in range(4):
            state = [
                mpmath.mpf(a) + r * mpmath.mpf(d) for a, r, d in zip(at, reach, chance.uniform(-1, 1, 3), strict=True)
            ]
            for j, k in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)):
                ends = [
                    self.image(*(v + step * (a * (i == j) + b * (i == k)) for i, v in enumerate(state)), guess)[0]
                    for a, b in ((1, 1), (1, -1), (-1, 1), (-1, -1))
                ]
                for i in range(3):
                    value = (ends[0][i] - ends[1][i] - ends[2][i] + ends[3][i]) / (4 * step**2)
                    assert is_in(value, ball(second[i][j][k], ball(1e-15)))

    def test_what_is_left_out_is_enclosed_where_it_is_large(self, orbit):
        """Four coefficients, and half a radius of convergence: most of a box is what the series lack."""
        chain, chance, at = chain_of(orbit("impact")), np.random.default_rng(5), orbit("impact").found.x0
        reach = [1e-2, 1e-2, 1e-2]
        box = Box([ball(v) for v in at], (0, 1, 2), [ball(r) for r in reach], [])
        with working(120, 4):
            step = System(chain, Accuracy(120, 4, 1e-3), box.deviations).step(chain.legs[0], box.ensemble(), ball(0.5))
            t = balls.middle(step.rho / 2)
            there, flow = step.ensemble(t).x, balls.rows_of(step.flow(t))
        moment = exact(ends(t)[0])
        for _ in range(100):
            state = [
                mpmath.mpf(a) + r * mpmath.mpf(d) for a, r, d in zip(at, reach, chance.uniform(-1, 1, 3), strict=True)
            ]
            assert all(is_in(value, a) for value, a in zip(self.flow(moment, *state), there, strict=True))
            tiny = mpmath.mpf(10) ** -25
            for j in range(3):
                moved = [value + (tiny if i == j else 0) for i, value in enumerate(state)]
                ends_of = self.flow(moment, *state), self.flow(moment, *moved)
                change = [(b - a) / tiny for a, b in zip(*ends_of, strict=True)]
                assert all(is_in(d, ball(row[j], ball(1e-20))) for d, row in zip(change, flow, strict=True))

    def test_the_bounds_of_derivatives_are_those_of_cauchy(self, orbit):
        """Of states that go no further than D_i from discs of R_0,j: D_i / R_0,j, a function of modulus D_i at most."""
        chain, at = chain_of(orbit("impact")), orbit("impact").found.x0
        box = Box([ball(v) for v in at], (0, 1, 2), [ball(0)] * 3, [])
        with working(ACCURACY.bits, ACCURACY.order):
            accuracy = replace(ACCURACY, second=12)
            step = System(chain, accuracy, box.deviations).step(chain.legs[0], box.ensemble(True), ball(0.5))
            rest = ends(step._left_out(step.rho / 2, 12))[1]
            bent = balls.rows_of(step.second(step.rho / 2)[0])
        first, last = ([float(r) for r in step.rings[k]] for k in (0, -1))
        for j in range(3):
            assert float(step._v_sizes[0][j]) == pytest.approx((last[0] - first[0]) / first[j], rel=1e-9)
            for k in range(3):
                size = (1 + (j == k)) * (last[0] - first[0]) / (first[j] * first[k]) * float(rest)
                assert float(balls.radius(bent[j][k])) == pytest.approx(size, rel=1e-3)

    def test_the_centre_s_image_is_enclosed_where_little_is_known_of_it(self, orbit):
        chain, at = chain_of(orbit("impact")), orbit("impact").found.x0
        box = Box([ball(v) for v in at], (0, 1, 2), [ball(r) for r in (1e-4, 1e-4, 1e-4)], [])
        rough = Accuracy(80, 8, 1e-9)
        with working(rough.bits, rough.order):
            found = period(chain, box, rough)
        image, _ = self.image(*map(mpmath.mpf, at), float(found.moments[0]))
        spreads = [balls.radius(a) for a in found.end.near]
        assert all(1e-9 < float(spread) < 1e-4 for spread in spreads[:2])
        assert all(is_in(value, a) for value, a in zip(image, found.end.near, strict=True))


def test_a_number_is_printed_with_what_is_proven_of_it():
    third = Enclosure(Fraction(1, 3) - Fraction(1, 10**9), Fraction(1, 3) + Fraction(1, 10**9))
    text, _, reach = str(third).partition(" +/- ")
    assert Fraction(text) - Fraction(reach) <= third.low <= third.high <= Fraction(text) + Fraction(reach)
    assert Fraction(reach) < Fraction(2, 10**9)
    assert (1 / 3 in third, 0.34 in third) == (True, False)
    assert below(Fraction(1, 3)) == 0.333
    chance = np.random.default_rng(2)
    for centre, size in zip(chance.normal(size=(50, 2)), 10.0 ** chance.uniform(-13, -1, 50), strict=True):
        disc = tidy(complex(*centre), size)
        assert abs(disc.centre - complex(*centre)) + size <= disc.radius <= 1.5 * size


def test_multipliers_of_overlapping_discs_are_counted_together():
    discs = [tidy(z, r) for z, r in ((0.99, 0.1), (0.85, 0.1), (0.2, 0.1), (2.0, 0.1))]
    assert count(discs) == (1, 1, 2)  # that at 0.85 overlaps one that is not decided


@pytest.mark.parametrize("dropped", ["watching", "tail"])
def test_a_proof_without_one_of_its_parts_is_not_accepted(orbit, dropped, monkeypatch, tmp_path):
    """Mutations of the prover, which the checker shows; test_refusals has the models for those of a watch."""
    if dropped == "watching":
        monkeypatch.setattr(
            "hybridsim.proofs.shooting.watch_step", lambda step, k, sign, until, since=None: (sign.POSITIVE, [])
        )
    else:
        left_out = Step._left_out
        monkeypatch.setattr(Step, "_left_out", lambda step, t, length=0: left_out(step, t, length) * 0)
    file = hybridsim.prove(orbit("wheel")).save(tmp_path / "wheel.json")
    with pytest.raises(RefusedError, match="is not watched to the end of a step" if dropped == "watching" else "."):
        check(file)


def test_nothing_is_proven_of_a_state_that_does_not_return(orbit):
    wheel = orbit("wheel")
    away = replace(wheel, found=replace(wheel.found, x0=wheel.found.x0 + np.array([0.0, 0.05, 0.0])))
    with pytest.raises(NotProvenError, match=r"no box of states|s after the section"):
        hybridsim.prove(away)

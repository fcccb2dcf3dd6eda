"""Periodic motions found by `find_orbit`, against numbers of an independent program (events to rounding, derivatives by
complex steps), and against closed forms."""

import inspect
import math

import numpy as np
import pytest
from map_model import LOGISTIC, MODEL

import hybridsim
from hybridsim import NoOrbitError, analysis
from hybridsim.errors import ConfigError

WALKER = {  # slope, gait: theta, thetadot, phidot, period, multipliers
    (0.009, "long"): (0.200310900544247, -0.199832473004952, -0.015822999948309, 3.88246375285137,
                      (-0.190099841065888 + 0.557598776682068j, -0.190099841065888 - 0.557598776682068j)),
    (0.009, "short"): (0.193937369810182, -0.203866927442007, -0.015144260853192, 3.09610586807816,
                       (4.00386435892971, 0.459589589797672)),
    (0.004, "long"): (0.153389564876237, -0.156080146675682, -0.007287197449124, 3.85261346175099,
                      (0.228889962888461 + 0.59115519468348j, 0.228889962888461 - 0.59115519468348j)),
    (0.004, "short"): (0.148778386969620, -0.158806673457606, -0.006978654498992, 3.11650559834802,
                       (3.21276938763344, 0.591552246984456)),
    (0.001, "long"): (0.096909674971902, -0.100228214844566, -0.001876697529509, 3.82800336409574,
                      (0.548136930875293 + 0.388832010306335j, 0.548136930875293 - 0.388832010306335j)),
    (0.015, "long"): (0.236712184959424, -0.231546131237267, -0.025467246411233, 3.91200393642160,
                      (-0.980464398334417, -0.30419865500824)),
    (0.018, "long"): (0.251174345375524, -0.243500674358222, -0.030083505076431, 3.92538840189404,
                      (-1.54044652531255, -0.18031939809724)),
}  # fmt: skip
COMPASS = {  # slope [degrees]: theta_st, thetadot_st, thetadot_sw, period [s], multipliers
    0.5: (-0.1480605996561, 0.7136182149893, 0.5833271567220, 0.6949001653279,
          (0.457483606486 + 0.284788318071j, 0.457483606486 - 0.284788318071j, 0.300004190098)),
    3.0: (-0.271028680498821, 1.092383589883602, 0.377373948907195, 0.734346391158719,
          (-0.199726126830 + 0.544476062095j, -0.199726126830 - 0.544476062095j, 0.131572624077)),
    5.0: (-0.3226218423046, 1.1689339807206, 0.0479425267744, 0.7616333648443,
          (-1.540823954411, -0.187593861880, 0.097139281049)),
}  # fmt: skip
RUNNER = {  # angle of attack [degrees], apex near [m]: apex height, multiplier, period [s], stride length [m]
    (67.0, 0.96): (0.95956870734729, 0.441405102054, 0.336530463340, 1.687927523668),
    (67.0, 1.21): (1.21435791020840, 1.437226410647, 0.671950812026, 3.013737413133),
    (68.0, 0.94): (0.94026714437961, -0.161307631037, 0.252532613818, 1.277642721819),
    (69.0, 0.94): (0.93737171741841, -1.213138206309, 0.197524147543, 1.001505077345),
}
RUNNER_ENERGY = 80.0 * (9.81 + 12.5)  # [J]: 5 m/s at a height of 1 m


@pytest.mark.parametrize(("slope", "gait"), WALKER)
def test_the_simplest_walker_has_the_known_gaits(slope, gait):
    theta, thetadot, phidot, period, multipliers = WALKER[slope, gait]
    guess = {"theta": 1.003 * theta, "phi": 2.0 * theta, "thetadot": 0.998 * thetadot, "phidot": phidot}
    orbit = hybridsim.find_orbit(
        "simplest_walker", parameters={"slope": slope}, section="heelstrike", initial=guess, strides=1
    )
    found = [orbit.x[name] for name in ("theta", "phi", "thetadot", "phidot")]
    np.testing.assert_allclose(found, [theta, 2.0 * theta, thetadot, phidot], atol=1e-11)
    assert orbit.period == pytest.approx(period, abs=1e-11)
    np.testing.assert_allclose(orbit.multipliers, multipliers, atol=3e-9)
    assert orbit.stable == (max(abs(m) for m in multipliers) < 1.0)
    assert [name for event in orbit.events for name in event.boundaries] == ["passing", "heelstrike"]


@pytest.mark.parametrize("degrees", COMPASS)
@pytest.mark.parametrize("unit", [1.0, 1000.0])
def test_the_compass_gait_walks_as_known_in_metres_and_millimetres(degrees, unit):
    angle, rate_st, rate_sw, period, multipliers = COMPASS[degrees]
    guess = {"theta_st": angle, "theta_sw": -1.01 * angle, "thetadot_st": 0.99 * rate_st, "thetadot_sw": rate_sw}
    lengths = {"a": 0.5 * unit, "b": 0.5 * unit, "g": 9.81 * unit}
    orbit = hybridsim.find_orbit(
        "compass_gait", parameters={"slope": math.radians(degrees)} | lengths, section="heelstrike", initial=guess
    )
    found = [orbit.x[name] for name in ("theta_st", "theta_sw", "thetadot_st", "thetadot_sw")]
    np.testing.assert_allclose(found, [angle, -angle, rate_st, rate_sw], atol=2e-11)
    assert orbit.period == pytest.approx(period, abs=2e-11)
    np.testing.assert_allclose(orbit.multipliers, multipliers, atol=1e-9)


@pytest.mark.parametrize(("degrees", "near"), RUNNER)
def test_the_runner_has_the_known_apex_map(degrees, near):
    height, multiplier, period, length = RUNNER[degrees, near]
    orbit = hybridsim.find_orbit(
        "slip",
        parameters={"hold_touchdown_angle": 1},
        section="apex",
        initial={"y": near, "xdot": 5.1, "touchdown_angle": -math.radians(90.0 - degrees)},
        fixed={"energy": RUNNER_ENERGY},
    )
    assert orbit.x["y"] == pytest.approx(height, abs=1e-10)
    assert orbit.period == pytest.approx(period, abs=1e-10)
    assert orbit.displacement == {"x": pytest.approx(length, abs=1e-10)}
    np.testing.assert_allclose(orbit.multipliers, [multiplier], atol=1e-9)
    assert orbit.kept == ("touchdown_angle",)


@pytest.mark.members
@pytest.mark.parametrize("begin", [0.0, 1e6])
@pytest.mark.parametrize("fixed", ["y", "xdot", "energy"])
@pytest.mark.parametrize(("degrees", "near"), RUNNER)
def test_the_multipliers_of_one_orbit_are_the_same_whatever_is_fixed_at_any_time(degrees, near, fixed, begin):
    asked = {"model": "slip", "section": "apex", "parameters": {"hold_touchdown_angle": 1}, "initial_time": begin}
    asked |= {"tolerance": 1e-10 if begin == 0.0 else 1e-7}  # t has a spacing of 1e-10 s at 1e6 s
    guess = {"y": near, "xdot": 5.1, "touchdown_angle": -math.radians(90.0 - degrees)}
    orbit = hybridsim.find_orbit(**asked, initial=guess, fixed={"energy": RUNNER_ENERGY})
    value = orbit.characteristics[f"{fixed}.after(apex)"]
    other = hybridsim.find_orbit(**asked, initial=dict(orbit.x), fixed={fixed: value})
    assert other.x["y"] == pytest.approx(orbit.x["y"], abs=1e-9 if begin == 0.0 else 1e-6)
    np.testing.assert_allclose(other.multipliers, [RUNNER[degrees, near][1]], atol=1e-7 if begin == 0.0 else 1e-4)
    family = hybridsim.find_orbit(**asked, initial=dict(orbit.x))
    assert family.family == 1
    assert other.stable == orbit.stable == family.stable
    expected = sorted([RUNNER[degrees, near][1], 1.0])
    np.testing.assert_allclose(sorted(family.multipliers.real), expected, atol=1e-7 if begin == 0.0 else 1e-4)


@pytest.mark.parametrize(
    ("method", "rtol"), [("dop853", 1e-8), ("dp5", 1e-8), ("dp5", 1e-7), ("tsit5", 1e-8), ("series", 1e-8)]
)
def test_a_family_is_told_from_the_error_of_the_steps(method, rtol):
    orbit = hybridsim.find_orbit(
        "slip",
        section="apex",
        parameters={"hold_touchdown_angle": 1},
        initial={"y": 0.96, "xdot": 5.1, "touchdown_angle": -math.radians(23.0)},
        fixed={"energy": RUNNER_ENERGY},
        method=method,
        rtol=rtol,
        atol=0.1 * rtol,
        tolerance=1e-5,
    )
    assert orbit.stable
    np.testing.assert_allclose(orbit.multipliers, [RUNNER[67.0, 0.96][1]], atol=1e-3)


@pytest.mark.parametrize(
    ("values", "leg", "speed", "height", "multiplier"),
    [  # P. Bhounsule, slipHopper (printed to these digits)
        ({"body_mass": 1, "k": 100}, 10.0, 1.017450873821607, 1.182441943200824, 3.8959535283187),
        ({"body_mass": 100, "k": 10000}, 5.0, 0.513806075894, 1.238312718077, 4.180740889126),
    ],
)
def test_two_hoppers_have_their_published_orbits(values, leg, speed, height, multiplier):
    mass = values["body_mass"]
    orbit = hybridsim.find_orbit(
        "slip",
        parameters=values | {"g_stance": 10.0, "g_flight": 10.0, "hold_touchdown_angle": 1},
        section="apex",
        initial={"y": 1.003 * height, "xdot": speed, "touchdown_angle": -math.radians(leg)},
        fixed={"energy": mass * (10.0 * height + 0.5 * speed**2)},
    )
    assert orbit.x["y"] == pytest.approx(height, abs=1e-9)
    assert orbit.x["xdot"] == pytest.approx(speed, abs=1e-9)
    np.testing.assert_allclose(orbit.multipliers, [multiplier], atol=1e-8)


@pytest.mark.members(2)
@pytest.mark.parametrize(("n", "slope"), [(8, 0.08), (10, 0.05)])
@pytest.mark.parametrize("inertia", [0.0, 0.3])
def test_the_rimless_wheel_has_its_closed_form(n, slope, inertia):
    alpha, mass, length, g = math.pi / n, 2.0, 0.7, 9.81
    total = mass * length**2 + inertia
    eta = (mass * length**2 * math.cos(2.0 * alpha) + inertia) / total
    drop = 4.0 * mass * g * length / total * math.sin(alpha) * math.sin(slope)
    orbit = hybridsim.find_orbit(
        "rimless_wheel",
        parameters={"n": n, "slope": slope, "l": length, "g": g, "m": mass, "I": inertia},
        section="strike_forward",
        initial={"theta": slope - alpha, "thetadot": 1.3 * math.sqrt(drop)},
    )
    assert orbit.x["thetadot"] == pytest.approx(eta * math.sqrt(drop / (1.0 - eta**2)), abs=1e-10)
    np.testing.assert_allclose(orbit.multipliers, [eta**2], atol=1e-10)


def test_a_family_is_met_at_its_nearest_member():
    guess = {"y": 0.95, "xdot": 5.1}
    orbit = hybridsim.find_orbit("slip", parameters={"hold_touchdown_angle": 1}, section="apex", initial=guess)
    assert orbit.family == 1
    assert np.abs(orbit.multipliers - 1.0).min() < 1e-9
    assert orbit.stable


@pytest.mark.parametrize(("model", "section"), [("simplest_walker", "heelstrike"), ("compass_gait", "heelstrike")])
def test_multipliers_agree_with_differences_of_the_map(model, section):
    orbit = hybridsim.find_orbit(model, section=section)
    names, h = list(orbit.x), 1e-5

    def image(x):
        run = hybridsim.simulate(
            model, initial=dict(zip(names, x, strict=True)), final_time=9.0, stop=[(section, 1)], method="dop853",
            rtol=1e-12, atol=1e-13,
        )  # fmt: skip
        return run.x[-1]

    x = np.array(list(orbit.x.values()))
    columns = [(image(x + h * e) - image(x - h * e)) / (2.0 * h) for e in np.eye(len(x))]
    values = np.linalg.eigvals(np.array(columns).T)
    for multiplier in orbit.multipliers:
        assert np.abs(values - multiplier).min() < 1e-6


def test_a_state_of_an_isolated_orbit_cannot_be_fixed_elsewhere():
    guess = {"theta_sw": 0.27}
    with pytest.raises(hybridsim.NoOrbitError, match=r"it belongs to no family.*leave out `fixed`"):
        hybridsim.find_orbit("compass_gait", section="heelstrike", initial=guess, fixed={"theta_sw": 0.285})


def test_a_ball_that_comes_to_rest_has_no_orbit():
    with pytest.raises(hybridsim.NoOrbitError, match="strides become ever shorter"):
        hybridsim.find_orbit("bouncing_ball", section="floor")


def test_a_fixed_point_of_a_map_has_its_closed_form():
    orbit = hybridsim.find_orbit(MODEL, parameters={"map": LOGISTIC, "r": 2.8}, section="tick", initial={"u": 0.5})
    assert orbit.x["u"] == pytest.approx(1.0 - 1.0 / 2.8, abs=1e-14)
    np.testing.assert_allclose(orbit.multipliers, [2.0 - 2.8, 0.5], atol=1e-13)
    assert orbit.period == pytest.approx(1.0, abs=1e-14)


def test_a_period_of_two_strides_has_its_closed_form():
    r = 3.3
    roots = ((r + 1.0) + np.array([1.0, -1.0]) * math.sqrt((r - 3.0) * (r + 1.0))) / (2.0 * r)
    orbit = hybridsim.find_orbit(
        MODEL, parameters={"map": LOGISTIC, "r": r}, section="tick", initial={"u": 0.8}, strides=2
    )
    assert orbit.x["u"] == pytest.approx(roots[0], abs=1e-12)
    np.testing.assert_allclose(orbit.multipliers, [4.0 + 2.0 * r - r * r, 0.25], atol=1e-12)


def test_a_guess_that_falls_is_too_far():
    with pytest.raises(NoOrbitError, match=r"too far: .*fallen forwards.*start nearer") as caught:
        hybridsim.find_orbit("simplest_walker", section="heelstrike", initial={"thetadot": -2.2})
    assert caught.value.cause == "too far"


def test_a_section_that_is_never_reached_is_named():
    with pytest.raises(NoOrbitError, match=r"heelstrike.* is not reached within 1 s"):
        hybridsim.find_orbit("simplest_walker", section="heelstrike", max_time=1.0)


def test_where_two_orbits_have_vanished_the_cause_is_a_turning_point():
    with pytest.raises(NoOrbitError) as caught:  # u = u + r - u^2 has no fixed point for r < 0
        hybridsim.find_orbit(MODEL, parameters={"map": 3, "r": -0.01}, section="tick", initial={"u": 0.2})
    assert caught.value.cause == "turning point"


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"section": "heelstrik"}, "no boundary 'heelstrik'.*`heelstrike`"),
        ({"section": "heelstrike", "initial": {"thet": 0.2}}, "thet"),
        ({"section": "heelstrike", "fixed": {"energi": 1.0}}, "no state or output 'energi'"),
        ({"section": "heelstrike", "strides": 0}, "strides: .*1, found 0"),
        ({"section": "heelstrike", "strides": 1.5}, "strides: .*integer.*, found 1.5"),
        ({"section": "heelstrike", "strides": True}, "strides: .*integer.*, found True"),
        ({"section": "heelstrike", "symmetry": hybridsim.Symmetry(negate=["psi"])}, "no state 'psi'"),
    ],
)
def test_wrong_words_are_refused_with_what_there_is(wrong, message):
    with pytest.raises(ConfigError, match=message):
        hybridsim.find_orbit("simplest_walker", **wrong)


@pytest.mark.parametrize(
    ("function", "former", "now"),
    [
        (hybridsim.find_orbit, "guess", "initial"),
        (hybridsim.find_orbit, "x0", "initial"),
        (hybridsim.find_orbit, "period", "strides"),
        (hybridsim.continue_orbit, "max_period", "max_strides"),
        (hybridsim.basin, "threads", "workers"),
        (hybridsim.stability_map, "threads", "workers"),
    ],
)
def test_a_former_word_leads_to_the_present_one(function, former, now):
    with pytest.raises(ConfigError, match=f"{former}: there is no such keyword; it is called `{now}` here"):
        function(**{former: 1})


def test_every_function_of_the_analysis_explains_its_keywords():
    named = [getattr(analysis, name) for name in dir(analysis)]
    functions = [each for each in named if inspect.isfunction(each)]
    assert hybridsim.find_orbit in functions
    for function in functions:
        with pytest.raises(ConfigError, match="progres: there is no such keyword"):
            function(progres=1)


@pytest.mark.parametrize("wrong", [{}, {"boundary": "a", "time": 1.0}, {"time": -1.0}, {"boundary": "a", "when": "at"}])
def test_a_section_is_one_thing(wrong):
    with pytest.raises(ConfigError, match="section"):
        hybridsim.Section(**wrong)

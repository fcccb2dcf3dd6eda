"""Published problems, and what each scheme makes of their exact data, to six digits of independent programs."""

import numpy as np
import pytest

from hybridsim import identify

from .trials import CONFIGS, SINES, cart, found_in, free_gains, motion, sines, write


@pytest.fixture(scope="module")
def one_link(tmp_path_factory):
    return cart(1, tmp_path_factory.mktemp("one"), 10)


ONE_LINK = [
    ("euler", 1, [-5.4571056, 21.1490661, -4.1366761, 5.9044037], 2.069063e-3),
    ("euler", 2, [-6.1049892, 22.4248658, -4.5758659, 6.2474182], 8.069082e-3),
    ("midpoint", 1, [-4.7189798, 19.6739240, -3.6932616, 5.5693830], 6.164102e-7),
    ("trapezoid", 1, [-4.7192212, 19.6745327, -3.6933786, 5.5694781], 6.219684e-7),
    ("hermite-simpson", 1, [-4.7176428, 19.6708355, -3.6940214, 5.5711481], 1.798672e-14),
    ("hermite-simpson", 2, [-4.7176334, 19.6708175, -3.6940185, 5.5711481], 4.618805e-12),
]
"""Schemes, every which of 1,001 samples, gains and objectives: of a program in CasADi, and of one in Python."""


def agree(found, gains, objective):
    np.testing.assert_allclose([*found.parameters.values()], gains, rtol=2e-7, atol=2e-7)
    assert found.objective == pytest.approx(objective, rel=1e-5)
    assert found.confirmed or found.config.settings.collocation.scheme == "euler"


def test_the_exact_motion_of_one_link_ends_where_it_should(one_link):
    end = [0.4406215368, 0.2826599137, 0.2928674586, 0.0281411603]
    np.testing.assert_allclose(one_link.x[-1], end, atol=1e-10)


@pytest.mark.members(1)
@pytest.mark.parametrize(("scheme", "step", "gains", "objective"), ONE_LINK)
def test_the_gains_of_one_link_are_those_of_the_scheme(one_link, scheme, step, gains, objective):
    config = one_link.config(step=step, formula=scheme != "midpoint")  # whose inputs are means of both nodes'
    agree(identify(config, [f"collocation.scheme={scheme}"]), gains, objective)


TWO_LINKS = [
    pytest.param("euler", [-10.9133588, 37.3934687, 23.6763483], 3.076326e-3, marks=pytest.mark.exhaustive),
    ("midpoint", [-10.3990164, 39.1326844, 20.5519652], 7.794741e-7),
    ("hermite-simpson", [-10.4121406, 39.1642149, 20.5580043], 4.166e-14),
]


@pytest.fixture(scope="module")
def two_links(tmp_path_factory):
    return cart(2, tmp_path_factory.mktemp("two"), 20)


@pytest.mark.exhaustive  # slow; as above
@pytest.mark.members(1)
@pytest.mark.slow
@pytest.mark.parametrize(("scheme", "gains", "objective"), TWO_LINKS)
def test_the_first_gains_of_two_links_are_those_of_the_scheme(two_links, scheme, gains, objective):
    end = [0.0859982994, 0.0532148603, 0.0453536908, 0.2655314089, 0.0733154032, -0.0024881281]
    np.testing.assert_allclose(two_links.x[-1], end, atol=1e-10)
    found = identify(two_links.config(formula=scheme != "midpoint"), [f"collocation.scheme={scheme}"])
    np.testing.assert_allclose([*found.parameters.values()][:3], gains, rtol=2e-7, atol=2e-7)
    assert found.objective == pytest.approx(objective, rel=1e-5 if scheme != "hermite-simpson" else 1e-3)


PENDULUM = [
    pytest.param("euler", 9.85682, 24.90, marks=[pytest.mark.slow, pytest.mark.exhaustive]),
    pytest.param("midpoint", 10.0014773, 4.050570e-8, marks=pytest.mark.slow),
    pytest.param("hermite-simpson", 10.0000000, None, marks=pytest.mark.slow),
]


@pytest.mark.members(1)
@pytest.mark.parametrize(("scheme", "stiffness", "objective"), PENDULUM)
def test_the_stiffness_of_a_pendulum_is_that_of_the_scheme(tmp_path, scheme, stiffness, objective):
    t, x = motion(CONFIGS / "pendulum.py", "initial.theta=30 deg", duration=50, n=5000)
    np.testing.assert_allclose(x[-1], [-0.0527978104, 1.6283802724], atol=1e-9)
    write(tmp_path / "trial.csv", t=t, theta=x[:, 0], omega=x[:, 1])
    found = found_in(
        tmp_path,
        f"""
model: {CONFIGS / "pendulum.py"}
data: {{file: trial.csv}}
measured: {{theta: theta, omega: omega}}
free: {{stiffness: 20}}
""",
        f"collocation.scheme={scheme}",
    )
    assert found.parameters["stiffness"] == pytest.approx(stiffness, abs=5e-6 if scheme == "euler" else 2e-7)
    if objective is not None:
        assert found.objective == pytest.approx(objective, rel=3e-4 if scheme == "euler" else 1e-5)


STANDING = [
    ("midpoint", [9.4968102, 1.7532421, 1.8503910, 0.5005723, 0.4465459, 2.9031203, 0.6007384, 0.2603307], 5.020498e-7),
    ("hermite-simpson", [9.5, 1.75, 1.85, 0.5, 0.45, 2.9, 0.6, 0.26], 1.85e-14),
    pytest.param(
        "euler",
        [9.3450538, 1.8975494, 1.8795103, 0.4885596, 0.4093450, 2.9471873, 0.6315706, 0.2463136],
        3.464857e-4,
        marks=pytest.mark.exhaustive,
    ),
]


@pytest.fixture(scope="module")
def standing():
    gains = [950, 175, 185, 50, 45, 290, 60, 26]
    return motion(
        CONFIGS / "standing.py",
        f"inputs.a=0.3*({SINES})",
        f"parameters.gains={gains}",
        duration=20,
        n=2001,
    )


@pytest.mark.exhaustive  # slow; one link has its gains in the ordinary run
@pytest.mark.members(1)
@pytest.mark.slow
@pytest.mark.parametrize(("scheme", "gains", "objective"), STANDING)
def test_the_gains_of_standing_on_a_platform_are_those_of_the_scheme(standing, tmp_path, scheme, gains, objective):
    t, x = standing
    np.testing.assert_allclose(x[-1], [-0.0500316178, -0.0669184547, 0.1645746835, -0.0372102385], atol=1e-9)
    names = ["theta_a", "theta_h", "omega_a", "omega_h"]
    write(tmp_path / "trial.csv", t=t, **dict(zip(names, x.T, strict=True)), a=0.3 * sines(t))
    found = found_in(
        tmp_path,
        f"""
model: {CONFIGS / "standing.py"}
data: {{file: trial.csv}}
measured: {{{", ".join(f"{name}: {name}" for name in names)}}}
inputs: {{a: {"{column: a}" if scheme != "hermite-simpson" else f"'0.3*({SINES})'"}}}
free: {{{free_gains([0] * 8)}}}
""",
        f"collocation.scheme={scheme}",
    )
    digits = 6e-7 if scheme == "hermite-simpson" else 2e-7
    np.testing.assert_allclose(np.array([*found.parameters.values()]) / 100, gains, rtol=2e-7, atol=digits)
    assert found.objective == pytest.approx(objective, rel=1e-5 if scheme != "hermite-simpson" else 0.3)

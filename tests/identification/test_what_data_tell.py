"""What data say of parameters: standard errors, and what cannot be told apart."""

import numpy as np
import pytest

from hybridsim import identify, load_model, simulate

from .trials import CONFIGS, found_in, motion, write

LINEAR = """
from hybridsim import Model, Parameter, State

def vector_field(xdot, t, x, p, chart):
    xdot[0] = -p[0] * p[1] * x[0]

MODEL = Model(
    "decay",
    [State("x", 1.0)],
    vector_field=vector_field,
    parameters=[Parameter("rate", 1.0), Parameter("factor", 1.0), Parameter("idle", 1.0)],
)
"""
DECAY = """
model: ./decay.py
data: {file: trial.csv}
measured: {x: x}
free: {free}
"""


@pytest.fixture
def decay(tmp_path):
    t = np.linspace(0.0, 2.0, 41)
    write(tmp_path / "trial.csv", t=t, x=2.0 * np.exp(-1.5 * t))
    (tmp_path / "decay.py").write_text(LINEAR)
    return tmp_path


def test_parameters_that_enter_as_a_product_are_named(decay):
    found = found_in(decay, DECAY.replace("{free}", "{rate: 1, factor: 1}"))
    assert found.parameters["rate"] * found.parameters["factor"] == pytest.approx(1.5, rel=1e-6)
    assert found.notes == ("rate and factor cannot be told apart by these data",)
    assert [*found.standard_errors.values()] == [np.inf, np.inf]


def test_a_parameter_on_which_nothing_depends_is_named(decay):
    found = found_in(decay, DECAY.replace("{free}", "{rate: 1, idle: 1}"))
    assert found.parameters["rate"] == pytest.approx(1.5, rel=1e-6)
    assert found.notes == ("the data do not determine idle",)
    assert found.standard_errors["idle"] == np.inf
    assert np.isfinite(found.standard_errors["rate"])


def statistics_in_units(folder, free, of_state, of_rate):
    """Return notes and standard errors, over its unit, of a rate in a unit, from noisy data in another."""
    t = np.linspace(0.0, 2.0, 41)
    noisy = 2.0 * np.exp(-1.5 * t) + 0.01 * np.random.default_rng(1).normal(size=len(t))
    write(folder / "trial.csv", t=t, x=of_state * noisy)
    source = LINEAR.replace("p[0] * p[1] * x[0]", f"p[0] / {of_rate!r} * p[1] * x[0] - 1e-4 * p[2] * {of_state!r}")
    (folder / "decay.py").write_text(source.replace('"x", 1.0', f'"x", {of_state!r}'))
    text = DECAY.replace("trial.csv", f"trial.csv, noise: {{x: {0.01 * of_state!r}}}").replace("{free}", free)
    found = found_in(folder, text)
    errors = np.array([*found.standard_errors.values()])
    errors[0] /= of_rate
    return found.notes, errors


@pytest.mark.members(1)
@pytest.mark.parametrize("of_rate", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("of_state", [1e-6, 1.0, 1e6])
def test_what_data_tell_does_not_depend_on_units(tmp_path, of_state, of_rate):
    named = "{{rate: {!r}, {}: 1}}"
    notes, _ = statistics_in_units(tmp_path, named.format(of_rate, "factor"), of_state, of_rate)
    assert notes == ("rate and factor cannot be told apart by these data",)
    for guess in (of_rate, 0.0):
        free = named.format(guess, "idle")  # hardly acts, so that its standard error is some hundreds, and yet finite
        notes, errors = statistics_in_units(tmp_path, free, of_state, of_rate)
        _, expected = statistics_in_units(tmp_path, "{rate: 1, idle: 1}", 1.0, 1.0)
        assert notes == ()
        np.testing.assert_allclose(errors, expected, rtol=1e-5)


def test_the_standard_error_of_a_rate_is_that_of_the_linear_regression(decay):
    # With x = x0 e^(-a t) and all samples alike, the covariance of (a, x0) is the inverse of G^T G / s^2, with the
    # columns of G the derivatives -t x and x / x0.
    t = np.linspace(0.0, 2.0, 41)
    x = 2.0 * np.exp(-1.5 * t)
    noisy = x + 0.01 * np.random.default_rng(1).normal(size=len(t))
    write(decay / "trial.csv", t=t, x=noisy)
    g = np.column_stack([-t * x, x / 2.0])
    expected = 0.01 * np.sqrt(np.linalg.inv(g.T @ g)[0, 0])
    given = found_in(decay, DECAY.replace("trial.csv", "trial.csv, noise: {x: 0.01}").replace("{free}", "{rate: 1}"))
    assert given.standard_errors["rate"] == pytest.approx(expected, rel=0.02)  # at what was found, not at the truth
    estimated = found_in(decay, DECAY.replace("{free}", "{rate: 1}"))
    misfits = estimated.motions[0].misfits[:, 0]
    ratio = np.sqrt((misfits**2).sum() / (len(t) - 2)) / 0.01
    assert estimated.standard_errors["rate"] == pytest.approx(ratio * given.standard_errors["rate"], rel=1e-4)


PENDULUM = f"""
model: {CONFIGS / "pendulum.py"}
data: {{file: trial.csv, noise: {{theta: 0.02}}}}
measured: {{theta: theta}}
free: {{stiffness: 9}}
"""


def test_two_samples_do_not_determine_three_unknowns(tmp_path):
    write(tmp_path / "trial.csv", t=np.array([0.0, 1.0]), theta=np.array([0.5, -0.5]))
    found = found_in(tmp_path, PENDULUM + "collocation: {nodes: 21}\n")
    assert found.notes == ("the data do not determine stiffness",)
    assert found.standard_errors["stiffness"] == np.inf


@pytest.mark.exhaustive  # slow: statistics of many searches
@pytest.mark.slow
@pytest.mark.parametrize("seeds", [20, pytest.param(100, marks=pytest.mark.exhaustive)])
def test_results_from_noisy_data_spread_as_standard_errors_say(tmp_path, seeds):
    t, x = motion(CONFIGS / "pendulum.py", "initial.theta=30 deg", duration=4, n=81)
    found = []
    for seed in range(seeds):
        noise = np.random.default_rng(seed).normal(size=len(t))
        write(tmp_path / "trial.csv", t=t, theta=x[:, 0] + 0.02 * noise)
        found.append(found_in(tmp_path, PENDULUM))
    errors = np.array([each.parameters["stiffness"] - 10.0 for each in found])
    promised = np.array([each.standard_errors["stiffness"] for each in found])
    assert all(each.confirmed for each in found)
    # The root mean square of n errors has a relative standard deviation of 1 / sqrt(2 n): three of them.
    assert np.sqrt(np.mean((errors / promised) ** 2)) == pytest.approx(1.0, abs=3 / np.sqrt(2 * seeds))
    assert abs(errors.mean()) < 3 * promised.mean() / np.sqrt(seeds)


def heights(t, gravity, restitution, y0=1.0):
    """The height of a ball that is dropped."""
    begin, v, found = 0.0, 0.0, np.zeros_like(t)
    y, duration = y0, np.sqrt(2 * y0 / gravity)
    while begin <= t[-1]:
        s = t - begin
        inside = (s >= 0) & (s <= duration)
        found[inside] = y + v * s[inside] - 0.5 * gravity * s[inside] ** 2
        v = -restitution * (v - gravity * duration)
        begin, y, duration = begin + duration, 0.0, 2 * v / gravity
    return found


BALL = """
model: bouncing_ball
data: {file: trial.csv, noise: {y: 0.005}}
measured: {y: y}
free: {gravity: 6, restitution: 0.5}
initial: {v: 0}
collocation: {nodes: 2}
phases:
  - {chart: flight, until: floor, duration: 0.44}
  - {chart: flight, until: floor, duration: 0.73}
  - {chart: flight, until: floor, duration: 0.57}
  - {chart: flight, until: floor, duration: 0.47}
  - {chart: flight, until: floor, duration: 0.36}
  - {chart: flight}
"""
"""Five bounces, at 0.4515236, 1.1739615, 1.7519117, 2.2142719 and 2.5841601 s; guesses are up to 13 ms wrong."""


def test_a_ball_is_identified_at_late_times_as_well_as_they_are_known(tmp_path):
    # Numbers near 1e9 are 1.2e-7 apart: times of the samples err by a tenth of a millionth of the motion.
    t = np.linspace(0.0, 2.6, 261)
    write(tmp_path / "trial.csv", t=1e9 + t, y=heights(t, 9.81, 0.8))
    found = found_in(tmp_path, BALL)
    assert found.confirmed
    assert found.parameters == pytest.approx({"gravity": 9.81, "restitution": 0.8}, rel=1e-7)


def test_a_ball_is_identified_exactly_from_exact_heights(tmp_path):
    t = np.linspace(0.0, 2.6, 261)
    run = simulate("bouncing_ball", parameters={"restitution": 0.8}, initial={"y": 1.0}, final_time=2.6)
    write(tmp_path / "trial.csv", t=t, y=heights(t, 9.81, 0.8))
    np.testing.assert_allclose(run.events.t, [0.4515236, 1.1739615, 1.7519117, 2.2142719, 2.5841601], atol=1e-7)
    found = found_in(tmp_path, BALL)
    assert found.confirmed
    assert found.parameters["gravity"] == pytest.approx(9.81, rel=1e-12)
    assert found.parameters["restitution"] == pytest.approx(0.8, rel=1e-12)
    (motion,) = found.motions
    np.testing.assert_allclose(motion.t[1::2][:-1], run.events.t, rtol=1e-12)


@pytest.mark.exhaustive
@pytest.mark.slow
def test_a_ball_is_identified_from_noisy_heights_as_well_as_can_be(tmp_path):
    t, seeds = np.linspace(0.0, 2.6, 261), 12
    found = []
    for seed in range(seeds):
        y = heights(t, 9.81, 0.8) + 0.005 * np.random.default_rng(seed).normal(size=len(t))
        write(tmp_path / "trial.csv", t=t, y=y)
        found.append(found_in(tmp_path, BALL))
    assert all(each.confirmed for each in found)
    columns = [
        (heights(t, 9.81 + d[0], 0.8 + d[1], 1.0 + d[2]) - heights(t, 9.81 - d[0], 0.8 - d[1], 1.0 - d[2])) / 2e-6
        for d in 1e-6 * np.eye(3)
    ]
    g = np.column_stack(columns) / 0.005
    bound = np.sqrt(np.diag(np.linalg.inv(g.T @ g)))  # Cramer and Rao's, for gravity, restitution and first height
    for name, limit, true in (("gravity", bound[0], 9.81), ("restitution", bound[1], 0.8)):
        promised = [each.standard_errors[name] for each in found]
        np.testing.assert_allclose(promised, limit, rtol=0.03)
        errors = np.array([each.parameters[name] - true for each in found])
        assert np.sqrt(np.mean(errors**2)) == pytest.approx(limit, rel=3 / np.sqrt(2 * seeds))


@pytest.mark.exhaustive  # gains of two trials are entries of one array in `test_robustness`
def test_a_model_with_an_entry_of_an_array_free_keeps_the_other_entries(tmp_path):
    gains = [950, 175, 185, 50, 45, 290, 60, 26]
    model = load_model(CONFIGS / "standing.py")
    t, x = motion(CONFIGS / "standing.py", "initial.theta_a=0.02", f"parameters.gains={gains}", duration=2, n=201)
    names = model.states.names
    write(tmp_path / "trial.csv", t=t, **dict(zip(names, x.T, strict=True)))
    found = found_in(
        tmp_path,
        f"""
model: {CONFIGS / "standing.py"}
data: {{file: trial.csv}}
measured: {{{", ".join(f"{name}: {name}" for name in names)}}}
free: {{'gains[2]': 150, 'gains[5]': 300}}
""",
    )
    assert found.confirmed
    assert [*found.parameters.values()] == pytest.approx([185, 290], rel=1e-5)
    assert found.run_config().parameters["gains"] == pytest.approx(gains, rel=1e-5)


def test_the_same_seed_gives_the_same_bits(decay):
    free = DECAY.replace("{free}", "{rate: {guess: 1, lower: 0, upper: 50}}") + "solver: {starts: 3, seed: 4}\n"
    path = decay / "identify.yaml"
    path.write_text(free)
    first, second = identify(path), identify(path)
    assert first.parameters == second.parameters
    np.testing.assert_array_equal(first.motions[0].x, second.motions[0].x)


NOISY = DECAY.replace("trial.csv", "trial.csv, noise: {x: 0.01}")


@pytest.fixture
def noisy_decay(decay):
    t = np.linspace(0.0, 2.0, 41)
    write(decay / "trial.csv", t=t, x=2.0 * np.exp(-1.5 * t) + 0.01 * np.random.default_rng(1).normal(size=len(t)))
    return decay


def test_a_limit_that_is_not_reached_does_not_change_a_standard_error(noisy_decay):
    source = LINEAR.replace("parameters=", 'outputs=outputs, output_records=["twice"], parameters=')
    with_output = source.replace("MODEL =", "def outputs(y, t, x, p, chart):\n    y[0] = 2.0 * x[0]\n\nMODEL =")
    (noisy_decay / "decay.py").write_text(with_output)
    text = NOISY.replace("{free}", "{rate: 1}")
    free = found_in(noisy_decay, text)
    limited = found_in(noisy_decay, text + "limits: {twice: {lower: -100, upper: 100}}\n")
    assert limited.parameters["rate"] == pytest.approx(free.parameters["rate"], rel=1e-6)
    assert limited.standard_errors["rate"] == pytest.approx(free.standard_errors["rate"], rel=1e-4)


def test_a_parameter_at_its_bound_has_no_standard_error(noisy_decay):
    found = found_in(noisy_decay, NOISY.replace("{free}", "{rate: {guess: 1, upper: 1.2}}"))
    assert found.parameters["rate"] == pytest.approx(1.2)
    assert np.isnan(found.standard_errors["rate"])


def test_samples_of_trials_with_other_spacings_count_alike(decay):
    # All samples with one noise: maximum likelihood is ordinary least squares over all of them, here of a logarithm
    # linear in the rate; Gauss' and Newton's step from the truth is one, up to the square of the noise.
    rng = np.random.default_rng(2)
    normal, right = 0.0, 0.0
    for name, n in (("fine", 201), ("coarse", 11)):
        t = np.linspace(0.0, 2.0, n)
        exact, noise = 2.0 * np.exp(-1.5 * t), 1e-4 * rng.normal(size=n)
        write(decay / f"{name}.csv", t=t, x=exact + noise)
        start, slope = exact / 2.0, -t * exact
        slope = slope - start * (start @ slope) / (start @ start)  # the initial state of each trial is free
        normal, right = normal + slope @ slope, right + slope @ noise
    text = DECAY.replace("{file: trial.csv}", "[{file: fine.csv, noise: {x: 1.0e-4}}, {file: coarse.csv}]")
    found = found_in(decay, text.replace("{free}", "{rate: 1}") + "collocation: {nodes: 201}\n")
    assert found.parameters["rate"] - 1.5 == pytest.approx(right / normal, rel=0.01)
    assert found.standard_errors["rate"] == pytest.approx(1e-4 / np.sqrt(normal), rel=0.01)

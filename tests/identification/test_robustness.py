"""Bad guesses, several trials, gaps, outputs, nodes beside samples, shooting, units and late times."""

import numpy as np
import pytest

from hybridsim import Simulation, identify, load_config

from .trials import CONFIGS, GAINS, cart, found_in, motion, write, written

NOISE = np.radians(0.25)
PENDULUM = f"""
model: {CONFIGS / "pendulum.py"}
data: {{file: trial.csv}}
measured: {{theta: theta, omega: omega}}
free: {{stiffness: 4}}
"""


def swing(folder, *, duration=10, n=501, start="30 deg", name="trial.csv", stiffness=10):
    """Write exact data of a pendulum; return times and states."""
    overrides = [f"initial.theta={start}", f"parameters.stiffness={stiffness}"]
    t, x = motion(CONFIGS / "pendulum.py", *overrides, duration=duration, n=n)
    write(folder / name, t=t, theta=x[:, 0], omega=x[:, 1])
    return t, x


@pytest.mark.exhaustive  # slow: from some guesses they are found in the ordinary run
@pytest.mark.slow
@pytest.mark.parametrize("n", [4, pytest.param(20, marks=pytest.mark.exhaustive)])
def test_gains_are_found_from_random_guesses(tmp_path, n):
    one_link = cart(1, tmp_path, 10)
    rng = np.random.default_rng(7)
    iterations = []
    for guesses in [np.zeros(4), *100 * rng.normal(size=(n, 4))]:
        config = one_link.config(noise=NOISE, seed=1, guesses=guesses.tolist(), formula=False)
        found = identify(config, ["collocation.scheme=midpoint"])
        assert found.confirmed, found.why_not
        assert one_link.error(found) < 0.05
        iterations.append(found.iterations)
    assert np.median(iterations) <= 15


@pytest.mark.slow
def test_from_zero_motion_a_pendulum_is_not_confirmed_but_by_a_homotopy(tmp_path):
    swing(tmp_path)
    zero = found_in(tmp_path, PENDULUM + "guess: {states: zero}\ncollocation: {scheme: midpoint, nodes: 101}\n")
    assert not zero.confirmed or zero.parameters["stiffness"] == pytest.approx(10, rel=0.05)
    pulled = found_in(tmp_path, PENDULUM + "guess: {states: zero}\nsolver: {homotopy: 12}\n")
    assert pulled.confirmed, pulled.why_not
    assert pulled.parameters["stiffness"] == pytest.approx(10, rel=1e-5)


def test_trials_share_the_free_parameters_and_have_initial_states_of_their_own(tmp_path):
    swing(tmp_path, duration=4, n=101, start="30 deg", name="small.csv")
    swing(tmp_path, duration=3, n=61, start="2.5", name="large.csv")
    text = PENDULUM.replace("{file: trial.csv}", "[{file: small.csv}, {file: large.csv}]")
    found = found_in(tmp_path, text)
    assert found.confirmed
    assert found.parameters["stiffness"] == pytest.approx(10, rel=1e-5)
    assert [len(each.t) for each in found.motions] == [101, 61]
    assert [each.x[0, 0] for each in found.motions] == pytest.approx([np.radians(30), 2.5], rel=1e-5)


def test_gaps_are_no_samples(tmp_path):
    t, x = swing(tmp_path, duration=4, n=201)
    theta, omega = x.T.copy()
    theta[50:80], omega[::2] = np.nan, np.nan
    write(tmp_path / "trial.csv", t=t, theta=theta, omega=omega)
    found = found_in(tmp_path, PENDULUM)
    assert found.confirmed
    assert found.parameters["stiffness"] == pytest.approx(10, rel=1e-6)
    assert np.isnan(found.motions[0].misfits[:, 0]).sum() == 30
    theta[100] = 17.0  # and a sample counts
    write(tmp_path / "trial.csv", t=t, theta=theta, omega=omega)
    assert found_in(tmp_path, PENDULUM).objective > 1.0


@pytest.mark.parametrize("scheme", ["hermite-simpson", "radau", "trapezoid"])
def test_samples_need_not_be_nodes_nor_evenly_spaced(tmp_path, scheme):
    t, x = swing(tmp_path, duration=4, n=401)
    rows = np.unique(np.random.default_rng(2).integers(0, 400, size=60))
    rows[0], rows[-1] = 0, 400
    write(tmp_path / "trial.csv", t=t[rows], theta=x[rows, 0], omega=x[rows, 1])
    found = found_in(tmp_path, PENDULUM + f"collocation: {{nodes: 201, scheme: {scheme}}}\n")
    assert found.confirmed
    assert found.parameters["stiffness"] == pytest.approx(10, rel=1e-3 if scheme == "trapezoid" else 1e-6)


def test_only_the_angle_measured_suffices(tmp_path):
    swing(tmp_path, duration=4, n=201)
    found = found_in(tmp_path, PENDULUM.replace("theta: theta, omega: omega", "theta: theta"))
    assert found.confirmed
    assert found.parameters["stiffness"] == pytest.approx(10, rel=1e-6)


def test_a_measured_output_is_compared_with_the_output(tmp_path):
    t, x = motion(CONFIGS / "duffing.py", "initial.x=1", "parameters.cubic=0.7", duration=10, n=201)
    write(tmp_path / "trial.csv", t=t, spring=x[:, 0] + 0.7 * x[:, 0] ** 3)
    found = found_in(
        tmp_path,
        f"""
model: {CONFIGS / "duffing.py"}
data: {{file: trial.csv}}
measured: {{spring: spring}}
free: {{damping: 0.1, cubic: 0.8}}
initial: {{x: 1, v: 0}}
guess: {{states: simulate}}
""",
    )
    assert found.confirmed
    assert [*found.parameters.values()] == pytest.approx([0.2, 0.7], rel=1e-5)


@pytest.mark.parametrize("late", [1e6, -3.25])
def test_when_a_trial_begins_changes_nothing_but_rounding(tmp_path, late):
    t, x = swing(tmp_path, duration=4, n=201)
    early = found_in(tmp_path, PENDULUM)
    write(tmp_path / "trial.csv", t=late + t, theta=x[:, 0], omega=x[:, 1])
    found = found_in(tmp_path, PENDULUM)
    assert found.confirmed
    assert found.parameters["stiffness"] == pytest.approx(early.parameters["stiffness"], rel=1e-7)
    assert found.standard_errors["stiffness"] == pytest.approx(early.standard_errors["stiffness"], rel=0.5)


@pytest.mark.parametrize("factor", [1e-3, 1e3])
def test_units_change_nothing_but_rounding(tmp_path, factor):
    # x in another unit: the cubic stiffness scales with 1 / factor^2, all else stays.
    t, x = motion(CONFIGS / "duffing.py", "initial.x=1", duration=10, n=201)
    x = x + 0.01 * np.random.default_rng(1).normal(size=x.shape)
    text = f"""
model: {CONFIGS / "duffing.py"}
data: {{file: trial.csv}}
measured: {{x: x, v: v}}
free: {{damping: 0.1, stiffness: 0.8, cubic: CUBIC}}
"""
    found = []
    for scale in (1.0, factor):
        write(tmp_path / "trial.csv", t=t, x=scale * x[:, 0], v=scale * x[:, 1])
        found.append(found_in(tmp_path, text.replace("CUBIC", f"{0.8 / scale**2!r}")))
    ones = np.array([1.0, 1.0, factor**-2])
    for name in ("parameters", "standard_errors"):
        values, scaled = (np.array([*getattr(each, name).values()]) for each in found)
        np.testing.assert_allclose(scaled, ones * values, rtol=1e-3)
    assert all(each.confirmed for each in found)


SHOT = {
    "pendulum": PENDULUM,
    "gaps and an output": f"""
model: {CONFIGS / "duffing.py"}
data: {{file: duffing.csv, noise: {{x: 0.01, spring: 0.05}}}}
measured: {{x: x, spring: spring}}
free: {{damping: 0.1, cubic: 0.9}}
""",
}


@pytest.mark.members(1)
@pytest.mark.parametrize("name", SHOT)
def test_shooting_finds_the_same(tmp_path, name):
    t, x = swing(tmp_path, duration=4, n=101)
    rng = np.random.default_rng(3)
    write(tmp_path / "trial.csv", t=t, theta=x[:, 0] + 0.01 * rng.normal(size=101), omega=x[:, 1])
    t, x = motion(CONFIGS / "duffing.py", "initial.x=1", duration=10, n=201)
    spring = x[:, 0] + x[:, 0] ** 3 + 0.05 * rng.normal(size=201)
    gappy = np.where((t > 3) & (t < 5), np.nan, x[:, 0] + 0.01 * rng.normal(size=201))
    write(tmp_path / "duffing.csv", t=t, x=gappy, spring=spring)
    text = SHOT[name].replace("stiffness: 4", "stiffness: 9.5")
    collocated, shot = found_in(tmp_path, text), found_in(tmp_path, text + "method: shooting\n")
    assert shot.confirmed
    errors = np.array([*collocated.standard_errors.values()])
    values = [np.array([*each.parameters.values()]) for each in (collocated, shot)]
    assert (np.abs(values[0] - values[1]) < 0.02 * errors).all()
    np.testing.assert_allclose([*shot.standard_errors.values()], errors, rtol=0.01)


def test_shooting_from_far_away_is_not_taken_for_right(tmp_path):
    swing(tmp_path)
    found = found_in(tmp_path, PENDULUM.replace("stiffness: 4", "stiffness: 40") + "method: shooting\n")
    assert not found.confirmed or found.parameters["stiffness"] == pytest.approx(10, rel=1e-3)


@pytest.mark.exhaustive  # slow: starts of a search
def test_more_starts_find_what_one_does_not(tmp_path):
    swing(tmp_path)
    text = PENDULUM.replace("stiffness: 4", "stiffness: {guess: 40, lower: 0, upper: 50}") + "method: shooting\n"
    assert not found_in(tmp_path, text).confirmed
    found = found_in(tmp_path, text + "solver: {starts: 12, seed: 1}\n")
    assert found.confirmed
    assert found.parameters["stiffness"] == pytest.approx(10, rel=1e-6)


def test_a_bound_that_keeps_the_truth_out_is_reached(tmp_path):
    swing(tmp_path, duration=2, n=101)
    found = found_in(tmp_path, PENDULUM.replace("stiffness: 4", "stiffness: {guess: 4, upper: 9}"))
    assert found.parameters["stiffness"] == pytest.approx(9, rel=1e-6)


def test_samples_that_change_their_phases_are_assigned_again(tmp_path):
    # Assigned once, by guesses of events 2 % wrong, they bias gravity by 0.3 %.
    bounces = [0.4515236, 0.7224378, 0.5779502, 0.4623602, 0.3698882]
    phases = "".join(f"  - {{chart: flight, until: floor, duration: {1.02 * each}}}\n" for each in bounces)
    run_t = np.linspace(0, 2.6, 261)
    t, x = motion("bouncing_ball", "parameters.restitution=0.8", duration=2.6, n=261)
    np.testing.assert_array_equal(t, run_t)
    write(tmp_path / "trial.csv", t=t, y=x[:, 0])
    text = f"""
model: bouncing_ball
data: {{file: trial.csv}}
measured: {{y: y}}
free: {{gravity: 6, restitution: 0.5}}
collocation: {{nodes: 2}}
phases:
{phases}  - {{chart: flight}}
"""
    found = identify(written(tmp_path, text))
    assert found.confirmed
    assert [*found.parameters.values()] == pytest.approx([9.81, 0.8], rel=1e-9)


def test_phases_are_taken_from_a_run_with_the_guesses(tmp_path):
    t, x = motion("bouncing_ball", "parameters.restitution=0.8", duration=1.7, n=171)
    write(tmp_path / "trial.csv", t=t, y=x[:, 0])
    text = """
model: bouncing_ball
data: {file: trial.csv}
measured: {y: y}
free: {gravity: 9.5, restitution: 0.78}
collocation: {nodes: 2}
phases: simulate
"""
    found = identify(written(tmp_path, text))
    assert found.confirmed
    assert [*found.parameters.values()] == pytest.approx([9.81, 0.8], rel=1e-9)


def test_gains_of_two_trials_of_a_cart_are_entries_of_one_array(tmp_path):
    one_link = cart(1, tmp_path, 2)
    path = one_link.config(guesses=[-4, 19, -3, 5])
    write(tmp_path / "other.csv", **dict(zip(["t", "q0", "q1", "u0", "u1"], [one_link.t, *one_link.x.T], strict=True)))
    path.write_text(path.read_text().replace("data: {file: trial.csv}", "data: [{file: trial.csv}, {file: other.csv}]"))
    found = identify(path)
    assert [*found.parameters] == [f"gains[{i}]" for i in range(4)]
    assert [*found.parameters.values()] == pytest.approx(GAINS[1].tolist(), rel=1e-4)


def test_shooting_goes_across_impacts(tmp_path):
    t, x = motion("bouncing_ball", "parameters.restitution=0.8", duration=1.7, n=171)
    write(tmp_path / "trial.csv", t=t, y=x[:, 0])
    found = found_in(
        tmp_path,
        """
model: bouncing_ball
data: {file: trial.csv}
measured: {y: y}
free: {gravity: 9.7, restitution: 0.79}
collocation: {nodes: 2}
phases: simulate
method: shooting
""",
    )
    assert found.confirmed
    assert [*found.parameters.values()] == pytest.approx([9.81, 0.8], rel=1e-9)


def test_the_guess_may_be_a_run(tmp_path):
    swing(tmp_path, duration=4, n=101)
    config = load_config(CONFIGS / "pendulum.py", ["initial.theta=30 deg", "parameters.stiffness=9", "final_time=4"])
    Simulation.from_config(config).run().save(tmp_path / "near.h5")
    found = found_in(tmp_path, PENDULUM + "guess: {states: near.h5}\n")
    assert found.confirmed
    assert found.parameters["stiffness"] == pytest.approx(10, rel=1e-5)


def test_a_free_parameter_in_the_formula_of_an_input_counts(tmp_path):
    t, x = motion(CONFIGS / "duffing.py", "inputs.push=1.5*sin(2*t)", "parameters.cubic=1.5", duration=10, n=201)
    write(tmp_path / "trial.csv", t=t, x=x[:, 0], v=x[:, 1])
    found = found_in(
        tmp_path,
        f"""
model: {CONFIGS / "duffing.py"}
data: {{file: trial.csv}}
measured: {{x: x, v: v}}
inputs: {{push: cubic*sin(2*t)}}
free: {{cubic: 1.2}}
""",
    )
    assert found.confirmed
    assert found.parameters["cubic"] == pytest.approx(1.5, rel=1e-5)  # 201 nodes


def test_an_input_is_found_from_the_motion_that_it_makes(tmp_path):
    t, x = motion(CONFIGS / "duffing.py", "inputs.push=1.5*sin(2*t)", duration=5, n=101)
    write(tmp_path / "trial.csv", t=t, x=x[:, 0], v=x[:, 1])
    found = found_in(
        tmp_path,
        f"""
model: {CONFIGS / "duffing.py"}
data: {{file: trial.csv}}
measured: {{x: x, v: v}}
inputs: {{push: {{free: true}}}}
minimize: {{squares: {{push: 1e-7}}}}
""",
    )
    assert found.confirmed
    (motion_found,) = found.motions
    np.testing.assert_allclose(motion_found.inputs[5:-5, 0], 1.5 * np.sin(2 * t[5:-5]), atol=0.01)


def test_whoever_watches_may_stop_the_search(tmp_path):
    swing(tmp_path, duration=4, n=101)
    seen = []

    def progress(start, iteration, objective, infeasibility):
        seen.append((start, iteration))
        return iteration < 2

    found = found_in(tmp_path, PENDULUM + "solver: {starts: 3}\n", progress=progress)
    assert seen == [(0, 0), (0, 1), (0, 2)]
    assert not found.confirmed
    assert found.why_not == "not solved: stopped by the user"

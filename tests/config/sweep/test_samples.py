from pathlib import Path

import numpy as np
import pytest
from scipy.stats import kstest, qmc

from hybridsim.config.sweep import load_sweep_config

BASE = "model: leg.py\nfinal_time: 10\n"


def axes_of(group: str) -> dict[str, np.ndarray]:
    Path("run.yaml").write_text(f"{BASE}sweep: {{{group}}}")
    config = load_sweep_config("run.yaml")
    assert len(config.factors) == 1
    return {axis.name: axis.values for axis in config.axes}


def test_random_values_are_those_of_numpy_for_the_seed(folder):
    drawn = axes_of("random: {samples: 100, seed: 7, axes: {y: 'uniform(1, 3)', k: 'uniform(0, 10)'}}")
    u = np.random.default_rng(7).random((100, 2))
    assert np.array_equal(drawn["y"], 1.0 + 2.0 * u[:, 0])
    assert np.array_equal(drawn["k"], 10.0 * u[:, 1])


def test_a_latin_hypercube_is_that_of_scipy_for_the_seed(folder):
    drawn = axes_of("latin_hypercube: {samples: 50, seed: 7, axes: {y: 'uniform(0, 1)', ydot: 'uniform(-1, 1)'}}")
    u = qmc.LatinHypercube(2, rng=7).random(50)
    assert np.array_equal(drawn["y"], u[:, 0])
    assert np.array_equal(drawn["ydot"], -1.0 + 2.0 * u[:, 1])


def test_a_latin_hypercube_has_one_value_in_every_stratum(folder):
    drawn = axes_of("latin_hypercube: {samples: 64, seed: 3, axes: {y: 'uniform(0, 64)', ydot: 'uniform(0, 64)'}}")
    for values in drawn.values():
        assert sorted(np.floor(values)) == list(range(64))


def test_samples_have_their_distribution(folder):
    drawn = axes_of("random: {samples: 20000, seed: 1, axes: {ydot: 'normal(3, 2)', k: 'loguniform(1, 1000)'}}")
    assert kstest((drawn["ydot"] - 3) / 2, "norm").pvalue > 1e-3
    assert kstest(np.log10(drawn["k"]) / 3, "uniform").pvalue > 1e-3
    assert abs(np.corrcoef(drawn["ydot"], np.log(drawn["k"]))[0, 1]) < 5 / np.sqrt(20000)


def test_the_seed_decides_and_is_0_if_not_given(folder):
    group = "random: {samples: 5, %s axes: {y: 'uniform(0, 1)'}}"
    default, zero, one = (axes_of(group % seed)["y"] for seed in ("", "seed: 0,", "seed: 1,"))
    assert np.array_equal(default, zero)
    assert not np.array_equal(zero, one)


@pytest.mark.parametrize(
    ("group", "where", "what"),
    [
        (
            "random: {samples: 50, axes: {k: 'normal(0, 1)'}}",
            "4:32: sweep.random.axes.k: value ",
            "of normal(0, 1) as drawn: expected a number from 0 to inf [N/m], found -",
        ),
        (
            "random: {samples: 5, axes: {k: [1, 2]}}",
            "4:31: sweep.random.axes.k: ",
            "expected a distribution such as un",
        ),
        ("random: {samples: 5, axes: {k: uniform(1)}}", "4:31: sweep.random.axes.k: ", "expected uniform(a, b), logun"),
        (
            "random: {samples: 5, axes: {terrain: 'uniform(0, 1)'}}",
            "4:31: sweep.random.axes.terrain: ",
            "a word cannot be drawn",
        ),
        (
            "random: {samples: 5, axes: {spring: 'uniform(0, 9)'}}",
            "4:31: sweep.random.axes.spring: ",
            "a whole number cannot be drawn from a distribution; list its values in `axes` or `zip`",
        ),
        ("random: {samples: 5, axes: {kk: 'uniform(0, 9)'}}", "4:31: sweep.random.axes.kk: ", "did you mean `k`?"),
        ("random: {samples: 5, axes: {}}", "4:24: sweep.random.axes: ", "expected at least one axis, found none"),
        ("random: {samples: 5}", "4:3: sweep.random.axes: ", "this key is required"),
        (
            "random: {samples: 0, axes: {y: 'uniform(0, 9)'}}",
            "4:12: sweep.random.samples: ",
            "expected a number of at le",
        ),
        (
            "random: {samples: 1.5, axes: {y: 'uniform(0, 9)'}}",
            "4:12: sweep.random.samples: ",
            "expected a whole number",
        ),
        ("random: {samples: 1e9, axes: {y: 'uniform(0, 9)'}}", "4:12: sweep.random.samples: ", "at most 1e+08, found"),
        (
            "random: {samples: 5, seed: -1, axes: {y: 'uniform(0, 9)'}}",
            "4:24: sweep.random.seed: ",
            "at least 0, found",
        ),
        (
            "random: {samples: 5, seeds: 1, axes: {y: 'uniform(0, 9)'}}",
            "4:24: sweep.random.seeds: ",
            "did you mean `seed",
        ),
        ("latin_hypercube: 5", "4:3: sweep.latin_hypercube: ", "expected a mapping"),
    ],
)
def test_bad_samples_are_refused_where_they_stand(refused, group, where, what):
    refused(f"{BASE}sweep:\n  {group}", where, what)


def test_a_distribution_that_leaves_the_bounds_is_to_be_changed(problems):
    (problem,) = problems(f"{BASE}sweep:\n  random: {{samples: 100, seed: 1, axes: {{y: 'normal(0.1, 1)'}}}}")
    assert "expected a number from 0 to inf [m], found -" in problem
    assert problem.endswith("; draw within the bounds with uniform(a, b), or a smaller sigma")

import math
from pathlib import Path

import pytest

from hybridsim.config.sweep import Metric, load_sweep_config
from hybridsim.config.sweep.metrics import STATISTICS
from hybridsim.errors import ConfigError

BASE = "model: leg.py\nfinal_time: 10\nsweep: {axes: {k: [1]}, extra_outputs: more.py}\n"


@pytest.fixture
def metrics(folder):
    """The metrics that a config with these lines has."""
    Path("more.py").write_text("def lift(t, x, p, chart):\n    return x[0]\n")

    def metrics_of(text):
        Path("run.yaml").write_text(BASE + text)
        return load_sweep_config("run.yaml").metrics

    return metrics_of


@pytest.mark.parametrize(
    ("text", "kind", "of", "number", "unit"),
    [
        ("status", "status", "", 0, ""),
        ("count(touchdown)", "count", "touchdown", 0, ""),
        ("time(touchdown)", "time", "touchdown", 1, "s"),
        ("time(liftoff, 12)", "time", "liftoff", 12, "s"),
        ("final(t)", "final", "t", 0, "s"),
        ("final(angle)", "final", "angle", 0, "rad"),
        ("min(y)", "min", "y", 0, "m"),
        ("max( height )", "max", "height", 0, ""),
        ("mean (lift)", "mean", "lift", 0, ""),
        *((name, "statistic", name, 0, "") for name in STATISTICS),
    ],
)
def test_a_metric_is_called_as_it_is_written_unless_it_has_a_name(metrics, text, kind, of, number, unit):
    quantity = "" if kind in ("status", "count", "time", "statistic") else of
    assert metrics(f"metrics:\n  - {text}") == (Metric(text, kind, of, number, unit, quantity),)
    assert metrics(f"metrics:\n  a name: {text}") == (Metric("a name", kind, of, number, unit, quantity),)


def test_a_metric_may_be_a_quantity_at_an_event_or_over_time(metrics):
    assert metrics("metrics: ['at(touchdown, 3, y)', 'after(liftoff, 1, angle)', integral(y), std(angle)]") == (
        Metric("at(touchdown, 3, y)", "at", "touchdown", 3, "m", "y"),
        Metric("after(liftoff, 1, angle)", "after", "liftoff", 1, "rad", "angle"),
        Metric("integral(y)", "integral", "y", 0, "m s", "y"),
        Metric("std(angle)", "std", "angle", 0, "rad", "angle"),
    )


def test_a_metric_may_be_a_quantity_at_the_last_events(metrics):
    assert metrics("metrics: ['last(touchdown, 60, y)', 'last_after(liftoff, 1, angle)']") == (
        Metric("last(touchdown, 60, y)", "last", "touchdown", 60, "m", "y"),
        Metric("last_after(liftoff, 1, angle)", "last_after", "liftoff", 1, "rad", "angle"),
    )


def test_a_metric_may_be_a_formula_of_others_that_have_a_name_or_none(metrics):
    far, n = Metric("far", "final", "y", 0, "m", "y"), Metric("n", "count", "touchdown", 0, "")
    (stride, *_) = metrics("metrics: {stride: far / n, far: final(y), n: count(touchdown)}")
    assert stride == Metric("stride", "formula", "far / n", 0, "m", "", (far, n))
    (alone,) = metrics("metrics: ['max(y)/final(t)']")
    top, end = Metric("max(y)", "max", "y", 0, "m", "y"), Metric("final(t)", "final", "t", 0, "s", "t")
    assert alone == Metric("max(y)/final(t)", "formula", "max(y)/final(t)", 0, "m/s", "", (top, end))
    twice, *_ = metrics("metrics: {twice: 2 * stride, stride: far / n, far: final(y), n: count(touchdown)}")
    assert twice == Metric("twice", "formula", "2 * stride", 0, "m", "", (far, n))


def test_the_largest_size_is_that_of_both_exact_extremes(metrics):
    top, low = Metric("max(y)", "max", "y", 0, "m", "y"), Metric("min(y)", "min", "y", 0, "m", "y")
    (size,) = metrics("metrics: [max(abs(y))]")
    assert size == Metric("max(abs(y))", "formula", "max(abs(y))", 0, "m", "", (top, low))


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("final(y) / min(y)", ""),
        ("steps / final(t)", "1/s"),
        ("max(y) / integral(y)", "1/s"),
        ("final(y) - 2 * max(y)", "m"),
        ("final(y) + 1", "m"),
        ("final(y) + final(t)", ""),
        ("(final(y) + final(t)) * final(y)", ""),
        ("final(y) * max(y) * max(angle)", "m^2 rad"),
        ("final(y) ** -2 ** 2", "1/m^4"),
        ("final(y) ** steps", ""),
        ("sqrt(final(y) * max(y))", "m"),
        ("sin(final(angle))", ""),
        ("min(final(y), -max(y))", "m"),
        ("final(y) / (final(t) * k)", "m^2/(s N)"),
        ("mean(y * ydot)", "m^2/s"),
        ("integral(abs(y - 1))", "m s"),
        ("k * initial.y", "N"),
        ("k * final(y) ** 2 / (final(y) * k * initial.y)", ""),
    ],
)
def test_the_unit_of_a_formula_follows_from_those_of_its_leaves(metrics, text, unit):
    assert metrics(f"metrics: ['{text}']")[0].unit == unit


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("far / m", "no metric, axis or parameter 'm' in 'far / m'; choose from: far, n, k, or write a metric"),
        ("fat / n", "there is no metric, axis or parameter 'fat' in 'fat / n'; did you mean `far`?"),
        ("far - intial.y", "there is no metric, axis or parameter 'intial.y' in 'far - intial.y'; did you mean `init"),
        ("far / status", "expected metrics that are a number in each run, found 'status', a status"),
        ("far / cause", "expected metrics that are a number in each run, found 'cause', a cause"),
        ("far / n n", "expected a metric, found 'far / n n': invalid syntax at character 9; mend it there"),
        ("/ n", "expected a metric, found '/ n': invalid syntax at character 1"),
        ("far ^ 2", "not 'far ^ 2' at character 1 of 'far ^ 2'; write ** for powers"),
        ("n + far % 2", "+ - * / and **, not 'far % 2' at character 5 of 'n + far % 2'"),
        ("far if n else 1", "a formula has numbers, names, calls"),
        ("far.real", "there is no metric 'far.real'"),
        ("far * True", "not 'True' at character 7"),
        ("far - y", "expected a metric, found 'y' alone in 'far - y'; write final(y)"),
        ("far + bad", "the metric 'bad' is computed from itself"),
        ("2 ** 3", "'2 ** 3' is a number; write a metric, such as final(t)"),
        ("sqrt(far, 2)", "there is no metric 'sqrt(far, 2)'; sqrt takes 1 argument"),
        ("sqr(far)", "there is no metric 'sqr(far)'; did you mean `sqrt`?"),
        ("far + count(apex)", "the model leg has no boundary 'apex'"),
        ("far / final(z)", "has no state or output 'z'"),
        ("mean(abs(z))", "has no state or output 'z'"),
        ("mean(abss(y))", "'abss(y)' is no function of quantities; did you mean `abs`?"),
        ("mean(max(y))", "'max(y)' is no function of quantities; max takes 2 arguments"),
        ("mean(square(y))", "is no function of quantities; did you mean `sqrt`?"),
        (" + ".join(["far"] * 120), "is too long; give its parts names, NAME: METRIC"),
        ("far / last(touchdown, 2, y)", "expected metrics that are a number in each run"),
        (
            "last(touchdown, 10001, y)",
            "expected how many of the last events to keep, 1 to 10,000, found '10001'; write last(touchdown, 50, y)",
        ),
        ("last(touchdown, y)", "expected last(BOUNDARY, k, QUANTITY)"),
        ("last(touchdown, 0, y)", "expected how many of the last events to keep, 1 to 10,000, found '0'"),
    ],
)
def test_a_bad_formula_or_number_of_last_events_is_refused(metrics, text, what):
    with pytest.raises(ConfigError) as error:
        metrics(f"metrics: {{far: final(y), n: count(touchdown), bad: '{text}'}}")
    (problem,) = error.value.problems
    assert problem.startswith("run.yaml:4:")
    assert what in problem


@pytest.mark.parametrize(
    ("text", "begin"),
    [("half", (-math.inf, 0.5)), ("75 %", (-math.inf, 0.75)), ("2.5", (2.5, 0.0)), ("null", (-math.inf, 0.0))],
)
def test_metrics_may_count_from_a_time_on(folder, text, begin):
    Path("run.yaml").write_text(f"model: leg.py\nfinal_time: 10\nsweep: {{axes: {{k: [1]}}, from: {text}}}")
    assert load_sweep_config("run.yaml").begin == begin


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("third", "expected a time [s], `half` or a percentage below 100 %, found 'third'; write 75 %"),
        ("100 %", "expected a time [s], `half` or a percentage below 100 %"),
        ("true", "expected a time [s], `half` or a percentage below 100 %"),
        ("10", "expected a time before final_time = 10.0, found 10.0; begin earlier"),
    ],
)
def test_a_time_that_is_none_is_refused_where_it_stands(folder, text, what):
    Path("run.yaml").write_text(f"model: leg.py\nfinal_time: 10\nsweep:\n  axes: {{k: [1]}}\n  from: {text}\n")
    with pytest.raises(ConfigError) as error:
        load_sweep_config("run.yaml")
    (problem,) = error.value.problems
    assert problem.startswith("run.yaml:5:3: sweep.from: ")
    assert what in problem


@pytest.mark.parametrize("text", ["", "metrics:", "metrics: null"])
def test_by_default_a_sweep_records_how_and_when_runs_end_and_counts_events(metrics, text):
    assert [metric.name for metric in metrics(text)] == [
        "status",
        "cause",
        "final(t)",
        "count(touchdown)",
        "count(liftoff)",
    ]


def test_in_brackets_the_comma_of_a_metric_needs_quotes(metrics):
    names = [metric.name for metric in metrics("metrics: ['time(touchdown, 3)', \"time(liftoff, 2)\", status]")]
    assert names == ["time(touchdown, 3)", "time(liftoff, 2)", "status"]


def test_a_state_wins_over_what_else_is_called_t(metrics, folder):
    plugin = Path("leg.py").read_text()
    Path("leg.py").write_text(plugin.replace('Output("energy")', 'Output("t", "J")'))
    assert metrics("metrics: [final(t)]")[0].unit == "J"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("statsu", "there is no metric 'statsu'; did you mean `status`?"),
        ("at(touchdown, y)", "expected at(BOUNDARY, n, QUANTITY), found 'at(touchdown, y)'; write it like this"),
        ("after(touchdown, 2, why)", "the model leg has no state or output 'why'"),
        ("integral(y, 2)", "expected integral(QUANTITY), found 'integral(y, 2)'"),
        (
            "velocity",
            "there is no metric 'velocity'; the metrics are status, cause, count(BOUNDARY), time(BOUNDARY, n), ",
        ),
        ("cont(touchdown)", "there is no metric 'cont(touchdown)'; did you mean `count`?"),
        ("count(touchdwn)", "the model leg has no boundary 'touchdwn'; did you mean `touchdown`?"),
        ("count(apex)", "the model leg has no boundary 'apex'; choose from: touchdown, liftoff"),
        ("count", "expected count(BOUNDARY), found 'count'; write it like this"),
        ("count()", "expected count(BOUNDARY), found 'count()'; write it like this"),
        ("count(touchdown, 2)", "expected count(BOUNDARY), found 'count(touchdown, 2)'"),
        ("time", "expected time(BOUNDARY, n), found 'time'"),
        ("time(touchdown, 0)", "expected the number of an event, counted from 1, found '0'; write time(BOUNDARY, 1)"),
        ("time(touchdown, 1.5)", "counted from 1, found '1.5'"),
        ("time(touchdown, last)", "counted from 1, found 'last'"),
        ("time(touchdown, 1e30)", "counted from 1, found '1e+30'"),
        ("final(heigth)", "no state or output 'heigth', nor is it an extra output; did you mean `height`?"),
        ("final(q)", "nor is it an extra output; choose from: t, y, ydot, angle, height, energy, lift"),
        ("final(k)", "the model leg has no state or output 'k'"),
        ("y", "expected a metric, found 'y' alone; write final(y), min(y), max(y) or mean(y)"),
        ("steps(y)", "expected steps, found 'steps(y)'; write it like this"),
        ("max(y", "expected a metric, found 'max(y': '(' was never closed at character 4; close its parenthesis"),
        ("5", "expected a metric as text, found 5; write count(BOUNDARY)"),
        ("[status]", "expected a metric as text, found a list"),
    ],
)
def test_a_bad_metric_is_refused_where_it_stands(metrics, text, what):
    with pytest.raises(ConfigError) as caught:
        metrics(f"metrics:\n  - status\n  - {text}")
    (problem,) = caught.value.problems
    assert problem.startswith("run.yaml:6:5: metrics[1]: ")
    assert what in problem
    with pytest.raises(ConfigError) as caught:
        metrics(f"metrics: {{named: {text!r}}}" if "(" in text else f"metrics: {{named: {text}}}")
    assert caught.value.problems[0].startswith("run.yaml:4:11: metrics.named: ")


@pytest.mark.parametrize("text", ["[]", "{}"])
def test_no_metric_at_all_is_refused(metrics, text):
    with pytest.raises(ConfigError, match=r"run\.yaml:4:1: metrics: expected at least one metric, found none"):
        metrics(f"metrics: {text}")


def test_invalid_metrics_are_reported_and_nothing_else(metrics):
    with pytest.raises(ConfigError) as caught:
        metrics("metrics: {a: 5, b: , '': steps, ' ': steps}")
    what = (
        "expected a metric as text, found 5",
        "expected a metric as text, found nothing",
        *["expected the name of"] * 2,
    )
    for problem, expected in zip(caught.value.problems, what, strict=True):
        assert expected in problem


def test_something_else_than_a_list_is_refused(metrics):
    with pytest.raises(ConfigError, match=r"run\.yaml:4:1: metrics: expected a list of metrics, or a mapping"):
        metrics("metrics: status")


def test_an_unknown_quantity_lists_each_name_once(metrics):
    plugin = Path("leg.py").read_text()
    Path("leg.py").write_text(plugin.replace('Output("height")', 'Output("y")'))  # an output called like a state
    with pytest.raises(ConfigError, match=r"choose from: t, y, ydot, angle, energy, lift$"):
        metrics("metrics: [final(quotient)]")

"""Looking at a run, recording it and advancing it in pieces change no bit of it."""

import numpy as np
import pytest

from hybridsim import (
    Simulation,
    Status,
    simulate,
)
from hybridsim.config import config_from_keywords
from hybridsim.engine.compiler.options import JIT
from hybridsim.simulation import run_log

from gallery import falling

METHODS = ["dp5", "dop853", "tsit5", "rodas5p", "series", "rk4_adaptive"]
STRIDES, SWINGS = (1.5, 20.0) if JIT else (0.5, 5.0)
"""How long the runs last [s]: as plain Python, the engine is hundreds of times slower."""

SLIP = {"parameters": {"k": 20000.0}, "initial": {"y": 1.0, "xdot": 5.0}, "final_time": 3.0}


def bits(run):
    return (
        run.t[-1],
        run.j[-1],
        run.chart[-1],
        run.x[-1].tobytes(),
        run.events.t.tobytes(),
        run.events.x_after.tobytes(),
    )


@pytest.fixture(
    params=[("slip", method) for method in METHODS] + [("two_walls", "dp5"), ("stick_slip", "dp5")], ids="-".join
)
def problem(request):
    model, method = request.param
    keywords = {**SLIP, "final_time": STRIDES} if model == "slip" else {"final_time": SWINGS}
    return (model,), {**keywords, "method": method}


def test_two_runs_are_equal_and_so_is_what_they_record(problem):
    arguments, keywords = problem
    first, second = (simulate(*arguments, **keywords) for _ in range(2))
    assert bits(first) == bits(second)
    np.testing.assert_array_equal(first.x, second.x)
    np.testing.assert_array_equal(first.extension, second.extension)


def test_no_way_of_recording_changes_a_bit(problem):
    arguments, keywords = problem
    run = simulate(*arguments, **keywords)
    plain, names = bits(run), [output.name for output in run.outputs][:2]
    for record in (False, 0.01, 0.37, {"outputs": names}, {"period": 1.0, "outputs": names[:1]}):
        assert bits(simulate(*arguments, **keywords, record=record)) == plain


@pytest.mark.members(2)
def test_no_way_of_advancing_changes_a_bit(problem):
    arguments, keywords = problem
    whole = simulate(*arguments, **keywords)
    rng = np.random.default_rng(0)
    looks = [np.sort(rng.uniform(0.0, keywords["final_time"], 50)), whole.t[::7], whole.events.t, [0.0, 0.0, 0.1]]
    for times in looks:
        for record in (True, False):
            sim = Simulation(*arguments, **keywords, record=record)
            for t in times:
                sim.advance(float(t))
                sim.x, sim.chart, sim.j, sim.result()
            assert bits(sim.run()) == bits(whole)


@pytest.mark.parametrize("record", [True, False])
def test_a_run_that_logs_every_step_hands_them_out_and_is_the_same_run(problem, record):
    (model,), keywords = problem
    whole = simulate(model, **keywords)
    sim = Simulation.from_config(config_from_keywords(model, **keywords, record=record), log_every_step=True)
    rng, taken, rows, events = np.random.default_rng(0), 0, [], []
    while sim.status is Status.UNFINISHED:
        sim.advance(sim.t + rng.uniform(0.0, 0.2), budget=rng.integers(1, 5))
        chunks = sim.chunks(taken)
        taken += len(chunks)
        rows += [part for part, _ in chunks if part is not None]
        events += [part for _, part in chunks if part is not None]
        assert sim.tip().t == sim.t
        np.testing.assert_array_equal(sim.tip().x[0], sim.x)
    assert bits(sim.run()) == bits(whole)
    begins = whole.step > 0.0
    steps = [part[part.step > 0.0] for part in rows]
    np.testing.assert_array_equal(np.concatenate([part.t for part in steps]), whole.t[begins])
    np.testing.assert_array_equal(np.concatenate([part.extension for part in steps]), whole.extension[begins])
    np.testing.assert_array_equal(np.concatenate([part.t for part in events]), whole.events.t)


def test_what_a_look_shows_is_what_the_run_records(problem):
    arguments, keywords = problem
    whole = simulate(*arguments, **keywords)
    sim = Simulation(*arguments, **keywords)
    for t in np.linspace(0.0, keywords["final_time"], 40):
        sim.advance(float(t))
        np.testing.assert_allclose(sim.x, whole.at(t), rtol=1e-13, atol=1e-13)
        assert sim.j == np.count_nonzero(whole.events.t[~whole.events.declined] <= t)
    part = sim.result()
    np.testing.assert_array_equal(part.x, whole.x)


@pytest.mark.parametrize("large", [0, 2**22], ids=["many logs", "one log"])
@pytest.mark.parametrize("chunk", [1, 3, *(pytest.param(n, marks=pytest.mark.exhaustive) for n in (2, 17))])
def test_chunks_and_logs_of_any_size_give_the_same_run(problem, chunk, large, monkeypatch):
    arguments, keywords = problem
    whole = simulate(*arguments, **keywords)
    monkeypatch.setattr(run_log, "FIRST_STEPS", chunk)
    monkeypatch.setattr(run_log, "STEPS_PER_CALL", 3 * chunk)
    monkeypatch.setattr(run_log, "LARGE_LOG", large)
    seen = []
    pieces = Simulation(*arguments, **keywords).run(seen.append)
    assert bits(pieces) == bits(whole)
    np.testing.assert_array_equal(pieces.x, whole.x)
    np.testing.assert_array_equal(pieces.extension, whole.extension)
    assert seen == sorted(seen)
    assert seen[-1] == whole.t[-1]


def test_a_cascade_longer_than_a_chunk_fits_into_it(monkeypatch):
    monkeypatch.setattr(run_log, "FIRST_STEPS", 1)
    monkeypatch.setattr(run_log, "STEPS_PER_CALL", 1)
    monkeypatch.setattr(run_log, "LARGE_LOG", 0)
    run = simulate(falling(), final_time=1.0)
    assert run.status is Status.CASCADE
    assert run.t.tolist() == sorted(run.t)

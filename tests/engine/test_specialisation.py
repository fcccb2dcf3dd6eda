"""The engine with the sizes of a model as constants computes the same bits, and no run waits for it."""

import subprocess
import threading

import numpy as np
import pytest

import hybridsim
from hybridsim import Simulation, simulate
from hybridsim.engine import background, entry, specialisation
from hybridsim.engine import settings as SETTINGS
from hybridsim.engine.compiler import object_file
from hybridsim.engine.compiler.cache_folder import writable_root
from hybridsim.engine.compiler.options import JIT
from hybridsim.engine.compiler.shape import shape_of
from hybridsim.engine.specialisation import SpecialisedEngine, engine_for_shape, forget_engines

pytestmark = pytest.mark.skipif(not JIT, reason="nothing is compiled")

TIMEOUT = 300.0
"""Time [s] after which a compilation counts as failed, on the busiest machine."""

RUNS = {
    "slip-dp5": ("slip", {"final_time": 5.0}),
    "slip-dop853": ("slip", {"final_time": 5.0, "method": "dop853", "rtol": 1e-10}),
    "slides-tsit5": ("stick_slip", {"final_time": 20.0, "method": "tsit5"}),
    "accumulation-dp5": ("bouncing_ball", {"final_time": 20.0}),
    "stiff-rodas5p": ("robertson", {"final_time": 1e6, "method": "rodas5p", "atol": 1e-14}),
    "fixed-rk4": ("two_walls", {"final_time": 5.0, "method": "rk4", "first_step": 1e-3}),
}


@pytest.fixture
def specialising(monkeypatch):
    """Let the engine be compiled for shapes, as outside of tests; forget the engines that this process has."""
    if not writable_root():
        pytest.skip("the cache folder cannot be written")
    monkeypatch.setenv(background.SPECIALISE_VARIABLE, "1")
    forget_engines()
    yield
    forget_engines()


def engine_of(sim):
    machine = sim._drive.machine
    return engine_for_shape(shape_of(machine.problem.settings), entry._keys[0])


def compiled_for(model, keywords):
    sim = Simulation(model, **keywords)
    assert engine_of(sim).wait(TIMEOUT)


def bits(run):
    columns = run.t, run.x, run.chart, run.events.t, run.events.x_after, run.events.depth, run.extension
    return [np.asarray(column).tobytes() for column in columns] + [
        run.statistics[name] for name in ("steps", "rejected")
    ]


def test_a_file_in_the_current_folder_is_not_executed(specialising, monkeypatch, tmp_path):
    """The first test that asks for this engine: with an empty cache, a process compiles it."""
    for name in ("hybridsim", "numpy", "llvmlite"):
        (tmp_path / f"{name}.py").write_text("open('executed', 'w').close()\n")
    monkeypatch.chdir(tmp_path)
    sim = Simulation("slip", final_time=0.1)
    assert engine_of(sim).wait(TIMEOUT)
    assert not (tmp_path / "executed").exists()


@pytest.mark.members(1)
@pytest.mark.parametrize("name", RUNS)
def test_its_runs_are_the_same_to_the_last_bit(name, specialising, monkeypatch):
    model, keywords = RUNS[name]
    compiled_for(model, keywords)
    special = Simulation(model, **keywords)
    assert not special._drive.machine.awaited, "the run must have the specialised engine"
    found = bits(special.run())
    forget_engines()
    monkeypatch.setenv(background.SPECIALISE_VARIABLE, "0")
    general = Simulation(model, **keywords)
    assert general._drive.machine.awaited
    assert bits(general.run()) == found


def test_a_run_goes_on_with_it_from_the_next_call_on(specialising, monkeypatch):
    model, keywords = RUNS["slip-dp5"]
    compiled_for(model, keywords)
    monkeypatch.setattr(SpecialisedEngine, "_load", lambda self: None)
    forget_engines()
    sim = Simulation(model, **keywords)
    sim.advance(1.0)
    before = sim._drive.machine.address
    monkeypatch.undo()
    monkeypatch.setenv(background.SPECIALISE_VARIABLE, "1")
    engine_of(sim)._load()
    sim.advance(2.0)
    run = sim.run()
    assert sim._drive.machine.address != before
    forget_engines()
    monkeypatch.setenv(background.SPECIALISE_VARIABLE, "0")
    assert bits(run) == bits(simulate(model, **keywords))


SWEEPS = {
    "slip": {
        "random": {
            "samples": 20_000,
            "seed": 1,
            "axes": {"k": "uniform(1e4, 3e4)", "touchdown_angle": "uniform(-30 deg, -10 deg)"},
        },
        "metrics": {"x": "final(x)", "y": "final(y)", "steps": "steps", "peak": "max(y)", "mean": "mean(y)"},
        "final_time": 3.0,
    },
    "compass_gait": {
        "random": {"samples": 20_000, "seed": 1, "axes": {"slope": "uniform(0.5 deg, 5 deg)"}},
        "metrics": {"angle": "final(theta_st)", "steps": "steps"},
        "final_time": 5.0,
    },
}
"""Twenty thousand runs of each; 5 to 1,771 differed where products and sums were fused as the compiler liked."""

WHOLE_FAMILY = [("slip", method) for method in ("dp5", "tsit5", "dop853", "rk4_adaptive", "rodas5p")]
WHOLE_FAMILY += [("compass_gait", method) for method in ("dp5", "dop853")]


def sweep_both_ways(model, method, samples, monkeypatch):
    """Return the tables of a sweep by the specialised engine and by the general one."""
    keywords = dict(SWEEPS[model], method=method)
    keywords["random"] = {**keywords["random"], "samples": samples}
    compiled_for(model, {"method": method})
    special = hybridsim.sweep(model, **keywords)
    assert len(specialisation._engines) == 1, "sweeps and runs of a model have one shape"
    forget_engines()
    monkeypatch.setenv(background.SPECIALISE_VARIABLE, "0")
    return special, hybridsim.sweep(model, **keywords)


def different_rows(first, second):
    """Return how many rows of two tables differ in any bit."""
    columns = [[np.asarray(table[name]) for table in (first, second)] for name in first.column_names]
    as_bits = [[c.view(np.int64) if c.dtype == np.float64 else c for c in pair] for pair in columns]
    return int(np.logical_or.reduce([one != other for one, other in as_bits]).sum())


@pytest.mark.exhaustive  # one member of the runs above is in the ordinary run
@pytest.mark.slow
def test_two_thousand_runs_of_a_sweep_are_the_same_to_the_last_bit(specialising, monkeypatch):
    assert different_rows(*sweep_both_ways("slip", "dop853", 2000, monkeypatch)) == 0


@pytest.mark.exhaustive
@pytest.mark.parametrize(("model", "method"), WHOLE_FAMILY)
def test_twenty_thousand_runs_of_each_method_are_the_same_to_the_last_bit(model, method, specialising, monkeypatch):
    assert different_rows(*sweep_both_ways(model, method, 20_000, monkeypatch)) == 0


@pytest.fixture
def without_files(monkeypatch, tmp_path):
    """Have no specialised routines in the cache, and write none into it."""
    for module in (background, specialisation):
        monkeypatch.setattr(module, "path_in_cache", lambda file: tmp_path / file.name)


def test_nothing_is_started_if_the_environment_says_so(specialising, without_files, monkeypatch):
    monkeypatch.setenv(background.SPECIALISE_VARIABLE, "0")
    monkeypatch.setattr(SpecialisedEngine, "seconds_before", 0.0)
    monkeypatch.setattr(subprocess, "Popen", lambda *_arguments, **_options: pytest.fail("a process was started"))
    simulate("slip", final_time=1.0)


SHAPE = np.zeros(len(SETTINGS.SHAPE_SETTINGS), np.int64).tobytes()


def test_where_no_process_is_allowed_it_is_tried_once(specialising, without_files, monkeypatch):
    starts = []

    def start(command, **_options):
        starts.append(command)
        raise BlockingIOError("Resource temporarily unavailable")

    simulate("slip", final_time=0.1)
    monkeypatch.setattr(specialisation.subprocess, "Popen", start)
    engine = SpecialisedEngine(SHAPE, entry._keys[0])
    assert not engine.wait(1.0)
    assert not engine.wait(1.0)
    assert len(starts) == 1


def test_where_the_bitcode_is_missing_it_is_tried_once(specialising):
    engine = SpecialisedEngine(SHAPE, ("advance-0",))
    assert not engine.wait(TIMEOUT)
    assert not engine.wait(1.0)
    assert engine._process is None


def test_bitcode_of_another_version_is_refused(specialising, monkeypatch):
    monkeypatch.setattr(specialisation, "bitcode_of", lambda _key: ("symbol", b"BC\xc0\xde of another time"))
    with pytest.raises(RuntimeError):
        specialisation.compile_routines(SHAPE, ("advance-0",))


def test_bitcode_is_kept_beside_the_routines():
    simulate("slip", final_time=0.1)
    for key in entry._keys[0]:
        symbol, bitcode = object_file.bitcode_of(key)
        assert key.split("-")[0] in symbol
        assert bitcode.startswith(b"BC\xc0\xde")


def test_threads_that_look_for_an_engine_find_one_and_the_same(specialising):
    begin, found = threading.Barrier(8), []

    def look():
        begin.wait(timeout=60)
        found.append(engine_for_shape(SHAPE, ("advance-1",)))

    threads = [threading.Thread(target=look) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert len(found) == 8
    assert len({id(engine) for engine in found}) == 1


@pytest.mark.exhaustive  # slow; threads that look for an engine find one
def test_one_process_compiles_for_a_shape_and_others_come_back_later(specialising, monkeypatch):
    simulate("slip", final_time=0.1)
    claim = object_file.path_in_cache(specialisation._file(entry._keys[0][0], SHAPE)).with_suffix(".claim")
    claim.touch()
    try:
        engine = SpecialisedEngine(SHAPE, entry._keys[0])
        assert not engine.wait(3.0)
        assert engine._may_be_compiled, "the other one may fail"
    finally:
        if engine._process:
            engine._process.wait(TIMEOUT)  # on a busy machine it has not looked yet, and would compile
        claim.unlink()


def test_a_cache_that_cannot_be_written_is_left_alone(specialising, monkeypatch, tmp_path):
    (tmp_path / "file").touch()
    monkeypatch.setenv("HYBRIDSIM_CACHE_DIR", str(tmp_path / "file" / "cache"))
    monkeypatch.setattr(specialisation, "_file", lambda *_: pytest.fail("the cache was used"))
    engine = SpecialisedEngine(SHAPE, ("advance-0",))
    monkeypatch.setattr(SpecialisedEngine, "_load", lambda self: None)
    assert not engine.wait(1.0)

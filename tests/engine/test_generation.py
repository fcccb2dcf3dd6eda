"""Code that is generated for programs on power series gives the bits of the interpreter."""

import numpy as np
import pytest
from engine.series_terms import FUNCTIONS, MODELS, TIGHT, term

from hybridsim import Simulation, simulate
from hybridsim.engine import background, entry, generation, series_assembly
from hybridsim.engine.compiler.cache_folder import writable_root
from hybridsim.engine.compiler.options import JIT
from hybridsim.engine.methods.series import ORDER


@pytest.fixture
def generating(monkeypatch):
    """Let code be generated, and forget what this process has."""
    if not JIT or not writable_root():
        pytest.skip("code is generated where functions are compiled, into the cache")
    monkeypatch.setenv(background.SPECIALISE_VARIABLE, "1")
    generation._codes.clear()
    yield
    generation._codes.clear()


def bits(run):
    columns = run.t, run.x, run.chart, run.events.t, run.events.x_after, run.events.depth, run.extension
    return [np.asarray(column).tobytes() for column in columns]


@pytest.mark.members(1)
@pytest.mark.parametrize("model", MODELS)
def test_generated_code_gives_the_same_bits(model, generating, monkeypatch):
    settings = {"method": "series", "final_time": 3.0}
    sim = Simulation(model, **settings)
    for code in [*sim._drive.machine.awaited]:
        if isinstance(code, generation.GeneratedCode):
            assert code.wait(120.0)
    entry.count_time(sim._drive.machine, 0.0)
    assert sim._packed.problem.generated.any()
    generated = bits(sim.run())
    monkeypatch.setenv(background.SPECIALISE_VARIABLE, "0")
    generation._codes.clear()
    sim = Simulation(model, **settings)
    assert not sim._packed.problem.generated.any()
    assert bits(sim.run()) == generated


@pytest.mark.members(2)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_generated_code_of_every_operation_gives_the_same_bits(name, generating, tmp_path):
    model = term(FUNCTIONS[name], tmp_path, rate=0.3)
    sim = Simulation(model, final_time=1.0, **TIGHT)
    programs = sim._packed.problem.series_programs
    by_interpreter = bits(sim.run())
    generation.generate(programs, 1, ORDER)
    code = generation.GeneratedCode(programs, 1, ORDER)
    assert code.addresses is not None
    sim = Simulation(model, final_time=1.0, **TIGHT)
    sim._packed.problem.generated[:] = code.addresses
    assert bits(sim.run()) == by_interpreter


def random_expression(chance, depth):
    """An expression of x, y and c that is smooth and bounded, whose parts share factors, divisors and angles."""
    if depth == 0:
        return chance.choice(["x", "y", "(x + c)", "sin(x)", "cos(x)", "sin(y)", "cos(y)", "0.5"])
    first, second = (random_expression(chance, depth - 1) for _ in range(2))
    forms = (
        *("({0} * {1})", "({0} + {1})", "({0} - {1})", "({0} / (2.0 + x * x))", "sin({0}) * cos({0})"),
        *("exp(-{0} ** 2)", "({0} * cos(x - y))", "({1} * cos(x - y))"),
        "({0} / (2.0 + x * x) + {1} / (2.0 + x * x))",
    )
    return str(chance.choice(forms)).format(first, second)


@pytest.mark.members(1)
@pytest.mark.parametrize("seed", [0, 1, 2, *(pytest.param(n, marks=pytest.mark.exhaustive) for n in range(3, 60))])
def test_sums_side_by_side_are_those_one_after_the_other(seed, generating, tmp_path):
    """Fields of random expressions: by generated code, and by the interpreter; and by dop853."""
    chance = np.random.default_rng(seed)
    file = term(random_expression(chance, 3), tmp_path, rate=random_expression(chance, 3))
    file.write_text(file.read_text().replace("xdot[0] = ", "x, y, c = x[0], x[1], p[0]\n    xdot[0] = ")
                    .replace("of(x[0], p[0])", "of(x, y, c)").replace("def of(x, c)", "def of(x, y, c)"))  # fmt: skip
    sim = Simulation(file, final_time=2.0, **TIGHT)
    programs = sim._packed.problem.series_programs
    assert not sim._packed.without_series
    by_interpreter = sim.run()
    generation.generate(programs, 1, ORDER)
    addresses = generation.GeneratedCode(programs, 1, ORDER).addresses
    sim = Simulation(file, final_time=2.0, **TIGHT)
    sim._packed.problem.generated[:] = addresses
    assert bits(sim.run()) == bits(by_interpreter)
    expected = simulate(file, final_time=2.0, method="dop853", rtol=1e-12, atol=1e-13)
    assert by_interpreter.x[-1] == pytest.approx(expected.x[-1], rel=1e-9, abs=1e-10)


def test_six_pairs_of_sums_of_the_compass_gait_are_side_by_side():
    """Sine and cosine of three angles, two quotients with one divisor, and twice two products with one factor."""
    programs = Simulation("compass_gait", method="series")._packed.problem.series_programs
    slots = series_assembly._in_pairs(series_assembly._instructions(programs, 0)[0])
    assert sum(len(slot) == 2 for slot in slots) == 6

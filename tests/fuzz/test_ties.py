"""Boundaries that cross at once are one jump, however they are declared; those that do not are jumps in order."""

import numpy as np
import pytest

from hybridsim import Boundary, Parameter, Status, simulate
from hybridsim.engine.compiler.options import JIT

from gallery import clock

METHODS = ("dp5", "tsit5", "dop853", "rodas5p", "rk4_adaptive", "rk4")
BEGINNINGS = (0.0, 1e3, 1e6, 1.7e9)
RECORDS = [
    *(Boundary(f"sampled{k}") for k in range(3)),
    *(Boundary(f"exact{k}", degree=1) for k in range(3)),
    *(Boundary(f"bounded{k}", second_derivative_bound=1.0) for k in range(3)),
    *(Boundary(f"patient{k}", armed="when_positive") for k in range(2)),
    Boundary("patient_exact", degree=1, armed="when_positive"),
]
N = len(RECORDS)
PARAMETERS = [Parameter("begin"), Parameter("place", (0.0,) * N), Parameter("slope", (1.0,) * N)]


def places(g, t, x, p, chart):
    """Each boundary is zero at its place; the chart has a bit for each that has been passed."""
    for k in range(N):
        if (chart >> k) % 2 == 0:
            g[k] = p[int(p[2]) + k] * (p[int(p[1]) + k] - (t - p[0]))


def pass_crossed(x_new, t, x, p, chart, crossed):
    passed = chart
    for k in range(N):
        if crossed[k]:
            passed += 1 << k
    return passed


MODEL = clock(places, *RECORDS, transition=pass_crossed, parameters=PARAMETERS, chart_fields={"passed": N})

FAR = 40.0
"""Spacings of t between two jumps; of a step that begins at 0 and is a second long, they are ten at least."""


@pytest.mark.parametrize(("seed", "n"), [(1, 60 if JIT else 12), pytest.param(2, 4000, marks=pytest.mark.exhaustive)])
def test_what_crosses_at_once_is_one_jump_however_the_boundaries_are_declared(seed, n, counted):
    """Places are eighths of a second, or two spacings of t after one, or so far that it is a jump of its own."""
    rng = np.random.default_rng(seed)
    for number in range(n):
        begin, method, length = rng.choice(BEGINNINGS), str(rng.choice(METHODS)), rng.uniform(0.05, 1.0)
        slope = 10.0 ** rng.uniform(-3.0, 3.0, N)
        group = rng.integers(1, 8, N) / 8.0
        apart = rng.choice([0.0, 0.0, 0.0, 2.0, FAR], N)
        run = simulate(
            MODEL,
            parameters={
                "begin": begin,
                "place": list(group + apart * np.spacing(begin + group)),
                "slope": list(slope),
            },
            initial_time=begin,
            final_time=begin + 1.0,
            method=method,
            first_step=length,
            max_step=length,
        )
        what = f"run {number} of seed {seed}, {method} from {begin:g}"
        assert run.status is Status.FINAL_TIME, what
        jumps = sorted({(place, gap == FAR) for place, gap in zip(group, apart, strict=True)})
        expected = [
            {record.name for record, *own in zip(RECORDS, group, apart == FAR, strict=True) if own == [*jump]}
            for jump in jumps
        ]
        assert [{*event.boundaries} for event in run.events] == expected, what
        times = np.array([begin + place for place, _ in jumps])
        late = np.array([FAR * is_late for _, is_late in jumps])
        assert (abs((run.events.t - times) / np.spacing(times) - late) <= 3.0).all(), what
        counted["runs"] += 1
        counted["jumps"] += len(run.events)
        counted["ties"] += sum(len(event.boundaries) > 1 for event in run.events)

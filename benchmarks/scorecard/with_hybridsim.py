"""hybridsim: the case as a plug-in, written to a file and loaded as any other.

An observed zero is two boundaries, one for each direction, whose transition declines. Degrees are declared where they
are known, and, for comparison, not.
"""

from __future__ import annotations

import itertools
import re
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import hybridsim
from scorecard.case import Case, Chart, Guard, Outcome

NAME, VERSION = "hybridsim", hybridsim.__version__
UNDECLARED = ", nothing declared"
METHODS = ("dp5", "tsit5", "dop853", "dp5" + UNDECLARED)
COMPILES = True
FOLDER = Path(tempfile.mkdtemp(prefix="scorecard-"))


def boundaries_of(guard: Guard) -> list[tuple[str, str]]:
    """Names and values of the boundaries that stand for a guard."""
    if guard.observed:
        return [(f"{guard.name}_down", guard.value), (f"{guard.name}_up", f"-({guard.value})")]
    return [(guard.name, guard.value)]


def local(case: Case, formula: str) -> str:
    """The formula with a variable `x_` for each state `x`: the plug-in's functions have arguments called x and g."""
    return re.sub(rf"\b({'|'.join(case.states)})\b", r"\1_", formula)


def declaration(name: str, guard: Guard, declared: bool) -> str:
    options = [f"degree={guard.degree}"] if declared and guard.degree else []
    options += ['armed="when_positive"'] if guard.observed or guard.waits else []
    options += [f'rest="{guard.rest}"'] if guard.rest else []
    return f"Boundary({', '.join([repr(name), *options])})"


def indented(lines: list[str], depth: int = 1) -> str:
    return "".join(f"{'    ' * depth}{line}\n" for line in lines or ["pass"])


def by_chart(case: Case, body: Callable[[str, Chart], list[str]]) -> str:
    """A branch for each chart."""
    return "".join(
        f"    if chart == {number}:  # {name}\n{indented(body(name, chart), 2)}"
        for number, (name, chart) in enumerate(case.charts.items())
    )


def plugin(case: Case, declared: bool) -> str:
    """The source of the case as a plug-in."""
    clock, charts = case.clock, list(case.charts)
    guards = list(itertools.chain.from_iterable(chart.guards for chart in case.charts.values()))
    table = [(name, guard) for guard in guards for name, _ in boundaries_of(guard)]
    place = {name: i for i, (name, _) in enumerate(table)}
    tick = len(table)
    n = len(case.states)
    unpacked = [f"{name}_ = x[{i}]" for i, name in enumerate(case.states)]

    def slopes(_: str, chart: Chart) -> list[str]:
        return [f"xdot[{i}] = {local(case, formula)}" for i, formula in enumerate(chart.slopes)]

    def values(_: str, chart: Chart) -> list[str]:
        pairs = itertools.chain.from_iterable(boundaries_of(guard) for guard in chart.guards)
        return [f"g[{place[name]}] = {local(case, value)}" for name, value in pairs]

    def jumps(name: str, chart: Chart) -> list[str]:
        lines = ["happened = 0", f"following = {charts.index(name)}"]
        for guard in chart.guards:
            if guard.observed:
                continue
            lines += [f"if crossed[{place[guard.name]}]:", "    happened = 1"]
            lines += [f"    {state}_after = {local(case, formula)}" for state, formula in guard.reset.items()]
            lines += [f"    {state}_ = {state}_after" for state in guard.reset]
            lines += [f"    following = {charts.index(guard.to)}"] if guard.to else []
        if clock:
            after = charts.index(clock.to.get(name, name))
            lines += [
                f"if crossed[{tick}]:",
                "    happened = 1",
                f"    x_new[{n}] = x[{n}] + 1.0",
                f"    following = {after}",
            ]
        lines += [f"x_new[{i}] = {state}_" for i, state in enumerate(case.states)]
        return [*lines, "return following if happened else DECLINED"]

    states = [f"State({name!r}, {value!r})" for name, value in case.states.items()]
    records = [declaration(name, guard, declared) for name, guard in table]
    time_left = ""
    if clock:
        states.append('State("ticks", continuous=False)')
        records.append(f"Boundary({clock.name!r}, time=True)")
        time_left = f"    g[{tick}] = (x[{n}] + 1.0)*{clock.period} - t\n"
    return (
        "from math import cos, sin, sqrt\n\nfrom hybridsim import DECLINED, Boundary, Model, Records, State\n\n\n"
        f"def vector_field(xdot, t, x, p, chart):\n{indented(unpacked)}{by_chart(case, slopes)}\n\n"
        f"def boundaries(g, t, x, p, chart):\n{indented(unpacked)}{by_chart(case, values)}{time_left}\n\n"
        f"def transition(x_new, t, x, p, chart, crossed):\n{indented(unpacked)}{by_chart(case, jumps)}"
        "    return DECLINED\n\n\n"
        f"MODEL = Model(\n    'case',\n    Records({', '.join(states)}),\n"
        f"    vector_field=vector_field, boundaries=boundaries, transition=transition,\n    charts={tuple(charts)!r},\n"
        f"    boundary_records=Records({', '.join(records)}),\n)\n"
    )


@cache
def model_of(name: str, source: str) -> hybridsim.Model:
    file = FOLDER / f"{''.join(c if c.isalnum() else '_' for c in name)}_{abs(hash(source))}.py"
    file.write_text(source)
    return hybridsim.load_model(file)


def event_names(event: hybridsim.Event) -> list[str]:
    if event.kind == "zeno":  # the limit of events that are recorded themselves
        return []
    if event.kind == "exit":
        return ["leaves"]
    return [name.removesuffix("_down").removesuffix("_up") for name in event.boundaries]


def prepare(case: Case, method: str, rtol: float) -> Callable[[], Outcome]:
    model = model_of(case.name, plugin(case, declared=not method.endswith(UNDECLARED)))
    settings = {"first_step": case.step, "max_step": case.max_step}
    simulation = hybridsim.Simulation(
        model,
        initial_time=case.span[0],
        final_time=case.span[1],
        method=method.removesuffix(UNDECLARED),
        rtol=rtol,
        atol=0.01 * rtol,
        **{name: value for name, value in settings.items() if value is not None},
    )

    def go() -> Outcome:
        run = simulation.run()
        events = [(event.t, name) for event in run.events for name in event_names(event)]
        calls, steps = (int(run.statistics[name]) for name in ("vector_field_calls", "steps"))
        ended = "" if run.status.ok else run.message
        return Outcome(events, float(run.t[-1]), run.x[-1], calls, steps, ended)

    return go

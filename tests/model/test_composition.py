"""Plants and parts: a composed model is the model that one would write by hand, to the last bit."""

import dataclasses
import math
from pathlib import Path

import numpy as np
import pytest

import hybridsim
from hybridsim import (
    DECLINED,
    Boundary,
    Input,
    Message,
    Model,
    ModelError,
    Output,
    Parameter,
    Part,
    Plant,
    Slot,
    State,
    compose,
    load_model,
    simulate,
    verify,
)
from hybridsim.engine.compiler import compilation, function_file
from hybridsim.engine.compiler.signatures import JIT
from hybridsim.model.registry import load_model_or_part, load_part
from hybridsim.testing import check_model, check_part

FOLDER = Path(__file__).parents[1] / "composed"
PENDULUM, PULSES, BY_HAND = (FOLDER / f"{name}.py" for name in ("pendulum", "pulses", "by_hand"))
START = {"initial": {"speed": 2.0}, "final_time": 5.0}


@pytest.fixture(scope="module")
def pendulum():
    return load_model(PENDULUM)


@pytest.fixture(scope="module")
def driven(pendulum):
    return pendulum.with_parts({"drive": load_part(PULSES)})


# The whole is what its pieces are.


def test_a_composed_run_is_that_of_the_model_written_by_hand_to_the_last_bit(driven):
    ours, by_hand = simulate(driven, **START), simulate(BY_HAND, **START)
    assert len(ours.events) == len(by_hand.events) > 10
    for name in ("t", "j", "chart", "x", "y", "extension"):
        np.testing.assert_array_equal(getattr(ours, name), getattr(by_hand, name))
    assert ours.events[:] != []
    assert [event.boundaries for event in ours.events] == [event.boundaries for event in by_hand.events]


def test_a_composed_model_keeps_the_contract_and_its_run_is_a_solution(driven):
    assert "fine" in check_model(driven)
    assert verify(simulate(driven, **START), driven).ok


def test_records_follow_each_other_and_the_slot_is_a_parameter_with_a_word(driven):
    assert driven.states.names == ("angle", "speed", "knocks", "pulses", "integral")
    assert driven.parameters.names == ("g_over_l", "restitution", "friction", "gain", "profile", "period", "drive")
    assert driven.boundary_records.names == ("left_wall", "right_wall", "tick")
    assert driven.output_records.names == ("energy", "applied", "strength")
    assert driven.chart_fields == {"last_wall": 1, "pulse": 2}
    assert driven.slot_names == ("drive",)
    assert driven.parameters["drive"].choices == ("free", str(PULSES))
    assert driven.parameters["drive"].default == str(PULSES)


def test_the_default_part_fills_a_slot_that_nobody_fills(pendulum):
    assert pendulum.part_words == {"drive": "free"}
    assert compose(pendulum.plant) is not None
    # Without a torque, and without friction and walls, the energy stays.
    run = simulate(pendulum, parameters={"friction": (0.0, 0.0)}, initial={"angle": 0.3}, final_time=3.0, rtol=1e-10)
    np.testing.assert_allclose(run["energy"], run["energy"][0], rtol=1e-8)


def test_the_same_pieces_give_the_same_model_and_an_equal_file(pendulum):
    plant, part = pendulum.plant, load_part(PULSES)
    first, second = compose(plant, {"drive": part}), compose(plant, {"drive": part})
    assert first is second
    copied = compose(plant, {"drive": dataclasses.replace(part)})
    files = {Path(model.functions["vector_field"].__code__.co_filename) for model in (first, copied)}
    assert len(files) == 1
    assert files.pop().is_file()


# Small models for the rules.


def grow(xdot, t, x, p, chart, push):
    xdot[0] = push(t, x[0])


def push(t, x, p, chart, level):
    return 1.0


def plant(functions=None, slots=(("push",),), **more):
    functions = functions or {"vector_field": grow}
    parts = {"steady": Part("steady", couplings=(push,))}
    made = tuple(Slot(f"slot{k}", couplings=names, choices=parts, default="steady") for k, names in enumerate(slots))
    return Plant("tank", [State("level")], **functions, slots=made, **more)


def test_a_part_needs_nothing_but_its_coupling_functions():
    run = simulate(plant(), final_time=2.0)
    assert run["level"][-1] == pytest.approx(2.0, rel=1e-12)


def test_inputs_lie_behind_the_parameters_of_their_piece():
    def filling(t, x, p, chart, level):
        return p[0] * p[1]

    part = Part(
        "filling",
        couplings={"push": filling},
        parameters=[Parameter("gain", 3.0)],
        inputs=[Input("valve", 0.5)],
    )
    model = compose(plant(parameters=[Parameter("size", 1.0)], inputs=[Input("leak")]), {"slot0": part})
    assert model.p_indices == {
        "size": 0,
        "leak": 1,
        "gain": 2,
        "valve": 3,
        "slot0": 4,
    }
    run = simulate(model, parameters={"gain": 4.0}, inputs={"valve": 0.25}, final_time=3.0)
    assert run["level"][-1] == pytest.approx(3.0, rel=1e-12)


def test_every_slot_has_a_part_of_its_own():
    def both(xdot, t, x, p, chart, push, pull):
        xdot[0] = push(t, x[0]) - pull(t, x[0])

    def pull(t, x, p, chart, level):
        return p[0] * level

    slots = (
        Slot("source", couplings=("push",), choices={"steady": Part("steady", couplings=(push,))}, default="steady"),
        Slot(
            "drain",
            couplings=("pull",),
            choices={"leak": Part("leak", couplings=(pull,), parameters=[Parameter("rate", 2.0)])},
            default="leak",
        ),
    )
    run = simulate(Plant("tank", [State("level")], vector_field=both, slots=slots), final_time=3.0)
    # level' = 1 - 2 level from 0
    assert run["level"][-1] == pytest.approx(0.5 * (1.0 - math.exp(-6.0)), rel=1e-6)


def test_a_part_begins_after_the_plant_and_knows_what_its_sensors_tell():
    def begin_low(x_new, t, x, p):
        x_new[0] = 3.0
        return 1

    def begin(x_new, t, x, p, seen):
        x_new[0] = seen(t)
        return 2

    def seen(t, x, p, chart):
        return x[0] + 10.0 * chart

    slot = Slot(
        "slot0",
        couplings=("push",),
        choices={"steady": Part("steady", couplings=(push,))},
        default="steady",
        sensors=(seen,),
    )
    made = Plant(
        "tank",
        [State("level")],
        vector_field=grow,
        initial_chart=begin_low,
        chart_fields={"side": 1},
        slots=(slot,),
    )
    part = Part(
        "memory",
        [State("noted", continuous=False)],
        couplings=(push,),
        initial_chart=begin,
        chart_fields={"step": 2},
    )
    run = simulate(compose(made, {"slot0": part}), final_time=1.0)
    assert (run["level"][0], run["noted"][0]) == (3.0, 13.0)
    assert run.charts == {0b101: "side=1 step=2"}


def test_a_coupling_function_may_use_sensors_with_both_charts_as_they_are():
    """The plant opens its valve at t = 1, the part its own at 0.5; the flow is (1 + 2 plant's) (1 + part's)."""

    def note(xdot, t, x, p, chart, push):
        xdot[0] = push(t, x[0])

    def opens(x_new, t, x, p, chart, crossed, push):
        x_new[1] = push(t, x_new[0])
        return 1 if crossed[0] else chart

    def closed_until(g, t, x, p, chart):
        g[0] = 1.0 - t if chart == 0 else 9.0 - t

    def valve(t, x, p, chart, weight):
        return weight * chart

    def flow(t, x, p, chart, level, valve):
        return (1.0 + valve(t, 2.0)) * (1.0 + chart)

    def half(g, t, x, p, chart):
        g[0] = 0.5 - t if chart == 0 else 9.0 - t

    def halfway(x_new, t, x, p, chart, crossed):
        return 1

    slot = Slot(
        "slot0",
        couplings=("push",),
        choices={"steady": Part("steady", couplings=(push,))},
        default="steady",
        sensors=(valve,),
    )
    made = Plant(
        "tank",
        [State("level"), State("noted", continuous=False)],
        vector_field=note,
        boundaries=closed_until,
        transition=opens,
        boundary_records=[Boundary("opens", time=True)],
        chart_fields={"open": 1},
        slots=(slot,),
    )
    part = Part(
        "two",
        couplings={"push": flow},
        boundaries=half,
        transition=halfway,
        boundary_records=[Boundary("halfway", time=True)],
        chart_fields={"step": 1},
    )
    model = compose(made, {"slot0": part})
    run = simulate(model, final_time=2.0)
    assert run["level"][-1] == pytest.approx(0.5 * 1.0 + 0.5 * 2.0 + 1.0 * 6.0, rel=1e-12)
    # The plant is asked after the part's step, and sees it made; its own chart is the one before.
    assert [event.x_after[1] for event in run.events] == [2.0, 2.0]
    assert verify(run, model).ok


def at_one(g, t, x, p, chart):
    g[0] = 1.0 - t


def ticks(g, t, x, p, chart):
    g[0] = (x[0] + 1.0) - t


def test_of_boundaries_that_cross_together_each_piece_answers_for_its_own():
    """At t = 1 both boundaries fall to zero. The plant writes something, and declines; the part goes on."""

    def declines(x_new, t, x, p, chart, crossed):
        x_new[0] = 77.0
        return DECLINED

    def counts(x_new, t, x, p, chart, crossed):
        x_new[0] = x[0] + 1.0
        return 1 - chart

    made = plant(
        {"vector_field": grow, "boundaries": at_one, "transition": declines},
        boundary_records=[Boundary("one", time=True)],
    )
    part = Part(
        "clock",
        [State("count", continuous=False)],
        couplings=(push,),
        boundaries=ticks,
        transition=counts,
        boundary_records=[Boundary("tick", time=True)],
        chart_fields={"odd": 1},
    )
    run = simulate(compose(made, {"slot0": part}), final_time=1.5)
    together = run.events[0]
    assert together.boundaries == ("one", "tick")
    assert together.x_after.tolist() == pytest.approx([1.0, 1.0])
    assert run["level"][-1] == pytest.approx(1.5, rel=1e-12)
    assert run["count"][-1] == 1.0
    assert run.events.declined.tolist() == [False, True]


def test_a_plant_that_takes_couplings_is_asked_after_its_parts():
    """The drive reverses by a transition of its own; the plant counts what it sees of it, at once."""

    def pushes(t, x, p, chart, level):
        return 1.0 - 2.0 * chart

    def turns(x_new, t, x, p, chart, crossed):
        x_new[0] = x[0] + 1.0
        return 1 - chart

    def starts(x_new, t, x, p, push):
        x_new[1] = push(t, x[0])
        return 0

    def sees(x_new, t, x, p, chart, crossed, push):
        x_new[1] = push(t, x[0])
        return chart

    def never(g, t, x, p, chart):
        g[0] = 99.0 - t

    slot = Slot("drive", couplings=("push",), choices={"steady": Part("steady", couplings=(push,))}, default="steady")
    made = Plant(
        "tank",
        [State("level"), State("seen", continuous=False)],
        vector_field=grow,
        boundaries=never,
        transition=sees,
        initial_chart=starts,
        boundary_records=[Boundary("end", time=True)],
        chart_fields={"side": 1},
        slots=(slot,),
    )
    part = Part(
        "turning",
        [State("turns", continuous=False)],
        couplings={"push": pushes},
        boundaries=ticks,
        transition=turns,
        boundary_records=[Boundary("tick", time=True)],
        chart_fields={"backward": 1},
    )
    run = simulate(compose(made, {"drive": part}), final_time=2.5)
    assert run["seen"][0] == 1.0
    assert [event.x_after[1] for event in run.events] == [-1.0, 1.0]


def test_a_chart_that_does_not_fit_into_the_piece_ends_the_run_and_leaves_other_bits_alone():
    def too_far(x_new, t, x, p, chart, crossed):
        return 2

    made = plant(
        {"vector_field": grow, "boundaries": at_one, "transition": too_far},
        boundary_records=[Boundary("one", time=True)],
        chart_fields={"side": 1},
    )
    run = simulate(compose(made, {"slot0": Part("two", couplings=(push,), chart_fields={"phase": 1})}), final_time=2.0)
    assert run.status is hybridsim.Status.UNKNOWN_CHART


def test_the_first_error_of_all_pieces_counts_before_any_warning():
    def warns(t, x, p, chart):
        return 1

    def fails_late(t, x, p, chart):
        return 2 if t > 1.0 else 1

    made = plant({"vector_field": grow, "validate": warns}, messages=(Message("half full", "warning"),))
    part = Part(
        "strict",
        couplings=(push,),
        validate=fails_late,
        messages=(Message("hm", "warning"), Message("too late")),
    )
    run = simulate(compose(made, {"slot0": part}), final_time=2.0, max_step=0.25)
    assert "too late" in run.message
    assert run.t[-1] == pytest.approx(1.0)
    assert run.statistics["warning: half full"] > 0


def test_a_plant_with_named_charts_takes_parts_without_charts():
    model = compose(plant(charts=("filling", "full")), {"slot0": "steady"})
    assert model.charts.names == ("filling", "full")
    with pytest.raises(ModelError, match="give the plant fields too"):
        compose(plant(charts=("filling", "full")), {"slot0": Part("two", couplings=(push,), chart_fields={"phase": 1})})


# What does not fit is refused, with the remedy.


def swaps(t, p, x, chart, level):
    return p[0]


def forgets(t, x, p, chart, level):
    doubled = 2.0 * level  # noqa: F841


@pytest.mark.parametrize(
    ("part", "message"),
    [
        (Part("p"), r"the function `push\(t, x, p, chart, level\)` is missing"),
        (Part("p", couplings={"push": push, "puhs": push}), "the plant never calls `puhs`; did you mean `push`"),
        (
            Part("p", [State("level", continuous=False)], couplings=(push,)),
            "'level', a state of the part 'p', is a state of the plant too",
        ),
        (
            Part("p", couplings=(push,), parameters=[Parameter("slot0")]),
            "is a slot of the plant too; rename it in the part",
        ),
        (
            Part("p", couplings=(push,), vector_field=grow),
            "takes 'push', which is no sensor of the slot slot0; leave it",
        ),
        (Part("p", couplings={"push": swaps}), r"`push` takes \(t, p, x, chart, level\); expected \(t, x, p, chart, l"),
        (Part("p", couplings={"push": forgets}), "`push` returns nothing; end it with `return`"),
        (
            Part("p", couplings={"push": grow}),
            r"`push` takes \(xdot, t, x, p, chart, push\); expected \(t, x, p, chart, l",
        ),
    ],
    ids=[
        "coupling missing",
        "nobody calls",
        "clash",
        "slot's name",
        "no sensor",
        "other order",
        "no return",
        "other arguments",
    ],
)
def test_a_part_that_does_not_fit_is_refused(part, message):
    with pytest.raises(ModelError, match=message):
        compose(plant(), {"slot0": part})


def sensing(*sensors):
    """A plant whose slots offer these."""
    slots = [
        Slot(
            f"slot{k}",
            couplings=(f"push{k or ''}",),
            choices={"s": Part("s", couplings={f"push{k or ''}": push})},
            default="s",
            sensors=given,
        )
        for k, given in enumerate(sensors)
    ]
    return Plant("tank", [State("level")], vector_field=grow, slots=slots)


def pulls(xdot, t, x, p, chart, pull):
    xdot[0] = pull(t)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: plant({"vector_field": pulls}),
            "takes 'pull', which is no coupling function of its slots; they have push",
        ),
        (lambda: Plant("tank", [State("level")], vector_field=push), "it has no slots; add one"),
        (lambda: plant(slots=(("push",), ("push",))), "two slots have a coupling function 'push'"),
        (lambda: sensing({"told": push}, {"told": pulls}), "sensor 'told' of slot 'slot1' has the name of"),
        (lambda: sensing({"push": pulls}), "sensor 'push' of slot 'slot0' has the name of another"),
        (lambda: Slot("s", couplings=("push",), choices={}, default="steady"), "the default 'steady' is not one of"),
        (
            lambda: Slot("s", couplings=("outputs",), choices={"a": Part("a")}, default="a"),
            "is a function of the contract",
        ),
        (lambda: Part("p", [State("a")], couplings=(push,)), "no function `vector_field`"),
        (lambda: Part("p", couplings=(push,), output_records=[Output("o")]), "declares outputs but has no function"),
        (lambda: Part("p", poses=push), "belongs to the plant alone"),
        (lambda: compose(plant(), {"slot": "steady"}), "no slot 'slot'; did you mean `slot0`"),
        (lambda: compose(plant(), {"slot0": "stead"}), "one of steady, found 'stead'; did you mean `steady`"),
    ],
    ids=[
        "no coupling",
        "no slots",
        "couplings of one name",
        "sensors of one name",
        "a sensor and a coupling",
        "default",
        "contract",
        "states",
        "outputs",
        "poses",
        "slot",
        "choice",
    ],
)
def test_what_is_wrong_with_a_plant_a_slot_or_a_part_is_said_when_it_is_made(make, message):
    with pytest.raises(ModelError, match=message):
        make()


def test_a_part_cannot_reach_beyond_its_own_entries():
    def reaches(xdot, t, x, p, chart):
        xdot[0] = x[1]

    part = Part("greedy", [State("own")], couplings=(push,), vector_field=reaches)
    with pytest.raises(ModelError, match=r"`x\[1\]` lies outside the array; its indices go from 0 to 0"):
        simulate(compose(plant(), {"slot0": part}), final_time=1.0)


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_composed_functions_are_kept_on_disk(driven, tmp_path, monkeypatch):
    monkeypatch.setattr(function_file, "cache_root", lambda: tmp_path)
    compilation.compiled_function.cache_clear()
    compilation.compile_functions(driven.name, driven.functions)
    assert len([*tmp_path.rglob("*.bin")]) == len(driven.functions)


# Files.


def test_a_plugin_file_may_hold_a_plant_or_a_part(tmp_path):
    assert isinstance(load_model_or_part(PENDULUM), Model)
    assert isinstance(load_model_or_part(PULSES), Part)
    (tmp_path / "nothing.py").write_text("x = 1\n")
    with pytest.raises(ModelError, match=r"it defines no `PART`; a plug-in ends with `PART = Part"):
        load_part(tmp_path / "nothing.py")
    with pytest.raises(ModelError, match="there is no such plug-in file"):
        load_part(tmp_path / "nowhere.py")


def test_an_edited_part_is_read_again(tmp_path):
    file = tmp_path / "pulses.py"
    file.write_text(PULSES.read_text())
    first = load_part(file)
    assert load_part(file) is first
    file.write_text(PULSES.read_text().replace('"gain", 3.0', '"gain", 5.25'))
    assert load_part(file).parameters["gain"].default == 5.25


def test_a_part_is_checked_in_the_slot_that_it_names(tmp_path):
    with pytest.raises(ModelError, match="does not say which slot it is for"):
        check_part(PULSES)
    (tmp_path / "pendulum.py").write_text(PENDULUM.read_text())
    file = tmp_path / "pulses.py"
    file.write_text(PULSES.read_text().replace('doc="pulses', 'slot="./pendulum.py.drive", doc="pulses'))
    assert "fine" in check_part(file)
    file.write_text(file.read_text().replace("return -p[P.gain]", "return -p[P.gain + 99]"))
    with pytest.raises(ModelError, match=r"pulses\.py:\d+: in `vector_field`: IndexError"):
        check_part(file)

"""Plants, slots and parts that do not fit are refused, with the remedy."""

import pytest

from hybridsim import (
    ModelError,
    Output,
    Parameter,
    Part,
    Plant,
    Slot,
    State,
    compose,
    simulate,
)

from gallery import flow_in, push, tank


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
            Part("p", couplings=(push,), vector_field=flow_in),
            "takes 'push', which is no sensor of the slot slot0; leave it",
        ),
        (Part("p", couplings={"push": swaps}), r"`push` takes \(t, p, x, chart, level\); expected \(t, x, p, chart, l"),
        (Part("p", couplings={"push": forgets}), "`push` returns nothing; end it with `return`"),
        (
            Part("p", couplings={"push": flow_in}),
            r"`push` takes \(xdot, t, x, p, chart, push\); expected \(t, x, p, chart, l",
        ),
    ],
    ids=[
        "coupling missing",
        "never called",
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
        compose(tank(), {"slot0": part})


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
    return Plant("tank", [State("level")], vector_field=flow_in, slots=slots)


def pulls(xdot, t, x, p, chart, pull):
    xdot[0] = pull(t)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: tank({"vector_field": pulls}),
            "takes 'pull', which is no coupling function of its slots; they have push",
        ),
        (lambda: Plant("tank", [State("level")], vector_field=push), "it has no slots; add one"),
        (lambda: tank(slots=(("push",), ("push",))), "two slots have a coupling function 'push'"),
        (lambda: sensing({"depth": push}, {"depth": pulls}), "sensor 'depth' of slot 'slot1' has the name of"),
        (lambda: sensing({"push": pulls}), "sensor 'push' of slot 'slot0' has the name of another"),
        (lambda: Slot("s", coupling=("push",)), "coupling: there is no such keyword; did you mean `couplings`"),
        (lambda: Slot("s", couplings=("push",), choices={}, default="steady"), "the default 'steady' is not one of"),
        (
            lambda: Slot("s", couplings=("outputs",), choices={"a": Part("a")}, default="a"),
            "is a function of the contract",
        ),
        (lambda: Part("p", [State("a")], couplings=(push,)), "no function `vector_field`"),
        (lambda: Part("p", couplings=(push,), output_records=[Output("o")]), "declares outputs but has no function"),
        (lambda: Part("p", poses=push), "belongs to the plant alone"),
        (lambda: compose(tank(), {"slot": "steady"}), "no slot 'slot'; did you mean `slot0`"),
        (lambda: compose(tank(), {"slot0": "stead"}), "one of steady, found 'stead'; did you mean `steady`"),
    ],
    ids=[
        "no coupling",
        "no slots",
        "couplings of one name",
        "sensors of one name",
        "a sensor and a coupling",
        "an unknown keyword",
        "default",
        "contract",
        "states",
        "outputs",
        "poses",
        "slot",
        "choice",
    ],
)
def test_an_error_in_a_plant_a_slot_or_a_part_is_reported_when_it_is_made(make, message):
    with pytest.raises(ModelError, match=message):
        make()


def test_a_part_cannot_reach_beyond_its_own_entries():
    def reaches(xdot, t, x, p, chart):
        xdot[0] = x[1]

    part = Part("greedy", [State("own")], couplings=(push,), vector_field=reaches)
    with pytest.raises(ModelError, match=r"`x\[1\]` lies outside the array; its indices go from 0 to 0"):
        simulate(compose(tank(), {"slot0": part}), final_time=1.0)

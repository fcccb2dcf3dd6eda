"""What is tried before the first run of a mechanism, in plain Python, and what would take minutes there."""

import sys

import pytest
from contacts.cases import standing_block

from hybridsim import Parameter, Records
from hybridsim.contacts import FlatFoot, contact_model, kernels
from hybridsim.engine.compiler.compilation import with_own_kernels
from hybridsim.engine.compiler.options import JIT
from hybridsim.errors import ModelError
from hybridsim.model import dry_run
from hybridsim.model.trials import trials
from hybridsim.multibody import Body, Free, Mechanism, Revolute


def test_kernels_that_are_called_give_the_results_of_those_that_are_interpreted():
    model = standing_block(friction=0.6)
    tried = trials(model, n_random=2, n_charts=4)
    for name in ("transition", "initial_chart"):
        function = model.functions[name]
        for case in tried.cases(name):
            found = []
            for each in (function, with_own_kernels(model.name, function)):
                given = tried.arguments(name, *case)
                found.append((each(*given.values()), given["x_new"]))
            assert found[0][0] == found[1][0]
            assert found[1][1] == pytest.approx(found[0][1], rel=1e-12, abs=1e-12)


def two_soles(**hooks):
    """A trunk on two legs, each on a sole of four corners."""
    trunk = Body("trunk", Free("trunk"), mass=40.0, inertia=(2.0, 2.0, 1.0))
    legs = [
        Body(
            f"leg{i}",
            Revolute(f"hip{i}", "y", place=(0.0, 0.2 * i - 0.1, 0.0)),
            "trunk",
            mass=8.0,
            inertia=(0.3, 0.3, 0.1),
        )
        for i in range(2)
    ]
    soles = [
        FlatFoot(f"sole{i}", f"leg{i}", (0.0, 0.0, -0.9), heel=0.1, toe=0.2, width=0.1, friction=0.6) for i in range(2)
    ]
    return contact_model("two_soles", Mechanism(trunk, *legs), soles, initial={"trunk_z": 0.9}, **hooks)


@pytest.mark.exhaustive  # slow; that kernels are called is seen by the test above
@pytest.mark.skipif(not JIT, reason="without a compiler all is interpreted")
def test_the_search_for_a_mode_of_two_soles_is_not_interpreted(monkeypatch):
    monkeypatch.setattr(dry_run, "read_verified", lambda file: None)  # no earlier run has tried this model
    model, interpreted = two_soles(), set()
    sys.setprofile(lambda frame, event, argument: interpreted.add(frame.f_code))
    try:
        dry_run.refuse_broken(model)
    finally:
        sys.setprofile(None)
    assert model.functions["transition"].__code__ in {code for code in interpreted if code.co_name == "transition"}
    assert kernels.choose.__code__ not in interpreted


def test_a_mistake_of_the_users_is_still_found_with_its_line():
    parameters = Records(Parameter("size", 1.0, "N"))

    def push(force, t, x, p):
        force[0] += p[len(parameters) + 1000]

    with pytest.raises(ModelError, match=r"test_first_run\.py:\d+.*lies outside the array"):
        dry_run.refuse_broken(two_soles(forces=push, parameters=parameters))

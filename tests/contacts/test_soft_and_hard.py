"""Soft contacts beside feet that pass each other and wheels on terrain: neither changes what the other does."""

import pytest
from contacts.cases import ROOT, TIGHT

from hybridsim import ModelError, load_config, simulate
from hybridsim.contacts import Disk, Patch, Plane, Waves, contact_model
from hybridsim.multibody import Body, Mechanism, Planar, Prismatic, load_mechanism

COMPASS = load_mechanism(ROOT / "configs/multibody/compass.urdf", base="planar")
WHEEL = Mechanism(Body("wheel", Planar("wheel", normal="y"), mass=1.0, inertia=(0.01, 0.02, 0.01)))
SLOPE, HILLS = Plane(slope=-0.05235987755982989), Waves(height=0.15, wave_x=3.0)
FEET = [
    Patch("left", "left", [(0, 0, -1)], plane=SLOPE, friction=2.0, passes="right"),
    Patch("right", "right", [(0, 0, -1)], plane=SLOPE, friction=2.0, passes="left"),
]
RIM = [Disk("rim", "wheel", 0.2, plane=HILLS, friction=0.6, restitution=0.3)]
LOAD, SHELF = Body("load", Prismatic("lift", "z"), mass=0.5), Plane("shelf")
PAD = Patch("pad", "load", [(0, 0, 0)], plane=SHELF, stiffness=800.0, damping=1.0)
ROLLING = {"wheel_x": -1.0, "wheel_z": 0.6, "wheel_xdot": 2.0}


def walking():
    """The state in which the compass begins, whose height is found by the config."""
    return dict(load_config(ROOT / "configs/multibody/compass.yaml").initial)


@pytest.mark.exhaustive  # slow; `test_soft` has soft and hard contacts in one model
@pytest.mark.members(1)
@pytest.mark.parametrize(
    ("mechanism", "contacts", "initial"),
    [(WHEEL, RIM, lambda: ROLLING), (COMPASS, FEET, walking)],
)
def test_a_load_on_a_pad_beside_it_changes_no_landing(mechanism, contacts, initial):
    """Nothing joins the load to the walker or to the wheel: each keeps the events that it has alone."""
    both = contact_model("both", Mechanism(*mechanism.bodies, LOAD), [*contacts, PAD])
    hard, soft = contact_model("hard", mechanism, contacts), contact_model("soft", Mechanism(LOAD), [PAD])
    initial, dropped = initial(), {"lift": 0.7}
    run = simulate(both, initial=initial | dropped, final_time=3.0, **TIGHT)
    for model, alone, own in ((hard, initial, False), (soft, dropped, True)):
        events = simulate(model, initial=alone, final_time=3.0, **TIGHT).events
        found = [each for each in run.events if each.boundaries[0].startswith("pad") == own]
        assert [each.boundaries for each in found] == [each.boundaries for each in events]
        assert [each.t for each in found] == pytest.approx([each.t for each in events], abs=1e-8)
        assert len(found) > 5


@pytest.mark.parametrize(
    ("contacts", "message"),
    [
        ([Patch("pad", "load", stiffness=1e3, passes="foot"), Patch("foot", "load")], "pad: passes: a soft contact"),
        ([Patch("foot", "load", passes="pad"), PAD], "foot: passes: a soft contact"),
        ([Patch("foot", "load", passes="fot"), Patch("feet", "load")], "'fot' is no other contact; did you mean"),
    ],
)
def test_what_soft_contacts_cannot_do_is_said(contacts, message):
    with pytest.raises(ModelError, match=message):
        contact_model("load", Mechanism(LOAD), contacts)

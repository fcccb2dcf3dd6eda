"""From a mechanism and its contacts to an ordinary model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from hybridsim.contacts.assembly import Assembly, constants_of, layout_of
from hybridsim.contacts.description import Contact, Equations
from hybridsim.contacts.generated import Hooks, generated_functions
from hybridsim.contacts.joints import DryFriction, Motor, Pin, Rod, Stop, joint_records
from hybridsim.contacts.refusals import refuse
from hybridsim.contacts.scene import contact_scene
from hybridsim.contacts.soft_tables import soft_constants
from hybridsim.contacts.tables import (
    boundaries_of,
    fields_of,
    frictions_of,
    messages_of,
    outputs_of,
    parameters_of,
    states_of,
)
from hybridsim.errors import ModelError, explains_keywords
from hybridsim.model.model import Model
from hybridsim.model.parts import Plant, Slot
from hybridsim.model.records import Output, Parameter
from hybridsim.model.scene import Scene
from hybridsim.model.table import Records
from hybridsim.multibody.mechanism import Mechanism
from hybridsim.typing import Function


def assembled(
    system: Mechanism | Equations,
    contacts: Sequence[Contact],
    loops: Sequence[Pin | Rod] = (),
    stops: Mapping[str, Any] | None = None,
    dry_friction: Mapping[str, Any] | None = None,
    motors: Mapping[str, Any] | None = None,
    impacts: str = "together",
    *,
    where: str = "",
) -> Assembly:
    """Return what a model is made of, of what `contact_model` takes."""
    ends = joint_records(f"{where}: stops", Stop, stops)
    return Assembly(
        system,
        tuple(each for each in contacts if not getattr(each, "is_soft", False)),
        joint_records(f"{where}: dry_friction", DryFriction, dry_friction),
        {joint: stop for joint, stop in ends.items() if not stop.is_soft},
        joint_records(f"{where}: motors", Motor, motors),
        tuple(loops),
        impacts == "in_turn",
        tuple(each for each in contacts if getattr(each, "is_soft", False)),
        {joint: stop for joint, stop in ends.items() if stop.is_soft},
    )


@explains_keywords()
def contact_model(
    name: str,
    system: Mechanism | Equations,
    contacts: Sequence[Contact] = (),
    *,
    loops: Sequence[Pin | Rod] = (),
    stops: Mapping[str, Stop | Mapping[str, float]] | None = None,
    dry_friction: Mapping[str, DryFriction | Mapping[str, float] | float] | None = None,
    motors: Mapping[str, Motor | Mapping[str, float]] | None = None,
    impacts: str = "together",
    initial: Mapping[str, float] | None = None,
    forces: Function | None = None,
    outputs: Function | None = None,
    prepare: Function | None = None,
    slots: Sequence[Slot] = (),
    parameters: Records[Parameter] | Sequence[Parameter] = (),
    output_records: Records[Output] | Sequence[Output] = (),
    stabilise: float = 10.0,
    rest_speed: float = 1e-6,
    begin_speed: float = 1e-4,
    doc: str = "",
    scene: Scene | None = None,
    poses: Function | None = None,
) -> Model:
    """Make a model of a mechanism with contacts and loops, and stops, dry friction and motors of joints.

    Parameters
    ----------
    name : str
        An identifier.
    system : Mechanism or Equations
        The mechanism, or equations of motion with their rows.
    contacts : sequence of Patch, Disk and Sphere, or of Rows
        The contacts of a mechanism, or of equations. If a body with a contact can leave the x-z plane, all contacts
        slip in two directions.
    loops : sequence of Pin or Rod
        What closes loops of a mechanism.
    stops : mapping of str to Stop or mapping, optional
        Stops of joints, by their coordinates: `{"knee": {"lower": 0.0, "restitution": 0.3}}`; or soft ones,
        `{"knee": {"lower": 0.0, "stiffness": 500.0, "damping": 5.0}}`.
    dry_friction : mapping of str to DryFriction, mapping or float, optional
        Dry friction of joints [N m or N], alike.
    motors : mapping of str to Motor or mapping, optional
        Motors of joints, alike.
    impacts : {"together", "in_turn"}
        Whether all contacts collide at once, or one after the other until none approaches; `restitution_scale` is then
        the smallest, in turn.
    initial : mapping of str to float, optional
        Defaults of coordinates and speeds.
    forces : callable, optional
        `forces(force, t, x, p)` adds generalised forces to `force`, in the order of the speeds.
    outputs : callable, optional
        `outputs(y, t, x, p, chart)` writes the quantities of `output_records`.
    prepare : callable, optional
        `prepare(x_new, t, x, p)` completes the initial state before contacts do; applied to what it has written, it
        must change nothing.
    slots : sequence of Slot, optional
        Places for parts, of which the model is then the plant: `forces`, `outputs` and `prepare` may take their
        couplings as last arguments.
    parameters : Records of Parameter, optional
        Those of the functions above and of `terms`, the first entries of p.
    output_records : Records of Output, optional
        Those of `outputs`, the last ones.
    stabilise : float
        Rate at which gaps and slips of what is down, and gaps of loops, are pulled to zero [1/s].
    rest_speed : float
        What moves more slowly than this at the limit of infinitely many impacts comes to rest; and what leaves an
        impact more slowly than a millionth of it [m/s].
    begin_speed : float
        In space, a slip that is slower than this has friction in about the direction in which it began [m/s].
    doc : str
        What the model is, in one line.
    scene, poses : Scene and callable, optional
        How it is drawn, as of `Model`; a mechanism has a scene of its own otherwise.

    Returns
    -------
    Model or Plant
        States are coordinates, speeds, `cause`, nonzero where no state of the contacts is consistent, and `misfit`, by
        how much the initial state is impossible; in space then the directions in which slips began.

    Raises
    ------
    ModelError
        If a body or a joint is unknown, there are too many contacts, or of `outputs` and `output_records`, or of
        `scene` and `poses`, only one is given.
    """
    where = f"model {name!r}"
    if impacts not in ("together", "in_turn"):
        raise ModelError(f"{where}: impacts are 'together' or 'in_turn', not {impacts!r}")
    for pair in ({"outputs": outputs, "output_records": output_records}, {"scene": scene, "poses": poses}):
        given = [key for key, value in pair.items() if value]
        if len(given) == 1:
            raise ModelError(
                f"{where}: {' and '.join(pair)} belong together, found {given[0]} alone; give both, or none"
            )
    own = Records(*parameters)
    made = assembled(system, contacts, loops, stops, dry_friction, motors, impacts, where=where)
    refuse(where, made)
    tables, places = parameters_of(
        made, len(own), {"stabilise": stabilise, "rest_speed": rest_speed, "begin_speed": begin_speed}
    )
    constants = constants_of(where, made, places)._replace(soft=soft_constants(where, made, places))
    table, size = layout_of(made, constants, places)
    messages, at = messages_of(made), frictions_of(made, places)
    unsteady = dict(zip(at, range(len(messages) - len(at) + 1, len(messages) + 1), strict=True))
    found = outputs_of(made, constants)
    soft_grounds = made.soft_part.grounds(places.soft.planes) if places.soft else []
    hooks, grounds = Hooks(forces, outputs, prepare, len(found)), (made.grounds(places.planes), soft_grounds)
    functions: Any = generated_functions(name, table, size, constants, system, hooks, grounds, unsteady=unsteady)
    found += Records(*output_records)
    if scene is None and made.is_mechanism:
        scene, poses = contact_scene(made, places, found.names)
    kind: Callable[..., Model] = partial(Plant, slots=tuple(slots)) if slots else Model
    return kind(
        name,
        states_of(made, initial or {}),
        **functions,
        parameters=own + Records(*tables),
        chart_fields=fields_of(made),
        boundary_records=boundaries_of(made),
        output_records=found,
        messages=messages,
        scene=scene,
        poses=poses,
        doc=doc,
    )

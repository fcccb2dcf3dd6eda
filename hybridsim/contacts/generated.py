"""The functions of a model with contacts: a small module of constants, which calls what serves every mechanism."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from hybridsim.contacts import constants as packing
from hybridsim.contacts import ground_rows, kernels, soft, terrain
from hybridsim.contacts.constants import MANY, Packed, pack
from hybridsim.contacts.function_texts import (
    EQUATIONS,
    FOOT,
    FUNCTIONS,
    GROUND,
    LYING,
    MECHANISM,
    MISPLACED,
    SOFT_CALLS,
    TIGHT,
    UNSTEADY,
)
from hybridsim.contacts.impacts import IMPACT, JAMMED
from hybridsim.contacts.layout import PLANE_SLOPE, Layout, n_boundaries, read_layout
from hybridsim.contacts.rows import Bodies, Joints, Loops, Soft
from hybridsim.contacts.terms import equation_terms, speeds_in
from hybridsim.engine.compiler.scratch import scratch
from hybridsim.engine.compiler.separate import returns_of, separate
from hybridsim.engine.compiler.signatures import integer, void
from hybridsim.engine.compiler.slices import subarray
from hybridsim.engine.status import DECLINED
from hybridsim.model.codegen import load_generated
from hybridsim.model.contract import CONTRACT
from hybridsim.multibody.constants import set_constants
from hybridsim.typing import FloatArray, Function

CALLED: dict[str, Any] = {
    **{
        name: value
        for each in (kernels, packing, terrain, ground_rows, soft)
        for name, value in vars(each).items()
        if returns_of(value)
    },
    "scratch": scratch,
    "subarray": subarray,
    "separate": separate,
    "void": void,
    "integer": integer,
    "set_constants": set_constants,
    "read_layout": read_layout,
    "speeds_in": speeds_in,
    "equation_terms": equation_terms,
}
"""What generated modules call by name."""

CLOSINGS = 60
"""Most steps of Newton's method that close loops at the initial state."""

BEGINNINGS = 3
"""How often an event begins at most: again where points come to their planes as others are raised."""


class Hooks(NamedTuple):
    """What a model adds to its contacts; None where there is nothing of the kind. See `contact_model`."""

    forces: Function | None
    outputs: Function | None
    prepare: Function | None
    first_output: int
    """Index in y of the first of its own outputs."""

    @property
    def functions(self) -> dict[str, Function]:
        """Those that there are, by the names that generated modules have for them."""
        given = {"own_forces": self.forces, "own_outputs": self.outputs, "own_prepare": self.prepare}
        return {name: function for name, function in given.items() if function}

    def asked_by(self, hook: str) -> tuple[str, ...]:
        """Return the couplings that a hook takes behind its own arguments."""
        function, own = self.functions.get(f"own_{hook}"), 5 if hook == "outputs" else 4
        return tuple(inspect.signature(function).parameters)[own:] if function else ()

    def texts(self) -> dict[str, str]:
        """Return what they put into the functions of the model: forces that take couplings come behind `press`."""
        asked, after = self.asked_by("forces"), self.asked_by("outputs")
        passed = {key: "".join(f", {name}" for name in self.asked_by(key)) for key in ("forces", "outputs", "prepare")}
        force = "; own_forces(subarray(work, {{force}}, {{n}}), t, {x}, p" + passed["forces"] + ")"
        first = f"\n    own_prepare(x_new, t, x, p{passed['prepare']})" if self.prepare else ""
        own = f"\n    own_outputs(subarray(y, {self.first_output}, {{many}}), t, x, p, chart{passed['outputs']})"
        return {
            "asked": passed["forces"],
            "asked_by_outputs": "".join(f", {name}" for name in dict.fromkeys((*asked, *after))),
            "asked_at_first": "".join(f", {name}" for name in dict.fromkeys((*asked, *self.asked_by("prepare")))),
            "prepare": first,
            "own_outputs": own if self.outputs else "",
            "drive": force.format(x="x") if asked else "",
            "drive_after": force.format(x="x_new") if asked else "",
        }


class Constants(NamedTuple):
    """What the functions of a model know of its mechanism; None where there is nothing of the kind."""

    bodies: Bodies | None
    joints: Joints | None
    loops: Loops | None
    soft: Soft | None = None


def generated_functions(
    name: str,
    table: FloatArray,
    size: int,
    constants: Constants,
    system: Any,
    hooks: Hooks,
    grounds: Sequence[Sequence[tuple[int, Any, int]]],
    *,
    unsteady: Mapping[int, int],
) -> dict[str, Function]:
    """Return the functions of a model by their names in the contract.

    Parameters
    ----------
    name : str
        Name of the model.
    table : array
        The layout, as the work space begins with it.
    size : int
        Size of the work space.
    constants : Constants
        The mechanism, none for equations; joints and loops.
    system : Mechanism or Equations
        Where both come from.
    hooks : Hooks
        What the model adds.
    grounds : two sequences of (int, Terrain, int)
        The points that touch ground which is no plane, with it, and with the index of its parameters in p: of hard
        contacts, and of soft ones.
    unsteady : mapping of int to int
        The index of each static friction in p, before that of kinetic friction; the message where it is less.
    """
    layout = read_layout(table)
    sizes = _sizes(layout, table, size, constants, system)
    sizes["unsteady"] = "".join(UNSTEADY.format(at=at, message=message) for at, message in unsteady.items())
    sizes |= {"feet": "".join(_foot(*each, soft, sizes) for soft, those in enumerate(grounds) for each in those)}
    sizes |= {key: text.format(**sizes) for key, text in _calls(constants, hooks, any(grounds), sizes).items()}
    used: dict[str, Any] = {key.upper(): pack(value) for key, value in constants._asdict().items() if value is not None}
    numbers = [table.tolist(), *(each.tolist() for packed in used.values() for each in packed)]
    digest = hashlib.sha256(repr(numbers).encode()).hexdigest()[:16]
    heading = f'"""{name} with contacts, {digest}: written by hybridsim.contacts.contact_model."""\n\n'
    text = heading + (MECHANISM if constants.bodies else EQUATIONS).format(**sizes) + FUNCTIONS.format(**sizes)
    used |= CALLED | {"TABLE": table} | ({} if constants.bodies else {"terms": system.terms})
    shapes = {f"shape_{k}_{i}": ground.shape for k, those in enumerate(grounds) for i, ground, _ in those}
    used |= shapes | hooks.functions
    module = load_generated(name, text, used)
    without = (
        ()
        if layout.n_points or layout.n_slipping or constants.soft
        else ("boundaries", "transition", "slopes_and_boundaries")
    )
    return {key: vars(module)[key] for key in CONTRACT if key in vars(module) and key not in without}


def _sizes(layout: Layout, table: FloatArray, size: int, constants: Constants, system: Any) -> dict[str, Any]:
    """Return what the text of the functions names."""
    n, joints, soft = layout.n_speeds, constants.joints, constants.soft
    n_stops = joints.n_stops if joints else 0
    rows_of_contacts = layout.n_rows - layout.n_loop_rows - layout.n_slipping + layout.n_contacts - n_stops
    packed = {
        key: [f"subarray({key.upper()}.{each}, 0, {MANY})" for each in Packed._fields] for key in Constants._fields
    }
    return {
        **layout._asdict(),
        "n": n,
        "points": layout.n_points - n_stops,
        "rows_size": rows_of_contacts * (n + 1),
        "table": len(table),
        "size": _power_of_two(size + (soft.size if soft else 0)),
        "soft_bit": soft.bit if soft else 0,
        "pad_work": f"subarray(work, {size}, {MANY})",
        "pads": f"subarray(work, {size}, {MANY}), {', '.join(packed['soft'])}",
        "n_boundaries": n_boundaries(layout) + sum(table[layout.passed + j] >= 0 for j in range(layout.n_contacts)),
        "motion": _power_of_two(system.motion_size if constants.bodies else 1),
        **{key: ", ".join(arrays) for key, arrays in packed.items()},
        "tree": packed["bodies"][0],
        "n_motors": joints.n_motors if joints else 0,
        "n_others": (layout.n_loops > 0) + (joints.n_motors if joints else 0),
        "cause": layout.n_coordinates + n,
        "closings": CLOSINGS,
        "beginnings": BEGINNINGS,
        "again": kernels.AGAIN,
        "many": MANY,
        "length": float(getattr(system, "length", 0.0)),
        "n_messages": 1 + layout.n_points + layout.n_loops,
        "foot_size": ground_rows.FOOT_SIZE,
        "foot_steps": ground_rows.FOOT_STEPS,
        "at_shape": ground_rows.SHAPE,
        "declined": DECLINED,
        "impact": IMPACT,
        "jammed": JAMMED,
    }


def _power_of_two(size: int) -> int:
    """Return a size that many models have in common, so that they have the same machine code."""
    return max(1 << (size - 1).bit_length(), 1024)


def _foot(i: int, ground: Any, place: int, soft: int, sizes: Mapping[str, Any]) -> str:
    """Return the statements that put a point on a terrain."""
    known = terrain.SHAPES.get(type(ground))
    further = f", {place + PLANE_SLOPE + sizes['tangents']}" if known else ""
    shape = known.__name__ if known else f"shape_{soft}_{i}"
    pool, number = ("{pads}", i + 1 + sizes["points"]) if soft else ("work, {bodies}", i + 1)
    values = {"i": i, "place": place, "shape": shape, "further": further, "number": number}
    return FOOT.format(**sizes, **values, pool=pool.format(**sizes))


def _misplaced(constants: Constants, has_ground: bool, sizes: Mapping[str, Any]) -> str:
    """Return the statements that find what terrain or a wheel has no place for: see `tables.misplaced`."""
    soft, bodies, found = constants.soft, constants.bodies, ""
    pools = [each for each in (bodies, soft.bodies if soft else None) if each is not None and each.n_points]
    if has_ground and any((each.radii >= 0).any() for each in pools):
        found += TIGHT
    if any(each.axes.any() for each in pools):
        before = sizes["n_messages"] + (sum(each.n_points for each in pools) if has_ground else 0)
        found += LYING.format(pool="work, {bodies}", before=before)
        if soft:
            found += LYING.format(pool="{pads}", before=before + sizes["points"])
    return MISPLACED + found if found else ""


def _calls(constants: Constants, hooks: Hooks, has_ground: bool, sizes: Mapping[str, Any]) -> dict[str, str]:
    """Return the statements of what a model has besides contacts."""
    terms = outputs = ""
    if constants.soft:
        terms += "\n    find_soft({pads}, motion, x, p)"
    if has_ground:
        terms += "\n    find_ground(work, motion, p)"
    if constants.soft:
        terms += "\n    find_soft_velocities({pad_work}, x)"
    if constants.joints:
        terms += "\n    find_joints(work, {joints}, x, p)"
        outputs += "\n    put_motor_forces(y, {joints}, x, p, {n_coordinates})"
    if constants.loops:
        terms += "\n    find_loops(work, motion, {tree}, {loops}, p)"
        outputs += "\n    y[{n_motors}] = loop_error(work)"
    own = hooks.texts()
    if hooks.forces and not own["asked"]:
        terms += "\n    own_forces(subarray(work, {force}, {n}), t, x, p)"
    soft = SOFT_CALLS if constants.soft else dict.fromkeys(SOFT_CALLS, "")
    hard = "chart & (1 << {soft_bit}) - 1" if constants.soft else "chart"
    result = "with_soft(x_new, work, motion, t, p, mode, chart)" if constants.soft else "mode"
    ground, misplaced = GROUND if has_ground else "", _misplaced(constants, has_ground, sizes)
    texts = {"more": terms, "more_outputs": outputs, "ground": ground, "misplaced": misplaced}
    presses = {key: soft[key] + own["drive" if key == "press" else "drive_after"] for key in soft if "press" in key}
    return {**soft, **presses, **texts, **own, "hard": hard, "result": result}

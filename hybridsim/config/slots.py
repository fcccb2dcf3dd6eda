"""Put the parts that the section `parameters` names into the slots of a model."""

from __future__ import annotations

from hybridsim.config.source import Diagnostics, Node, show
from hybridsim.errors import ModelError
from hybridsim.model import Model
from hybridsim.model.composition import ComposedModel, compose
from hybridsim.model.parts import Plant
from hybridsim.model.registry import with_part


def fill_slots(root: Node, model: Model | None, diagnostics: Diagnostics) -> tuple[Node, Model | None]:
    """Fill the slots of a model with the parts that the section `parameters` names.

    Parameters
    ----------
    root : Node
        The configuration.
    model : Model or None
        The model; None if it could not be loaded.
    diagnostics : Diagnostics
        Gets errors for slots that are filled wrongly.

    Returns
    -------
    Node
        The configuration, with absolute paths of the parts.
    Model or None
        The model with its parts; None if a slot is filled wrongly.
    """
    model = compose(model) if isinstance(model, Plant) else model
    given = root.section("parameters")
    filled = model
    for slot in model.slot_names if model is not None else ():
        node = given.get(slot)
        if node is None or filled is None:
            continue
        if not isinstance(node.value, str):
            text = f"expected the name of a part or the path of its file, found {show(node.value)}; name one"
            diagnostics.error(root, ("parameters", slot), text)
            filled = None
            continue
        try:
            filled = with_part(filled, slot, node.value, node.origin.folder)
        except (ModelError, OSError, ValueError) as failure:
            diagnostics.error(root, ("parameters", slot), str(failure))
            filled = None
        else:
            assert isinstance(filled, ComposedModel)
            word = filled.part_words[slot]
            root = root.with_value(("parameters", slot), Node(word, node.origin))
    return root, filled

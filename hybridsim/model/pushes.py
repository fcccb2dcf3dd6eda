"""Forces by which a run can be pushed while it is computed: which inputs they are, and on which body they act."""

from __future__ import annotations

import math
from dataclasses import dataclass

from hybridsim.errors import ModelError, explains_keywords


@explains_keywords()
@dataclass(frozen=True, slots=True)
class Push:
    """Inputs that are a force on a body, with which the mouse can push it while a run is computed.

    Parameters
    ----------
    body : str
        The body, from whose origin the force is drawn.
    inputs : tuple of 3 str
        The inputs that are the force along x, y and z of the world [N]; "" for one that the model does not have.
    stiffness : float
        Force for each metre by which the mouse is dragged [N/m].
    limit : float
        The largest force [N].

    Raises
    ------
    ModelError
        If there are not three names, or a number is not positive and finite.
    """

    body: str
    inputs: tuple[str, str, str]
    stiffness: float
    limit: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "inputs", tuple(self.inputs))
        if len(self.inputs) != 3 or not any(self.inputs):
            raise ModelError(
                f"push on {self.body!r}: inputs: expected the names of three, along x, y and z, found {self.inputs!r}; "
                "give '' for one that the model does not have"
            )
        for name, unit in (("stiffness", "N/m"), ("limit", "N")):
            if not 0.0 < getattr(self, name) < math.inf:
                raise ModelError(
                    f"push on {self.body!r}: {name} must be a positive number [{unit}], not {getattr(self, name)!r}"
                )

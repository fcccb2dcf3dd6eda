"""The settings of the engine: the one table of their types, limits, defaults, meanings and uses.

Everything else follows from it: the keys of the section `engine`, the keywords of `simulate` and `sweep`, the names in
rc files, what is copied into the engine's memory, and what a sweep can change from run to run.
"""

from __future__ import annotations

import math
from typing import Annotated

from pydantic import Field, ValidationInfo, field_validator

from hybridsim.config.field_types import ConfigSection, FiniteNumber, Integer, KeyUse, use_of
from hybridsim.config.methods import MethodEntry, tableau_of
from hybridsim.engine.methods import Tableau


class EngineSettings(ConfigSection):
    """How the equations are solved."""

    method: MethodEntry = Field(
        default="dp5",
        description="integration method: a word, the keywords of a `Tableau`, or a plug-in file that ends with "
        "`METHOD = Tableau(...)`; rk4 takes fixed steps of first_step, or of max_step",
    )
    rtol: Annotated[FiniteNumber, KeyUse(copied=True, per_run=True)] = Field(
        default=1e-8, ge=0, description="error tolerance of a step, relative to each state"
    )
    atol: Annotated[FiniteNumber, KeyUse(copied=True, per_run=True)] = Field(
        default=1e-10, gt=0, description="error tolerance of a step, in the unit of each state"
    )
    first_step: Annotated[FiniteNumber | None, KeyUse(unit="s")] = Field(
        default=None, gt=0, examples=[1e-3], description="first step [s]; by default chosen by the engine"
    )
    max_step: Annotated[float, Field(strict=True), KeyUse(unit="s", copied=True)] = Field(
        default=math.inf,
        gt=0,
        validate_default=True,
        examples=[1e-2],
        description="longest step [s]; by default there is no limit",
    )
    min_step: Annotated[FiniteNumber, KeyUse(unit="s", copied=True, per_run=True)] = Field(
        default=0.0, ge=0, description="shortest step [s]; a run that needs a shorter one ends"
    )
    power: FiniteNumber = Field(default=0.33, gt=0, le=1, description="exponent of the step adjustment of rk4_adaptive")
    stop_precision: Annotated[FiniteNumber, KeyUse(copied=True)] = Field(
        default=1e-10, ge=0, description="how near zero a boundary must be at its event, in the boundary's unit"
    )
    touch_precision: FiniteNumber | None = Field(
        default=None,
        ge=0,
        examples=[1e-6],
        description="a boundary's minimum this near above zero is a touch, in the boundary's unit; "
        "by default `stop_precision`, 0: never",
    )
    zeno_precision: Annotated[FiniteNumber, KeyUse(copied=True, per_run=True)] = Field(
        default=1e-9,
        ge=0,
        le=0.1,
        description="where events accumulate (Zeno), the run ends, or continues at rest, this near before the limit, "
        "relative to the duration of the sequence; 0: never",
    )
    max_stop_iterations: Annotated[Integer, KeyUse(copied=True, per_run=True)] = Field(
        default=128, ge=1, description="iterations to locate an event before giving up"
    )
    max_transitions: Annotated[Integer, KeyUse(copied=True, per_run=True)] = Field(
        default=100_000, ge=1, description="transitions after which the run ends"
    )
    max_steps: Annotated[Integer | None, KeyUse(copied=True, per_run=True)] = Field(
        default=None,
        ge=1,
        examples=[1_000_000],
        description="accepted steps after which the run ends; by default there is no limit",
    )
    max_wall_time: Annotated[FiniteNumber | None, KeyUse(may_vary=False)] = Field(
        default=None,
        gt=0,
        examples=[60.0],
        description="computing time after which the run ends [s]; by default there is no limit",
    )

    @field_validator("max_step")
    @classmethod
    def _suits_method_and_first_step(cls, max_step: float, info: ValidationInfo) -> float:
        first_step = info.data.get("first_step")
        if first_step is not None and first_step > max_step:
            raise ValueError(f"expected at least first_step = {first_step!r}, found {max_step!r}; change one of them")
        unset = "first_step" in info.data and first_step is None and math.isinf(max_step)
        method = info.data.get("method")
        if unset and method is not None and not tableau_of(method).adaptive:
            name = tableau_of(method).name
            raise ValueError(f"the method {name} takes fixed steps; set first_step or max_step to its step [s]")
        return max_step

    @field_validator("min_step")
    @classmethod
    def _is_the_shortest(cls, min_step: float, info: ValidationInfo) -> float:
        for longer in ("first_step", "max_step"):
            limit = info.data.get(longer)
            if limit is not None and min_step > limit:
                raise ValueError(f"expected at most {longer} = {limit!r}, found {min_step!r}; change one of them")
        return min_step

    @property
    def tableau(self) -> Tableau:
        """The coefficients of the method."""
        return tableau_of(self.method, self.rtol)


ENGINE_KEY_USES = {name: use_of(field) or KeyUse() for name, field in EngineSettings.model_fields.items()}
"""Setting -> how it is used outside the schema."""

COPIED_SETTINGS = tuple(name for name, use in ENGINE_KEY_USES.items() if use.copied)
"""Settings whose values the engine's record of settings holds under the same names."""

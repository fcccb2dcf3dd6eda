"""The keys of the section `optimize`: what is searched, by what it is judged, and how."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from hybridsim.config.field_types import (
    Boolean,
    ConfigSection,
    DistributionEntries,
    FiniteNumber,
    Integer,
    SampleCount,
    Text,
)
from hybridsim.config.sweep_settings import MetricsSection
from hybridsim.typing import SearchMethod, Take

MAX_POPULATION, MAX_SEARCHES = 100_000, 1000

RangeEntry = Annotated[Any, WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "array"}]})]
StructureEntry = Annotated[
    Any, WithJsonSchema({"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "object"}]})
]


class MigrationSettings(ConfigSection):
    """How readily particles of `mmpso` change their choices, in each generation."""

    explore: FiniteNumber = Field(default=0.05, ge=0, le=1, description="to any other choice, early in the search")
    own: FiniteNumber = Field(default=0.05, ge=0, le=1, description="to that of the particle's best, in the middle")
    best: FiniteNumber = Field(default=0.1, ge=0, le=1, description="to that of the best of all, late")
    steady: Boolean = Field(default=False, description="whether these stay the same in all generations")

    @model_validator(mode="after")
    def _are_probabilities(self) -> MigrationSettings:
        if self.explore + self.own + self.best > 1.0:
            raise ValueError("expected at most 1 together, as they are probabilities; choose smaller ones")
        return self


class MethodSettings(ConfigSection):
    """A method of search and its size."""

    name: SearchMethod = Field(
        default="pso",
        description="pso: a particle swarm; mmpso: one whose particles make choices, too; cma: CMA-ES; random",
    )
    population: SampleCount = Field(
        default=40, ge=2, le=MAX_POPULATION, description="settings in a generation of a search"
    )
    generations: Integer = Field(default=100, ge=1, description="number of generations")
    migration: MigrationSettings = Field(default_factory=MigrationSettings, description="choices of `mmpso`")


def _method_section(value: Any) -> Any:
    """`method: cma` is short for `method: {name: cma}`."""
    return {"name": value} if isinstance(value, str) else value


class StageSettings(ConfigSection):
    """One aim: what is minimised or maximised, and when it is satisfied, so that the next stage counts."""

    minimize: Text | None = Field(default=None, examples=["force"], description="a metric, or a formula of metrics")
    maximize: Text | None = Field(default=None, examples=["steps"], description="a metric, or a formula of metrics")
    until: Text | None = Field(
        default=None, examples=["steps >= 24"], description="a comparison of metrics that holds once it is satisfied"
    )

    @model_validator(mode="after")
    def _has_one_aim(self) -> StageSettings:
        if (self.minimize is None) == (self.maximize is None):
            raise ValueError("expected `minimize` or `maximize`, one of them; write for example {minimize: force}")
        return self


class RepeatSettings(ConfigSection):
    """Several runs of each setting under conditions that are drawn at random, the same for all of a generation."""

    samples: SampleCount = Field(ge=2, le=1000, examples=[3], description="runs of each setting")
    axes: DistributionEntries = Field(
        description="distribution by key: uniform(a, b), loguniform(a, b) or normal(mean, sigma)"
    )
    take: Take = Field(
        default="worst",
        description="the run by which a setting is judged: worst or median (of an even number, the worse of the two)",
    )


class OptimizationSettings(MetricsSection):
    """A search for the parameters, and the choices, with which runs of a model do best."""

    parameters: dict[str, RangeEntry] = Field(
        default={},
        examples=[{"k": "uniform(15e3, 25e3)"}],
        description="what is searched, by key: uniform(a, b), loguniform(a, b), a range FROM..TO, "
        "fraction(OTHER, a, b) of another parameter, or for an array simplex(n), n numbers with the sum 1",
    )
    structure: dict[str, StructureEntry] = Field(
        default={},
        examples=[{"control_type": ["clock", "cpg"]}],
        description="choices by key: a list of words, or a mapping of each word to the parameters that it brings",
    )
    stages: tuple[StageSettings, ...] = Field(
        description="aims in order: one counts only where all before it are satisfied"
    )
    method: Annotated[MethodSettings, BeforeValidator(_method_section)] = Field(
        default_factory=MethodSettings, description="how the settings of a generation follow from those before"
    )
    seed: Integer = Field(default=1, ge=0, description="seed of the first search; the n-th has seed + n - 1")
    runs: SampleCount = Field(default=10, ge=1, le=MAX_SEARCHES, description="independent searches, side by side")
    patience: Integer | None = Field(
        default=None, ge=1, description="end after so many generations in which no search found anything better"
    )
    start: Text | None = Field(
        default=None, description="a config, or the folder of an optimisation, with the setting where searches begin"
    )
    spread: FiniteNumber = Field(
        default=0.1, gt=0, le=1, description="largest distance from `start` at first, in widths of the ranges"
    )
    repeats: RepeatSettings | None = Field(default=None, description="runs of each setting under random conditions")
    polish: Boolean = Field(
        default=False,
        description="follow the best setting of each search downhill by exact derivatives, where the last stage has "
        "them: of states at the end and at events, and of times",
    )
    agreement: FiniteNumber = Field(
        default=1e-3,
        gt=0,
        description="a best is found if its value changes by less than this fraction, of itself or of the first values "
        "of all, where the run is computed at a hundredth of the tolerances, and by another method",
    )

    @model_validator(mode="after")
    def _has_something_to_search(self) -> OptimizationSettings:
        if not self.parameters and not self.structure:
            raise ValueError("expected something to search, found nothing; write parameters: {KEY: uniform(a, b)}")
        if self.structure and self.method.name in ("pso", "cma"):
            raise ValueError(f"method {self.method.name} makes no choices; with `structure`, write method: mmpso")
        return self

"""Between the section `orbit` of a config and the objects of the analysis."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from pydantic import ValidationError

from hybridsim.analysis.section import Section, Symmetry
from hybridsim.config.orbit_settings import OrbitSettings
from hybridsim.errors import ConfigError


def settings_of(
    section: Section,
    symmetry: Symmetry,
    period: int,
    fixed: Mapping[str, float],
    *,
    max_time: float,
    tolerance: float,
) -> OrbitSettings:
    """Return the section of a config that describes an orbit.

    Raises
    ------
    ConfigError
        If a value is wrong.
    """
    if isinstance(period, bool) or not isinstance(period, int) or period < 1:
        raise ConfigError(f"period: expected a number of strides from 1 on, found {period!r}")
    data = {
        "section": dataclasses.asdict(section),
        "period": period,
        "symmetry": {
            "negate": tuple(symmetry.negate),
            "swap": tuple(tuple(pair) for pair in symmetry.swap),
            "charts": dict(symmetry.charts),
            "boundaries": dict(symmetry.boundaries),
        },
        "fixed": {name: float(value) for name, value in fixed.items()},
        "max_time": float(max_time),
        "tolerance": float(tolerance),
    }
    try:
        return OrbitSettings.model_validate(data)
    except ValidationError as problem:
        first = problem.errors(include_url=False)[0]
        raise ConfigError(f"{'.'.join(map(str, first['loc']))}: {first['msg']}, found {first['input']!r}") from None


def section_of(settings: OrbitSettings) -> Section:
    """Return the section of an orbit."""
    section = settings.section
    return Section(**section.model_dump())


def symmetry_of(settings: OrbitSettings) -> Symmetry:
    """Return the symmetry of an orbit.

    Raises
    ------
    ConfigError
        If a swap is no pair, or a state is swapped twice.
    """
    symmetry = settings.symmetry
    pairs = [(pair[0], pair[1]) if len(pair) == 2 else pair for pair in symmetry.swap]
    names = symmetry.charts, symmetry.boundaries
    return Symmetry(symmetry.negate, pairs, *names)  # type: ignore[arg-type]  # Symmetry refuses other lengths

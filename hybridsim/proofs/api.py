"""`hybridsim.prove`: a theorem about an orbit."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import log2
from typing import TYPE_CHECKING, Any

import numpy as np

from hybridsim import __version__
from hybridsim.errors import ConfigError, explains_keywords
from hybridsim.model.parameters import pack_parameters
from hybridsim.model.registry import files_to_execute
from hybridsim.proofs.enclosure import Accuracy, Enclosure, below
from hybridsim.proofs.events import CLOCK
from hybridsim.proofs.influence import set_again
from hybridsim.proofs.refusals import NotProvenError, refuse_family, refuse_section
from hybridsim.proofs.theorem import Theorem

if TYPE_CHECKING:
    from hybridsim.analysis import Bifurcation, Orbit
    from hybridsim.proofs.bifurcation_theorem import BifurcationTheorem

MAX_DIGITS = 100
"""Most digits that can be asked for."""

COARSE, FINER = Accuracy(80, 28, 1e-12, 20), Accuracy(100, 36, 1e-18, 28)
"""How finely the box of uniqueness is calculated at first, and then."""

SECOND, FINER_SECOND = Accuracy(80, 24, 1e-12, 16, 12), Accuracy(100, 32, 1e-18, 18, 14)
"""The same with second derivatives, which are used of fields with no more than `SHORT` operations."""

SHORT = 200

NEAR = 0.1
"""How near to -1 or 1 a computed multiplier has to be at a bifurcation."""


@explains_keywords()
def prove(orbit: Orbit, *, digits: int = 14, parameters: Mapping[str, tuple[float, float]] | None = None) -> Theorem:
    """Prove that an orbit exists, that it is the only one nearby, its chain of events and its multipliers.

    Parameters
    ----------
    orbit : Orbit
        A computed orbit; its section has to be a boundary.
    digits : int
        Digits to which its state is to be known, up to 100.
    parameters : mapping of str to (float, float), optional
        A parameter with the ends of an interval: what is proven holds for each value in it. One parameter at most.

    Returns
    -------
    Theorem
        What has been proven.

    Raises
    ------
    ConfigError
        If an argument is wrong, or python-flint is not installed.
    NotProvenError
        If nothing can be proven: why, where in the motion, and what to try.
    """
    refuse_digits(digits)
    varied, interval = _varied(orbit, parameters or {})
    refuse_orbit(orbit)
    return _proven(orbit, digits, varied, interval)


def refuse_digits(digits: object) -> None:
    """Refuse what is no number of digits."""
    if isinstance(digits, bool) or not isinstance(digits, int) or not 1 <= digits <= MAX_DIGITS:
        raise ConfigError(f"digits: expected a whole number from 1 to {MAX_DIGITS}, found {digits!r}")


def refuse_name(orbit: Orbit, name: str) -> None:
    """Refuse what is no real parameter."""
    names = [record.name for record in orbit.model.parameters if not record.integer]
    if name not in names:
        raise ConfigError(f"parameters: {orbit.model.name} has no real parameter {name!r}; it has {', '.join(names)}")


def refuse_orbit(orbit: Orbit) -> None:
    """Refuse an orbit that no theorem here is about."""
    if orbit.section.time is None:
        refuse_section(orbit)
        refuse_family(orbit)


def refuse_time_and_image(orbit: Orbit) -> None:
    """Refuse what is proven of single orbits only."""
    image = orbit.symmetry
    if orbit.section.time is not None or image.negate or image.swap or image.charts or image.boundaries:
        raise NotProvenError(
            "branches and bifurcations are proven of orbits with a boundary as section and without a symmetry; of the "
            "others, prove one by one"
        )


def chain_of(orbit: Orbit, varied: str = "") -> Any:
    """Return the legs of an orbit as expressions; a varied parameter is one of their variables."""
    from hybridsim.proofs.legs import Chain  # noqa: PLC0415  (needs python-flint)

    return Chain(orbit, pack_parameters(orbit.model, {**orbit.config.parameters, **orbit.config.inputs}), varied)


@explains_keywords()
def prove_bifurcation(bifurcation: Bifurcation | Orbit, parameter: str, *, digits: int = 12) -> BifurcationTheorem:
    """Prove a period doubling or a fold: at exactly one value of a parameter an orbit has a multiplier of -1, or 1.

    Parameters
    ----------
    bifurcation : Bifurcation or Orbit
        A flip or fold of a branch, `load_branch("branch.h5").bifurcations[0]`, or the computed orbit there.
    parameter : str
        The parameter.
    digits : int
        Digits to which its value is to be known, up to 100.

    Returns
    -------
    BifurcationTheorem
        What has been proven.

    Raises
    ------
    ConfigError
        If an argument is wrong, or python-flint is not installed.
    NotProvenError
        If nothing can be proven.
    """
    refuse_digits(digits)
    orbit: Any = getattr(bifurcation, "orbit", bifurcation)
    kind = getattr(bifurcation, "kind", "")
    if kind not in ("flip", "fold", ""):
        raise ConfigError(f"prove_bifurcation: expected a flip or a fold, found a bifurcation of the kind {kind!r}")
    refuse_orbit(orbit)
    multiplier = {"flip": -1, "fold": 1}[kind] if kind else _critical_multiplier(orbit)
    refuse_time_and_image(orbit)
    refuse_name(orbit, parameter)
    from hybridsim.proofs.critical import Critical  # noqa: PLC0415  (needs python-flint)

    return Critical(orbit, parameter, multiplier).theorem(digits)


def _critical_multiplier(orbit: Orbit) -> int:
    """Return 1 or -1, whichever a multiplier of a computed orbit is nearest to, if one is near."""
    away = {at: float(np.abs(orbit.multipliers - at).min()) for at in (1, -1)}
    nearest = min(away, key=away.__getitem__)
    if not away[nearest] < NEAR:
        raise NotProvenError(
            f"no multiplier of the orbit is near to 1 or -1: the nearest is {away[nearest]:.2g} away from {nearest}; "
            "follow the orbit with `hybridsim orbit continue`, and prove a flip or a fold that it finds"
        )
    return nearest


def _varied(orbit: Orbit, parameters: Mapping[str, tuple[float, float]]) -> tuple[str, tuple[float, ...]]:
    """Return the name of the varied parameter, "" for none, and the ends of its interval."""
    if not parameters:
        return "", ()
    if len(parameters) > 1:
        raise ConfigError(f"parameters: one can have an interval, and {len(parameters)} were given")
    ((name, ends),) = parameters.items()
    refuse_name(orbit, name)
    low, high = (float(end) for end in ends)
    if not (np.isfinite([low, high]).all() and low < high):
        raise ConfigError(f"parameters: {name}: expected an interval, the lower end first, found {low!r} to {high!r}")
    value = float(orbit.parameters[name])
    if not low <= value <= high:
        raise ConfigError(
            f"parameters: {name}: the orbit has {value!r}, which is not from {low!r} to {high!r}; find it there first"
        )
    return name, (low, high)


def _proven(orbit: Orbit, digits: int, varied: str, interval: tuple[float, ...]) -> Theorem:
    from hybridsim.proofs import balls, certificate, krawczyk, multipliers  # noqa: PLC0415  (need python-flint)

    chain = chain_of(orbit, varied)
    if chain.clock is not None:  # of a section after a time the chain says first what reads t
        refuse_family(orbit)
    free = tuple(chain.variables.index(name) for name in orbit.free)
    rows = np.concatenate([stride.rows.x for stride in orbit.found.strides])
    sizes = [max(float(np.abs(rows[:, chain.states.index(name)]).max()), 1e-6) for name in orbit.free]
    finer = [accuracy_of(digits + more) for more in (0, 8, 16, 32)]
    large, first, inverse, coarse = _one_state(chain, lambda: point_of(chain, free, interval), sizes, finer)
    wanted = [10.0**-digits * size for size in sizes]
    small, found, fine = (large, first, coarse) if varied else _sharp(chain, large, inverse, finer, wanted)
    with balls.working(fine.bits, fine.order):
        image = krawczyk.krawczyk(chain, small, found, inverse)
        discs, vectors = multipliers.multiplier_discs(krawczyk.return_slopes(small, found))
        discs = multipliers.on_level(discs) if chain.level is not None else discs
        inside, outside, undecided = multipliers.count(discs)
        states = [small.x[i] + by for i, by in zip(free, image, strict=True)]
        if varied:
            states = [x + balls.ball(0, abs(t) * small.reach[-1]) for x, t in zip(states, small.tilt, strict=True)]
        record = record_of(orbit, chain, varied, interval)
        record["unique"] = certificate.pass_of(large, first, inverse, coarse)
        record["sharp"] = certificate.pass_of(small, found, inverse, fine)
        period = Enclosure(*balls.ends(found.moments[-1]))
    record |= certificate.claims(vectors, discs, (inside, outside, undecided), period)
    record["closes_after"] = closes_after = 1 + orbit.strides % 2 if chain.mirrors else 0
    return Theorem(
        certificate=record,
        **words_of(orbit, chain),
        section=f"after {orbit.section.boundary}" if chain.clock is None else _instant(orbit, chain),
        image=chain.image.words(orbit.model),
        closes_after=closes_after,
        **_numbers(orbit, large, states, (varied, interval)),
        period=period,
        multipliers=tuple(discs),
        inside=inside,
        outside=outside,
        undecided=undecided,
    )


def point_of(chain: Any, free: tuple[int, ...], interval: tuple[float, ...]) -> Any:
    """Return the box of the computed state alone, with the interval of a parameter."""
    from hybridsim.proofs.balls import ball, upper  # noqa: PLC0415
    from hybridsim.proofs.shooting import Box  # noqa: PLC0415

    x = [ball(chain.start[name]) for name in chain.variables if name in chain.start]
    reach = [ball(0)] * len(free)
    if not interval:
        return Box(x, free, reach, [])
    low, high = map(ball, interval)
    return Box([*x, (low + high) / 2], free, [*reach, upper((high - low) / 2)], [ball(0)] * len(free))


def words_of(orbit: Orbit, chain: Any) -> dict[str, Any]:
    """Return what a theorem says of the model and the chain."""
    names, given, events = chain.states, (*orbit.kept, *set_again(chain)), [leg.event for leg in chain.legs]
    charts = orbit.model.chart_name
    return {
        "model": orbit.model.name,
        "fixed": dict(orbit.fixed),
        "sources": files_to_execute(orbit.model.sources),
        "parameters": {name.removeprefix("p."): value for name, value in chain.traced.values.items()},
        "events": tuple(
            (chain.boundary(event), charts(event.chart), charts(event.next_chart))
            for event in events
            if event.boundary != CLOCK
        ),
        "given": {name: chain.start[name] for name in given},
        "ignored": tuple(name for name in names if name not in (*orbit.free, *given)),
    }


def _instant(orbit: Orbit, chain: Any) -> str:
    """Return the time of a section, and its chart if there are others."""
    where = f" in {orbit.model.chart_name(chain.legs[0].event.chart)}" if len(orbit.model.charts) > 1 else ""
    return f"at t = {chain.clock.begins!r}{where}"


def _numbers(orbit: Orbit, large: Any, states: Any, varied: tuple[str, tuple[float, ...]]) -> dict[str, Any]:
    """Return what a theorem says of the state."""
    from hybridsim.proofs import balls  # noqa: PLC0415

    box = {name: Enclosure(*balls.ends(x)) for name, x in zip(orbit.free, states, strict=True)}
    records = {record.name: record for record in orbit.model.states}
    limits = {name: (records[name].lower, records[name].upper) for name in orbit.free}
    return {
        "varied": varied[0],
        "interval": varied[1],
        "unique_in": {name: _near(balls, large, j, states[j]) for j, name in enumerate(orbit.free)},
        "tilt": {name: float(t) for name, t in zip(orbit.free, large.tilt, strict=False)},
        "box": box,
        "beyond": tuple(name for name, (low, high) in limits.items() if box[name].high < low or box[name].low > high),
    }


def accuracy_of(digits: int) -> Accuracy:
    """Return how finely has to be calculated for so many digits."""
    return Accuracy(int((digits + 12) * log2(10)) + 16, 2 * digits + 8, 10.0 ** -(digits + 7), 2 * digits + 2)


def _one_state(chain: Any, point: Any, sizes: list[float], finer: list[Any]) -> Any:
    """Return a box in which one state returns, its period, a matrix near (DP - 1)^-1, and how finely that was."""
    from hybridsim.proofs import balls, krawczyk  # noqa: PLC0415

    is_short = max(len(leg.field.instructions) for leg in chain.legs) <= SHORT
    within = krawczyk.Range(1.2e-3, 1e-9, 0.3) if is_short else krawczyk.Range(1e-6, 1e-9, 0.1)
    for accuracy in (*((SECOND, FINER_SECOND) if is_short else (COARSE, FINER)), *finer):
        with balls.working(accuracy.bits, accuracy.order):
            try:
                box, inverse = krawczyk.tilted(chain, point(), sizes, accuracy)
                if box.tilt:
                    return *krawczyk.inflated_box(chain, box, sizes, inverse, accuracy), inverse, accuracy
                found = krawczyk.unique_box(chain, box, sizes, inverse, accuracy, within)
                return *found, inverse, accuracy
            except krawczyk.TooCoarseError as problem:
                refusal = NotProvenError(str(problem))
            except NotProvenError as problem:  # something is clear by less than a coarse calculation tells
                if accuracy in finer or point().tilt:
                    raise
                refusal, within = problem, krawczyk.Range(1e-10, 1e-16, 0.03)
    raise refusal


def _sharp(chain: Any, large: Any, inverse: Any, finer: list[Any], wanted: list[float]) -> Any:
    """Return a box about the state with the digits asked for, its period, and how finely that was calculated."""
    from hybridsim.proofs import balls, krawczyk  # noqa: PLC0415

    for accuracy in finer:
        with balls.working(accuracy.bits, accuracy.order):
            small, found = krawczyk.sharp_box(
                chain, large, inverse, accuracy, [balls.ball(1e-3 * size) for size in wanted]
            )
            image = krawczyk.krawczyk(chain, small, found, inverse)
            if all(float(balls.radius(by)) <= size for by, size in zip(image, wanted, strict=True)):
                return small, found, accuracy
    raise NotProvenError("the orbit's state is not known to the digits asked for; give fewer --digits")


def _near(balls: Any, box: Any, j: int, state: Any) -> tuple[float, float]:
    """Return the middle of a box and its reach in one state as floats; these give a box within it, with the state."""
    at, reach = (balls.ends(a)[0] for a in (box.x[box.free[j]], box.reach[j]))
    rounding = abs(at - Fraction(float(at)))
    if box.tilt:
        rounding += abs(balls.ends(box.tilt[j])[0] - Fraction(float(box.tilt[j]))) * balls.ends(box.reach[-1])[0]
    printed = below(reach - rounding) if reach > rounding else 0.0
    farthest = max(abs(end - Fraction(float(at))) for end in balls.ends(state))
    if not printed or (not box.tilt and farthest > Fraction(printed)):
        raise NotProvenError(f"the box about {float(at)!r} is smaller than floats can tell; scale the model's states")
    return float(at), printed


def record_of(orbit: Orbit, chain: Any, varied: str, interval: tuple[float, ...]) -> dict[str, Any]:
    """Return what a certificate says of the model."""
    from hybridsim.proofs import certificate  # noqa: PLC0415

    return {
        "format": certificate.FORMAT,
        "hybridsim": __version__,
        "model": orbit.model.name,
        "sources": files_to_execute(orbit.model.sources),
        "parameters": {name: float(value).hex() for name, value in chain.traced.values.items()},
        "varied": varied,
        "fixed": certificate.level_record(chain),
        "interval": [float(end).hex() for end in interval],
        "variables": list(chain.variables),
        "image": chain.image.among(chain.states, chain.variables),
        "clock": certificate.clock_record(chain),
        "mirrored": certificate.mirror_records(chain),
        "legs": certificate.model_of(chain),
    }

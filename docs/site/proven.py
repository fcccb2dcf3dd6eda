"""Write the table of proven orbits into docs/gallery.md: `python docs/site/proven.py`, some minutes.

Each periodic motion of the gallery is found from its config, and proven; of those that cannot be, it says why not.
"""

import re
from decimal import ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from pathlib import Path

import hybridsim
from hybridsim.analysis.finding import find_orbit_of
from hybridsim.config.loading import load_orbit_config
from hybridsim.errors import HybridsimError
from hybridsim.proofs import NotProvenError

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "gallery.md"
BEGIN, END = "<!-- written by docs/site/proven.py -->\n", "<!-- end -->\n"
PLACES = 14
"""Most decimal places of a state."""

BALL = ["parameters.restitution=0.5", "initial.gap=0", "initial.rate=0.654", "initial.phase=0.634"]
ORBITS = {
    "spring-mass runner, 1,784.8 J": ("slip.yaml", []),
    "simplest walker, slope 0.009": ("walkers/orbits/simplest_walker.yaml", []),
    "compass gait, 3 degrees": ("walkers/orbits/compass_gait.yaml", []),
    "compass gait, 4.6 degrees, two steps": (
        "walkers/compass_gait.yaml",
        ["orbit.section=heelstrike", "orbit.strides=2"],
    ),
    "McGeer's walker, straight legs": ("walkers/straight_legs.yaml", []),
    "kneed walker": ("walkers/kneed_walker.yaml", []),
    "ball on a vibrating table, 1.3": ("basics/vibrating_table.yaml", ["orbit.section=table", *BALL]),
    "disk feet": ("walkers/disk_feet.yaml", []),
    "compass of a URDF": ("multibody/compass.yaml", []),
    "hopper of a URDF": ("multibody/hopper.yaml", []),
    "biped": ("biped/walk-orbit.yaml", []),
    "CoMan": ("humanoid/walk-branch.yaml", []),
    "stick and slip": ("basics/stick_slip.yaml", ["orbit.section=caught_up"]),
    "chatter against a wall": ("basics/impact_oscillator.yaml", []),
    "buck converter": ("stiff/buck_converter.yaml", ["orbit.section=closes", "engine.method=dop853"]),
}
"""The periodic motions of the gallery: the config, and what of it is changed."""

HEAD = """\
| motion | period [s] | state on its section | the only one within | multipliers smaller, larger than 1 |
|---|---|---|---|---|
"""


def digits(enclosure, most: int = 17) -> str:
    """Return the decimal places to which all numbers of an enclosure round alike."""
    for places in range(most, -1, -1):
        low, high = (round(end * 10**places) for end in (enclosure.low, enclosure.high))
        if low == high:
            return f"{Decimal(low).scaleb(-places):f}"
    return str(enclosure)


def row(title: str) -> str:
    """Return the row of an orbit: what is proven of it, or why nothing is."""
    name, overrides = ORBITS[title]
    try:
        found = hybridsim.prove(find_orbit_of(load_orbit_config(ROOT / "configs" / name, overrides)))
    except HybridsimError as problem:
        word = "proven" if isinstance(problem, NotProvenError) else "found"
        return f"| {title} | not {word}: {reason(str(problem))} | | | |\n"
    state = ", ".join(f"{name} {digits(value, PLACES)}" for name, value in found.box.items())
    reaches = ", ".join(reach(found.box[name], *around) for name, around in found.unique_in.items())
    counts = f"{found.inside}, {found.outside}" + (f", not decided: {found.undecided}" if found.undecided else "")
    return f"| {title} | {digits(found.period)} | {state} | {reaches} | {counts} |\n"


def reach(state, middle: float, side: float) -> str:
    """Return how far a box reaches from a state in it to both sides, at least."""
    away = max(abs(Fraction(middle) - end) for end in (state.low, state.high))
    left = Fraction(side) - away
    return f"{Context(prec=2, rounding=ROUND_FLOOR).divide(Decimal(left.numerator), Decimal(left.denominator)):.1e}"


def reason(message: str) -> str:
    """Return the reason of a refusal alone, without lines of files, advice, and widths of enclosures."""
    first = re.split(r"; |\. |: in a box", message)[0]
    return re.sub(r"\S+\.py:\d+: | \([^)]*\)| \+/- \S+", "", first)


def table() -> str:
    """Return the whole table."""
    return HEAD + "".join(map(row, ORBITS))


def main() -> None:
    """Write the table into the page."""
    before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    _, after = rest.split(END)
    PAGE.write_text(before + BEGIN + "\n" + table() + "\n" + END + after, encoding="utf-8")


if __name__ == "__main__":
    main()

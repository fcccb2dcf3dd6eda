"""The ten linkages of four links that fit a leg, and which two of their joints can move it: 126 designs.

The order is that of table 5.1 of J. van den Kieboom (thesis 6244, EPFL, 2014), as far as it can be known: its drawings
are lost, and its 5, 7, 10, its 4, 8 and its 6, 9 may have other places here.
"""

from hybridsim.multibody import actuator_pairs

TORSO, THIGH, SHANK, N_BODIES = range(4)
"""Bodies of the leg; the links have the numbers behind them."""

N_LINKS, N_JOINTS = 4, 6

TOPOLOGIES = (
    *("03 14 15 26 34 56", "03 04 15 26 35 46", "03 14 25 26 35 46", "03 14 25 34 36 56", "03 14 25 35 36 46"),
    *("03 14 25 36 45 46", "03 14 25 35 46 56", "03 14 25 34 46 56", "03 14 25 36 45 56", "03 14 25 36 46 56"),
)
"""Joints of each, as pairs of bodies."""

DESIGNS = {
    f"t{number}_{first}{second}": (number - 1, first - 1, second - 1)
    for number, edges in enumerate(TOPOLOGIES, start=1)
    for first, second in actuator_pairs(edges)
}
"""Name of a design, t2_14 for topology 2 with actuators in its joints 1 and 4 -> the three numbers, counted from 0."""

EDGES = tuple(int(body) for edges in TOPOLOGIES for pair in edges.split() for body in pair)
"""Bodies of the joints of all topologies."""

"""The hexapod changes its gait while it walks: a tripod, a ripple, a wave, and a tripod again.

The gait is an input of its pattern generator; the legs slide over in about half a second.

    python configs/hexapod/gaits.py gaits.h5 && hybridsim view gaits.h5
"""

import sys

import hybridsim

TRIPOD, WAVE, RIPPLE = 0.0, 1.0, 2.0
SLOW = {"t_c": 0.9, "t_s": 0.65, "phi_s": 0.7, "phi_o": 0.0}
SLOWEST = {"t_c": 1.2, "t_s": 1.0, "phi_s": 0.8, "phi_o": 0.0}
PROGRAM = ((0.0, TRIPOD, SLOW), (4.0, RIPPLE, SLOW), (8.0, WAVE, SLOWEST), (12.0, TRIPOD, SLOW))
END = 16.0


def walk() -> hybridsim.Trajectory:
    """Return a walk through the program."""
    simulation = hybridsim.Simulation(
        "hexapod", parameters={"control_type": "cpg"}, final_time=END, rtol=1e-6, record=0.01
    )
    for begin, footfall, numbers in PROGRAM:
        simulation.advance(begin)
        for name, value in {"footfall": footfall, **numbers}.items():
            simulation.inputs[name] = value
    return simulation.run()


if __name__ == "__main__":
    walk().save(sys.argv[1] if len(sys.argv) > 1 else "gaits.h5")

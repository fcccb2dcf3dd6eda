"""Numbers of a walk, of whole strides from the middle of a run on: what docs/humanoids.md has in its tables.

hybridsim run configs/humanoid/walk-human-step.yaml final_time=20
python configs/humanoid/gait_numbers.py walk-human-step.h5
"""

import sys

import numpy as np

import hybridsim
from hybridsim_models.humanoid.winter import ANGLES

WEIGHTS = {"coman": 9.81 * 27.33174, "human": 9.81 * 70.0}


def numbers_of(run):
    """Return the numbers of a run, by name."""
    cycle = 1.0 / run.parameters["frequency"]
    n = int(0.5 * run.t[-1] / cycle)
    end = run.t[-1]
    begin = end - n * cycle
    rows = (run.t >= begin) & (run.t <= end)
    t = run.t[rows]

    def mean(values):
        return float(np.trapezoid(values, t) / (t[-1] - t[0]))

    left, right = run["left_stance"][rows], run["right_stance"][rows]
    found = {
        "speed [m/s]": (run["base_x"][rows][-1] - run["base_x"][rows][0]) / (t[-1] - t[0]),
        "torque [N m]": mean(run["torque"][rows]),
        "power [W]": mean(run["power"][rows]),
        "stance [%]": 50.0 * mean(left + right),
        "both down, at a time [%]": 50.0 * mean(left * right),
        "none down [%]": 100.0 * mean(run["airborne"][rows]),
    }
    found["work [J/m]"] = found["power [W]"] / found["speed [m/s]"]
    for joint, human in ANGLES.items():
        found[f"correlation of the {joint}"] = correlation(run, joint, human, n * cycle, cycle)
    normal = ground_force(run)[rows] / WEIGHTS[run.model_name]
    phases = np.floor(100.0 * ((t - begin) / cycle % 1.0)).astype(int)
    found["ground force, largest mean of 1 % [weights]"] = max(normal[phases == k].mean() for k in range(100))
    return found


def ground_force(run):
    """Return the upward force on the left foot [N]."""
    feet = ["left", "left_toe"] if run.model_name == "human" else ["left"]
    return sum(run[f"{foot}_normal"] for foot in feet)


def correlation(run, joint, human, length, cycle):
    """Return the correlation of a joint of the left leg with a human's over strides that begin with heel strikes."""
    end = run.t[-1]
    phases = np.linspace(0.0, 1.0, 51)[:-1]
    times, first = np.arange(end - length, end, 0.01 * cycle), last_strike(run, end)
    begins = first - cycle * np.arange(1, int((first - times[0]) / cycle) + 1)
    means = np.mean([np.interp(begin + phases * cycle, run.t, run[f"left_{joint}"]) for begin in begins], axis=0)
    return float(np.corrcoef(means, human[:-1])[0, 1])


def last_strike(run, end):
    """Return when the left foot has come down last after it was up for 0.2 s."""
    down = run["left_stance"] > 0.0
    lands, leaves = (run.t[1:][change] for change in (down[1:] & ~down[:-1], ~down[1:] & down[:-1]))
    swings = [t for t in lands if (leaves < t).any() and t - leaves[leaves < t][-1] > 0.2 and t < end]
    return swings[-1]


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("give the file of a run, as in: python gait_numbers.py walk-human.h5")
    for name, value in numbers_of(hybridsim.load_run(sys.argv[1])).items():
        print(f"{name:45} {value:8.3f}")

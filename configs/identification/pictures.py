"""Pictures of docs/identification.md: errors of the schemes, gains that were found, and what shooting sees.

    python configs/identification/pictures.py

writes identification-order.png, identification-gains.png and identification-shooting.png into the current folder.
"""

from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import hybridsim
from hybridsim.config.identification import load_identification_config
from hybridsim.identification.guess import motion_of
from hybridsim.identification.problem import problem_of

FOLDER = Path(__file__).parent
COLOURS = {
    "euler": "#9aa7b3",
    "midpoint": "#2f7fa8",
    "trapezoid": "#c8553d",
    "hermite-simpson": "#1d3a5c",
    "radau": "#6b8e4e",
}
SPACINGS = 0.3, 0.15, 0.075, 0.0375
OF_ORDER = """
model: {model}
data: {{file: {data}}}
measured: {{x: x, v: v}}
free: {{damping: 0, stiffness: 0.5, cubic: 0.5}}
collocation: {{scheme: {scheme}}}
"""
TRUE_GAINS = -4.7176435, 19.6708367, -3.6940216, 5.5711481


def main():
    """Draw all three."""
    draw_order("identification-order.png")
    draw_gains("identification-gains.png")
    draw_shooting("identification-shooting.png")


def save(figure, file):
    for axes in figure.axes:
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(color="#e3e7eb", linewidth=0.8)
        axes.set_axisbelow(True)
    figure.savefig(file, dpi=150)


def exact(model, spacing, duration, columns, **given):
    """Write the exact motion of a model of this folder as a table, and return its name."""
    run = hybridsim.simulate(FOLDER / model, final_time=duration, rtol=1e-13, atol=1e-13, method="dop853", **given)
    t = spacing * np.arange(round(duration / spacing) + 1)
    rows = np.column_stack([t, run.at(np.minimum(t, duration))])
    file = f"{Path(model).stem}-{spacing:g}.csv"
    np.savetxt(file, rows, "%.17g", ",", header=",".join(["t", *columns]), comments="")
    return file


def draw_order(file):
    """Draw the error of a nonlinear oscillator's parameters over the distance of the nodes, for each scheme."""
    figure, axes = plt.subplots(figsize=(7.2, 4.4), layout="constrained")
    true = {"damping": 0.2, "stiffness": 1.0, "cubic": 1.0}
    for scheme, colour in COLOURS.items():
        errors = []
        for spacing in SPACINGS:
            data = exact("duffing.py", spacing, 6.0, ["x", "v"], initial={"x": 1.0}, parameters=true)
            config = Path("order.yaml")
            config.write_text(OF_ORDER.format(model=FOLDER / "duffing.py", data=data, scheme=scheme))
            found = hybridsim.identify(config).parameters
            errors.append(max(abs(found[name] - value) for name, value in true.items()))
        slope = np.log(errors[-2] / errors[-1]) / np.log(SPACINGS[-2] / SPACINGS[-1])
        axes.loglog(SPACINGS, errors, "o-", color=colour, label=f"{scheme}, slope {slope:.1f}", markersize=4)
    axes.set_xlabel("distance of the samples and nodes [s]")
    axes.set_ylabel("largest error of the three parameters")
    axes.legend(frameon=False, fontsize="small")
    save(figure, file)


def draw_gains(file):
    """Draw gains with their standard errors, how far the guess misses the equations, and the places of derivatives."""
    config = load_identification_config(FOLDER / "one_link.yaml")
    found = hybridsim.identify(config)
    figure, (bars, missed, places) = plt.subplots(1, 3, figsize=(11.0, 3.4), layout="constrained")
    number = np.arange(4)
    bars.bar(number - 0.2, TRUE_GAINS, 0.38, color="#9aa7b3", label="true")
    errors = 3.0 * np.array([*found.standard_errors.values()])
    bars.bar(
        number + 0.2, [*found.parameters.values()], 0.38, yerr=errors, capsize=3, color="#1d3a5c", ecolor="#c8553d",
        label="found, 3 standard errors",
    )  # fmt: skip
    bars.set_xticks(number, [f"gains[{i}]" for i in number])
    bars.legend(frameon=False, fontsize="small", loc="upper right")
    bars.set_ylim(-6.0, 28.0)
    problem = problem_of(config, [motion_of(config, trial) for trial in config.trials])
    program = problem.program(problem.z)
    t = config.trials[0].t[1:]
    for z, colour, label in ((problem.z, "#9aa7b3", "guess"), (found._z, "#1d3a5c", "solution")):
        largest = np.abs(program.rows(z)).reshape(len(t), -1).max(axis=1)
        missed.semilogy(t, np.maximum(largest, 1e-18), color=colour, linewidth=0.8, label=label)
    missed.set_xlabel("t [s]")
    missed.set_ylabel("equations missed by")
    missed.legend(frameon=False, fontsize="small")
    small = load_identification_config(FOLDER / "one_link.yaml", ["collocation.nodes=9"])
    problem = problem_of(small, [motion_of(small, trial) for trial in small.trials])
    matrix = problem.program(problem.z).jacobian_matrix(problem.z)
    places.spy(matrix, markersize=2.5, color="#1d3a5c")
    places.set_xlabel("states at 9 nodes, and 4 gains")
    places.set_ylabel("equations of 8 intervals")
    save(figure, file)


def draw_shooting(file):
    """Draw misfit over stiffness as shooting sees it, and as collocation does."""
    data = exact("pendulum.py", 0.05, 50.0, ["theta", "omega"], initial={"theta": np.pi / 6})
    table = np.loadtxt(data, delimiter=",", skiprows=1)
    stiffness = np.linspace(5.0, 15.0, 801)
    misfits = []
    for value in stiffness:
        run = hybridsim.simulate(
            FOLDER / "pendulum.py", initial={"theta": np.pi / 6}, parameters={"stiffness": value}, final_time=50.0
        )
        misfits.append(0.05 * ((run.at(np.minimum(table[:, 0], 50.0)) - table[:, 1:]) ** 2).sum())
    figure, (left, right) = plt.subplots(1, 2, figsize=(9.6, 3.6), layout="constrained")
    left.plot(stiffness, misfits, color="#1d3a5c", linewidth=1.0)
    left.set_xlabel("stiffness [1/s^2]")
    left.set_ylabel("misfit of a simulation")
    guesses = np.linspace(5.0, 15.0, 21)
    for method, colour, mark in (("shooting", "#c8553d", "x"), ("collocation", "#1d3a5c", "o")):
        answers = []
        for guess in guesses:
            given = [f"data={{file: {data}}}", f"free={{stiffness: {guess}}}", f"method={method}"]
            answers.append(hybridsim.identify(FOLDER / "pendulum.yaml", given).parameters["stiffness"])
        right.plot(guesses, answers, mark, color=colour, markersize=5, label=method)
    right.set_xlabel("guess of the stiffness [1/s^2]")
    right.set_ylabel("stiffness that is found [1/s^2]")
    right.legend(frameon=False, fontsize="small")
    save(figure, file)


if __name__ == "__main__":
    main()

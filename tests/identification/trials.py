"""Configs of identifications, written into a folder, with data that are solutions of high accuracy."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hybridsim import Simulation, identify, load_config

CONFIGS = Path(__file__).parents[2] / "configs" / "identification"
GAINS = {
    1: np.array([-4.717643460708, 19.670836678497, -3.694021570309, 5.571148088349]),
    2: np.array(
        [
            *(-10.41213764545, 39.164196345414, 20.558014425155, -8.705462677483, 12.16342564116, 8.173208291733),
            *(-2.227537048582, -1.992182022782, 18.639064838172, -2.239973603497, 2.104331104396, 5.233877976093),
        ]
    ),
}
"""The regulators of one and of two links on a cart with weights of 1, by scipy's Riccati equation."""

NUMBERS = (7, 11, 16, 25, 38, 61, 103, 131, 151, 181, 313, 523)
SINES = "+".join(f"sin(2*pi*{n}/240*t)" for n in NUMBERS)
FORCE = f"8/sqrt(12)*({SINES})"
EXACT = ["engine.method=dop853", "engine.rtol=1e-13", "engine.atol=1e-14"]


def sines(t):
    return sum(np.sin(2 * np.pi * n / 240 * t) for n in NUMBERS)


def motion(model, *overrides, duration, n):
    """Return n times, and the states of a model there: all rows are ends of steps."""
    spacing = duration / (n - 1)
    config = load_config(model, [*overrides, *EXACT, f"final_time={duration}", f"record.period={spacing!r}"])
    run = Simulation.from_config(config).run()
    t = np.linspace(0.0, duration, n)
    rows = np.searchsorted(run.t, t - 1e-9 * spacing)
    rows = np.minimum(rows, len(run.t) - 1)
    np.testing.assert_allclose(run.t[rows], t, rtol=0, atol=1e-9 * spacing)
    return t, run.x[rows]


def write(path, **columns):
    """Write a table; what is no number is an empty cell."""
    rows = zip(*(np.asarray(each).tolist() for each in columns.values()), strict=True)
    cells = [",".join("" if np.isnan(value) else repr(value) for value in row) for row in rows]
    Path(path).write_text("\n".join([",".join(columns), *cells]) + "\n")
    return path


def free_gains(guesses):
    return ", ".join(f"'gains[{i}]': {guess}" for i, guess in enumerate(guesses))


@dataclass(frozen=True)
class Cart:
    """n links on a cart: a folder with exact data at 100 Hz, and identifications from them."""

    links: int
    folder: Path
    t: np.ndarray
    x: np.ndarray

    @property
    def names(self):
        return [f"{letter}{i}" for letter in "qu" for i in range(self.links + 1)]

    def config(self, *, step=1, noise=0.0, seed=0, guesses=None, formula=True, more=""):
        """Write a config whose data are each step-th sample, and return its path."""
        t, x = self.t[::step], self.x[::step]
        x = x + noise * np.random.default_rng(seed).normal(size=x.shape)
        columns = dict(zip(self.names, x.T, strict=True))
        write(self.folder / "trial.csv", t=t, **columns, F=8 / np.sqrt(12) * sines(t))
        force = f"'{FORCE}'" if formula else "{column: F, between: linear}"
        guesses = np.zeros(len(GAINS[self.links])) if guesses is None else guesses
        path = self.folder / "identify.yaml"
        path.write_text(
            f"model: {CONFIGS / ('one_link.py' if self.links == 1 else 'two_links.py')}\n"
            f"data: {{file: trial.csv}}\n"
            f"measured: {{{', '.join(f'{name}: {name}' for name in self.names)}}}\n"
            f"inputs: {{force: {force}}}\n"
            f"free: {{{free_gains(guesses)}}}\n{more}\n"
        )
        return path

    def error(self, found):
        """Return the largest error of the gains over the largest gain."""
        true = GAINS[self.links]
        return np.abs(np.array([*found.parameters.values()]) - true).max() / np.abs(true).max()


def cart(links, folder, duration):
    """Return exact data of n links on a cart that begin at 5 degrees."""
    model = CONFIGS / ("one_link.py" if links == 1 else "two_links.py")
    angles = [f"initial.q{i + 1}=5 deg" for i in range(links)]
    t, x = motion(
        model,
        f"inputs.force={FORCE}",
        f"parameters.gains={GAINS[links].tolist()}",
        *angles,
        duration=duration,
        n=100 * duration + 1,
    )
    return Cart(links, folder, t, x)


def written(folder, text, name="identify.yaml"):
    """Write a config, and return its path."""
    path = Path(folder) / name
    path.write_text(text)
    return path


def found_in(folder, text, *overrides, **more):
    """Return what is identified of a config of that text."""
    return identify(written(folder, text), overrides, **more)

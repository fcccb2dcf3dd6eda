"""Ground that is not level, as square tiles of heights around where the camera goes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hybridsim.typing import FloatArray
from hybridsim.viewer.source import Source

SIDE, CELLS, NEAR = 1.5, 20, 3.4
"""Side of a tile in camera distances, cells along it, and camera distances around the target that have tiles."""
GAP = 1e-4
"""Distance of the heights on both sides of an edge, in camera distances."""


@dataclass(frozen=True, slots=True, eq=False)
class Tile:
    """Heights of one square: what the page is told of it, and the heights (len(x), len(y)) [m]."""

    head: dict[str, Any]
    heights: NDArray[np.float32]


class Tiles:
    """The tiles of one run that have not been sent yet."""

    def __init__(self, source: Source) -> None:
        self._source, self._sent, self._reached = source, set[tuple[int, int]](), set[tuple[float, ...]]()
        scene = source.scene
        self._camera = scene.camera
        self._side, self._reach = SIDE * self._camera.distance, NEAR * self._camera.distance
        self._followed = scene.bodies.index(self._camera.follow) if self._camera.follow else None
        self._ground = scene.ground if scene.ground is not None and callable(scene.ground.height) else None

    def new_ones(self, poses: FloatArray) -> Iterator[Tile]:
        """Yield the tiles around the targets of the camera at key poses (n, n_bodies, 10) that are new."""
        if self._ground is None:
            return
        places = np.zeros((1, 3)) if self._followed is None else poses[:, self._followed, :3]
        targets = np.unique(np.round(self._camera.focus(places)[:, :2] / self._side, 1), axis=0)
        new = {*map(tuple, targets.tolist())} - self._reached
        self._reached |= new
        n = int(np.ceil(self._reach / self._side))
        around = np.arange(-n, n + 1)
        for target in np.array(sorted(new)) * self._side:
            first = np.floor(target / self._side).astype(int)
            for i, j in ((int(first[0] + a), int(first[1] + b)) for a in around for b in around):
                nearest = np.clip(target, np.array([i, j]) * self._side, np.array([i + 1, j + 1]) * self._side)
                if (i, j) not in self._sent and np.hypot(*(nearest - target)) < self._reach:
                    self._sent.add((i, j))
                    yield self._tile(i, j)

    def _tile(self, i: int, j: int) -> Tile:
        x, y = (np.linspace(k * self._side, (k + 1) * self._side, CELLS + 1) for k in (i, j))
        ground, p, edges = self._ground, self._source.p, np.zeros(0)
        assert ground is not None
        if ground.edges is not None:
            given = np.asarray(ground.edges(float(y[0]), float(y[-1]), p), float)
            edges = given[(y[0] < given) & (given < y[-1])]
            half = 0.5 * GAP * self._camera.distance
            y = np.unique(np.concatenate([y, edges - half, edges + half]))
        grid = np.meshgrid(x, y, indexing="ij")
        heights = ground.at(grid[0], grid[1], p).astype("<f4")
        head = {"at": [i, j], "x": x.tolist(), "y": y.tolist(), "edges": edges.tolist()}
        return Tile(head, heights)

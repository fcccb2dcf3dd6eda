"""The time that the viewer takes in addition to PyVista, as ratios within one run of this benchmark.

    python benchmarks/view.py [--size 1280x720] [--frames 30]

Three ways to make a picture of a running SLIP are timed in turns, so that other processes slow all of them alike.
`bare`: PyVista renders the bodies, the ground and the lights, and nothing in front of them. `scene`: the same with
shadows, the head-up lines, strip charts and the time slider, all of which stand still. `frame`: everything moves; a
frame is evaluated, poses, camera, ground, texts and curves are set, and the picture is rendered. Another benchmark
times how long it takes to set the poses of a scene with 31 bodies. A third one times what a page costs the machine that
computes, for each sixtieth of a second that is played, without the run itself: `--page` runs this one alone.
"""

from __future__ import annotations

import argparse
import resource
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np

import hybridsim
from hybridsim.model.table import Records
from hybridsim.scene import Arrow, Body, Box, Camera, Capsule, Scene, Sphere, Spring, between, placed, turn
from hybridsim.viewer import Player, Replay, ViewOptions
from hybridsim.viewer.browser.html import packer_of
from hybridsim.viewer.history import N_HISTORY_SAMPLES
from hybridsim.viewer.live import Live
from hybridsim.viewer.options import parse_size
from hybridsim.viewer.render.stage import Stage, StagedRun
from hybridsim.viewer.session import Session

ROUNDS = 7
CONFIGS = Path(__file__).parents[1] / "configs"
PAGES = ("slip.yaml", "hexapod/speed-2.yaml", "biped/walk.yaml")
PLAYED = 5.0
"""How much of these runs a page plays [s]."""
LEGS = 6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", default="1280x720")
    parser.add_argument("--frames", type=int, default=30)
    parser.add_argument("--page", action="store_true", help="nothing but pages of runs that are computed")
    options = parser.parse_args()
    if not options.page:
        frames(parse_size(options.size), options.frames)
        poses()
    for config in PAGES:
        page(config)


def frames(size: tuple[int, int], count: int) -> None:
    run = hybridsim.simulate("slip", final_time=30.0, parameters={"k": 20000.0})
    session = Session(Player(Replay(run)), ViewOptions(size=size), off_screen=True)
    bare = Session(Player(Replay(run)), ViewOptions(size=size), off_screen=True)
    print("drawn by    ", _device(session))
    bare.draw()
    shadows = bare.stage.actors[0].shadows
    assert shadows is not None
    shadows.set_poses(np.zeros((len(bare.sources[0].scene.bodies), 4, 4)))  # of bodies that are hidden
    bare.stage.canvas._renderer.DrawOff()
    session.draw()

    def moved() -> None:
        session.player.tick(1.0 / 60.0)
        session.draw()
        session.stage.render()

    def set_only() -> None:
        session.player.tick(1.0 / 60.0)
        session.draw()

    contenders = {
        "bare": bare.stage.window.Render,
        "scene": session.stage.window.Render,
        "frame": moved,
        "draw": set_only,
    }
    seconds = {name: _timed(frame, 3) for name, frame in contenders.items()}  # warm
    rounds = [{name: _timed(frame, count) for name, frame in contenders.items()} for _ in range(ROUNDS)]
    seconds = {name: float(np.median([each[name] for each in rounds])) for name in contenders}
    for name, value in seconds.items():
        print(f"{name:<12} {1e3 * value:8.2f} ms of processor time per frame")
    for above, below in (("frame", "scene"), ("frame", "bare"), ("draw", "bare")):
        ratios = [each[above] / each[below] for each in rounds]
        print(f"{above} / {below:<5} {np.median(ratios):8.3f}   ({min(ratios):.3f} .. {max(ratios):.3f})")


def _device(session: Session) -> str:
    session.stage.render()
    lines = session.stage.window.ReportCapabilities().splitlines()
    return next((line.partition(":")[2].strip() for line in lines if "OpenGL renderer" in line), "?")


def _timed(frame, count: int) -> float:
    """Return the processor time per call [s]."""
    before = _processor()
    for _ in range(count):
        frame()
    return (_processor() - before) / count


def _processor() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def poses() -> None:
    """Set the poses of a hull, six legs with three links and a foot, three springs and three arrows: 31 bodies."""
    scene = hexapod()
    stage = Stage([StagedRun("hexapod", scene, np.zeros(1))], N_HISTORY_SAMPLES, off_screen=True, size=(640, 360))
    bodies = stage.actors[0].bodies
    each = np.stack([_pose(body, number) for number, body in enumerate(scene.bodies)])
    many = [each.copy() for _ in range(50)]
    for number, pose in enumerate(many):
        pose[:, 2, 3] += 0.001 * number
    for label, what in (("set_poses", bodies.set_poses), ("all of it", lambda pose: stage.set_poses([pose]))):
        best = np.inf
        for _ in range(20):
            begin = time.perf_counter()
            for pose in many:
                what(pose)
            best = min(best, (time.perf_counter() - begin) / len(many))
        print(f"{label:<12} {1e3 * best:8.3f} ms for {len(scene.bodies)} bodies")
    stage.close()


class Growing:
    """A run that has been computed, and is shown as if it went on."""

    finished = False

    def __init__(self, source: Live) -> None:
        self._source = source

    def __getattr__(self, name: str) -> object:
        return getattr(self._source, name)


def page(config: str) -> None:
    """Time the pieces of a tenth of a second that a page of a run receives while it plays it."""
    live = Live(hybridsim.load_config(CONFIGS / config, [f"final_time={PLAYED}"]))
    live.follow(SimpleNamespace(t=live.begin + PLAYED, speed=1.0, playing=True))
    while not live.finished:
        time.sleep(0.05)
    n = round(10 * PLAYED)
    least = np.full(n, np.inf)  # of each piece: what other processes take of a core is not what it costs
    for _ in range(3 * ROUNDS):
        packer = packer_of(0, Growing(live), ViewOptions())
        packer.piece(live.begin, live.begin, False)
        for i in range(n):
            begin = time.perf_counter()
            packer.piece(live.begin + i / 10, live.begin + (i + 1) / 10, False)
            least[i] = min(least[i], time.perf_counter() - begin)
    best = least.sum() / (6 * n)
    print(f"{config:<22} {1e3 * best:6.2f} ms for a sixtieth of a second of its page")


def hexapod() -> Scene:
    bodies = [Body("hull", Box((0.5, 0.25, 0.1)))]
    for leg in range(LEGS):
        bodies += [Body(f"{part}_{leg}", Capsule(0.02, 0.12)) for part in ("coxa", "femur", "tibia")]
        bodies += [Body(f"foot_{leg}", Sphere(0.02))]
    for leg in range(LEGS // 2):
        bodies += [Body(f"spring_{leg}", Spring(0.02)), Body(f"force_{leg}", Arrow(0.01), kind="force")]
    return Scene(Records(*bodies), camera=Camera("hull", along="xy", distance=2.0))


def _pose(body: Body, number: int) -> np.ndarray:
    where = np.array([0.1 * (number % 6), 0.1 * (number // 6), 0.4])
    if isinstance(body.shape, Spring | Arrow):
        return between(where, where + np.array([0.05, 0.0, 0.2]))
    return placed(where, turn((0.0, 1.0, 0.3), 0.1 * number))


if __name__ == "__main__":
    main()

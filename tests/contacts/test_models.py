"""Models with contacts beside others: derivatives, plain Python, refusals."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from contacts.cases import SLOPE, TIGHT, bar, box, corners, point_mass

from hybridsim import ConfigError, ModelError, sensitivity, simulate
from hybridsim.contacts import Equations, Patch, Plane, Rows, contact_model
from hybridsim.engine.compiler.fingerprint import content_hash
from hybridsim.multibody import Body, Free, Mechanism, Revolute

from waiting import PATIENCE

CODE = """
from contacts.cases import on_right_corner, standing_block
from hybridsim import simulate
run = simulate(standing_block(friction=10.0), initial=on_right_corner(0.15), final_time=1.0, rtol=1e-6)
print(*run.events.t, run["base_normal"][-1])
"""


def test_plain_python_computes_what_compiled_code_does():
    outputs = []
    for disabled in ("0", "1"):
        environment = {"NUMBA_DISABLE_JIT": disabled, "PYTHONPATH": str(Path(__file__).parents[1])}
        done = subprocess.run(
            [sys.executable, "-c", CODE],
            env={**os.environ, **environment},
            capture_output=True,
            check=True,
        )
        outputs.append([float(word) for word in done.stdout.split()])
    assert len(outputs[0]) == 3
    np.testing.assert_allclose(outputs[1], outputs[0], rtol=1e-12)


def test_derivatives_go_through_impacts_and_rest():
    """The ball bounces 28 times on the slope, rests, and has moved: by how much more with a higher restitution?"""
    model = point_mass("ball", restitution=0.6, friction=0.3, plane=Plane(slope=SLOPE))
    settings = {"initial": {"z": 0.3, "xdot": 0.5}, "final_time": 1.5, "record": True, **TIGHT}
    run = simulate(model, **settings)
    found = sensitivity(run, "foot_restitution", model=model)
    step = 1e-5
    ends = [simulate(model, parameters={"foot_restitution": 0.6 + each}, **settings)["x"][-1] for each in (step, -step)]
    assert found["x", "foot_restitution"][-1] == pytest.approx((ends[0] - ends[1]) / (2 * step), rel=1e-6)


def test_what_is_wrong_is_named():
    block = Mechanism(box(0.2, 0.8))
    free = Body("free", Free("free"), mass=1.0, inertia=(1.0, 1.0, 1.0))
    with pytest.raises(ModelError, match=r"base: body 'bxo' is unknown; did you mean `?'?box"):
        contact_model("m", block, [Patch("base", "bxo")])
    with pytest.raises(ModelError, match=r"contact 'base': restitution must be 0\.\.1, not 2"):
        Patch("base", "box", restitution=2.0)
    with pytest.raises(ModelError, match="friction must be 0 <= kinetic <= static"):
        Patch("base", "box", friction={"static": 0.3, "kinetic": 0.4})
    with pytest.raises(ModelError, match="the points are no corners of a flat, convex sole in their order around it"):
        contact_model("m", Mechanism(free), [Patch("sole", "free", [(0, 0, 0), (1, 1, 0), (1, 0, 0), (0, 1, 0)])])
    with pytest.raises(ModelError, match="its two points are the same; give one, or the two ends of an edge"):
        contact_model("m", Mechanism(free), [Patch("edge", "free", [(0, 0, 0), (0, 0, 0)])])
    with pytest.raises(ModelError, match="moves in the x-z plane; leave out the plane's heading"):
        contact_model("m", block, [Patch("foot", "box", plane=Plane(heading=0.1))])
    with pytest.raises(ModelError, match="passes: 'rihgt' is no other contact; did you mean `right`"):
        contact_model("m", block, [Patch("left", "box", passes="rihgt"), Patch("right", "box")])
    with pytest.raises(ModelError, match="contacts of Mechanism are Patch"):
        contact_model("m", block, [Rows("foot")])
    with pytest.raises(ModelError, match="each with a name of its own"):
        contact_model("m", block, [Patch("a", "box"), Patch("a", "box")])
    with pytest.raises(ModelError, match="64 bits are needed, 62 are there"):
        contact_model("m", block, [Patch(f"a{i}", "box", corners(0.2, 0.8)) for i in range(16)])
    for words, given in (("outputs and output_records", "outputs"), ("scene and poses", "poses")):
        with pytest.raises(ModelError, match=f"{words} belong together, found {given} alone; give both"):
            contact_model("m", block, [Patch("a", "box")], **{given: terms})
    with pytest.raises(ModelError, match="no coordinate or speed 'qdotdot'"):
        contact_model("m", Equations(("q",), terms), [Rows("stop")], initial={"qdotdot": 1.0})


def terms(mass, force, rows, gaps, t, x, p):
    mass[0], force[0], rows[0], rows[1], rows[2], rows[3], gaps[0] = 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, x[0]


def test_a_point_below_its_plane_ends_the_run_with_its_name():
    with pytest.raises(ConfigError, match="contact p1 is below its plane where the run begins"):
        simulate(bar((-0.5, 0.5)), initial={"box_angle": 0.002}, final_time=1.0)


def cradle_terms(mass, force, rows, gaps, t, x, p):
    """Three balls of 1 kg along a line; the third and the second touch where their coordinates are equal."""
    for i in range(9):
        mass[i] = 1.0 if i % 4 == 0 else 0.0
    for i in range(3):
        force[i] = 0.0
    for i in range(16):
        rows[i] = 0.0
    rows[0], rows[1] = -1.0, 1.0
    rows[9], rows[10] = -1.0, 1.0
    gaps[0], gaps[1] = x[1] - x[0], x[2] - x[1]


@pytest.mark.exhaustive  # `test_joints` has them in the ordinary run
def test_three_balls_that_touch_collide_together():
    """With all contacts at once and restitution 1, speeds after the impact are -1/3, 2/3 and 2/3 (Moreau 1988)."""
    contacts = [Rows("first", restitution=1.0), Rows("second", restitution=1.0)]
    model = contact_model("cradle", Equations(("a", "b", "c"), cradle_terms), contacts)
    run = simulate(model, initial={"a": -0.5, "adot": 1.0}, final_time=1.0, record=True)
    assert run.events.t.tolist() == pytest.approx([0.5], abs=1e-12)
    assert [run[f"{name}dot"][-1] for name in "abc"] == pytest.approx([-1 / 3, 2 / 3, 2 / 3], abs=1e-12)
    assert run["kinetic"][-1] == pytest.approx(0.5, abs=1e-12)


def test_no_impact_with_friction_gains_energy():
    """Newton's rule does at many impacts of this double pendulum (Kane and Levinson 1985); the guard does not."""
    mechanism = Mechanism(rod("upper", "world", 0.0), rod("lower", "upper", -1.0))
    tip = Patch("tip", "lower", ((0.0, 0.0, -1.0),), friction=0.5, restitution=0.9)
    model = contact_model("struck", mechanism, [tip])
    rng = np.random.default_rng(1)
    ratios = []
    for _ in range(60):
        q, u = rng.uniform(-1.0, 1.0, 2), 3.0 * rng.normal(size=2)
        ground = -float(np.cos(q[0]) + np.cos(q[0] + q[1]))
        initial = dict(zip(("upper", "lower", "upperdot", "lowerdot"), [*q, *u], strict=True))
        run = simulate(model, initial=initial, parameters={"ground_z": ground}, final_time=1e-6, record=True)
        approaches = (mechanism.point_rows(q, "lower", (0.0, 0.0, -1.0))[:, :2] @ u)[2] < 0.0
        ratios += [run["kinetic"][0] / mechanism.kinetic_energy(q, u)] if approaches else []
    assert max(ratios) < 1.0 + 1e-10
    assert 0.1 < np.mean(np.array(ratios) > 1.0 - 1e-10) < 0.5  # those that the guard has held


def rod(name, parent, place):
    joint = Revolute(name, "y", place=(0.0, 0.0, place))
    return Body(name, joint, parent=parent, mass=1.0, centre=(0.0, 0.0, -0.5), inertia=(1 / 12, 1 / 12, 1e-3))


@pytest.mark.exhaustive  # mechanisms of all sizes have one hash in the ordinary run
def test_an_edit_of_friction_compiles_nothing():
    """Not even the compiler is imported, in a new process."""
    program = """if True:
        import sys
        from hybridsim import simulate
        from hybridsim.contacts import Patch, contact_model
        from hybridsim.multibody import Body, Mechanism, Prismatic

        side, body = Body("side", Prismatic("x", "x")), Body("body", Prismatic("z", "z"), parent="side", mass=1.0)
        patch = Patch("foot", "body", friction=float(sys.argv[1]), restitution=0.5)
        simulate(contact_model("edited", Mechanism(side, body), [patch]), initial={"z": 0.3}, final_time=0.5)
        print("numba" in sys.modules)
    """
    answers = [
        subprocess.run(
            [sys.executable, "-c", program, friction], capture_output=True, text=True, check=True, timeout=PATIENCE
        ).stdout.split()
        for friction in ("0.5", "0.4")
    ]
    assert answers[1] == ["False"]


def test_mechanisms_of_all_sizes_share_machine_code():
    """Their functions have the same hash, by which the cache finds machine code; `find_terms` holds the constants."""
    one = point_mass("one", restitution=0.5)
    bodies = [rod("upper", "world", 0.0), rod("lower", "upper", -1.0)]
    two = contact_model("two", Mechanism(*bodies), [Patch("tip", "lower")], dry_friction={"upper": 0.1})
    for name in ("vector_field", "boundaries", "outputs", "transition", "initial_chart"):
        first, second = (content_hash(each.functions[name], is_whole=False) for each in (one, two))
        assert first == second is not None
    terms = (each.functions["vector_field"].__globals__["find_terms"] for each in (one, two))
    assert len({content_hash(each, is_whole=False) for each in terms}) == 2


STALE = """
import sys
import numpy as np
from contacts import cases, linkages, test_soft, test_space

rng = np.random.default_rng(0)
MODELS = [cases.standing_block(), cases.robot(), linkages.four_bar(), linkages.rolling_disk()]
MODELS += [test_space.ball(), test_space.box(), test_space.mass(), test_soft.soft_mass(), test_soft.ball(friction=0.3)]
for model in MODELS:
    x = np.array([state.default for state in model.states], float)
    x += 0.1 * rng.normal(size=len(x))
    p = np.array([each.default for each in model.parameters], float)
    sizes = {"vector_field": len(x), "boundaries": len(model.boundary_records), "outputs": len(model.output_records)}
    module = sys.modules[model.functions["outputs"].__module__]
    for chart in {0, (1 << sum(model.chart_fields.values())) - 1, *rng.integers(0, 64, 6).tolist()}:
        for name in sizes.keys() & model.functions.keys():
            seen = []
            for left in (0.0, np.nan, 1e300, -3.3):
                module.scratch = lambda n, left=left: np.full(n, left)
                values = np.zeros(sizes[name])
                with np.errstate(all="ignore"):
                    model.functions[name](values, 0.0, x, p, chart)
                seen.append(values)
            if any(not np.array_equal(values, seen[0], equal_nan=True) for values in seen):
                print(model.name, name, chart)
"""


def test_no_function_reads_what_it_has_not_written():
    """Work spaces hold what others have left there."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(Path(__file__).parents[1])}
    done = subprocess.run([sys.executable, "-c", STALE], env=environment, capture_output=True, check=True, text=True)
    assert done.stdout == ""

"""`check_model` finds each way of breaking the contract; every bundled model keeps it."""

import re

import pytest

from hybridsim import Boundary, Model, ModelError, State, simulate
from hybridsim.cli.new import TEMPLATES
from hybridsim.model.trials import trials
from hybridsim.testing import check_model

from gallery import stand_still

PLUGIN_TEMPLATE = (TEMPLATES / "NAME.py.txt").read_text(encoding="utf-8")

# What to change in the plug-in that `hybridsim new` writes, and what the message must contain.
FAULTS = {
    "a function that takes another number of arguments": (
        ("def boundaries(g, t, x, p, chart)", "def boundaries(g, x, p, chart)"),
        r"plugin\.py:\d+: `boundaries` takes .*expected boundaries\(g, t, x, p, chart\)",
    ),
    "an index beyond the array": (
        ("xdot[S.height] = x[S.speed]", "xdot[S.height] = x[B.floor + 2]"),
        r"plugin\.py:\d+: .*`x\[2\]` lies outside",
    ),
    "an index below zero": (
        ("xdot[S.height] = x[S.speed]", "xdot[S.height] = x[B.floor - 1]"),
        r"plugin\.py:\d+: .*`x\[-1\]` lies outside",
    ),
    "an index that is a name": (("g[B.floor]", 'g["floor"]'), r"plugin\.py:\d+: .*the string index"),
    "a slice": (("g[B.floor] = x[S.height]", "g[0:1] = x[0:1]"), r"plugin\.py:\d+: .*the slice `g\[0:1\]`"),
    "an error of Python": (("-p[P.gravity]", "-p[P.gravity] * nothing"), r"plugin\.py:\d+: .*NameError: .*nothing"),
    "a write into the state": (("g[B.floor] =", "x[S.speed] = 1.0; g[B.floor] ="), r"writes into `x`"),
    "a write into the parameters": (("x_new[S.speed] =", "p[P.gravity] = 1.0; x_new[S.speed] ="), r"writes into `p`"),
    "a chart that does not exist": (("return C.flight", "return 1"), r"`transition` returns 1; expected .* 0 to 0"),
    "a transition without a result": (("return C.flight", "pass"), r"`transition` returns None"),
    "a boundary that is active by its own value": (
        ("    g[B.floor] = x[S.height]", "    if x[S.speed] > 0.0:\n        g[B.floor] = x[S.height]"),
        r"writes floor at some states .* let the chart alone decide",
    ),
    "a boundary that is active far away only": (
        ("    g[B.floor] = x[S.height]", "    if x[S.height] < 30.0:\n        g[B.floor] = x[S.height]"),
        r"writes floor at some states .* let the chart alone decide",
    ),
    "a memory": (
        ("    xdot[S.speed] = -p[P.gravity]", "    CALLS.append(t)\n    xdot[S.speed] = -float(CALLS.count(t))"),
        r"`vector_field` gives another result when it is called again",
    ),
    "a start outside the chart": (
        ('"height", 1.0', '"height", -1.0'),
        r"gives -1\.0 for floor .*positive inside its chart",
    ),
    "a slope that is not a number": (("-p[P.gravity]", "math.inf - math.inf"), r"gives nan for speed .*finite number"),
    "a bookkeeping state that flows": (('"upward"', '"upward", continuous=False'), r"for speed .*bookkeeping state"),
}


def plugin(folder, old, new):
    assert PLUGIN_TEMPLATE.count(old) == 1, old
    path = folder / "plugin.py"
    text = PLUGIN_TEMPLATE.replace(old, new).replace("NAME", "plugin")
    path.write_text(text.replace("\nSTATES", "\nimport math\n\nimport numpy as np\n\nCALLS = []\nSTATES", 1))
    return path


FAULTS_OF_RUNS = {
    "a number that is no chart": (
        ("return C.flight", "return 0.5"),
        r"`transition` returns 0\.5; expected the number of",
    ),
    "a chart that is a float": (
        ("return C.flight", "return 0.0"),
        r"`transition` returns 0\.0; expected the number of .*; write int\(\.\.\.\)",
    ),
    "a memory": FAULTS["a memory"],
    "a random number": (
        ("xdot[S.speed] = -p[P.gravity]", "xdot[S.speed] = np.random.random()"),
        r"`vector_field` gives another result when it is called again",
    ),
}


@pytest.mark.parametrize("fault", FAULTS_OF_RUNS)
def test_a_run_refuses_in_the_words_of_the_check(tmp_path, fault):
    change, message = FAULTS_OF_RUNS[fault]
    file = plugin(tmp_path, *change)
    with pytest.raises(ModelError, match=message) as of_run:
        simulate(file, final_time=1.0)
    with pytest.raises(ModelError) as of_check:
        check_model(file)
    assert str(of_run.value) == str(of_check.value)


@pytest.mark.parametrize("returned", ["TABLE[chart]", "np.argmax(TABLE)", "TABLE[chart] > 0"])
def test_whole_numbers_of_numpy_are_charts(tmp_path, returned):
    path = plugin(tmp_path, "return C.flight", f"return {returned}")
    path.write_text(path.read_text().replace("CALLS = []", "CALLS = []\nTABLE = np.array([0])"))
    assert simulate(path, final_time=1.0).chart[-1] == 0
    assert "fine" in check_model(path)


@pytest.mark.parametrize("fault", FAULTS)
def test_it_finds(fault, tmp_path):
    change, message = FAULTS[fault]
    with pytest.raises(ModelError) as problem:
        check_model(plugin(tmp_path, *change))
    assert re.search(message, str(problem.value)), problem.value


POSE = "placed((0.0, 0.0, x[S.height] + RADIUS))"
POSE_FAULTS = {
    "a pose that is no transform": (POSE, "2.0", r"ball is no transform of a body"),
    "a body half hidden": (
        POSE,
        "0.0\n    T[0, 3, 3] = 1.0",
        r"is no transform",
    ),
    "a pose that is not finite": ("x[S.height] + RADIUS", "math.inf", r"in chart \w+: the pose of ball is not finite"),
    "a pose of another shape": (POSE, "[1.0, 2.0]", r"plugin\.py:\d+: in `poses`, .*shape"),
    "a place beyond the bodies": ("T[BODY.ball]", "T[1]", r"plugin\.py:\d+: in `poses`, .*IndexError"),
    "an error in a transform": (
        "(0.0, 0.0, x[S.height] + RADIUS)",
        "(0.0, 0.0)",
        r"plugin\.py:\d+: in `poses`, .*ValueError",
    ),
    "a pose that writes into the state": ("T[BODY.ball] =", "x[S.height] = 1.5\n    T[0] =", r"writes into `x`"),
    "poses with other arguments": (
        "(T, t, x, p, chart)",
        "(T, x, p)",
        r"takes \(T, x, p\); expected poses\(T, t,",
    ),
    "poses that return": ("T[BODY.ball] =", "return", r"returns ndarray; expected nothing"),
    "poses with a memory": ("x[S.height] + RADIUS", "float(len(CALLS)) + (CALLS.append(t) or 0.0)", r"keeps no memory"),
}


@pytest.mark.parametrize("fault", POSE_FAULTS)
def test_of_poses_it_finds(fault, tmp_path):
    old, new, message = POSE_FAULTS[fault]
    path = plugin(tmp_path, old, new)
    with pytest.raises(ModelError) as problem:
        check_model(path)
    assert re.search(message, str(problem.value)), problem.value


def test_it_finds_a_ground_without_height(tmp_path):
    path = tmp_path / "slope.py"
    path.write_text(
        "from hybridsim import Model, State\n"
        "from hybridsim.scene import Body, Ground, Scene, Sphere, placed\n"
        "def vector_field(xdot, t, x, p, chart):\n    xdot[0] = 1.0\n"
        "def poses(T, t, x, p, chart):\n    T[0] = placed((x[0], 0.0, 0.0))\n"
        "def slope(x, y, p):\n    return p[3] * x\n"
        "SCENE = Scene([Body('ball', Sphere(0.1))], ground=Ground(slope))\n"
        "MODEL = Model('slope', [State('x')], vector_field=vector_field, poses=poses, scene=SCENE)\n"
    )
    with pytest.raises(ModelError, match=r"slope\.py:8: in the height of the ground: IndexError"):
        check_model(path)


def test_poses_that_are_right_are_tried_too():
    assert "poses in 4 charts" in check_model("slip")


UNSETTLED = """
def initial_chart(x_new, t, x, p):
    x_new[S.height] = 0.5 * x[S.height]
    return C.flight


MODEL ="""


def test_it_finds_an_initial_chart_that_changes_its_own_result(tmp_path):
    path = plugin(tmp_path, "poses=poses,", "poses=poses,\n    initial_chart=initial_chart,")
    path.write_text(path.read_text().replace("MODEL =", UNSETTLED))
    with pytest.raises(ModelError, match="changes its own result"):
        check_model(path)


def test_all_faults_of_one_kind_are_reported_at_once(tmp_path):
    path = plugin(tmp_path, "-p[P.gravity]", "-p[7]")
    path.write_text(path.read_text().replace("g[B.floor] =", "g[7] ="))
    with pytest.raises(ModelError) as problem:
        check_model(path)
    assert len(str(problem.value).splitlines()) == 2


def test_a_value_outside_a_domain_of_math_is_no_fault(tmp_path):
    # the square root of a negative number raises in Python and is nan compiled; some random states lie below 0.95 m
    path = plugin(tmp_path, "-p[P.gravity]", "-p[P.gravity] * math.sqrt(x[S.height] - 0.95) / math.sqrt(0.05)")
    assert "fine" in check_model(path)


def test_a_bookkeeping_state_that_flows_is_refused_by_a_run_too(tmp_path):
    path = plugin(tmp_path, *FAULTS["a bookkeeping state that flows"][0])
    with pytest.raises(ModelError, match="bookkeeping state"):
        simulate(path, final_time=1.0)


def test_a_message_that_does_not_exist_is_found_and_refused_by_a_run_too(tmp_path):
    path = plugin(tmp_path, "poses=poses,", "poses=poses,\n    validate=validate,")
    path.write_text(path.read_text().replace("MODEL =", "def validate(t, x, p, chart):\n    return 3\n\n\nMODEL ="))
    for use in (check_model, lambda path: simulate(path, final_time=1.0)):
        with pytest.raises(ModelError, match="`validate` returns 3; expected 0"):
            use(path)


def stall(t, x, p, chart):
    """Return message 1, which does not exist, where the eleventh bit is set or only the second is missing."""
    return 1 if chart >> 10 & 1 or chart == 0b111111111101 else 0


def test_of_a_wide_field_every_bit_is_tried_set_and_missing_and_few_values_else():
    model = Model("wide", [State("x")], vector_field=stand_still, chart_fields={"narrow": 3, "wide": 12})
    charts = trials(model).charts
    assert {*range(8)} <= {*charts}
    wide = {chart >> 3 for chart in charts}
    assert {1 << bit for bit in range(12)} | {4095 - (1 << bit) for bit in range(12)} <= wide
    assert len(wide) < 100
    assert all(0 <= chart < model.n_charts for chart in charts)


def test_a_fault_in_one_chart_of_many_is_found():
    model = Model("wide", [State("x")], vector_field=stand_still, validate=stall, chart_fields={"wide": 12})
    with pytest.raises(ModelError, match="`stall` returns 1; expected 0"):
        check_model(model)


def divides(xdot, t, x, p, chart):
    xdot[0] = 1.0 / x[1]


def test_a_function_that_never_comes_to_its_end_is_found_though_errors_of_math_are_allowed():
    with pytest.raises(
        ModelError, match=r"test_testing\.py:\d+: `vector_field` never comes to its end: ZeroDivisionError"
    ):
        check_model(Model("stuck", [State("x"), State("rate", continuous=False)], vector_field=divides))


def begins_with_a_rate(x_new, t, x, p):
    x_new[1] = 2.0
    return 0


def writes_too_far(xdot, t, x, p, chart):
    xdot[0] = 1.0 / x[1]
    xdot[7] = 0.0


def test_functions_are_tried_where_the_model_begins():
    functions = {"vector_field": writes_too_far, "initial_chart": begins_with_a_rate}
    model = Model("far", [State("x"), State("rate", continuous=False)], **functions)
    with pytest.raises(ModelError, match=r"`xdot\[7\]` lies outside the array"):
        check_model(model)
    with pytest.raises(ModelError, match=r"`xdot\[7\]` lies outside the array"):
        simulate(model, final_time=1.0)


def test_a_boundary_that_no_chart_writes_is_named():
    def falls(xdot, t, x, p, chart):
        xdot[0] = -1.0

    def forgotten(g, t, x, p, chart):
        pass

    def transition(x_new, t, x, p, chart, crossed):
        return 0

    model = Model(
        "forgetful",
        [State("y", 1.0)],
        vector_field=falls,
        boundaries=forgotten,
        transition=transition,
        boundary_records=[Boundary("floor")],
    )
    assert "no chart writes floor" in check_model(model)
    assert "no chart writes" not in check_model("bouncing_ball")


def test_statements_that_do_not_compile_are_refused_before_they_are_tried(capsys):
    def prints(xdot, t, x, p, chart):
        print("here")  # noqa: T201
        xdot[0] = x[0]

    with pytest.raises(ModelError, match="`print` does not work in compiled code"):
        check_model(Model("loud", [State("y", 1.0)], vector_field=prints))
    assert capsys.readouterr().out == ""


def test_a_name_behind_an_array_is_explained():
    def by_name(xdot, t, x, p, chart):
        xdot[0] = x.y

    with pytest.raises(ModelError, match=r"write `x\[S\.y\]`"):
        check_model(Model("named", [State("y", 1.0)], vector_field=by_name))

"""Pictures of sweeps: what is drawn where, from tables whose content is known."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from hybridsim import ConfigError
from hybridsim.engine.status import Status
from hybridsim.plotting.colours import STATUS_COLORS, colouring
from hybridsim.plotting.scales import axis_scale
from hybridsim.plotting.sections import section
from hybridsim.plotting.sweeps import _draw_cells, plot_sweep
from hybridsim.sweeps import SweepTable

from .sweep_tables import ANGLE, MASS, axis, figure_of, metric, table


@pytest.fixture
def cube():
    a, b, c = (values.ravel() for values in np.meshgrid(np.arange(2.0), np.arange(3.0), np.arange(4.0), indexing="ij"))
    axes = [(axis(name, values, i), values) for i, (name, values) in enumerate(zip("abc", (a, b, c), strict=True))]
    return table(axes, [(metric("value"), a + 10 * b + 100 * c)])


def labels(figure):
    return [(panel.get_xlabel(), panel.get_ylabel()) for panel in figure.axes]


def cells(sweep, name, across="", planned=None):
    """The values in the cells of a map, rows upwards, and the edges along x."""
    panel = figure_of(sweep, [name], across=across, planned=planned).axes[0]
    mesh = panel.collections[-1]
    return mesh.get_array().filled(np.nan), mesh.get_coordinates()[0, :, 0]


@pytest.mark.members(1)
@pytest.mark.parametrize("ending", [".png", ".pdf", ".svg"])
def test_a_picture_is_written(grid, tmp_path, ending):
    assert plot_sweep(grid, [], {}, tmp_path / f"map{ending}").notes == ()
    assert [path.name for path in tmp_path.iterdir()] == [f"map{ending}"]


def test_two_axes_make_a_map_with_the_first_upwards_and_degrees_along_x(grid):
    values, sides = cells(grid, "value")
    np.testing.assert_allclose(values, [[20.0, 30.0], [30.0, 40.0], [50.0, 60.0]])
    np.testing.assert_allclose(sides, [5.0, 15.0, 25.0])
    figure = figure_of(grid, ["value"])
    assert labels(figure)[0] == ("angle [deg]", "mass [kg]")
    assert figure.axes[1].get_ylabel() == "value [m]"


def test_the_axis_along_x_can_be_chosen(grid):
    values, sides = cells(grid, "value", across="mass")
    np.testing.assert_allclose(values, [[20.0, 30.0, 50.0], [30.0, 40.0, 60.0]])
    np.testing.assert_allclose(sides, [0.5, 1.5, 3.0, 5.0])
    with pytest.raises(
        ConfigError, match=r"-x masss: cannot be along x here; did you mean `mass`\?; choose angle or mass"
    ):
        figure_of(grid, ["value"], across="masss")
    assert figure_of(grid, ["value"], {"angle": "10"}, across="mass").axes[0].get_xlabel() == "mass [kg]"
    with pytest.raises(ConfigError, match=r"-x angle: cannot be along x here; choose mass$"):
        figure_of(grid, ["value"], {"angle": "10"}, across="angle")


def test_of_zipped_axes_either_can_be_along_x():
    rtol, atol, y = np.repeat([1e-8, 1e-6], 2), np.repeat([1e-9, 1e-7], 2), np.tile([1.0, 2.0], 2)
    axes = [(axis("rtol", rtol, 0), rtol), (axis("atol", atol, 0), atol), (axis("y", y, 1, "m"), y)]
    sweep = table(axes, [(metric("value"), np.arange(4.0))])
    assert figure_of(sweep, across="atol").axes[0].get_ylabel() == "y [m]"
    assert labels(figure_of(sweep))[0] == ("y [m]", "rtol")
    curve = figure_of(sweep, fixed={"y": "1"}, across="atol").axes[0]
    assert curve.get_xlabel() == "atol"
    np.testing.assert_allclose(curve.lines[0].get_xdata(), [1e-9, 1e-7])


def test_words_along_x_are_marks_without_a_line():
    words = np.array([f"m{place}" for place in range(3)])
    sweep = table([(axis("method", words, 0), words)], [(metric("value"), np.arange(3.0))])
    (curve,) = figure_of(sweep).axes[0].lines
    assert (curve.get_linestyle(), curve.get_marker()) == ("None", "o")
    numbers = table([(axis("x", np.arange(3.0), 0), np.arange(3.0))], [(metric("value"), np.arange(3.0))])
    assert figure_of(numbers).axes[0].lines[0].get_linestyle() == "-"


@pytest.mark.exhaustive  # slow; sentences of rows are in the ordinary run
def test_what_there_is_no_room_for_is_reported(tmp_path):
    x = np.arange(3.0)
    metrics = [(metric(f"m{place}"), x + place) for place in range(10)]
    sweep = table([(axis("x", x, 0), x)], metrics)
    assert plot_sweep(sweep, [], {}, tmp_path / "a.png").notes == (
        "not drawn: m8, m9; name the metrics that you want to see",
    )
    assert plot_sweep(sweep, ["m8", "m9"], {}, tmp_path / "a.png").notes == ()


def test_a_picture_that_cannot_be_written_is_no_matter_of_the_output_folder(grid, tmp_path):
    with pytest.raises(ConfigError, match=r"a\.png: there is no folder '.*nowhere'; make it, or choose another .* -o"):
        plot_sweep(grid, [], {}, tmp_path / "nowhere" / "a.png")


def test_rows_that_are_not_there_leave_blank_cells(grid):
    part = SweepTable(grid.table.slice(0, 3), grid.axes, grid.metrics, 6, "made_up")
    values, _ = cells(part, "value", planned={"mass": MASS, "angle": ANGLE})
    np.testing.assert_allclose(values, [[20.0, 30.0], [30.0, np.nan], [np.nan, np.nan]])


def test_a_run_without_a_value_is_grey_and_one_to_come_is_blank():
    x, y = np.repeat([0.0, 1.0], 2), np.tile([0.0, 1.0], 2)
    sweep = table([(axis("x", x, 0), x), (axis("y", y, 1), y)], [(metric("when", "time"), [1.0, None, 2.0, 3.0])], 6)
    drawn = section(sweep, [], {}, {"x": np.arange(3.0)})
    panel = Figure().subplots()
    along, upward = drawn.axes
    colours = colouring("when", "s", drawn.metrics["when"])
    _draw_cells(panel, (axis_scale(along), along.indices), (axis_scale(upward), upward.indices), colours, drawn.failed)
    grey, shown = panel.collections
    assert (~grey.get_array().mask).tolist() == [[False, False, False], [True, False, False]]
    assert (~shown.get_array().mask).tolist() == [[True, True, False], [False, True, False]]


def test_the_title_shows_when_a_sweep_is_unfinished_and_what_is_fixed(grid, tmp_path):
    part = SweepTable(grid.table.slice(0, 5), grid.axes, grid.metrics, 6, "made_up")
    plot_sweep(part, ["value"], {"angle": "12"}, tmp_path / "part.svg")
    text = (tmp_path / "part.svg").read_text()
    assert "made_up: unfinished, 5 of 6 runs; 3 at angle = 10 deg" in text


def test_a_fixed_axis_takes_the_nearest_value_in_the_unit_of_the_picture(grid, tmp_path):
    for typed in ("19", "19 deg", "19deg"):
        assert plot_sweep(grid, ["value"], {"angle": typed}, tmp_path / "a.png").notes == ("at angle = 20 deg",)
    panel = figure_of(grid, ["value"], {"initial.angle": "19"}).axes[0]
    np.testing.assert_allclose(panel.lines[0].get_xydata(), [[1.0, 30.0], [2.0, 40.0], [4.0, 60.0]])


@pytest.mark.parametrize(
    ("metrics", "fixed", "message"),
    [
        (["valeu"], {}, "no such metric; did you mean `value`"),
        (["xyz"], {}, "it has value, count, end"),
        (["mass"], {}, "mass is an axis, not a metric; fix it as mass=VALUE"),
        ([], {"angel": "1"}, "no such axis; did you mean `angle`"),
        ([], {"angle": "steep"}, r"expected a number from 10 to 20 deg; write for example 'angle=20 deg'"),
        ([], {"angle": "20.1"}, "expected a number from 10 to 20 deg"),
        ([], {"mass": "0.9"}, "expected a number from 1 to 4 kg"),
        ([], {"mass": "2 Mg"}, "expected a number from 1 to 4 kg"),
        ([], {"angle": "10", "mass": "1"}, "nothing varies here.*; fix fewer axes"),
    ],
)
def test_what_cannot_be_drawn_is_refused(grid, tmp_path, metrics, fixed, message):
    with pytest.raises(ConfigError, match=message):
        plot_sweep(grid, metrics, fixed, tmp_path / "a.png")
    assert [*tmp_path.iterdir()] == []


def test_a_sweep_of_one_row_is_refused_without_talk_of_fixed_axes():
    one = table([(axis("x", [1.0], 0), np.ones(1))], [(metric("value"), [2.0])])
    with pytest.raises(ConfigError, match="nothing to draw; sweep over more than one value"):
        figure_of(one)


@pytest.mark.members(1)
@pytest.mark.parametrize("ending", [".png", ".svg"])
def test_an_axis_with_an_infinite_value_is_drawn_as_words_in_order(tmp_path, ending):
    step, y = np.repeat([np.inf, 0.1, 0.2], 2), np.tile([1.0, 2.0], 3)
    sweep = table(
        [(axis("max_step", step, 0, "s", section="engine"), step), (axis("y", y, 1, "m"), y)],
        [(metric("value"), np.arange(6.0)), (metric("end", "status"), ["STOPPED", "ZENO"] * 3)],
    )
    plot_sweep(sweep, ["value"], {}, tmp_path / f"curves{ending}")
    lines = figure_of(sweep, ["value"]).axes[0].lines
    assert [(line.get_label(), line.get_ydata().tolist()) for line in lines] == [
        ("0.1", [2.0, 3.0]),
        ("0.2", [4.0, 5.0]),
        ("inf", [0.0, 1.0]),
    ]
    mapped = figure_of(sweep, ["end"]).axes[0]
    assert mapped.get_ylabel() == "max_step [s]"
    assert [tick.get_text() for tick in mapped.get_yticklabels()] == ["0.1", "0.2", "inf"]
    for typed, fixed in (("inf", "at max_step = inf s"), ("0.1", "at max_step = 0.1 s")):
        assert plot_sweep(sweep, ["value"], {"max_step": typed}, tmp_path / f"one{ending}").notes == (fixed,)
    along = figure_of(sweep, ["value"], {"y": "1"}).axes[0]
    assert along.get_xlabel() == "max_step [s]"


def test_an_unknown_format_is_refused(grid, tmp_path):
    with pytest.raises(ConfigError, match=r"name it \.png, \.pdf or \.svg"):
        plot_sweep(grid, [], {}, tmp_path / "picture.doc")


def test_of_three_axes_one_has_to_be_fixed(cube):
    with pytest.raises(ConfigError, match=r"3 axes vary: a \(2 values\), b \(3 values\), c \(4 values\).*a=1$"):
        figure_of(cube)
    values = figure_of(cube, fixed={"a": "1"}).axes[0].collections[-1].get_array()
    np.testing.assert_allclose(values, 1.0 + 10.0 * np.arange(3.0)[:, None] + 100.0 * np.arange(4.0))


def test_zipped_axes_are_one_and_the_first_is_drawn():
    rtol, atol = np.logspace(-4, -8, 5), np.logspace(-6, -10, 5)
    sweep = table(
        [(axis("rtol", rtol, 0, section="engine"), rtol), (axis("atol", atol, 0, section="engine"), atol)],
        [(metric("calls", "statistic"), np.arange(5) * 100)],
    )
    panel = figure_of(sweep).axes[0]
    assert panel.get_xlabel() == "rtol"
    assert panel.get_xscale() == "log"
    np.testing.assert_allclose(panel.lines[0].get_xdata(), rtol[::-1])
    assert panel.lines[0].get_marker() == "o"


def test_a_word_and_a_number_give_a_curve_for_each_word():
    word, x = np.repeat(["tsit5", "dp5"], 3), np.tile([1.0, 2.0, 3.0], 2)
    sweep = table(
        [(axis("method", word, 0), word), (axis("x", x, 1), x)],
        [(metric("value"), np.arange(6.0)), (metric("end", "status"), ["STOPPED"] * 6)],
    )
    lines = figure_of(sweep, ["value"]).axes[0].lines
    assert [(line.get_label(), line.get_ydata().tolist()) for line in lines] == [
        ("tsit5", [0.0, 1.0, 2.0]),
        ("dp5", [3.0, 4.0, 5.0]),
    ]
    mapped = figure_of(sweep, ["end"]).axes[0]
    assert [tick.get_text() for tick in mapped.get_yticklabels()] == ["tsit5", "dp5"]
    assert len(figure_of(sweep, ["value"], {"method": "dp5"}).axes[0].lines) == 1
    with pytest.raises(ConfigError, match="no such value; did you mean `dp5`"):
        figure_of(sweep, ["value"], {"method": "dp"})


def test_samples_of_two_axes_are_points_coloured_by_the_metric():
    x, y = np.array([3.0, 1.0, 2.0]), np.array([5.0, 6.0, 4.0])
    sweep = table([(axis("x", x, 0), x), (axis("y", y, 0), y)], [(metric("value"), [2.0, 1.0, 3.0])])
    points = figure_of(sweep).axes[0].collections[0]
    np.testing.assert_allclose(points.get_offsets(), [[6.0, 1.0], [5.0, 3.0], [4.0, 2.0]])
    np.testing.assert_allclose(points.get_array(), [1.0, 2.0, 3.0])


def test_a_table_that_lists_a_grid_is_no_zip():
    x, y = np.repeat([1.0, 2.0], 2), np.tile([1.0, 2.0], 2)
    sweep = table([(axis("x", x, 0), x), (axis("y", y, 0), y)], [(metric("value"), np.arange(4.0))])
    assert section(sweep, [], {}, {}).factors[0].samples


def test_samples_of_three_axes_are_drawn_over_each_of_them():
    random = np.random.default_rng(0)
    columns = {name: random.random(50) for name in "xyz"}
    sweep = table(
        [(axis(name, values, 0), values) for name, values in columns.items()],
        [(metric("value"), random.random(50)), (metric("end", "status"), ["STOPPED", "ZENO"] * 25)],
    )
    assert len(figure_of(sweep).axes) == 3
    assert len(figure_of(sweep, ["value", "end"]).axes) == 6


def test_without_names_the_metrics_that_are_numbers_are_drawn(grid):
    assert [*section(grid, [], {}, {}).metrics] == ["value", "count"]
    only = SweepTable(grid.table, grid.axes, grid.metrics[2:], 6, "made_up")
    assert [*section(only, [], {}, {}).metrics] == ["end"]


def test_a_sweep_without_rows_is_refused(grid):
    empty = SweepTable(grid.table.slice(0, 0), grid.axes, grid.metrics, 6, "made_up")
    with pytest.raises(ConfigError, match="no row of the sweep is finished yet"):
        section(empty, [], {}, {})


def test_statuses_have_their_own_colours_and_a_legend(grid):
    figure = figure_of(grid, ["end"])
    legend = figure.axes[0].get_legend()
    assert [text.get_text() for text in legend.get_texts()] == [
        "STOPPED: reached a stop that was asked for",
        "ZENO: made infinitely many transitions in finite time",
    ]
    assert len(set(STATUS_COLORS.values())) == len(STATUS_COLORS)
    never = {"WALL_TIME", "INTERRUPTED", "UNFINISHED"}  # not refused or cut short, but a row
    assert set(STATUS_COLORS) == set(Status.__members__) - never


def test_statuses_over_one_axis_are_rows_of_marks(grid):
    panel = figure_of(grid, ["end"], {"mass": "1"}).axes[0]
    assert [tick.get_text() for tick in panel.get_yticklabels()] == ["STOPPED", "ZENO"]
    assert [line.get_xydata().tolist() for line in panel.lines] == [
        [[pytest.approx(10.0), 0]],
        [[pytest.approx(20.0), 1]],
    ]


def test_few_whole_numbers_have_a_colour_each_and_the_largest_its_number():
    few, many = colouring("steps", "", np.arange(25)), colouring("steps", "", np.arange(1000))
    assert few.cmap.N == 25
    assert few.norm(np.arange(25)).tolist() == list(range(25))
    assert not hasattr(many.norm, "boundaries")
    figure = Figure()
    few.explain(figure, figure.subplots())
    assert figure.axes[1].get_yticks()[-1] == 24


def test_a_constant_metric_is_drawn_as_constant():
    colours = colouring("y", "m", np.full(4, 1.0) + 1e-15 * np.arange(4))
    assert colours.norm.vmax - colours.norm.vmin > 0.1
    assert colours.constant == "y = 1 m"
    assert not colouring("y", "m", np.linspace(1.0, 2.0, 4)).constant
    assert not colouring("y", "m", np.full(4, np.nan)).constant

import math
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

RUN = "model: leg.py\nfinal_time: 1\n"


def test_what_is_not_given_has_the_default_of_the_model(load):
    config = load(RUN)
    assert config.parameters == {
        "k": 20000.0,
        "spring": 2,
        "slope": 10.0,
        "terrain": "flat",
        "heights": (0.0, 0.1, 0.2),
        "field": (1, 2, 0.5, 1.0),
    }
    assert config.initial == {"y": 1.0, "ydot": 0.0, "angle": 0.5}


def test_an_angle_in_degrees_is_turned_into_the_unit_of_the_value(load):
    config = load(f"{RUN}initial: {{angle: -22.5 deg}}\nparameters: {{slope: 12 deg}}\n")
    assert config.initial["angle"] == pytest.approx(-math.pi / 8, rel=1e-15)
    assert config.parameters["slope"] == 12.0


def test_a_number_in_yaml_is_a_number_in_the_unit_of_the_value(load):
    assert load(f"{RUN}initial: {{angle: 22}}\n").initial["angle"] == 22.0


@pytest.mark.parametrize(
    ("section", "line", "expected"),
    [
        ("initial", "y: -0.5", "expected a number from 0 to inf [m], found -0.5; "),
        ("initial", "y: .inf", "expected a finite number [m], found inf; "),
        ("initial", "ydot: .nan", "expected a finite number [m/s], found nan; "),
        ("initial", "y: true", "expected a number [m], found true; "),
        ("initial", "y: '1'", "expected a number [m], found '1'; "),
        ("initial", "y: 22 deg", "expected a number [m], found the angle '22 deg'; "),
        ("initial", "angle: 22 degrees", "expected a number [rad], found '22 degrees'; write `22 deg`"),
        ("initial", "angle: x deg", "expected a number [rad], found 'x deg'; "),
        ("initial", "angle:", "expected a number [rad], found nothing; "),
        ("initial", "z: 1", "the model has no such state; it has y, ydot, angle"),
        ("initial", "ydto: 1", "the model has no such state; did you mean `ydot`?"),
        ("initial", "k: 1", "the model has no such state; did you mean `parameters.k`?"),
        ("parameters", "k: -1", "expected a number from 0 to inf [N/m], found -1; "),
        ("parameters", "spring: 1.5", "expected a whole number, found 1.5; "),
        ("parameters", "terrain: slope", "expected one of flat, sloped, found 'slope'; "),
        ("parameters", "terrain: 1", "expected one of flat, sloped, found 1; "),
        ("parameters", "heights: [1, 2]", "expected 3 numbers, as in the model's default, found 2; "),
        ("parameters", "heights: [1, 2, x]", "expected a number [m], found 'x'; "),
        ("parameters", "heights: [[1], 2, 3]", "expected a number [m], found a list; "),
        (
            "parameters",
            "heights: {a: 1}",
            "expected a list of numbers or the path of a CSV or NPY file, found a mapping",
        ),
        ("parameters", "heights: nowhere.csv", "nowhere.csv: there is no such file; "),
        ("parameters", "heights: nowhere.npy", "'nowhere.npy': the NPY file cannot be read: "),
    ],
)
def test_a_bad_value_names_its_unit_and_limits(refused, section, line, expected):
    key = line.partition(":")[0]
    refused(f"{RUN}{section}:\n  {line}\n", f"4:3: {section}.{key}: {expected}")


def test_an_array_comes_from_a_list_or_a_file_in_the_folder_of_the_config(load):
    Path("data").mkdir()
    Path("data/heights.csv").write_text("# heights [m]\n1.0, 2.0\n3e0\n")
    np.save("data/heights.npy", np.array([[1, 2, 3]]))
    Path("data/csv.yaml").write_text("parameters: {heights: heights.csv}\n")
    assert load(f"{RUN}parameters: {{heights: [1, 2, 3]}}\n").parameters["heights"] == (1.0, 2.0, 3.0)
    assert load(f"include: data/csv.yaml\n{RUN}").parameters["heights"] == (1.0, 2.0, 3.0)
    assert load(f"{RUN}parameters: {{heights: data/heights.npy}}\n").parameters["heights"] == (1.0, 2.0, 3.0)


def test_a_matrix_of_any_size_comes_from_rows_or_from_a_file(load):
    Path("field.csv").write_text("# heights [m]\n1, 2, 3\n\n4 5 6\n")
    np.save("field.npy", np.array([[1, 2, 3], [4, 5, 6]]))
    expected = (2, 3, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0)
    for given in ("[[1, 2, 3], [4, 5, 6]]", "[2, 3, 1, 2, 3, 4, 5, 6]", "field.csv", "field.npy"):
        assert load(f"{RUN}parameters: {{field: {given}}}\n").parameters["field"] == expected


@pytest.mark.parametrize(("mode", "white"), [("L", 255), ("RGB", (255, 255, 255)), ("I;16", 65535)])
def test_a_picture_is_a_matrix_of_grey_levels_from_its_lowest_row_on(load, mode, white):
    picture = Image.new(mode, (3, 2))  # black
    picture.putpixel((2, 1), white)  # the right end of the lower row
    picture.save("field.png")
    field = load(f"{RUN}parameters: {{field: field.png}}\n").parameters["field"]
    assert field == (2, 3, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)


def test_a_file_in_place_of_a_word_is_the_matrix_of_that_name(load, problems):
    Path("field.csv").write_text("1, 2, 3\n4, 5, 6\n")
    model = "model: hexapod\nfinal_time: 1\n"
    for given in ("{terrain: field.csv}", "{terrain: height_map, height_map: field.csv}"):
        parameters = load(f"{model}parameters: {given}\n").parameters
        assert parameters["terrain"] == "height_map"
        assert parameters["height_map"] == (2, 3, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0)
    (problem,) = problems(f"{model}parameters: {{terrain: hills.png}}\n")
    assert "run.yaml:3" in problem
    assert "'hills.png': the picture cannot be read" in problem
    (problem,) = problems(f"{model}parameters:\n  terrain: field.csv\n  height_map: [[1, 2]]\n")
    assert ":4:3: parameters.terrain: the file 'field.csv' is the value of height_map, which is given, too" in problem
    (problem,) = problems(f"{model}parameters: {{terrain: hills}}\n")
    assert "expected one of flat, sinusoid" in problem


@pytest.mark.parametrize(
    ("field", "reason"),
    [
        ("[[1, 2], [3]]", "rows with equally many numbers"),
        ("[1, 2, 3]", "a list of rows"),
        ("[]", "a list of rows"),
        ("[[1, x]]", "expected a number"),
        ("[[1, 11]]", "a number from 0 to 10"),
        ("7", "a list of rows, or the path of a picture"),
        ("field.png", "the picture cannot be read"),
        ("field.csv", "field.csv: there is no such file"),
        ("row.npy", "rows and columns"),
        ("float.tif", "a picture of 8 or 16 bits"),
    ],
)
def test_what_is_no_matrix_is_refused(problems, field, reason):
    np.save("row.npy", np.array([1.0, 2.0]))
    Image.new("F", (2, 2), 0.5).save("float.tif")
    (problem,) = problems(f"{RUN}parameters: {{field: {field}}}\n")
    assert reason in problem


def test_a_bad_number_in_a_csv_file_is_reported_with_its_line(problems):
    Path("heights.csv").write_text("1\n2 x\n")
    (problem,) = problems(f"{RUN}parameters: {{heights: heights.csv}}\n")
    assert "heights.csv:2: expected a number, found 'x'" in problem


@pytest.mark.parametrize(("array", "reason"), [(np.array(["a"]), "real numbers"), (np.array([{}]), "cannot be read")])
def test_an_npy_file_of_something_else_is_refused(problems, array, reason):
    np.save("heights.npy", array)
    (problem,) = problems(f"{RUN}parameters: {{heights: heights.npy}}\n")
    assert reason in problem


def test_a_state_beyond_all_floats_is_refused(problems):
    (problem,) = problems(f"{RUN}initial: {{ydot: {'9' * 400}}}\n")
    assert "finite" in problem

import dataclasses

import numpy as np

from hybridsim.results.saving import rc_value, record_rows


def recorded(run, record):
    return dataclasses.replace(run, provenance={"config": {"record": record}})


def test_the_data_file_has_one_header_line_and_one_row_per_record_time(run, tmp_path):
    run.save(tmp_path / "ball")
    lines = (tmp_path / "ball.data").read_text().splitlines()
    assert lines[0] == "# time energy height"
    # at the jump, t = 1, the row after it: v = 1 m/s, so that the energy is 0.5 J
    assert lines[3] == "1.0 0.5 0.0"
    assert [line.split()[0] for line in lines[1:]] == ["0.0", "0.5", "1.0", "1.5"]


def test_numpy_reads_the_data_file_by_name_and_to_the_last_digit(run, tmp_path):
    awkward = dataclasses.replace(run, y=run.y / 3)
    awkward.save(tmp_path / "ball")
    data = np.genfromtxt(tmp_path / "ball.data", names=True)
    np.testing.assert_array_equal(data["energy"], awkward.y[record_rows(run), 0])


def test_an_output_called_time_is_not_repeated(run, tmp_path):
    output = dataclasses.replace(run.outputs[0], name="time")
    renamed = dataclasses.replace(run, outputs=type(run.outputs)(output, run.outputs[1]))
    renamed.save(tmp_path / "ball")
    assert (tmp_path / "ball.data").read_text().startswith("# time height\n")


def test_with_a_period_the_rows_are_its_multiples_the_start_and_the_end(run):
    # of the times 0, 0.5, 1, 1, 1.5 these are 0, 1 (after the jump) and the end
    assert record_rows(recorded(run, {"period": 1.0})).tolist() == [0, 3, 4]
    assert record_rows(recorded(run, {"period": 0.5})).tolist() == [0, 1, 3, 4]
    assert record_rows(recorded(run, {"period": None})).tolist() == [0, 1, 3, 4]
    assert record_rows(recorded(run, False)).tolist() == [0, 1, 3, 4]


def test_initial_state_and_parameters_are_written_in_rc_syntax(run, tmp_path):
    run.save(tmp_path / "ball")
    assert (tmp_path / "ball.initial").read_text().splitlines()[1:] == ["y = 1.0;", "v = 0.0;", "bounces = 0.0;"]
    assert (tmp_path / "ball.param").read_text().splitlines()[1:] == [
        "gravity = 2.0;",
        'terrain = "sloped";',
        "profile = { 0.1 0.3333333333333333 };",
    ]


def test_every_digit_of_a_value_is_written():
    assert float(rc_value(np.float64(0.1) + 0.2)) == 0.1 + 0.2
    assert rc_value(np.array([1e-300, 2.0])) == "{ 1e-300 2.0 }"
    assert rc_value(3) == "3"

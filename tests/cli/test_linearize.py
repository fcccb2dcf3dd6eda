import numpy as np
import pytest


@pytest.fixture
def oscillator(tmp_path):
    """The folder of a config `ball.yaml`, whose model has inputs, outputs and two charts."""
    (tmp_path / "ball.py").write_text(
        "import math\n"
        "from hybridsim import Input, Model, Output, Parameter, State\n"
        "def vector_field(xdot, t, x, p, chart):\n"
        "    xdot[0] = x[1]\n"
        "    xdot[1] = p[1] - p[0] * x[0] if chart == 0 else -x[1] * x[1]\n"
        "def outputs(y, t, x, p, chart):\n"
        "    y[0] = 3.0 * x[0] + p[1]\n"
        "MODEL = Model('ball', [State('x', 1.0), State('v')], vector_field=vector_field, outputs=outputs,\n"
        "    parameters=[Parameter('k', 4.0)], inputs=[Input('push', 0.0)], output_records=[Output('reading')],\n"
        "    charts=('spring', 'other'))\n"
    )
    (tmp_path / "ball.yaml").write_text("model: ./ball.py\nfinal_time: 1\n")
    return tmp_path


def test_the_matrices_and_eigenvalues_are_printed(hybridsim, oscillator):
    outcome = hybridsim("linearize", "ball.yaml")
    assert outcome.code == 0
    lines = [line.split() for line in outcome.out.splitlines()]
    for expected in (["v", "-4", "0"], ["v", "1"], ["reading", "3", "0"], ["reading", "1"]):
        assert expected in lines
    assert any(line[:1] == ["0+2j"] and line[-2:] == ["3.142", "s"] for line in lines)


def test_no_final_time_is_needed_and_zero_has_no_sign(hybridsim, oscillator):
    (oscillator / "ball.yaml").write_text("model: ./ball.py\n")
    outcome = hybridsim("linearize", "ball.yaml", "parameters.k=0")
    assert outcome.code == 0
    words = outcome.out.split()
    assert "0" in words
    assert "-0" not in words
    assert outcome.out.split("\n")[-2].split() == ["0", "2", "times"]


def test_chart_state_and_parameters_are_chosen_and_a_file_is_written(hybridsim, oscillator):
    outcome = hybridsim("linearize", "ball.yaml", "parameters.k=9", "--output", "spring.npz")
    assert outcome.code == 0
    with np.load(oscillator / "spring.npz") as found:
        assert found["A"].tolist() == [[0.0, 1.0], [-9.0, 0.0]]
        assert found["D"].tolist() == [[1.0]]
        assert found["states"].tolist() == ["x", "v"]
    assert hybridsim("linearize", "ball.yaml", "--chart", "other", "--x", "v=3", "-o", "other.csv").code == 0
    rows = [line.split(",") for line in (oscillator / "other.csv").read_text().splitlines()]
    assert ["A", "v", "v", "-6.0"] in rows


def test_the_time_is_chosen(hybridsim, oscillator):
    file = oscillator / "ball.py"
    file.write_text(file.read_text().replace("p[0] * x[0] if", "t * p[0] * x[0] if"))
    assert hybridsim("linearize", "ball.yaml", "--t", "2.5", "-o", "late.npz").code == 0
    with np.load(oscillator / "late.npz") as found:
        assert found["A"].tolist() == [[0.0, 1.0], [-10.0, 0.0]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--chart", "spirng"], "there is no chart 'spirng'; did you mean `spring`"),
        (["--chart", "7"], "the charts are numbered 0 to 1"),
        (["--x", "w=3"], "ball has no state 'w'"),
        (["--x", "v=fast"], "expected STATE=NUMBER, a finite one; write for example --x v=0.5"),
        (["--x", "v=nan"], "--x v=nan: expected STATE=NUMBER, a finite one"),
        (["--x", "v=1", "--x", "v=2"], "--x v=2: v is given twice"),
        (["--x", "v"], "expected STATE=NUMBER"),
        (["--at", "0.1"], "it is called --t here: --t 0.1"),
        (["--at", "v=1"], "it is called --x here: --x v=1"),
        (["--output", "a.txt"], "expected a file that ends in .npz or .csv"),
    ],
)
def test_mistakes_exit_with_2(hybridsim, oscillator, arguments, message):
    outcome = hybridsim("linearize", "ball.yaml", *arguments)
    assert outcome.code == 2
    assert message in outcome.err


def test_a_function_without_a_derivative_is_named_with_its_place(hybridsim, oscillator):
    file = oscillator / "ball.py"
    file.write_text(file.read_text().replace("-x[1] * x[1]", "math.gamma(x[1])"))
    outcome = hybridsim("linearize", "ball.yaml")
    assert outcome.code == 2
    assert "ball.py:5: in `vector_field`: `gamma` has no derivative" in outcome.err
    checked = hybridsim("check", "ball.py")
    assert checked.code == 0
    assert "ball.py:5: in `vector_field`: `gamma` has no derivative" in checked.err.replace("\n", " ")
    assert "derivatives of outputs" in checked.out

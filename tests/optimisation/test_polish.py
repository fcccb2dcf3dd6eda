"""Bests that are followed downhill by exact derivatives, to values that a formula gives."""

import numpy as np
import pytest

from hybridsim import load_optimization, optimize
from hybridsim.optimisation import run_optimization
from hybridsim.optimisation.reproduction import reproduce

G, RESTITUTION = 9.81, 0.7


def third_landing(height, restitution):
    return np.sqrt(2.0 * height / G) * (1.0 + 2.0 * restitution + 2.0 * restitution**2)


@pytest.mark.members(1)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("searched", "aim"),
    [
        ({"y": (0.3, 3.0)}, "(time(floor, 3) - 2) ** 2"),
        (
            {"y": "loguniform(0.3, 3)", "restitution": (0.5, 0.9)},
            "(time(floor, 3) - 2) ** 2 + (restitution - 0.7) ** 2",
        ),
        ({"y": (0.3, 3.0)}, "(after(floor, 2, v) - 3) ** 2"),
        ({"y": (0.3, 3.0)}, "(final(v) + 2) ** 2"),
    ],
)
def test_a_best_is_polished_to_the_last_digits(searched, aim, tmp_path):
    """A ball that lands for the third time after 2 s, leaves a landing with 3 m/s, or falls with 2 m/s at last."""
    keywords = {
        "parameters": {"gravity": G, "restitution": RESTITUTION},
        "final_time": 1.3 if "final" in aim else 10.0,
        "search": {"population": 8, "generations": 12},
        "runs": 2,
        "rtol": 1e-10,
    }
    if "final" not in aim:
        keywords["stop"] = ("floor", 3)
    rough = optimize("bouncing_ball", searched, [{"minimize": aim}], **keywords)
    found = optimize("bouncing_ball", searched, [{"minimize": aim}], polish=True, folder=tmp_path / "a", **keywords)
    for before, after in zip(rough.searches, found.searches, strict=True):
        assert after.polished
        assert after.value < 1e-16 < before.value
        assert after.confirmed
        if "time" in aim:
            landing = third_landing(after.setting["y"], after.setting.get("restitution", RESTITUTION))
            assert landing == pytest.approx(2.0, abs=1e-7)
    again = load_optimization(tmp_path / "a")
    assert again.best.polished
    assert again.config().initial["y"] == found.best.setting["y"]
    assert reproduce(tmp_path / "a").ok


def test_what_has_no_derivatives_is_left_as_it_was(softest):
    small = ["optimize.method.generations=3", "optimize.polish=true"]
    text = "[{maximize: max(y)}]"
    found = run_optimization(softest(*small, f"optimize.stages={text}"))
    assert not any(one.polished for one in found.searches)
    assert found.finished


def test_a_polish_stays_within_ranges_and_follows_what_is_maximised():
    """The ball that falls from as high as it may lands last: the gradient leads to the end of a fraction's range."""
    searched = {"y": (0.3, 1.0), "v": "fraction(y, 0, 2)"}
    keywords = {"final_time": 10.0, "stop": ("floor", 1), "search": {"population": 6, "generations": 4}, "runs": 2}
    found = optimize("bouncing_ball", searched, [{"maximize": "time(floor)"}], polish=True, **keywords)
    for one in found.searches:
        assert (one.setting["y"], one.setting["v"]) == pytest.approx((1.0, 2.0), abs=1e-9)
        assert one.value == pytest.approx((2.0 + np.sqrt(4.0 + 2.0 * G)) / G, rel=1e-8)
        assert one.confirmed

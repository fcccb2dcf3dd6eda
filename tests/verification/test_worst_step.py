"""How large the worst step is, in units of the run's own tolerance, shows a run that was made looser than it says."""

import dataclasses

import pytest

import hybridsim
from hybridsim.verification import verify

METHODS = ("dp5", "tsit5", "dop853", "rodas5p", "rk4_adaptive")


def relabelled(run, factor):
    """The same run with a config that names tolerances smaller by a factor."""
    config = run.provenance["config"]
    engine = config["engine"]
    engine = engine | {name: engine[name] / factor for name in ("rtol", "atol")}
    return dataclasses.replace(run, provenance=run.provenance | {"config": config | {"engine": engine}})


@pytest.mark.members(2)
@pytest.mark.parametrize("method", METHODS)
def test_a_run_made_a_hundred_times_looser_than_it_says_shows_it(method):
    run = hybridsim.simulate("compass_gait", final_time=1.5, method=method, rtol=1e-6, atol=1e-8)
    honest, looser = (verify(relabelled(run, factor)).worst_step for factor in (1.0, 100.0))
    assert 0.3 < honest.size <= 1.0
    assert looser.size == pytest.approx(100.0 * honest.size, rel=1e-6)
    assert looser.place == honest.place
    assert f"worst step: {looser.size:.2g} times the run's own tolerance" in str(verify(relabelled(run, 100.0)))


def test_a_sampled_run_shows_it_by_the_reference_solution():
    run = hybridsim.simulate("compass_gait", final_time=1.5, rtol=1e-6, atol=1e-8, record=0.05)
    honest, looser = (verify(relabelled(run, factor)).worst_step for factor in (1.0, 100.0))
    assert honest.size < 1.0
    assert looser.size > 10.0
    assert "by the reference solution" in str(looser)


def test_a_run_with_fixed_steps_has_no_tolerance_to_compare_with():
    run = hybridsim.simulate("compass_gait", final_time=0.5, method="rk4", first_step=1e-3)
    assert verify(run).worst_step is None

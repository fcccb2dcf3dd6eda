"""Methods of search on functions whose minima are known; nothing of the engine takes part."""

import numpy as np
import pytest

from hybridsim.optimisation.numbers import generator
from hybridsim.optimisation.others import Evolution, RandomSearch
from hybridsim.optimisation.ranks import Ranks
from hybridsim.optimisation.swarm import MAX_SPEED, Migration, Start, Subspaces, Swarm

CAMEL_MINIMUM = -1.0316284534898772  # at +-(-0.0898420131003, 0.7126564032704): a root of the gradient in 34 digits
PLANE = Subspaces(2, (((0, 1),),))


def camel(u):
    x, y = -2.0 + 4.0 * u[..., 0], -1.0 + 2.0 * u[..., 1]
    return (4.0 - 2.1 * x**2 + x**4 / 3.0) * x**2, (-4.0 + 4.0 * y**2) * y**2, x * y


def plain(values):
    return Ranks(np.zeros(values.shape, np.int64), values)


def best_of(search, generations, value):
    """Search, and return the least value of each search and all that was asked."""
    best, asked = np.inf, []
    for _ in range(generations):
        subspace, u = search.ask()
        asked.append(u)
        values = value(subspace, u)
        best = np.minimum(best, values.min(axis=1))
        search.tell(plain(values))
    return best, np.array(asked)


def test_a_swarm_finds_the_minimum_of_the_six_hump_camel():
    best, _ = best_of(Swarm(PLANE, range(50), 20, 100), 100, lambda _, u: sum(camel(u)))
    assert (best >= CAMEL_MINIMUM - 1e-15).all()
    assert (best - CAMEL_MINIMUM < 1e-8).all()


def test_a_small_swarm_finds_it_roughly():
    best, _ = best_of(Swarm(PLANE, range(200), 10, 50), 50, lambda _, u: sum(camel(u)))
    assert (best - CAMEL_MINIMUM < 1e-3).mean() > 0.98


def test_the_evolution_strategy_finds_the_minimum_to_rounding():
    pytest.importorskip("cma")
    best, _ = best_of(Evolution(PLANE, range(5), 12), 120, lambda _, u: sum(camel(u)))
    assert (best - CAMEL_MINIMUM < 1e-12).all()


@pytest.mark.parametrize("make", [lambda: Swarm(PLANE, range(3), 8, 30), lambda: RandomSearch(PLANE, range(3), 8)])
def test_no_setting_lies_outside_of_the_box(make):
    _, asked = best_of(make(), 30, lambda _, u: -u.sum(axis=-1))  # the optimum is in a corner
    assert ((asked >= 0.0) & (asked <= 1.0)).all()


def test_particles_are_not_faster_than_allowed():
    _, asked = best_of(Swarm(PLANE, range(20), 10, 40), 40, lambda _, u: sum(camel(u)))
    assert np.abs(np.diff(asked, axis=0)).max() <= MAX_SPEED + 1e-15


def test_staged_aims_lead_to_the_minimum():
    """f_x until below 0.5, f_y until below -0.9, then the camel: both hold at its minimum (0.0321, -0.9998)."""
    search, best, ended = Swarm(PLANE, range(50), 20, 100), Ranks.unknown((50,)), np.zeros(50)
    for _ in range(100):
        _, u = search.ask()
        f_x, f_y, f_xy = camel(u)
        satisfied = [f_x < 0.5, f_y < -0.9]
        stages = np.cumprod(satisfied, axis=0).sum(axis=0)
        ranks = Ranks(stages, np.choose(stages, [f_x, f_y, f_x + f_y + f_xy]))
        leaders = ranks[np.arange(50), ranks.best()]
        best = best.replaced(leaders.better_than(best), leaders)
        ended += best.stages < 2
        search.tell(ranks)
    assert (best.stages == 2).all()
    assert (best.values - CAMEL_MINIMUM < 1e-6).all()
    assert ended.mean() < 5.0  # 4 % of the box satisfy both


@pytest.mark.exhaustive  # slow: statistics of a swarm
def test_particles_gather_where_the_migration_has_its_stationary_number():
    """The chain of one particle leaves (x, y) with 0.01 and enters it with 1 - 0.99 (1 - 0.05)^2 (van den Kieboom)."""
    search = Swarm(
        Subspaces(2, (((0,), (0, 1)),)), range(20), 40, 70, Migration(0.01, 0.05, 0.05, steady=True), START_IN_A_CORNER
    )
    numbers = []
    for generation in range(1000):
        subspace, u = search.ask()
        x, y = u[..., 0], u[..., 1]
        search.tell(plain(-np.where(subspace == 0, x, 2.0 - np.abs(x - 0.5) - np.abs(y - 0.5))))
        if generation >= 300:
            numbers.append((subspace == 1).sum(axis=1))
    enters = 1.0 - 0.99 * 0.95**2
    expected = 40.0 * enters / (enters + 0.01)
    spread = np.mean(numbers, axis=0).std() / np.sqrt(20)
    assert np.mean(numbers) == pytest.approx(expected, abs=5.0 * spread)
    assert spread < 0.2


START_IN_A_CORNER = Start(np.full(2, 0.125), 0.125)


def test_choices_and_numbers_are_found_together_in_twelve_subspaces():
    subspaces = Subspaces(9, (((0,), (1, 2)), ((3, 4), (4, 5), (5, 6)), ((7,), (8,))))

    def value(subspace, u):
        first, second, third = np.moveaxis(subspaces.groups(subspace), -1, 0)
        x = [None, *np.moveaxis(u, -1, 0)]
        a = np.where(first == 0, 1.0 + (x[1] - 0.3) ** 2, (x[2] - 0.7) ** 2 + (x[3] - 0.2) ** 2)
        b = [0.5 + (x[4] - 0.2) ** 2 + (x[5] - 0.4) ** 2, 0.3 + (x[5] - 0.9) ** 2 + (x[6] - 0.6) ** 2]
        c = np.where(third == 0, (x[8] - 0.8) ** 2, 0.2 + (x[9] - 0.1) ** 2)
        return a + np.choose(second, [*b, (x[6] - 0.5) ** 2 + (x[7] - 0.1) ** 2]) + c

    best, _ = best_of(Swarm(subspaces, range(10), 60, 200), 200, value)
    assert (best < 1e-8).all()


def test_variables_of_other_subspaces_stay_as_they_are():
    subspaces = Subspaces(3, (((0,), (1, 2)),))
    search, active = Swarm(subspaces, [4], 10, 20, Migration(0.3, 0.1, 0.1, steady=True)), subspaces.active
    for _ in range(20):
        subspace, before = search.ask()
        search.tell(plain(before.sum(axis=-1)))
        after_subspace, after = search.ask()
        still = ~active[after_subspace]
        assert (after[still] == before[still]).all()
    assert len(np.unique(subspace)) == 2


def test_a_search_depends_on_its_own_seed_alone():
    together, _ = best_of(Swarm(PLANE, [3, 4, 5], 10, 20), 20, lambda _, u: sum(camel(u)))
    alone, _ = best_of(Swarm(PLANE, [4], 10, 20), 20, lambda _, u: sum(camel(u)))
    assert together[1] == alone[0]
    assert len(set(together)) == 3


@pytest.mark.parametrize("method", [Swarm, Evolution])
def test_a_search_goes_on_from_what_was_told_alone(method):
    """Random numbers are those of the generation: whatever was drawn before, or by others, makes no difference."""
    if method is Evolution:
        pytest.importorskip("cma")

    def make():
        return Swarm(PLANE, [1, 2], 10, 60) if method is Swarm else Evolution(PLANE, [1, 2], 10)

    first, history = make(), []
    for _ in range(40):
        _, u = first.ask()
        history.append(sum(camel(u)))
        first.tell(plain(history[-1]))
    np.random.default_rng(1).random(1000)
    generator(1, 41).random(17)
    second = make()
    for values in history:
        second.ask()
        second.tell(plain(values))
    for _ in range(5):
        (_, u), (_, v) = first.ask(), second.ask()
        assert (u == v).all()
        first.tell(plain(sum(camel(u))))
        second.tell(plain(sum(camel(v))))


def test_what_was_never_evaluated_is_worse_than_what_failed():
    failed, unknown = Ranks(np.zeros(1, np.int64), np.full(1, np.inf)), Ranks.unknown((1,))
    assert failed.better_than(unknown).all()
    assert not unknown.better_than(failed).any()
    assert not failed.better_than(failed).any()


def test_more_stages_are_better_than_any_value():
    ranks = Ranks(np.array([0, 1, 1, 0]), np.array([-1e9, 5.0, 4.0, np.inf]))
    assert ranks.order().tolist() == [2, 1, 0, 3]


def test_the_curves_of_migration_lead_from_exploring_to_the_best():
    early, middle, late = (Migration(0.05, 0.04, 0.1).at(fraction) for fraction in (0.0, 0.5, 1.0))
    assert early[0] == pytest.approx(0.05, rel=1e-3)
    assert late[0] < 1e-5
    assert middle[1] == pytest.approx(0.04)
    assert max(early[1], late[1]) < 1e-6
    assert early[2] < 1e-5
    assert late[2] == pytest.approx(0.1, rel=1e-3)


def test_the_evolution_strategy_begins_again_with_twice_the_population():
    pytest.importorskip("cma")
    search, populations = Evolution(PLANE, [1], 10), []
    for _ in range(400):
        _, u = search.ask()
        populations.append(search._searches[0]._population)
        search.tell(plain(sum(camel(u))))
    assert populations[0] == 10
    assert 20 in populations


def test_where_nothing_has_a_value_a_swarm_looks_everywhere():
    """Only a ball of radius 0.1 in a cube has values: 0.4 % of it."""
    cube = Subspaces(3, (((0, 1, 2),),))

    def inside(_, u):
        distance = np.linalg.norm(u - 0.7, axis=-1)
        return np.where(distance < 0.1, distance, np.inf)

    best, _ = best_of(Swarm(cube, range(40), 20, 100), 100, inside)
    assert (best < 1e-3).mean() > 0.9


def test_a_search_stays_near_its_start_at_first():
    start = Start(np.full(2, 0.4), 0.01)
    _, asked = best_of(Swarm(PLANE, range(10), 20, 3, start=start), 2, lambda _, u: np.zeros(u.shape[:-1]))
    assert (asked[0][:, 0] == 0.4).all()
    assert np.abs(asked - 0.4).max() < 0.03

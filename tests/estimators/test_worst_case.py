"""The game on which LPBoost needs half as many rules as there are examples."""

import numpy as np
import pytest

from tests.estimators.columns import Columns, numbers
from underdog import ERLPBoostClassifier, LPBoostClassifier

pytestmark = pytest.mark.filterwarnings("ignore::underdog.UnderdogWarning")
SMALL = 1e-4


def worst_case(m, e=SMALL):
    """(m, m/2 + 1) y h of rules, each of which is the best answer to the programme before it."""
    half, columns = m // 2, []
    first = np.full(m, -1.0 + 3.0 * e)
    first[:half], first[half] = 1.0, -1.0 + 2.0 * e
    columns.append(first)
    for k in range(half - 1):
        g = 5 + 2 * k
        own = np.full(m, -1.0 + g * e)
        own[half + k], own[half + k + 1] = 1.0, -1.0 + (g - 1) * e
        columns.append(own)
    last = np.full(m, 1.0 - e)
    last[:half] = -1.0 + e
    return np.column_stack([*columns, last])


def rules_of(booster, m, **given):
    game, y = worst_case(m), np.where(np.arange(m) % 2 == 0, 1, -1)
    model = booster(learner=Columns(game * y[:, np.newaxis]), nu=1.0 / m, **given)
    return model.fit(numbers(m), y)


@pytest.mark.parametrize("m", [8, 16, 32, 64])
def test_lpboost_needs_half_of_the_examples_and_one(m):
    model = rules_of(LPBoostClassifier, m, tol=1e-9)
    assert model.n_iter_ == m // 2 + 1


@pytest.mark.parametrize("m", [16, 32, 64])
def test_entropic_masters_need_few(m):
    model = rules_of(ERLPBoostClassifier, m, tol=0.01)
    assert model.converged_
    assert model.n_iter_ <= 4
    best = rules_of(LPBoostClassifier, m, tol=1e-9).certificate_["soft_margin"]
    assert model.certificate_["soft_margin"] >= best - 0.01

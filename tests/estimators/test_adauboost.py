"""AdaUBoost where positives are rare and beta is large."""

import warnings

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.metrics import average_precision_score
from sklearn.tree import DecisionTreeClassifier

from underdog import AdaUBoostClassifier, Costs, UnderdogWarning

RATIO = 100
OFTEN, SELDOM, NOISE = 10, 5, 85
"""Words: those that tell the rare class, those that only it has, and those that tell nothing."""


def documents(positives, seed):
    """Presence of words in documents, one in 101 of them of the rare class."""
    rng = np.random.default_rng(seed)
    y = np.arange(positives * (RATIO + 1)) < positives
    kinds = [OFTEN, SELDOM, NOISE]
    among_all = np.repeat([0.01, 0.0, 0.01], kinds)
    among_rare = np.repeat([0.4, 0.1, 0.0], kinds)
    X = rng.random((len(y), sum(kinds))) < among_all
    X |= y[:, np.newaxis] & (rng.random(X.shape) < among_rare)
    return csr_matrix(X.astype(np.int8)), y.astype(int)


@pytest.fixture(scope="module")
def rare():
    """To learn from, and to judge by."""
    return documents(40, 0), documents(100, 1)


@pytest.fixture(scope="module")
def fitted(rare):
    """AdaUBoost by beta."""
    return {beta: AdaUBoostClassifier(beta=beta).fit(*rare[0]) for beta in (1, 4, 32, RATIO, 1000)}


@pytest.mark.parametrize("beta", [32, RATIO])
def test_a_large_beta_ranks_the_rare_class_as_well_as_none(beta, rare, fitted):
    X, y = rare[1]
    even, uneven = (average_precision_score(y, fitted[b].decision_function(X)) for b in (1, beta))
    assert uneven > even - 0.03


@pytest.mark.parametrize("beta", [4, 32, RATIO, 1000])
def test_a_larger_beta_finds_more_of_the_rare_class(beta, rare, fitted):
    X, y = rare[1]
    even, uneven = (fitted[b].predict(X)[y == 1].sum() for b in (1, beta))
    assert uneven > even


@pytest.mark.parametrize("beta", [32, RATIO, 1000])
def test_words_that_few_positives_have_do_not_take_all_rounds(beta, fitted):
    """No negative has them, and a step c takes only about c/beta of their positives' weight."""
    columns = {member.hypothesis.test.column for member in fitted[beta].model_.members}
    assert columns >= set(range(OFTEN))


@pytest.fixture
def noisy():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    return X, (X[:, 0] + rng.normal(size=200) > 1.2).astype(int)


VOTES = ["disc.u", "disc.mh", "disc.lp", DecisionTreeClassifier(max_depth=2, random_state=0)]
"""They vote for the heavier side."""


def told(model, X, y):
    """The warnings of a fit."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.fit(X, y)
    return [str(each.message) for each in caught if each.category is UnderdogWarning]


@pytest.mark.parametrize("learner", VOTES, ids=str)
@pytest.mark.parametrize("asked", [{"beta": 20.0}, {"costs": Costs(fn=20, fp=1)}], ids=str)
def test_a_beta_that_is_too_large_for_votes_is_told(noisy, learner, asked):
    (message,) = told(AdaUBoostClassifier(learner=learner, n_estimators=3, **asked), *noisy)
    assert message.startswith(f"beta=20 is too large for learner={learner!r}: ")
    assert "Use learner='real' or 'discrete'" in message
    assert "CalibratedAdaMECClassifier" in message


@pytest.mark.parametrize(
    ("learner", "beta"),
    [*((votes, 4.0) for votes in VOTES), *((name, 150.0) for name in ("real", "discrete"))],
    ids=str,
)
def test_a_beta_that_a_learner_can_use_is_not_told(noisy, learner, beta):
    assert not told(AdaUBoostClassifier(learner=learner, beta=beta, n_estimators=3), *noisy)


@pytest.mark.parametrize("smoothing", [None, 0.005, 0.004, 0.6])
def test_a_beta_beyond_smoothing_is_told(noisy, smoothing):
    """200 examples have the smoothing 0.005 if none is given. With 0.6 beta is not to blame."""
    model = AdaUBoostClassifier(beta=210, smoothing=smoothing, n_estimators=3)
    found = told(model, *noisy)
    if smoothing in (0.004, 0.6):
        assert not found
    else:
        assert found[0].startswith("beta=210 is larger than 1/smoothing=200 ")
        assert "the number of negatives per positive" in found[0]

"""AdaUBoost where positives are rare and beta is large."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.metrics import average_precision_score

from underdog import AdaUBoostClassifier

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
    even, uneven = (
        average_precision_score(y, fitted[b].decision_function(X)) for b in (1, beta)
    )
    assert uneven > even - 0.03


@pytest.mark.parametrize("beta", [4, 32, RATIO, 1000])
def test_a_larger_beta_finds_more_of_the_rare_class(beta, rare, fitted):
    X, y = rare[1]
    even, uneven = (fitted[b].predict(X)[y == 1].sum() for b in (1, beta))
    assert uneven > even


@pytest.mark.parametrize("beta", [32, RATIO, 1000])
def test_words_that_few_positives_have_do_not_take_all_rounds(beta, fitted):
    """No negative has them, and a step takes no more than 1/beta of their positives' weight."""
    columns = {member.hypothesis.column for member in fitted[beta].model_.members}
    assert columns >= set(range(OFTEN))

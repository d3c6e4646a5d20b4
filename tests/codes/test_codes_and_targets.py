"""Which code goes with which target, and what is said of one that does not."""

import numpy as np
import pytest

from tests.estimators.small import noisy, three_classes
from underdog import AdaBoostClassifier, AdaBoostMHClassifier, BoostingClassifier
from underdog.codes import Binary, MultiLabel, OneOfK


def test_two_columns_for_two_classes():
    X, y = noisy()
    model = BoostingClassifier(code=OneOfK(), n_estimators=8).fit(X, y)
    assert model.decision_function(X).shape == (len(X), 2)
    np.testing.assert_array_equal(
        model.predict(X), AdaBoostClassifier(n_estimators=8).fit(X, y).predict(X)
    )


def test_a_binary_code_for_three_classes():
    X, y = three_classes()
    with pytest.raises(ValueError, match="the code Binary is for two classes, but y has 3"):
        BoostingClassifier(code=Binary()).fit(X, y)


@pytest.mark.parametrize(
    ("code", "several", "words"),
    [
        (MultiLabel(), False, "MultiLabel needs a column of 0 and 1 per label, but y has"),
        (OneOfK(), True, "Binary and OneOfK need one label per row, but y has 3 columns"),
        (Binary(), True, "Binary and OneOfK need one label per row, but y has 3 columns"),
    ],
)
def test_a_code_that_does_not_suit_the_target(code, several, words):
    X, y = three_classes()
    target = (np.unique(y) == y[:, np.newaxis]).astype(int) if several else y
    with pytest.raises(ValueError, match=words):
        BoostingClassifier(code=code).fit(X, target)


def test_a_positive_class_where_nobody_asks_for_it():
    X, y = three_classes()
    target = (np.unique(y) == y[:, np.newaxis]).astype(int)
    with pytest.raises(ValueError, match="is for two classes, but y is an indicator matrix"):
        AdaBoostMHClassifier(pos_label=1).fit(X, target)
    X, y = noisy()
    with pytest.raises(ValueError, match=r"set the positive class in the code"):
        BoostingClassifier(code=Binary(), pos_label=0).fit(X, y)

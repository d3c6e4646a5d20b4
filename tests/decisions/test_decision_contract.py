"""The deciders as scikit-learn estimators: its own checks."""

import pytest
from sklearn.base import is_classifier
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from underdog import (
    AdaBoostClassifier,
    CalibratedAdaMECClassifier,
    CostSensitiveClassifier,
    ThresholdClassifier,
)

# Where a threshold is far from a half, and there are probabilities, the likelier class is not the
# decision, which scikit-learn's checks would have it be: hence one without probabilities.
DECIDERS = [
    CostSensitiveClassifier(AdaBoostClassifier(n_estimators=3), calibration=None),
    CostSensitiveClassifier(LogisticRegression(), cv=2, calibration="isotonic"),
    CalibratedAdaMECClassifier(n_estimators=3, cv=2),
    ThresholdClassifier(AdaBoostClassifier(n_estimators=3), cv=2),
    ThresholdClassifier(RidgeClassifier(tol=1e-10), ("recall", 0.9), cv=2),
]
LONELY = dict.fromkeys(
    [
        "check_dict_unchanged",
        "check_dont_overwrite_parameters",
        "check_f_contiguous_array_estimator",
        "check_fit2d_predict1d",
        "check_methods_sample_order_invariance",
        "check_methods_subset_invariance",
    ],
    "their data for estimators that take categories have a class with a single example",
)


def expected_failures(estimator):
    return LONELY if isinstance(estimator, CalibratedAdaMECClassifier) else {}


CHECKS = parametrize_with_checks(DECIDERS, expected_failed_checks=expected_failures)


# A list, because scikit-learn 1.6 makes a generator and pytest 9.1 will not have one.
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize(CHECKS.args[0], list(CHECKS.args[1]), ids=CHECKS.kwargs["ids"])
def test_scikit_learn_checks(estimator, check):
    assert check(estimator) is None


def test_they_are_classifiers():
    assert all(is_classifier(decider) for decider in DECIDERS)

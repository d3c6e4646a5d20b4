"""resample=True: learners see rows drawn in proportion to their weights."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.naive_bayes import GaussianNB

from tests.core.runs import run_of
from tests.core.shards import spread
from tests.data.tables import encoded_rows
from underdog import (
    AdaBoostClassifier,
    AdaBoostM1Classifier,
    AdaBoostMHClassifier,
    AdaBoostOCClassifier,
    GradientBoostingClassifier,
    HullBoostClassifier,
    LogisticAdaBoostClassifier,
    LPBoostClassifier,
    SlipperClassifier,
    Table,
    load,
)
from underdog.combiners import Stagewise
from underdog.core import Parts, Target, every_row
from underdog.data.hashing import STEP
from underdog.estimators.support.resampling import DrawnSignal
from underdog.learners import Pool, StumpLearner, TreeLearner
from underdog.losses import Exponential

X, Y = load_breast_cancer(return_X_y=True)
X = X[:, :8]
LEARNERS = {
    "real": "real",
    "discrete": "discrete",
    "tree": "tree",
    "small trees": TreeLearner(kind="discrete", max_depth=2, subsample=0.9),
    "c4.5-like": "c4.5-like",
    "rules": "rules",
    "abstain": "abstain",
    "alternating": "alternating",
    "naive Bayes": GaussianNB(),
    "pool": Pool([GaussianNB().fit(X[:, :8], Y), GaussianNB(var_smoothing=0.1).fit(X, Y)]),
}
each_learner = pytest.mark.parametrize("learner", LEARNERS.values(), ids=LEARNERS)


@each_learner
def test_every_learner_sees_drawn_rows(learner):
    weighted = AdaBoostClassifier(learner=learner, n_estimators=8, random_state=0).fit(X, Y)
    drawn = AdaBoostClassifier(learner=learner, n_estimators=8, random_state=0, resample=True)
    drawn.fit(X, Y)
    assert drawn.n_iter_ > 1
    assert drawn.score(X, Y) > 0.85
    assert drawn.certificate_["training_error"] <= drawn.certificate_["bound"]
    if not isinstance(learner, Pool):  # which has two rules to choose from
        assert not np.array_equal(drawn.decision_function(X), weighted.decision_function(X))
    again = AdaBoostClassifier(learner=learner, n_estimators=8, random_state=1, resample=True)
    if not isinstance(learner, Pool):
        assert not np.array_equal(drawn.decision_function(X), again.fit(X, Y).decision_function(X))


OWN = {name: own for name, own in LEARNERS.items() if name not in ("naive Bayes", "pool")}


@pytest.mark.parametrize("learner", OWN.values(), ids=OWN)
def test_order_and_repeats_change_no_bit(learner):
    rng = np.random.default_rng(0)
    times = rng.integers(1, 4, 150)
    order = rng.permutation(times.sum())
    rows, y = X[:150], Y[:150]
    model = AdaBoostClassifier(learner=learner, n_estimators=6, resample=True)
    scores = model.fit(rows, y, sample_weight=times).decision_function(X)
    many = np.repeat(rows, times, axis=0)[order], np.repeat(y, times)[order]
    assert np.array_equal(scores, model.fit(*many).decision_function(X))
    halves = AdaBoostClassifier(learner=learner, n_estimators=3, resample=True, warm_start=True)
    halves.fit(*many).set_params(n_estimators=6).fit(*many)
    assert np.array_equal(scores, halves.decision_function(X))


def test_rows_are_drawn_in_proportion_to_their_weights():
    """The mean of many draws is the weight of each pair, whatever the unit of its sign."""
    rng = np.random.default_rng(1)
    n, n_labels = 12, 2
    table = Table.from_data(rng.normal(size=(n, 2)))
    target = Target(
        rng.integers(0, 2, (n, n_labels)).astype(np.uint8),
        np.ones(n, dtype=np.int64),
        np.log(rng.uniform(0.2, 1.0, n)),
    )
    schema = encoded_rows(table, target.repeats).schema
    rows = spread(table, schema, target, 1)
    run = run_of(Parts(Exponential(), StumpLearner("discrete"), Stagewise()), rows)
    signal = DrawnSignal(rows, run.state.signals[0])
    total, draws = np.zeros((n, n_labels)), 4000
    for number in range(draws):
        signal.draw(number * STEP % 2**63)
        times = np.empty((n, n_labels), dtype=np.int64)
        signal.amounts(rows.only, every_row(n), 0, 0, times)
        assert times.sum() % (n * n_labels) == 0
        total += times / (times.sum() // (n * n_labels))
    weight = np.exp(target.log_prior)[:, None] / np.exp(target.log_prior).sum() / n_labels
    expected = np.broadcast_to(weight * n * n_labels, total.shape)
    spread_of = np.sqrt(expected / draws)
    assert (np.abs(total / draws - expected) < 4.5 * spread_of).all()


def test_the_step_follows_from_all_rows():
    model = AdaBoostClassifier(learner="discrete", n_estimators=20, resample=True, smoothing=0.0)
    model.fit(X, Y)
    edge, a = model.history_["edge"], model.history_["coefficient"]
    np.testing.assert_allclose(a, np.arctanh(edge), rtol=1e-9)
    signs = np.where(Y == 1, 1.0, -1.0)
    D, scores = np.full(len(Y), 1.0 / len(Y)), np.zeros(len(Y))
    for number, now in enumerate(model.staged_decision_function(X)):
        votes = np.sign(now - scores) * np.sign(a[number])
        assert (D * signs * votes).sum() == pytest.approx(edge[number], abs=1e-9)
        scores = now
        D = np.exp(-signs * scores)
        D /= D.sum()


def test_more_than_two_classes_and_other_losses():
    features, wine = load_wine(return_X_y=True)
    for model in (
        AdaBoostMHClassifier(n_estimators=15, resample=True),
        AdaBoostM1Classifier(n_estimators=10, resample=True),
        AdaBoostM1Classifier(learner=GaussianNB(), n_estimators=4, resample=True),
    ):
        assert model.fit(features, wine).score(features, wine) > 0.95
    for model in (
        LogisticAdaBoostClassifier(n_estimators=10, resample=True),
        HullBoostClassifier(radius=4.0, n_estimators=10, resample=True),
        SlipperClassifier(n_estimators=5, resample=True, cv=None),
    ):
        assert model.fit(X, Y).score(X, Y) > 0.88
    assert (
        HullBoostClassifier(radius=4.0, n_estimators=10, resample=True)
        .fit(X, Y)
        .certificate_["lower_bound"]
        == -np.inf
    )


def test_it_is_kept_in_files(tmp_path):
    model = AdaBoostClassifier(n_estimators=5, resample=True).fit(X, Y)
    model.save(tmp_path / "model")
    again = load(tmp_path / "model")
    assert again.resample is True
    assert np.array_equal(again.decision_function(X), model.decision_function(X))


def test_where_it_means_nothing_it_is_refused():
    for booster, words in (
        (GradientBoostingClassifier(resample=True), "gradients and curvatures"),
        (LPBoostClassifier(resample=True), "a master problem"),
        (AdaBoostOCClassifier(resample=True), "divided in two"),
        (AdaBoostClassifier(resample="yes"), "resample='yes'"),
    ):
        with pytest.raises(ValueError, match=words):
            booster.fit(X, Y)

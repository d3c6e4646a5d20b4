"""What is built on the scikit-learn interface works with the boosters as it does with others.

Each test asks for what its users want of it, such as that a search finds the better parameter.
"""

import io

import numpy as np
import pytest
from scipy.stats import randint
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import BaggingClassifier, StackingClassifier, VotingClassifier
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.feature_selection import RFE, SelectFromModel, SequentialFeatureSelector
from sklearn.inspection import PartialDependenceDisplay, partial_dependence, permutation_importance
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, make_scorer, recall_score, roc_auc_score
from sklearn.model_selection import (
    GridSearchCV,
    HalvingGridSearchCV,
    RandomizedSearchCV,
    StratifiedKFold,
    TunedThresholdClassifierCV,
    cross_val_predict,
    learning_curve,
    train_test_split,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from underdog import AdaBoostClassifier, AdaBoostMHClassifier

BOOSTER = AdaBoostClassifier(n_estimators=10)
FROM_OTHERS = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def data():
    """Training rows, test rows and their labels: text, as many people have them."""
    X, y = load_breast_cancer(return_X_y=True)
    return train_test_split(
        X, np.array(["sick", "well"])[y], test_size=0.4, stratify=y, random_state=0
    )


@pytest.fixture(scope="module")
def noisy():
    """Columns 2 and 5 of eight decide; the others are noise."""
    X = np.random.default_rng(0).normal(size=(300, 8))
    return X, (X[:, 2] + X[:, 5] > 0).astype(int)


class TestEnsembles:
    def test_stacking(self, data):
        train, test, y_train, y_test = data
        parts = [("boosted", BOOSTER), ("linear", make_pipeline(StandardScaler(), logistic()))]
        model = StackingClassifier(parts, logistic(), cv=3).fit(train, y_train)
        assert model.score(test, y_test) > 0.93
        assert np.abs(model.final_estimator_.coef_[0, 0]) > 0.1  # the booster is listened to

    def test_soft_voting(self, data):
        train, test, y_train, y_test = data
        parts = [("boosted", BOOSTER), ("all labels", AdaBoostMHClassifier(n_estimators=10))]
        model = VotingClassifier(parts, voting="soft").fit(train, y_train)
        mean = np.mean([each.predict_proba(test) for each in model.estimators_], axis=0)
        np.testing.assert_array_equal(model.predict_proba(test), mean)
        assert model.score(test, y_test) > 0.9

    def test_bagging(self, data):
        train, test, y_train, y_test = data
        model = BaggingClassifier(BOOSTER, n_estimators=4, random_state=0).fit(train, y_train)
        assert model.score(test, y_test) > 0.9

    def test_calibration(self, data):
        train, test, y_train, y_test = data
        model = CalibratedClassifierCV(BOOSTER, method="isotonic", cv=3).fit(train, y_train)
        probability = model.predict_proba(test)[:, 1]
        assert brier_score_loss(y_test == "well", probability) < 0.06


class TestSearches:
    GRID = {"n_estimators": [1, 30]}  # noqa: RUF012

    def test_grid(self, data):
        train, _, y_train, _ = data
        search = GridSearchCV(AdaBoostClassifier(), self.GRID, cv=3).fit(train, y_train)
        assert search.best_params_ == {"n_estimators": 30}
        assert len(search.best_estimator_.describe(40).splitlines()) == 32  # a title, and a bound

    def test_grid_in_a_pipeline_with_a_named_step(self, data):
        train, _, y_train, _ = data
        scaled = make_column_transformer((StandardScaler(), slice(0, 10)))
        pipeline = make_pipeline(scaled, AdaBoostMHClassifier())
        search = GridSearchCV(pipeline, {"adaboostmhclassifier__n_estimators": [1, 30]}, cv=3)
        assert list(search.fit(train, y_train).best_params_.values()) == [30]

    def test_halving(self, data):
        train, _, y_train, _ = data
        search = HalvingGridSearchCV(
            AdaBoostClassifier(),
            {"learning_rate": [1e-3, 1e-2, 0.1, 1.0]},
            resource="n_estimators",
            min_resources=5,
            max_resources=20,
            factor=2,
            cv=3,
        ).fit(train, y_train)
        assert search.n_resources_ == [5, 10, 20]
        assert search.best_params_ == {"learning_rate": 1.0, "n_estimators": 20}

    def test_random(self, data):
        train, _, y_train, _ = data
        tried = {"n_estimators": randint(1, 30), "learner": ["real", "discrete"]}
        search = RandomizedSearchCV(AdaBoostClassifier(), tried, n_iter=4, cv=2, random_state=0)
        scores = search.fit(train, y_train).cv_results_["mean_test_score"]
        assert search.best_score_ == scores.max() > scores.min()


class TestSelection:
    @pytest.mark.parametrize(
        "selector",
        [
            RFE(BOOSTER, n_features_to_select=2),
            SelectFromModel(BOOSTER, max_features=2, threshold=-np.inf),
            SequentialFeatureSelector(BOOSTER, n_features_to_select=2, cv=2),
        ],
        ids=lambda selector: type(selector).__name__,
    )
    def test_the_columns_that_decide_are_found(self, selector, noisy):
        assert clone(selector).fit(*noisy).get_support(indices=True).tolist() == [2, 5]

    def test_permutation_importance(self, noisy):
        model = clone(BOOSTER).fit(*noisy)
        found = permutation_importance(model, *noisy, n_repeats=3, random_state=0)
        assert sorted(np.argsort(found.importances_mean)[-2:].tolist()) == [2, 5]


class TestInspection:
    def test_partial_dependence(self, noisy):
        X, y = noisy
        model = clone(BOOSTER).fit(X, y)
        found = partial_dependence(model, X, [2], grid_resolution=5)
        expected = []
        for value in found["grid_values"][0]:
            changed = X.copy()
            changed[:, 2] = value
            expected.append(model.predict_proba(changed)[:, 1].mean())
        np.testing.assert_allclose(found["average"][0], expected)
        assert expected[-1] > expected[0] + 0.2

    def test_partial_dependence_display(self, noisy):
        matplotlib = pytest.importorskip("matplotlib")
        matplotlib.use("Agg")
        from matplotlib import pyplot

        X, y = noisy
        display = PartialDependenceDisplay.from_estimator(
            clone(BOOSTER).fit(X, y), X, [2, (2, 5)], grid_resolution=5
        )
        assert display.axes_.size == 2
        pyplot.close(display.figure_)

    def test_learning_curve(self, data):
        train, _, y_train, _ = data
        sizes, fitted, judged = learning_curve(
            BOOSTER, train, y_train, train_sizes=[40, 200], cv=3, shuffle=True, random_state=0
        )
        assert sizes.tolist() == [40, 200]
        assert judged[1].mean() > judged[0].mean()
        assert (fitted.mean(axis=1) >= judged.mean(axis=1)).all()


class TestOutOfFold:
    @pytest.mark.parametrize("method", ["predict", "decision_function", "predict_proba"])
    def test_cross_val_predict(self, data, method):
        train, _, y_train, _ = data
        folds = StratifiedKFold(3)
        found = cross_val_predict(BOOSTER, train, y_train, cv=folds, method=method)
        for known, new in folds.split(train, y_train):
            own = clone(BOOSTER).fit(train[known], y_train[known])
            np.testing.assert_array_equal(found[new], getattr(own, method)(train[new]))

    def test_tuned_threshold(self, data):
        train, test, y_train, y_test = data
        plain = clone(BOOSTER).fit(train, y_train)
        tuned = TunedThresholdClassifierCV(plain, scoring=make_scorer(gain), cv=3)
        tuned.fit(train, y_train)
        assert recall(tuned, test, y_test) > recall(plain, test, y_test)


@FROM_OTHERS
class TestOtherLibraries:
    def test_imbalanced_learn(self, data):
        sampling = pytest.importorskip("imblearn.under_sampling")
        pipelines = pytest.importorskip("imblearn.pipeline")
        train, test, y_train, y_test = data
        rare = np.flatnonzero((y_train == "well") | (np.arange(len(y_train)) % 8 == 0))
        sampler = sampling.RandomUnderSampler(random_state=0)
        model = pipelines.make_pipeline(sampler, BOOSTER).fit(train[rare], y_train[rare])
        plain = clone(BOOSTER).fit(train[rare], y_train[rare])
        assert recall(model, test, y_test) > recall(plain, test, y_test)

    def test_skops(self, data):
        skops = pytest.importorskip("skops.io")
        train, test, y_train, _ = data
        model = make_pipeline(StandardScaler(), BOOSTER).fit(train, y_train)
        written = skops.dumps(model)
        types = skops.get_untrusted_types(data=written)
        assert types
        assert all(name.startswith("underdog.") for name in types)
        same = skops.loads(written, trusted=types)
        np.testing.assert_array_equal(same.decision_function(test), model.decision_function(test))

    def test_cleanlab(self, data):
        cleanlab = pytest.importorskip("cleanlab.classification")
        train, _, y_train, _ = data
        labels = (y_train == "well").astype(int)
        wrong = np.random.default_rng(0).choice(len(labels), 20, replace=False)
        labels[wrong] = 1 - labels[wrong]
        learner = cleanlab.CleanLearning(clone(BOOSTER), cv_n_folds=3, seed=0)
        quality = learner.find_label_issues(train, labels)["label_quality"].to_numpy()
        truth = np.isin(np.arange(len(labels)), wrong)
        assert roc_auc_score(truth, -quality) > 0.9

    def test_venn_abers(self, data):
        calibration = pytest.importorskip("venn_abers")
        train, test, y_train, y_test = data
        model = calibration.VennAbersCalibrator(
            estimator=clone(BOOSTER), inductive=False, n_splits=3, random_state=0
        )
        model.fit(train, (y_train == "well").astype(int))
        probability = model.predict_proba(test)[:, 1]
        assert brier_score_loss(y_test == "well", probability) < 0.06


def logistic():
    return LogisticRegression(max_iter=1000)


def recall(model, X, y):
    """The share of the sick that is found."""
    return recall_score(y, model.predict(X), pos_label="sick")


def gain(true, decided):
    """A score that would rather raise nine false alarms than miss one of the sick."""
    missed = np.sum((true == "sick") & (decided != "sick"))
    alarms = np.sum((true != "sick") & (decided == "sick"))
    return -(9 * missed + alarms)


def test_models_go_through_joblib(data):
    import joblib

    train, test, y_train, _ = data
    model = clone(BOOSTER).fit(train, y_train)
    file = io.BytesIO()
    joblib.dump(model, file)
    file.seek(0)
    same = joblib.load(file)
    np.testing.assert_array_equal(same.decision_function(test), model.decision_function(test))

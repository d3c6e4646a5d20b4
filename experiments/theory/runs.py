"""What is computed: one cell for a part, a data set and a cut."""

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import BaggingClassifier, RandomForestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from experiments.cells import Result
from experiments.wrong_labels.data import Split, split
from underdog import AdaBoostClassifier, ArcGVClassifier, HullBoostClassifier
from underdog.games import voting_margins, with_greatest_margin
from underdog.learners import ForeignLearner, TreeLearner

CUTS = 3
ROUNDS, QUICK_ROUNDS = 200, 10
RADII = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
HULL_ROUNDS = (1, 2, 4, 8, 16, 32, 64, 128, 256)
BOOSTED = 50
SAMPLES, TRAINING, TEST = 30, 200, 1000
"""Of bias and variance: training sets, their rows, and rows to judge by."""
PROBLEMS = ("twonorm", "threenorm", "ringnorm")
PARTS = ("margin", "hull", "gain")

Floats = NDArray[np.float64]


def names(sets: Sequence[str], quick: bool) -> list[str]:
    """All cells; the parts come in turn, so that a slice of them has something of each."""
    cuts = 1 if quick else CUTS
    cells = [f"{part}/{one}/{cut}" for cut in range(cuts) for part in PARTS for one in sets]
    return [f"bias/{problem}/0" for problem in PROBLEMS] + cells


def run(name: str, quick: bool = False) -> Result:
    """Compute one cell."""
    part, data, cut = name.split("/")
    rounds = QUICK_ROUNDS if quick else ROUNDS
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if part == "bias":
            return bias(data, 3 if quick else SAMPLES, min(rounds, BOOSTED))
        own = split(data, 0.0, int(cut))
        if part == "margin":
            return margin(own, rounds)
        return hull(own, quick) if part == "hull" else gain(own, min(rounds, BOOSTED))


def error_of(model: Any, own: Split) -> float:
    """The test error."""
    return float((model.predict(own.X_test) != own.y_test).mean())


def margin(own: Split, rounds: int) -> Result:
    """Least and mean margin and test error of AdaBoost, arc-gv and the programme."""
    found = {}
    trees = TreeLearner(kind="discrete", max_depth=3)
    for kind, learner in (("stumps", "discrete"), ("trees", trees)):
        given = {"learner": learner, "n_estimators": rounds}
        ada = AdaBoostClassifier(**given).fit(own.X, own.y)
        models = {
            "AdaBoost": ada,
            "arc-gv": ArcGVClassifier(**given).fit(own.X, own.y),
            "Grove and Schuurmans": with_greatest_margin(ada, own.X, own.y),
        }
        for name, model in models.items():
            margins = voting_margins(model, own.X, own.y)
            facts = [float(margins.min()), float(margins.mean()), error_of(model, own)]
            found[f"{kind}, {name}"] = facts
    return found


def hull(own: Split, quick: bool) -> Result:
    """Loss of each round and test error of some, for each radius."""
    found: Result = {}
    for radius in RADII[:2] if quick else RADII:
        rounds = 16 if quick else HULL_ROUNDS[-1]
        model = HullBoostClassifier(radius=radius, n_estimators=rounds).fit(own.X, own.y)
        stages = list(model.staged_predict(own.X_test))
        at = [min(k, len(stages)) - 1 for k in HULL_ROUNDS]
        found[f"{radius:g}"] = {
            "errors": [float((stages[k] != own.y_test).mean()) for k in at],
            "losses": [round(float(model.history_["loss"][k]), 8) for k in at],
            "lower": round(model.certificate_["lower_bound"], 8),
        }
    return found


def weak_learners() -> dict[str, Any]:
    """Classifiers to boost, the weak ones first."""
    small = MLPClassifier((4,), max_iter=60, random_state=0)
    return {
        "stumps": DecisionTreeClassifier(max_depth=1, random_state=0),
        "naive Bayes": GaussianNB(),
        "linear SVM": LinearSVC(random_state=0),
        "neural network": make_pipeline(StandardScaler(), small),
        "pruned trees": DecisionTreeClassifier(min_samples_leaf=5, random_state=0),
        "whole trees": DecisionTreeClassifier(random_state=0),
    }


def gain(own: Split, rounds: int) -> Result:
    """Test errors alone, boosted with weights and boosted with drawn rows."""
    found = {}
    for name, learner in weak_learners().items():
        few = min(rounds, 10) if name == "neural network" else rounds
        errors = [error_of(learner.fit(own.X, own.y), own)]
        for resample in (False, True):
            wrapped = ForeignLearner(learner, resample=resample)
            model = AdaBoostClassifier(learner=wrapped, n_estimators=few, random_state=0)
            errors.append(error_of(model.fit(own.X, own.y), own))
        found[name] = errors
    return found


def drawn(problem: str, rows: int, rng: np.random.Generator) -> tuple[Floats, Any]:
    """Breiman's problems in 20 dimensions."""
    d = 20
    y = rng.integers(0, 2, rows)
    X = rng.normal(size=(rows, d))
    if problem == "ringnorm":
        a = 1.0 / np.sqrt(d)
        return np.where(y[:, None] == 1, X + a, 2.0 * X), y
    a = 2.0 / np.sqrt(d)
    if problem == "twonorm":
        return X + a * np.where(y == 1, 1.0, -1.0)[:, None], y
    either = np.where(rng.random(rows) < 0.5, 1.0, -1.0)[:, None]
    other = a * np.where(np.arange(d) % 2 == 0, 1.0, -1.0)
    return X + np.where(y[:, None] == 1, a * either, other), y


def bias(problem: str, samples: int, rounds: int) -> Result:
    """Bias and variance after Kohavi and Wolpert, without the noise, which all models share."""
    rng = np.random.default_rng(PROBLEMS.index(problem))
    X_test, y_test = drawn(problem, TEST, rng)
    makers = {
        "a tree": lambda: DecisionTreeClassifier(random_state=0),
        "bagging": lambda: BaggingClassifier(n_estimators=rounds, random_state=0),
        "a forest": lambda: RandomForestClassifier(rounds, random_state=0),
        "a stump": lambda: DecisionTreeClassifier(max_depth=1, random_state=0),
        "boosted stumps": lambda: AdaBoostClassifier(learner="discrete", n_estimators=rounds),
        "boosted trees": lambda: AdaBoostClassifier(
            learner=TreeLearner(kind="discrete", max_depth=4), n_estimators=rounds
        ),
    }
    votes = {name: np.zeros(TEST) for name in makers}
    for _ in range(samples):
        X, y = drawn(problem, TRAINING, rng)
        for name, make in makers.items():
            votes[name] += make().fit(X, y).predict(X_test)
    found = {}
    for name, count in votes.items():
        share = count / samples
        variance = 2.0 * share * (1.0 - share) / 2.0
        error = np.where(y_test == 1, 1.0 - share, share)
        found[name] = [
            float(error.mean()),
            float((error - variance).mean()),
            float(variance.mean()),
        ]
    return found

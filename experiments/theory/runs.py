"""What is computed: one cell for a part, a data set and a cut."""

import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.ensemble import BaggingClassifier, RandomForestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neural_network import MLPClassifier
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from experiments.cells import Result
from experiments.theory import failing, logistic
from experiments.theory.problems import PROBLEMS, drawn
from experiments.wrong_labels.data import Split, split
from underdog import AdaBoostClassifier, ArcGVClassifier, HullBoostClassifier
from underdog.games import voting_margins, with_greatest_margin
from underdog.learners import C45LikeLearner, TreeLearner

CUTS, MARGIN_CUTS = 3, 10
ROUNDS, QUICK_ROUNDS = {"stumps": 500, "trees": 200}, 10
RADII = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
HULL_ROUNDS = (1, 2, 4, 8, 16, 32, 64, 128, 256)
BOOSTED = 50
SAMPLES, TRAINING, TEST = 30, 200, 1000
"""Of bias and variance: training sets, their rows, and rows to judge by."""
REPEATS = 3
"""How often bias and variance are measured, each time with other training sets and test rows."""
DRAWS = 20
"""Of the problems on which boosting fails, and of the samples for the minimisers of two losses."""
PARTS = ("hull", "gain", "parallel")


def names(sets: Sequence[str], quick: bool) -> list[str]:
    """All cells; the parts come in turn, so that a slice of them has something of each."""
    cuts, draws, repeats = (1, 1, 1) if quick else (CUTS, DRAWS, REPEATS)
    margins = 1 if quick else MARGIN_CUTS
    cells = [f"{part}/all/{k}" for k in range(draws) for part in ("fails", "minimisers")]
    cells += [f"{part}/{one}/{cut}" for cut in range(cuts) for part in PARTS for one in sets]
    cells += [f"margin/{one}/{cut}" for cut in range(margins) for one in sets]
    return cells + [f"bias/{problem}/{k}" for k in range(repeats) for problem in PROBLEMS]


def run(name: str, quick: bool = False) -> Result:
    """Compute one cell."""
    part, data, number = name.split("/")
    boosted = QUICK_ROUNDS if quick else BOOSTED
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if part == "bias":
            return bias(data, int(number), 3 if quick else SAMPLES, boosted)
        if part == "fails":
            return failing.run(int(number), quick)
        if part == "minimisers":
            sizes = logistic.SIZES[: 2 if quick else None]
            return logistic.minimisers(int(number), sizes, 10 if quick else logistic.ROUNDS)
        own = split(data, 0.0, int(number))
        if part == "margin":
            return margin(own, dict.fromkeys(ROUNDS, QUICK_ROUNDS) if quick else ROUNDS)
        if part == "hull":
            return hull(own, quick)
        if part == "parallel":
            return logistic.parallel(own, logistic.PASSES[: 3 if quick else None])
        return gain(own, boosted)


def error_of(model: Any, own: Split) -> float:
    """The test error."""
    return float((model.predict(own.X_test) != own.y_test).mean())


def margin(own: Split, rounds: dict[str, int]) -> Result:
    """Least and mean margin and test error of AdaBoost, arc-gv and the programme."""
    found = {}
    for kind, learner in (("stumps", "discrete"), ("trees", C45LikeLearner())):
        given = {"learner": learner, "n_estimators": rounds[kind]}
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
    """Learners to boost, the weak ones first: two of this library, the others of scikit-learn."""
    network = MLPClassifier((4,), learning_rate_init=0.02, max_iter=150, random_state=0)
    return {
        "stumps": "discrete",
        "naive Bayes": GaussianNB(),
        "linear SVM": LinearSVC(random_state=0),
        "neural network": network,
        "pruned trees": C45LikeLearner(),
        "whole trees": DecisionTreeClassifier(random_state=0),
    }


def gain(own: Split, rounds: int) -> Result:
    """Test errors alone, boosted with weights and boosted with drawn rows; columns are scaled."""
    scaler = StandardScaler().fit(own.X)
    own = replace(own, X=scaler.transform(own.X), X_test=scaler.transform(own.X_test))
    found = {}
    for name, learner in weak_learners().items():
        few = min(rounds, 10) if name == "neural network" else rounds
        if hasattr(learner, "predict"):
            errors = [error_of(clone(learner).fit(own.X, own.y), own)]
        else:
            alone = AdaBoostClassifier(learner=learner, n_estimators=1)
            errors = [error_of(alone.fit(own.X, own.y), own)]
        for resample in (False, True):
            model = AdaBoostClassifier(
                learner=learner, n_estimators=few, random_state=0, resample=resample
            )
            errors.append(error_of(model.fit(own.X, own.y), own))
        found[name] = errors
    return found


def bias(problem: str, repeat: int, samples: int, rounds: int) -> Result:
    """Bias and variance after Kohavi and Wolpert; bias has the noise in it."""
    rng = np.random.default_rng([PROBLEMS.index(problem), repeat])
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

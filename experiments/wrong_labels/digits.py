"""The heaviest digits after 4, 12 and 25 rounds, after figure 7 of Freund and Schapire 1996."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_digits

from experiments.figures import figure, save
from underdog import AdaBoostM1Classifier
from underdog.inspection import hardest
from underdog.learners import TreeLearner

ROUNDS = (4, 12, 25)
SHOWN, DEPTH = 10, 6


def heaviest(rounds: int, shown: int = SHOWN) -> list[tuple[NDArray[Any], str]]:
    """The pixels of the heaviest digits, and d:l1/w1,l2/w2 for each.

    d is the label, l1 and l2 are the two classes with most votes, w1 and w2 their shares.
    """
    X, y = load_digits(return_X_y=True)
    trees = TreeLearner(max_depth=DEPTH, kind="discrete")
    model = AdaBoostM1Classifier(learner=trees, n_estimators=rounds).fit(X, y)
    rows = hardest(model, X, y, shown).rows
    total = sum(member.coefficient for member in model.model_.members)
    votes = (model.decision_function(X[rows]) / total + 1.0) / 2.0
    captions = []
    for row, own in zip(rows, votes, strict=True):
        first, second = np.argsort(-own, kind="stable")[:2]
        text = ",".join(
            f"{model.classes_[k]}/{own[k]:.2f}".replace("0.", ".") for k in (first, second)
        )
        captions.append(f"{y[row]}:{text}")
    return [(X[row].reshape(8, 8), text) for row, text in zip(rows, captions, strict=True)]


def draw(path: Path) -> None:
    """One line of digits for each number of rounds."""
    picture, axes = figure(len(ROUNDS), SHOWN, 10.0, 4.0)
    for rounds, line in zip(ROUNDS, axes, strict=True):
        for axis, (pixels, text) in zip(line, heaviest(rounds), strict=True):
            axis.imshow(pixels, cmap="gray_r")
            axis.set_xlabel(text, fontsize=8)
            axis.set_xticks([])
            axis.set_yticks([])
        line[0].set_ylabel(f"{rounds} rounds")
    save(picture, path)

"""Names of the user are drawn as they are written."""

import html
import io

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from underdog import (
    AdaBoostClassifier,
    AdaBoostMHClassifier,
    ContributionDisplay,
    CostCurveDisplay,
    Costs,
    HardestDisplay,
    ImportanceDisplay,
    MarginDisplay,
    PrecisionRecallPointDisplay,
    ReliabilityDisplay,
    RulesNeededDisplay,
    ShapeDisplay,
)

COLUMN, LEVELS, CLASSES = "$x_{$", ["$0-$10,000", "over $10,000$"], ["$no$", "$yes \\foo$"]
NAME = "$5_$ rounds"


@pytest.fixture(scope="module")
def money():
    rng = np.random.default_rng(0)
    level = np.arange(80) % 2
    X = pd.DataFrame({COLUMN: rng.normal(size=80), "income": np.array(LEVELS)[level]})
    return X, np.array(CLASSES)[(X[COLUMN] + level + rng.normal(size=80) > 0.5).astype(int)]


def drawn():
    """All that is written in the picture."""
    file = io.StringIO()
    with plt.rc_context({"svg.fonttype": "none"}):  # texts as texts, not as outlines
        plt.gcf().savefig(file, format="svg")
    return html.unescape(file.getvalue())


@pytest.mark.parametrize(
    ("draw", "expected"),
    [
        (lambda m, *_: ShapeDisplay.from_estimator(m), [COLUMN, *LEVELS, repr(CLASSES[1])]),
        (
            lambda m, X, _: ContributionDisplay.from_estimator(m, X),
            [COLUMN, LEVELS[0], f"score for {CLASSES[1]!r}", f"predicted {CLASSES[0]!r}"],
        ),
        (lambda m, X, y: HardestDisplay.from_estimator(m, X, y), [f", predicted {CLASSES[1]}"]),
        (lambda m, *_: ImportanceDisplay.from_estimator(m), [COLUMN]),
        (lambda m, X, y: RulesNeededDisplay.from_estimator(m, X, y, name=NAME), [NAME]),
        (lambda m, X, y: MarginDisplay.from_estimator(m, X, y, name=NAME), [NAME]),
        (lambda m, X, y: PrecisionRecallPointDisplay.from_estimator(m, X, y, name=NAME), [NAME]),
        (
            lambda m, X, y: CostCurveDisplay.from_estimator(m, X, y, Costs(2, 1), name=NAME),
            [NAME, f"of class {CLASSES[1]!r}"],
        ),
        (
            lambda m, X, y: ReliabilityDisplay.from_estimator(m, X, y, name=NAME),
            [NAME, f"share of class {CLASSES[1]!r}", f"probability of class {CLASSES[1]!r}"],
        ),
    ],
)
def test_dollars_are_no_mathematics(money, draw, expected):
    X, y = money
    draw(AdaBoostClassifier(n_estimators=20).fit(X, y), X, y)
    picture = drawn()
    assert [text for text in expected if text not in picture] == []


def test_dollars_in_a_legend(money):
    X, _ = money
    Y = np.column_stack([X[COLUMN] > 0, X["income"] == LEVELS[0], X[COLUMN] > 1]).astype(int)
    names = ["$a$", "$b_$", "c\\$d"]
    model = AdaBoostMHClassifier(n_estimators=8).fit(X, Y)
    ShapeDisplay.from_estimator(model, label_names=names)
    picture = drawn()
    assert [name for name in names if f">{name}<" not in picture] == []

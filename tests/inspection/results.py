"""Every kind of result, for a model on a wide table with unkind names."""

import functools

import numpy as np
import pandas as pd

from underdog import AdaBoostClassifier, AdaBoostMHClassifier, GradientBoostingClassifier
from underdog.inspection import (
    contributions,
    hardest,
    history,
    interactions,
    rules,
    rules_needed,
    shapes,
    suspects,
)

HOSTILE = "</td><script>alert('x')</script>&<b title=\"y\">"
WIDE = 400
ROWS = 120


def wide_table():
    """(X, y of two classes, y of three): every column has a long name, the first ones are used."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(ROWS, WIDE))
    score = X[:, :8] @ np.linspace(1, 2, 8) + rng.normal(size=ROWS)
    frame = pd.DataFrame(X, columns=[f"{HOSTILE} {'long ' * 30}{c}" for c in range(WIDE)])
    classes = np.array([f"{'class ' * 30}a", HOSTILE, "c"])
    frame["town"] = rng.choice([HOSTILE, "Ulm", "x" * 300], ROWS)
    return frame, classes[(score > 0) * 1], classes[np.digitize(score, [-2, 2])]


@functools.cache
def every_result():
    """name -> result."""
    X, two, three = wide_table()
    binary = AdaBoostClassifier(n_estimators=60).fit(X, two)
    several = AdaBoostMHClassifier(n_estimators=60).fit(X, three)
    results = {"before": contributions(binary, X[3:9]).before(0, 1)}
    for name, model, y in (("two", binary, two), ("three", several, three)):
        results |= {
            f"contributions {name}": contributions(model, X[3:9]),
            f"contributions by rule {name}": contributions(model, X, by="rule"),
            f"rules {name}": rules(model),
            f"shapes {name}": shapes(model),
            f"hardest {name}": hardest(model, X, y, 20),
            f"rules_needed {name}": rules_needed(model, X, y),
            f"history {name}": history(model),
            f"suspects {name}": suspects(model, X, y, cv=2),
        }
        trees = GradientBoostingClassifier(n_estimators=10).fit(X, y)
        results |= {
            f"interactions {name}": interactions(trees, X),
            f"contributions of trees {name}": contributions(trees, X[3:9]),
        }
    return results

"""Data for the tests of the models without parameters."""

import numpy as np
import pandas as pd
from sklearn.datasets import make_classification

RNG = np.random.default_rng(0)


def rare(n_rows=400):
    return make_classification(n_rows, 5, weights=[0.9], flip_y=0.02, random_state=0)


def frame(n_rows=200):
    topic = RNG.integers(0, 2, n_rows)
    texts = [
        f"{'cheap prize' if spam else 'see you'} {RNG.integers(0, 40)} and {RNG.integers(0, 40)}"
        for spam in topic
    ]
    return topic, {
        "body": texts,
        "amount": np.where(RNG.random(n_rows) < 0.1, np.nan, RNG.normal(size=n_rows) + topic),
        "kind": RNG.choice(["a", "b", "c"], n_rows).tolist(),
        "day": pd.date_range("2024-01-01", periods=n_rows).strftime("%Y-%m-%d").tolist(),
    }

"""A classifier that remembers what it was fitted on."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

SEEN = []


class Recorder(ClassifierMixin, BaseEstimator):
    """Decides by the sign of column 1; column 0 holds the number of the row."""

    def __init__(self, name="", fails_without=None, noise=0.0):
        self.name = name
        self.fails_without = fails_without
        self.noise = noise

    def fit(self, X, y):
        rows = X[:, 0].astype(int).tolist()
        SEEN.append((self.name, tuple(rows)))
        if self.fails_without is not None and self.fails_without not in rows:
            raise RuntimeError("the row is not there\nand more about it")
        self.classes_ = np.unique(y)
        return self

    def decision_function(self, X):
        rng = np.random.default_rng(len(X))
        return X[:, 1] + self.noise * rng.standard_normal(len(X))

    def predict(self, X):
        return self.classes_[(self.decision_function(X) > 0).astype(int)]

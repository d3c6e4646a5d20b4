import matplotlib
import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

from underdog import AdaBoostClassifier


@pytest.fixture(autouse=True)
def figures():
    """Figures without a screen, closed after each test."""
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    yield
    plt.close("all")


@pytest.fixture
def data():
    """300 examples of two overlapping classes; one in five is positive."""
    rng = np.random.default_rng(3)
    y = (np.arange(300) % 5 == 0).astype(int)
    return rng.standard_normal((300, 3)) + y[:, np.newaxis] * [1.0, 0.5, 0.0], y


@pytest.fixture
def logistic(data):
    return LogisticRegression().fit(*data)


@pytest.fixture(scope="module")
def frame():
    rng = np.random.default_rng(2)
    X = pd.DataFrame({
        "size": np.where(rng.random(200) < 0.1, np.nan, rng.normal(size=200)),
        "town": rng.choice(["Bonn", "Köln", "Ulm"], 200),
        "age": rng.integers(20, 60, 200),
    })  # fmt: skip
    score = X["size"].fillna(0.5) + (X["town"] == "Ulm") + rng.normal(size=200)
    return X, np.where(score > 0.5, "yes", "no")


@pytest.fixture(scope="module")
def model(frame):
    return AdaBoostClassifier(n_estimators=40).fit(*frame)

import matplotlib
import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression


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

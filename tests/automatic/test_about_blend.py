"""What a blend says was chosen on left-out rows."""

import pytest
from sklearn.datasets import load_diabetes

from tests.automatic.given import rare
from underdog import BlendedTreesClassifier, BlendedTreesRegressor

BEST = {"cuts": "all", "max_depth": 6, "learning_rate": 0.1, "n_estimators": 20}
LEAVES = {"cuts": "all", "max_depth": None, "max_leaf_nodes": 31}


@pytest.fixture(scope="module")
def classifier():
    return BlendedTreesClassifier(n_estimators=20, cv=3).fit(*rare())


@pytest.fixture(scope="module")
def regressor():
    return BlendedTreesRegressor(n_estimators=20, cv=3).fit(*load_diabetes(return_X_y=True))


def chosen(model, rounds=10, weight=0.0, trees=None, losses=(), **more):
    """What the model says if this was chosen."""
    model.n_iter_ = rounds
    model.blend_ = {
        "rounds": rounds,
        "rounds_tried": 20,
        "weight": weight,
        "strength": 1.0,
        "trees": trees or {},
        "left_out_loss": {"blend": 0.25, "trees": 0.5, **dict(losses)},
        **more,
    }
    return model.about_blend()


LINEAR = {"linear": 0.75}
HOW = "chosen by the loss of left-out rows: 0.25 (trees alone 0.5"


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"losses": LINEAR}, f"10 rounds, {HOW}, the linear model alone 0.75)."),
        (
            {"weight": 0.4, "losses": LINEAR},
            f"10 rounds and a weight of 0.4 for a linear model, {HOW}, the linear model alone "
            "0.75).",
        ),
        (
            {"weight": 0.4, "trees": BEST, "losses": {"other_trees": 0.3}},
            "10 rounds of trees of depth 6 with the best cuts and a learning rate of 0.1, and a "
            f"weight of 0.4 for a linear model, {HOW}, with other trees 0.3).",
        ),
        (
            {"trees": LEAVES},
            "10 rounds of trees of 31 leaves with the best cuts and a learning rate of 0.05, "
            f"{HOW}).",
        ),
        (
            {"weight": 1.0, "losses": {"linear": 0.25}},
            f"A weight of 1 for a linear model, and of 0 for 10 rounds of trees, {HOW}).",
        ),
        (
            {"weight": 1.0, "rounds": 0, "of_words": True},
            f"A linear model of words and no trees, {HOW}).",
        ),
        (
            {"weight": 0.3, "of_words": True},
            f"10 rounds and a weight of 0.3 for a linear model of words, {HOW}).",
        ),
        (
            {"weight": 0.3, "of_words": False},
            f"10 rounds and a weight of 0.3 for a linear model, {HOW}).",
        ),
        (
            {"rounds": 0, "losses": LINEAR},
            "No trees and no linear model: nothing was better on left-out rows than the shares of "
            "the classes, with a loss of 0.25 (trees alone 0.5, the linear model alone 0.75).",
        ),
    ],
)
def test_about_blend(given, text, classifier):
    assert chosen(classifier, **given) == text


def test_the_other_trees_are_named(classifier):
    classifier.alternatives = [BEST]
    text = chosen(classifier, losses={"other_trees": 0.3})
    classifier.alternatives = ()
    assert text == (
        "10 rounds of trees of depth 4 with random cuts and a learning rate of 0.05, "
        f"{HOW}, with other trees 0.3)."
    )


def test_a_constant_of_numbers(regressor):
    assert chosen(regressor, rounds=0).startswith(
        "No trees and no linear model: nothing was better on left-out rows than the mean, with a "
    )
    regressor.loss = "absolute"
    assert "than a constant, with a loss of" in chosen(regressor, rounds=0)


def test_without_a_choice():
    X, y = rare(80)
    model = BlendedTreesClassifier(n_estimators=5, early_stopping=False).fit(X, y)
    assert model.about_blend() == "5 rounds, which were not chosen: early_stopping=False."
    model = BlendedTreesClassifier(n_estimators=5).fit(X, y, X_val=X, y_val=y)
    assert model.about_blend() == "5 rounds, chosen on the rows of X_val."
    model = BlendedTreesClassifier(n_estimators=5, cv=3).fit(X, y)
    model.blend_, model.n_iter_ = {}, 5
    assert model.about_blend() == "5 rounds, which were not chosen: no row could be left out."


def test_a_linear_model_alone_is_described_in_the_same_way():
    X = load_diabetes().data
    model = BlendedTreesRegressor(n_estimators=5, cv=3).fit(X, X @ range(10))
    assert model.blend_["weight"] == 1.0
    assert model.about_blend().startswith(
        "A linear model and no trees, chosen by the loss of left-out rows: "
    )
    assert "kept 0 rounds, chosen by 3-fold" in model.describe(1)

"""Pictures of columns, of one row, and of the number of rules."""

import sys

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from underdog import AdaBoostClassifier, AdaBoostMHClassifier, Table
from underdog.displays.contributions import ContributionDisplay
from underdog.displays.hardest import HardestDisplay
from underdog.displays.rules_needed import RulesNeededDisplay
from underdog.displays.shapes import ShapeDisplay
from underdog.inspection import contributions, hardest, rules_needed, shapes


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


def test_shapes(model):
    display = ShapeDisplay.from_estimator(model)
    found = shapes(model)
    assert len(display.axes_) == len(found) == 3
    by_title = {ax.get_title() or ax.get_xlabel(): ax for ax in display.axes_}
    size = next(shape for shape in found if shape.name == "size")
    stairs = by_title["size"].patches[0].get_data()
    np.testing.assert_array_equal(stairs.values, size.values[:, 0])
    np.testing.assert_array_equal(stairs.edges[1:-1], size.cuts)
    assert "missing" in [text.get_text() for text in by_title["size"].texts]
    assert not by_title["age"].texts
    town = next(shape for shape in found if shape.name == "town")
    bars = [bar.get_width() for bar in by_title["town"].patches]
    assert bars == sorted(town.values[:, 0], reverse=True)
    scales = {ax.get_ylim() for name, ax in by_title.items() if name != "town"}
    assert scales == {by_title["town"].get_xlim()}
    assert by_title["town"].get_xlabel() == "added to the score for 'yes'"


def test_terms_share_a_picture(frame):
    rng = np.random.default_rng(0)
    words = sp.csr_array((rng.random((200, 8)) < 0.4).astype(float))
    y = words.toarray()[:, 0] + words.toarray()[:, 1] + rng.normal(size=200) > 1
    model = AdaBoostClassifier(n_estimators=30).fit(words, y)
    names = [f"word{number}" for number in range(8)]
    display = ShapeDisplay.from_estimator(model, max_display=5, feature_names=names)
    (ax,) = display.axes_
    told = [tick.get_text() for tick in ax.get_yticklabels()]
    found = shapes(model, feature_names=names).each[:5]
    assert told == [shape.name for shape in found]
    assert [bar.get_width() for bar in ax.patches] == [shape.values[1, 0] for shape in found]
    both = Table.hstack([frame[0], words])
    mixed = ShapeDisplay.from_estimator(
        AdaBoostClassifier(n_estimators=40).fit(both, y), max_display=9
    )
    assert [ax.get_title() for ax in mixed.axes_].count("terms that are present") == 1


def test_several_labels_have_a_legend(frame):
    X, _ = frame
    three = np.digitize(X["size"].fillna(0), [-0.5, 0.5])
    model = AdaBoostMHClassifier(n_estimators=10).fit(X, three)
    display = ShapeDisplay.from_estimator(model, max_display=1, label_names=["low", "mid", "high"])
    legend = [text.get_text() for text in display.figure_.legends[0].get_texts()]
    assert legend == ["low", "mid", "high"]
    assert len(display.axes_[0].patches) == 3
    many = np.eye(6, dtype=int)[np.arange(200) % 6]
    drawn = ShapeDisplay.from_estimator(AdaBoostMHClassifier(n_estimators=10).fit(X, many))
    assert len(drawn.figure_.legends[0].get_texts()) == 4


def test_shapes_go_where_they_are_told(model):
    import matplotlib.pyplot as plt

    figure = plt.figure()
    left, right = figure.subfigures(1, 2)
    display = ShapeDisplay(shapes(model), max_display=1).plot(left)
    assert display.figure_ is left
    assert not right.axes
    with pytest.raises(ValueError, match="max_display=0 must be a whole number"):
        ShapeDisplay.from_estimator(model, max_display=0)
    constant = AdaBoostClassifier().fit(np.ones((6, 1)), [0, 1, 1] * 2)
    with pytest.raises(ValueError, match="the model uses no column"):
        ShapeDisplay.from_estimator(constant)


@pytest.mark.parametrize("by", ["column", "rule"])
@pytest.mark.parametrize("most", [2, None])
def test_bars_lead_to_the_score(model, frame, by, most):
    X, _ = frame
    found = contributions(model, X, by=by)
    display = ContributionDisplay.from_estimator(model, X, row=5, by=by, max_display=most)
    *bars, whole = display.bars_
    end = 0.0
    for bar in bars:
        assert bar.get_x() == pytest.approx(end)
        end = bar.get_x() + bar.get_width()
    assert end == pytest.approx(found.scores[5, 0])
    assert whole.get_width() == found.scores[5, 0]
    told = [tick.get_text() for tick in display.ax_.get_yticklabels()]
    assert told[-1] == "score"
    assert told[0] == found.words(5, found.strongest(5, 0)[0])
    assert ("more" in told[-2]) == (most == 2)
    assert display.ax_.get_xlabel() == "score for 'yes'"
    low, high = display.ax_.get_xlim()
    assert low < min(0.0, *(bar.get_x() for bar in bars))
    assert high > found.scores[5, 0]


def test_a_row_that_is_not_there(model, frame):
    with pytest.raises(ValueError, match="row=200 must be a whole number, at least 0 and at most"):
        ContributionDisplay.from_estimator(model, frame[0], row=200)


def test_a_number_of_bars_that_is_none(model, frame):
    with pytest.raises(ValueError, match="max_display=-1 must be a whole number, at least 0"):
        ContributionDisplay.from_estimator(model, frame[0], max_display=-1)


def test_rules_needed(model, frame):
    X, y = frame
    training = RulesNeededDisplay.from_estimator(model, X[::2], y[::2], name="training")
    test = RulesNeededDisplay.from_estimator(model, X[1::2], y[1::2], name="test", ax=training.ax_)
    assert test.figure_ is training.figure_
    sizes = rules_needed(model, X[1::2], y[1::2])
    np.testing.assert_array_equal(test.line_.get_ydata(), sizes.scores)
    np.testing.assert_array_equal(test.line_.get_xdata(), np.arange(1, 41))
    assert test.chosen == sizes.needed(sizes.standard_error)
    score = sizes.score_with(test.chosen)
    assert (test.point_.get_xdata()[0], test.point_.get_ydata()[0]) == (test.chosen, score)
    assert test.line_.get_label() == f"test ({test.chosen} rules: {score:.3f})"
    other = RulesNeededDisplay.from_estimator(model, X, y, scoring="roc_auc", within=(0.02,))
    assert other.chosen == other.sizes.needed(0.02)
    assert other.ax_.get_ylabel() == "roc_auc"


def test_hardest(model, frame):
    X, y = frame
    display, found = HardestDisplay.from_estimator(model, X, y, n=150), hardest(model, X, y, 150)
    shares = [bar.get_width() / len(y) for bar in display.bars_]
    np.testing.assert_allclose(shares, [example.share for example in found.each])
    colors = {}
    for bar, example in zip(display.bars_, found.each, strict=True):
        colors.setdefault(bar.get_facecolor(), set()).add(example.truth == example.decided)
    assert sorted(map(sorted, colors.values())) == [[False], [True]]
    first, named = found.each[0], display.ax_.get_yticklabels()[0].get_text()
    assert named == f"row {first.row}: {first.truth}, not {first.decided}"


def test_hardest_of_several_labels():
    X = np.arange(40.0).reshape(-1, 1)
    Y = np.column_stack([X[:, 0] > 19, X[:, 0] > 9]).astype(int)
    Y[4, 1] = 1
    several = AdaBoostMHClassifier(n_estimators=2).fit(X, Y)
    display = HardestDisplay.from_estimator(several, X, Y, n=1, label_names=["late", "early"])
    assert display.ax_.get_yticklabels()[0].get_text() == "row 4: early True, not False"


def test_no_matplotlib(model, frame, monkeypatch):
    X, y = frame
    displays = (
        ShapeDisplay(shapes(model)),
        ContributionDisplay(contributions(model, X)),
        RulesNeededDisplay(rules_needed(model, X, y)),
        HardestDisplay(hardest(model, X, y)),
    )
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    for display in displays:
        name = type(display).__name__
        with pytest.raises(ImportError, match=rf"{name}\.plot requires matplotlib"):
            display.plot()

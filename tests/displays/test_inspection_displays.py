"""Pictures of one row, of hard examples and of the number of rules."""

import sys

import narwhals as nw
import numpy as np
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.model_selection import FixedThresholdClassifier, GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from underdog import (
    AdaBoostClassifier,
    AdaBoostMHClassifier,
    ContributionDisplay,
    Costs,
    CostSensitiveClassifier,
    HardestDisplay,
    ImportanceDisplay,
    RulesNeededDisplay,
    ShapeDisplay,
    ThresholdClassifier,
    UnderdogWarning,
)
from underdog.inspection import contributions, hardest, rules_needed, shapes


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


def threshold_line(display):
    """Where the dashed line is, and what is written above it."""
    dashed = [line for line in display.ax_.lines if line.get_linestyle() == "--"]
    written = [tick.get_text() for ax in display.ax_.child_axes for tick in ax.get_xticklabels()]
    return [line.get_xdata()[0] for line in dashed], written


@pytest.mark.parametrize("positive", ["no", "yes"])
def test_the_threshold_of_a_threshold_classifier(frame, positive):
    X, y = frame
    decider = ThresholdClassifier(AdaBoostClassifier(n_estimators=9), ("recall", 0.9), cv=3,
                                  pos_label=positive).fit(X, y)  # fmt: skip
    display = ContributionDisplay.from_estimator(decider, X)
    side = 1 if positive == "yes" else -1  # the score is that of "yes"
    (place,), written = threshold_line(display)
    assert place == pytest.approx(side * decider.threshold_)
    assert written == [f"threshold {place:.3g}"]
    low, high = display.ax_.get_xlim()
    assert low < place < high


@pytest.mark.parametrize(
    "wrap",
    [
        lambda model: CostSensitiveClassifier(model, Costs(fn=2, fp=1), cv=3),
        lambda model: CostSensitiveClassifier(model, Costs(fn=1, fp=5), calibration="isotonic"),
        lambda model: CalibratedClassifierCV(model, ensemble=False, cv=3),
        lambda model: FixedThresholdClassifier(model, threshold=0.2),
        lambda model: GridSearchCV(ThresholdClassifier(model, cv=3), {"choose": ["f1"]}, cv=2),
    ],
)
def test_the_threshold_of_other_deciders(frame, wrap):
    """The line divides the scores as the decisions do."""
    X, y = frame[0][["size", "age"]].fillna(0.0), frame[1]
    model = make_pipeline(StandardScaler(), AdaBoostClassifier(n_estimators=9))
    decider = make_pipeline(StandardScaler(), wrap(model)).fit(X, y)
    display = ContributionDisplay.from_estimator(decider, X)
    (place,), _ = threshold_line(display)
    scores = display.contributions.scores[:, 0]
    assert 0 < (scores > place).sum() < len(scores)
    np.testing.assert_array_equal(scores > place, decider.predict(X) == "yes")


def test_no_threshold_but_zero(model, frame):
    X, y = frame
    three = AdaBoostClassifier(n_estimators=5).fit(X, X["town"])
    with pytest.warns(UnderdogWarning, match="every example is predicted to be"):
        always = ThresholdClassifier(
            AdaBoostClassifier(n_estimators=3), Costs(fn=9999, fp=1), cv=3
        ).fit(X[["age"]], y)
    for fitted, rows in ((model, X), (three, X), (always, X[["age"]])):
        assert threshold_line(ContributionDisplay.from_estimator(fitted, rows)) == ([], [])


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
        colors.setdefault(bar.get_facecolor(), set()).add(example.given == example.predicted)
    assert sorted(map(sorted, colors.values())) == [[False], [True]]
    first, named = found.each[0], display.ax_.get_yticklabels()[0].get_text()
    assert named == f"row {first.row}: labelled {first.given}, predicted {first.predicted}"


def test_rows_have_the_names_of_the_frame(model, frame):
    X, y = frame
    named = X.set_axis([f"customer {number}" for number in range(200)])
    found = hardest(model, X, y, 3)
    for rows, names in (
        (named, [f"index customer {row}" for row in found.rows]),
        (X, [f"row {row}" for row in found.rows]),
        (nw.from_native(X).to_polars(), [f"row {row}" for row in found.rows]),
    ):
        display = HardestDisplay.from_estimator(model, rows, y, n=3)
        written = [tick.get_text() for tick in display.ax_.get_yticklabels()]
        assert [text.split(":")[0] for text in written] == names


def test_both_classes_can_be_read(frame):
    X, y = frame
    long = np.where(y == "yes", "injured and taken to hospital", "injured and sent home again")
    display = HardestDisplay.from_estimator(
        AdaBoostClassifier(n_estimators=3).fit(X, long), X, long
    )
    assert display.ax_.get_yticklabels()[0].get_text().split(": ")[1] in (
        "labelled injured ...pital, predicted injured ...again",
        "labelled injured ...again, predicted injured ...pital",
    )


def test_hardest_of_several_labels():
    X = np.arange(40.0).reshape(-1, 1)
    Y = np.column_stack([X[:, 0] > 19, X[:, 0] > 9]).astype(int)
    Y[4, 1] = 1
    several = AdaBoostMHClassifier(n_estimators=2).fit(X, Y)
    display = HardestDisplay.from_estimator(several, X, Y, n=1, label_names=["late", "early"])
    assert (
        display.ax_.get_yticklabels()[0].get_text() == "row 4: early labelled True, predicted False"
    )


def test_no_matplotlib(model, frame, monkeypatch):
    X, y = frame
    displays = (
        ShapeDisplay(shapes(model)),
        ImportanceDisplay(model.feature_importances_, ["size", "town", "age"]),
        ContributionDisplay(contributions(model, X)),
        RulesNeededDisplay(rules_needed(model, X, y)),
        HardestDisplay(hardest(model, X, y)),
    )
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    for display in displays:
        name = type(display).__name__
        with pytest.raises(ImportError, match=rf"{name}\.plot needs matplotlib: pip"):
            display.plot()

"""The pictures of columns: their steps and bars, and where the data are."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.pipeline import make_pipeline

from underdog import (
    AdaBoostClassifier,
    AdaBoostMHClassifier,
    FrameEncoder,
    ShapeDisplay,
    Table,
)
from underdog.inspection import shapes


def texts(artists):
    return [artist.get_text() for artist in artists]


def panel(display, title):
    (ax,) = (ax for ax in display.axes_ if ax.get_title() == title)
    return ax


def covering(drawn):
    """Pairs of texts that lie on each other."""
    boxes = [(text.get_text(), text.get_window_extent()) for text in drawn if text.get_text()]
    return [
        (one, other)
        for place, (one, box) in enumerate(boxes)
        for other, another in boxes[:place]
        if box.overlaps(another)
    ]


def test_shapes(model):
    display = ShapeDisplay.from_estimator(model)
    found = shapes(model)
    assert len(display.axes_) == len(found) == 3
    by_title = {ax.get_title(): ax for ax in display.axes_}
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
    found = shapes(model, feature_names=names).each[:5]
    assert texts(ax.get_yticklabels()) == [shape.name for shape in found]
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
    (legend,) = drawn.figure_.legends
    assert len(legend.get_texts()) == 4
    assert legend.get_title().get_text() == "the 4 of 6 labels that move most"


def test_shapes_go_into_a_given_figure(model):
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


def one_column(values, limit, n_estimators=1):
    X = pd.DataFrame({"x": values})
    return AdaBoostClassifier(n_estimators=n_estimators).fit(X, X["x"] > limit), X


def test_the_axis_spans_the_data_and_not_the_cuts():
    """One cut at 20.5, and values from 1 to 100; a single one far away does not squeeze them."""
    model, X = one_column(np.arange(1.0, 101.0), 20)
    for rows, low, high in (
        (None, 1, 100),  # by the bins of the model
        (X, 1, 100),
        (X + 50, 20.5, 150),  # with all that the model says
        (pd.DataFrame({"x": [*range(1, 1001), 1e9]}), 1, 1000),
    ):
        (ax,) = ShapeDisplay.from_estimator(model, rows).axes_
        left, right = ax.get_xlim()
        span = high - low
        assert low - 0.1 * span < left <= low
        assert high - 0.02 * span <= right < high + 0.1 * span


def test_a_histogram_of_the_data_is_under_the_steps():
    model, X = one_column(np.repeat([1.0, 2.0, 3.0, np.nan], [10, 40, 20, 30]), 1, 3)
    display = ShapeDisplay.from_estimator(model, X)
    (ax,) = display.axes_
    histogram, missing, steps = (patch.get_data() for patch in ax.patches)
    heights = histogram.values[histogram.values > 0]
    np.testing.assert_allclose(heights / heights.max(), [0.25, 1.0, 0.5])
    edges = histogram.edges[:-1][histogram.values > 0]
    assert (np.abs(edges - [1, 2, 3]) < 0.1).all()
    np.testing.assert_allclose(missing.values / heights.max(), 0.75)
    assert missing.edges[0] > histogram.edges[-1] == steps.edges[-1]
    below, top = ax.get_ylim()
    lowest = (min(*steps.values, *shapes(model).each[0].missing) - below) / (top - below)
    assert lowest > heights.max()  # in shares of the height
    assert len(ShapeDisplay.from_estimator(model).axes_[0].patches) == 1


def test_levels_and_terms_have_their_share_of_the_rows(model, frame):
    X, _ = frame
    share = (X["town"] == "Ulm").mean()
    levels = texts(panel(ShapeDisplay.from_estimator(model, X), "town").get_yticklabels())
    assert f"Ulm ({share:.0%})" in levels
    words = sp.csr_array(np.repeat([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], [1, 499, 1500], axis=0))
    terms = AdaBoostClassifier(n_estimators=5).fit(words, words.toarray()[:, 1] > 0)
    display = ShapeDisplay.from_estimator(terms, words, feature_names=["a", "b"])
    assert texts(display.axes_[0].get_yticklabels()) == ["b (75%)"]
    display = ShapeDisplay.from_estimator(terms, words[:499], feature_names=["a", "b"])
    assert texts(display.axes_[0].get_yticklabels()) == ["b (<1%)"]


@pytest.mark.parametrize(("n_levels", "last"), [(12, "town 10"), (13, "and 1 more level"),
                                                (42, "and 30 more levels")])  # fmt: skip
def test_levels_that_are_left_out_are_counted(n_levels, last):
    level = np.arange(420) % n_levels
    X = pd.DataFrame({"town": [f"town {number:02d}" for number in level]})
    y = np.random.default_rng(0).random(420) < (n_levels - level) / n_levels
    (ax,) = ShapeDisplay.from_estimator(AdaBoostClassifier(n_estimators=40).fit(X, y)).axes_
    written = texts(ax.get_yticklabels())
    assert written[-1] == last
    assert len(ax.patches) == 12
    assert ax.get_ylim() == (len(written) - 0.5, -0.5)


@pytest.mark.parametrize("gaps", [False, True])
def test_the_most_frequent_levels_are_drawn(gaps):
    """Rare levels say more, because each of them has one class only."""
    level = np.concatenate([np.arange(15).repeat(40), np.arange(15, 40).repeat(4)])
    towns = np.array([f"town {number:02d}" for number in level], dtype=object)
    if gaps:
        towns[::50] = None
    X = pd.DataFrame({"town": towns})
    y = np.where(level < 15, np.arange(len(level)) % 40 < level + 10, level % 2)
    model = AdaBoostClassifier(n_estimators=60).fit(X, y)
    (ax,) = ShapeDisplay.from_estimator(model, X).axes_
    *drawn, rest = texts(ax.get_yticklabels())
    names = {name.rpartition(" (")[0] for name in drawn}
    assert len(names) == 12
    assert ("(missing)" in names) == gaps
    assert names - {"(missing)"} <= {f"town {number:02d}" for number in range(15)}
    shown = X["town"].isin(names).mean() + gaps * X["town"].isna().mean()
    assert rest == f"and {40 + gaps - 12} more levels ({1 - shown:.0%})"
    (ax,) = ShapeDisplay.from_estimator(model).axes_  # without rows it is not known
    *drawn, rest = texts(ax.get_yticklabels())
    assert any(name > "town 15" for name in drawn)


def test_what_is_missing_is_never_left_out():
    level = np.arange(400) % 40
    X = pd.DataFrame({"town": [None if number == 0 else f"town {number}" for number in level]})
    model = AdaBoostClassifier(n_estimators=40).fit(X, level % 2)
    (ax,) = ShapeDisplay.from_estimator(model).axes_
    assert "(missing)" in texts(ax.get_yticklabels())


def test_texts_do_not_cover_each_other():
    rng = np.random.default_rng(1)
    X = pd.DataFrame({f"the amount in the currency of account number {place}":
                      rng.lognormal(12, 1 + place, 300) for place in range(3)})  # fmt: skip
    X["whether it is"] = np.where(X.iloc[:, 0] > 1e5, "a rather long level, that is", "none of it")
    y = (np.log(X.iloc[:, :3]).sum(axis=1) + (X["whether it is"] == "none of it")) > 37
    display = ShapeDisplay.from_estimator(AdaBoostClassifier(n_estimators=40).fit(X, y), X)
    display.figure_.canvas.draw()
    for ax in display.axes_:
        assert covering(ax.get_xticklabels()) == []
        assert covering(ax.get_yticklabels()) == []
    assert covering([ax.title for ax in display.axes_]) == []
    assert any(text.endswith(("k", "M")) for text in texts(display.axes_[0].get_xticklabels()))


def test_days_are_written_as_dates():
    days = pd.date_range("2021-03-01", periods=300)
    X = pd.DataFrame({"signed": days, "amount": np.arange(300) % 7})
    model = make_pipeline(FrameEncoder(), AdaBoostClassifier(n_estimators=5))
    model.fit(X, days > "2021-06-15")
    for rows in (None, X):
        display = ShapeDisplay.from_estimator(model, rows, max_display=1)
        display.figure_.canvas.draw()
        (ax,) = display.axes_
        assert ax.get_title() == "signed"
        assert {"May", "Sep", "2022"} <= set(texts(ax.get_xticklabels()))


def test_columns_of_a_sparse_matrix():
    """Zeros that are not stored are data, too."""
    values = np.repeat([0.0, 1.0, 2.0], [50, 25, 25])
    X = sp.csr_array(values[:, np.newaxis])
    model = AdaBoostClassifier(n_estimators=2).fit(X, values > 1)
    (ax,) = ShapeDisplay.from_estimator(model, X).axes_
    heights = ax.patches[0].get_data().values
    np.testing.assert_allclose(heights[heights > 0] / heights.max(), [1.0, 0.5, 0.5])

"""The bars are the largest importances, and what is left."""

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline

from underdog import (
    AdaBoostClassifier,
    ImportanceDisplay,
    LPBoostClassifier,
    NotConverged,
    TermVectorizer,
)


def drawn(display):
    names = [tick.get_text() for tick in display.ax_.get_yticklabels()]
    return dict(zip(names, [bar.get_width() for bar in display.bars_], strict=True))


def test_the_strongest_columns(model):
    importances = dict(zip(["size", "town", "age"], model.feature_importances_, strict=True))
    strongest = sorted(importances, key=importances.get, reverse=True)
    found = drawn(ImportanceDisplay.from_estimator(model))
    assert found == importances
    assert list(found) == strongest
    few = ImportanceDisplay.from_estimator(model, max_display=1)
    first, *others = strongest
    assert drawn(few) == {
        first: importances[first],
        "2 more": pytest.approx(sum(importances[name] for name in others)),
    }
    assert few.ax_.texts[0].get_text() == f"{importances[first]:.3f}"
    assert few.ax_.get_xlim()[1] > max(drawn(few).values())
    assert repr(few) == "ImportanceDisplay(1 of 3 columns)"


def test_names_come_from_a_vectorizer_or_are_given(data):
    texts, spam = ["free prize", "see you", "win a prize", "see the film"], [1, 0, 1, 0]
    pipeline = make_pipeline(TermVectorizer(), AdaBoostClassifier(n_estimators=1))
    assert drawn(ImportanceDisplay.from_estimator(pipeline.fit(texts, spam))) == {"prize": 1.0}
    with pytest.warns(NotConverged):
        model = LPBoostClassifier(n_estimators=3).fit(*data)
    found = drawn(ImportanceDisplay.from_estimator(model, feature_names=["a", "b", "c"]))
    assert "a" in found
    assert sum(found.values()) == pytest.approx(1.0)


def test_nothing_to_draw(model):
    constant = AdaBoostClassifier().fit(np.ones((6, 1)), [0, 1, 1] * 2)
    with pytest.raises(ValueError, match="the model uses no column"):
        ImportanceDisplay.from_estimator(constant)
    with pytest.raises(ValueError, match="max_display=0 must be a whole number"):
        ImportanceDisplay.from_estimator(model, max_display=0)

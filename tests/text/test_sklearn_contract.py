"""The vectorizer as a scikit-learn transformer."""

import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn import config_context
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.utils import get_tags

from underdog import AdaBoostClassifier, TermVectorizer
from underdog.datasets import load_sms_spam

TEXTS = ["crude oil prices", "the price of oil", "wheat"]


def test_nothing_works_before_fit():
    vectorizer = TermVectorizer(vocabulary=["oil"])
    for act in (
        lambda: vectorizer.transform(TEXTS),
        lambda: vectorizer.inverse_transform(np.eye(1)),
        lambda: vectorizer.find("oil", "oil"),
        lambda: vectorizer.forms("oil"),
        vectorizer.get_feature_names_out,
    ):
        with pytest.raises(NotFittedError):
            act()


def test_clone_and_parameters():
    vectorizer = TermVectorizer(ngram_range=(1, 2), stop_words=["of"]).fit(TEXTS)
    copy = clone(vectorizer)
    assert copy.get_params() == vectorizer.get_params()
    assert not hasattr(copy, "vocabulary_")
    assert copy.set_params(max_gap=1).max_gap == 1
    assert repr(copy) == "TermVectorizer(max_gap=1, ngram_range=(1, 2), stop_words=['of'])"


@pytest.mark.parametrize("used", [False, True])
def test_pickle_keeps_matrix_and_forms(used):
    vectorizer = TermVectorizer(ngram_range=(1, 2), stemmer="porter").fit(TEXTS)
    if used:
        vectorizer.transform(TEXTS)
    again = pickle.loads(pickle.dumps(vectorizer))
    assert (again.transform(TEXTS) != vectorizer.transform(TEXTS)).nnz == 0
    assert again.forms("price") == ["price", "prices"]
    assert again.find("crude oil", TEXTS[0]) == [(0, 9)]


def test_fit_returns_the_vectorizer_and_leaves_parameters_alone():
    vectorizer = TermVectorizer(stop_words=["of"], vocabulary=["oil"])
    before = vectorizer.get_params()
    assert vectorizer.fit(TEXTS, [0, 1, 0]) is vectorizer
    assert vectorizer.get_params() == before


def test_a_second_fit_forgets_the_first():
    vectorizer = TermVectorizer(stemmer="porter").fit(TEXTS)
    vectorizer.transform(TEXTS)
    assert vectorizer.fit(["barley"]).transform(["oil barley"]).toarray().tolist() == [[1]]
    assert vectorizer.forms("barlei") == ["barley"]


def test_tags_are_those_of_count_vectorizer():
    ours, theirs = get_tags(TermVectorizer()), get_tags(CountVectorizer())
    assert ours.input_tags == theirs.input_tags
    assert ours.requires_fit


@pytest.mark.parametrize("form", [sp.csr_matrix, sp.csc_array, lambda X: X.toarray()])
def test_inverse_transform_gives_the_terms(form):
    vectorizer = TermVectorizer(binary=False)
    X = form(vectorizer.fit_transform(["b a b", "", "c"]))
    assert [terms.tolist() for terms in vectorizer.inverse_transform(X)] == [["a", "b"], [], ["c"]]
    with pytest.raises(ValueError, match="X has 2 columns, but the vocabulary has 3 terms"):
        vectorizer.inverse_transform(np.eye(2))


def test_output_stays_sparse_whatever_frames_are_asked_for():
    pipeline = make_pipeline(TermVectorizer()).set_output(transform="pandas")
    assert sp.issparse(pipeline.fit_transform(TEXTS))
    with config_context(transform_output="polars"):
        assert sp.issparse(TermVectorizer().fit_transform(TEXTS))


def test_in_a_column_transformer():
    import pandas as pd

    frame = pd.DataFrame({"text": TEXTS, "length": [3.0, 4.0, 1.0]})
    columns = ColumnTransformer(
        [("words", TermVectorizer(), "text"), ("numbers", "passthrough", ["length"])]
    )
    assert columns.fit_transform(frame).shape == (3, 8)
    assert columns.get_feature_names_out()[0] == "words__crude"


def test_in_a_pipeline_and_a_grid_search():
    messages, labels = load_sms_spam()
    pipeline = make_pipeline(TermVectorizer(), AdaBoostClassifier(n_estimators=10))
    search = GridSearchCV(pipeline, {"termvectorizer__digits": ["keep", "mask"]}, cv=2)
    search.fit(messages[:600], labels[:600])
    assert search.best_score_ > 0.9

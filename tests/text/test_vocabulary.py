"""Vocabularies that are given instead of learned."""

import re

import numpy as np
import pytest

from underdog import TermVectorizer, UnderdogWarning
from underdog.text import UnknownTermError

TEXTS = ["crude oil price", "oil and wheat", "wheat price of oil"]


def test_the_vocabulary_of_another_vectorizer_gives_the_same_matrix():
    options = {"ngram_range": (1, 3), "max_gap": 2, "stemmer": "english"}
    first = TermVectorizer(**options)
    X = first.fit_transform(TEXTS)
    second = TermVectorizer(**options, vocabulary=first.vocabulary_)
    assert (second.fit_transform(TEXTS) != X).nnz == 0
    assert (second.transform(TEXTS) != X).nnz == 0
    assert np.array_equal(first.get_feature_names_out(), second.get_feature_names_out())


def test_a_list_keeps_its_order_and_a_set_is_sorted():
    terms = ["wheat", "oil", "never"]
    X = TermVectorizer(vocabulary=terms).fit_transform(TEXTS)
    assert X.toarray().tolist() == [[0, 1, 0], [1, 1, 0], [1, 1, 0]]
    assert list(TermVectorizer(vocabulary=set(terms)).fit(TEXTS).vocabulary_) == sorted(terms)
    assert list(TermVectorizer(vocabulary=np.array(terms)).fit(TEXTS).vocabulary_) == terms
    columns = {"oil": np.int64(1), "wheat": 0}
    vectorizer = TermVectorizer(vocabulary=columns).fit(TEXTS)
    assert vectorizer.get_feature_names_out().tolist() == ["wheat", "oil"]


def test_fit_learns_nothing_then():
    vectorizer = TermVectorizer(vocabulary=["oil"], stemmer="porter", min_df=9).fit([])
    assert vectorizer.vocabulary_ == {"oil": 0}
    assert vectorizer.forms("oil") == []


@pytest.mark.parametrize(
    ("vocabulary", "message"),
    [
        ("oil", "must be a list of terms"),
        (3, "must be a list of terms"),
        ([], "is empty"),
        ({}, "is empty"),
        (["oil", "oil"], "the term 'oil' twice"),
        (["oil", None], "the term None, which is not a string"),
        ({"oil", 3}, "the term 3, which is not a string"),
        ({b"oil": 0}, "which is not a string"),
        ({"oil": 0, "price": 0}, "the column 0 for both 'oil' and 'price'"),
        ({"oil": 0, "price": 2}, "none has column 1"),
        ({"oil": -1, "price": 0}, "none has column 1"),
        ({"oil": 0.0}, "not a whole number"),
        ({"oil": True}, "not a whole number"),
    ],
)
def test_a_vocabulary_that_cannot_be_used(vocabulary, message):
    with pytest.raises(ValueError, match=message):
        TermVectorizer(vocabulary=vocabulary).fit(TEXTS)


@pytest.mark.parametrize("never", ["Oil", "crude oil", "crude * oil", "", "oil "])
def test_a_term_that_no_document_can_have_is_a_warning(never):
    with pytest.warns(
        UnderdogWarning, match=re.escape(f"such as {never!r}, cannot occur in any document")
    ):
        vectorizer = TermVectorizer(vocabulary=["oil", never]).fit(TEXTS)
    assert vectorizer.transform(["crude oil", "crude of oil"]).toarray().tolist() == [[1, 0]] * 2
    assert vectorizer.find(never, "crude oil") == []


def test_an_unknown_term_names_the_nearest():
    vectorizer = TermVectorizer(stemmer="porter", ngram_range=(1, 2)).fit(["oil prices", "wheat"])
    with pytest.raises(UnknownTermError) as caught:
        vectorizer.find("Prices", "oil prices")
    assert str(caught.value) == "'Prices' is not in the vocabulary; similar terms are 'price'"
    with pytest.raises(KeyError, match=r"^'xyz' is not in the vocabulary$"):
        vectorizer.find("xyz", "oil")
    with pytest.raises(TypeError, match="term=3 must be a string"):
        vectorizer.find(3, "oil")

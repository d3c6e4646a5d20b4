"""What is given as documents."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from underdog import TermVectorizer

TEXTS = ["crude oil", "über alles"]
EXPECTED = TermVectorizer().fit_transform(TEXTS).toarray()


@pytest.mark.parametrize(
    "documents",
    [
        tuple(TEXTS),
        np.array(TEXTS),
        np.array(TEXTS, dtype=object),
        pd.Series(TEXTS, index=[7, 3]),
        pl.Series(TEXTS),
        dict.fromkeys(TEXTS).keys(),
        [text.encode() for text in TEXTS],
        np.array([text.encode() for text in TEXTS]),
    ],
    ids=lambda documents: type(documents).__name__,
)
def test_all_that_iterates_over_texts_will_do(documents):
    assert np.array_equal(TermVectorizer().fit_transform(documents).toarray(), EXPECTED)


def test_a_generator_is_read_once():
    X = TermVectorizer().fit_transform(text for text in TEXTS)
    assert np.array_equal(X.toarray(), EXPECTED)


@pytest.mark.parametrize("given", [None, float("nan"), 3, ["oil"], pd.NA, np.array(["oil"])])
def test_a_document_that_is_not_text(given):
    fitted = TermVectorizer().fit(TEXTS)
    for act in (TermVectorizer().fit, TermVectorizer().fit_transform, fitted.transform):
        with pytest.raises(TypeError, match=r"document 1 is .*, but it must be text") as caught:
            act(["oil", given, "oil"])
        assert type(given).__name__ in str(caught.value)
    with pytest.raises(TypeError, match=r"the document is .*, but it must be text"):
        fitted.find("oil", given)


def test_a_long_thing_that_is_not_text_is_not_shown_in_full():
    with pytest.raises(TypeError) as caught:
        TermVectorizer().fit([list(range(10_000))])
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("given", ["crude oil", b"crude oil"])
def test_a_text_in_place_of_documents(given):
    fitted = TermVectorizer().fit(TEXTS)
    for act in (TermVectorizer().fit, TermVectorizer().fit_transform, fitted.transform):
        with pytest.raises(ValueError, match=r"a single text was given .* give \[text\]"):
            act(given)


def test_a_table_in_place_of_documents():
    for given in (pd.DataFrame({"text": TEXTS}), np.array([TEXTS]), np.array("oil")):
        with pytest.raises(ValueError, match="give one column of texts"):
            TermVectorizer().fit(given)


@pytest.mark.parametrize("given", [None, 3, object()])
def test_nothing_to_iterate_over(given):
    with pytest.raises(TypeError, match="an iterable of str or bytes, not "):
        TermVectorizer().fit(given)


def test_bytes_in_another_encoding():
    documents = [b"oil", "über".encode("latin-1")]
    with pytest.raises(ValueError, match=r"document 1 is not encoded as 'utf-8'") as caught:
        TermVectorizer().fit(documents)
    assert "encoding=" in str(caught.value)
    assert 'decode_error="replace"' in str(caught.value)
    assert type(caught.value) is ValueError
    for options, term in (
        ({"encoding": "latin-1"}, "über"),
        ({"decode_error": "replace"}, "ber"),
        ({"decode_error": "ignore"}, "ber"),
    ):
        vectorizer = TermVectorizer(**options).fit(documents)
        assert vectorizer.get_feature_names_out().tolist() == sorted(["oil", term])
    latin = TermVectorizer(encoding="latin-1").fit(documents)
    assert latin.find("über", documents[1]) == [(0, 4)]

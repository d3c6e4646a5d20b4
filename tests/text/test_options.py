"""Options that cannot be used, and what is said about them."""

import sys

import numpy as np
import pytest

from underdog import TermVectorizer

TEXTS = ["crude oil price", "oil"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"lowercase": 1}, "lowercase=1 must be True or False"),
        ({"binary": "yes"}, "binary='yes' must be True or False"),
        ({"digits": "none"}, "digits='none' must be 'keep' or 'drop' or 'mask'"),
        ({"punctuation": None}, "punctuation=None must be 'drop' or 'keep'"),
        ({"decode_error": "fail"}, "decode_error='fail' must be"),
        ({"encoding": "utf-9"}, "encoding='utf-9' is not known"),
        ({"encoding": None}, "encoding=None is not known"),
        ({"stop_words": "german"}, "stop_words='german' is not a known list"),
        ({"stop_words": 3}, "stop_words=3 must be None, 'english' or a list"),
        ({"stop_words": ["oil", 3]}, "stop_words must be strings, but one of them is 3"),
        ({"stemmer": "klingon"}, "stemmer='klingon' must be None or one of .*german.*porter"),
        ({"stemmer": ["porter"]}, "must be None or one of"),
        ({"ngram_range": 2}, "ngram_range=2 must be two whole numbers"),
        ({"ngram_range": (1, 2, 3)}, "must be two whole numbers"),
        ({"ngram_range": (0, 1)}, "the first of ngram_range=0 .* at least 1"),
        ({"ngram_range": (3, 2)}, "the second of ngram_range=2 .* at least 3"),
        ({"max_gap": -1}, "max_gap=-1 must be a whole number"),
        ({"max_gap": 1, "punctuation": "keep", "ngram_range": (1, 3)}, "could be a gap or a word"),
        ({"max_features": 0}, "max_features=0 must be a whole number"),
        ({"min_df": 0}, "min_df=0 must be an integer number of documents"),
        ({"min_df": 1.5}, "min_df=1.5 must be an integer number of documents"),
        ({"max_df": True}, "max_df=True must be an integer number of documents"),
        ({"max_df": "all"}, "max_df='all' must be an integer number of documents"),
        ({"max_df": float("nan")}, "max_df=nan must be an integer number of documents"),
        ({"min_df": 2, "max_df": 1}, "max_df=1 is fewer documents than min_df=2"),
        ({"dtype": np.float16}, "must be one of float32, float64, int32, int64"),
        ({"dtype": "words"}, "dtype='words' must be one of"),
    ],
)
def test_an_option_that_cannot_be_used(options, message):
    with pytest.raises(ValueError, match=message):
        TermVectorizer(**options).fit(TEXTS)


@pytest.mark.parametrize(
    ("documents", "options", "message"),
    [
        ([], {}, "there are no documents: give at least one"),
        (["", " ."], {}, "2 documents have no words.*change stop_words"),
        (["the", "12"], {"stop_words": "english", "digits": "drop"}, "documents have no words"),
        (
            ["oil", "price"],
            {"ngram_range": (2, 3)},
            "no document has 2 words, the minimum of a term",
        ),
        (["oil", "price"], {"min_df": 2}, "none of 2 terms is in .* decrease min_df"),
        (["oil", "oil"], {"max_df": 0.5}, "at most max_df=0.5 of 2 documents.* increase max_df"),
    ],
)
def test_nothing_left_to_learn_says_what_to_change(documents, options, message):
    with pytest.raises(ValueError, match=message):
        TermVectorizer(**options).fit(documents)


def test_a_stemmer_without_pystemmer_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "Stemmer", None)
    TermVectorizer().fit(TEXTS)
    with pytest.raises(ImportError, match=r'needs PyStemmer: pip install "underdog\[text\]"'):
        TermVectorizer(stemmer="porter").fit(TEXTS)

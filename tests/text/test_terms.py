"""The vectorizer against counting in dictionaries, and against CountVectorizer."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS, CountVectorizer

from tests.text import textbook
from underdog import TermVectorizer
from underdog.datasets import load_sms_spam

LETTERS = "abAB01.,*- \n_'éßÉİΣς中٣²\u0301\x00\u2028\U0001f600"
texts = st.text(st.sampled_from(LETTERS), max_size=20)
plain_texts = st.text(st.sampled_from("ab the 12.,running runs\n"), max_size=30)
documents = st.lists(texts | plain_texts, min_size=1, max_size=6)


@st.composite
def all_options(draw):
    """Every option but those of the input, in combinations that are allowed."""
    shortest = draw(st.integers(1, 3))
    options = {
        "lowercase": draw(st.booleans()),
        "digits": draw(st.sampled_from(["keep", "drop", "mask"])),
        "punctuation": draw(st.sampled_from(["drop", "keep"])),
        "stop_words": draw(st.sampled_from([None, "english", ["A", "0", "."]])),
        "stemmer": draw(st.sampled_from([None, "porter", "german"])),
        "ngram_range": (shortest, draw(st.integers(shortest, 4))),
        "max_gap": draw(st.integers(0, 3)),
        "binary": draw(st.booleans()),
    }
    if options["punctuation"] == "keep" and options["ngram_range"][1] > 2:
        options["max_gap"] = 0
    return options


limits = st.fixed_dictionaries(
    {
        "min_df": st.sampled_from([1, 2, 0.0, 0.3]),
        "max_df": st.sampled_from([1.0, 0.9, 5]),
        "max_features": st.sampled_from([None, 1, 4]),
    }
)


@settings(max_examples=150, deadline=None)
@given(documents, documents, all_options(), limits)
def test_it_counts_what_dictionaries_count(train, test, options, limits):
    options = {**options, **limits}
    terms = textbook.vocabulary(train, options)
    vectorizer = TermVectorizer(**options)
    if not terms:
        with pytest.raises(ValueError, match=r"[Gg]ive|decrease"):
            vectorizer.fit(train)
        return
    X = vectorizer.fit_transform(train)
    assert vectorizer.get_feature_names_out().tolist() == terms
    assert X.toarray().tolist() == textbook.matrix(train, options, terms)
    assert_canonical(X)
    for rows in (train, test):
        X = vectorizer.transform(rows)
        assert X.toarray().tolist() == textbook.matrix(rows, options, terms)
        assert_canonical(X)


def assert_canonical(X):
    assert X.format == "csr"
    assert X.indices.dtype == X.indptr.dtype == np.int32
    again = X.copy()
    again.has_canonical_format = again.has_sorted_indices = False
    again.sum_duplicates()
    assert np.array_equal(X.indices, again.indices)
    assert np.all(X.data != 0)


@settings(max_examples=150, deadline=None)
@given(documents, all_options())
def test_a_term_is_found_where_it_was_counted(train, options):
    options["binary"] = False
    assume(textbook.vocabulary(train, options))
    vectorizer = TermVectorizer(**options)
    X = vectorizer.fit_transform(train).toarray()
    for row, text in enumerate(train):
        places = textbook.terms(text, options)
        for term, column in vectorizer.vocabulary_.items():
            found = vectorizer.find(term, text)
            assert len(found) == X[row, column]
            assert found == [(start, end) for other, start, end in places if other == term]
            for start, end in found:
                assert (term, 0, end - start) in textbook.terms(text[start:end], options)


PEER = {"binary": True, "dtype": np.float32, "token_pattern": r"\w+"}


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"stop_words": "english"},
        {"stop_words": "english", "ngram_range": (1, 3), "min_df": 2},
        {"lowercase": False, "ngram_range": (2, 2)},
        {"min_df": 0.01, "max_df": 0.2},
        {"binary": False, "min_df": 3, "max_df": 200},
        {"dtype": np.int64},
    ],
    ids=str,
)
def test_it_is_count_vectorizer_where_the_analysis_is_the_same(options):
    messages, _ = load_sms_spam()
    train, test = messages[:800], messages[800:1000]
    ours, theirs = TermVectorizer(**options), CountVectorizer(**{**PEER, **options})
    for mine, peers in (
        (ours.fit_transform(train), theirs.fit_transform(train)),
        (ours.transform(test), theirs.transform(test)),
    ):
        assert mine.dtype == peers.dtype
        assert mine.shape == peers.shape
        assert (mine != peers).nnz == 0
    assert np.array_equal(ours.get_feature_names_out(), theirs.get_feature_names_out())


def test_columns_do_not_depend_on_the_order_of_documents():
    messages, _ = load_sms_spam()
    order = np.random.default_rng(0).permutation(500)
    one, other = (TermVectorizer(ngram_range=(1, 2), max_features=300, max_gap=1) for _ in "ab")
    X = one.fit_transform(messages[:500])
    Y = other.fit_transform([messages[i] for i in order])
    assert one.vocabulary_ == other.vocabulary_
    assert (X[order] != Y).nnz == 0


def test_gapped_pairs_are_written_with_a_star_for_each_word_skipped():
    vectorizer = TermVectorizer(max_gap=2, ngram_range=(2, 2)).fit(["price of crude oil"])
    assert vectorizer.get_feature_names_out().tolist() == [
        "crude oil",
        "of * oil",
        "of crude",
        "price * * oil",
        "price * crude",
        "price of",
    ]
    assert vectorizer.find("price * * oil", "The price, of crude OIL!") == [(4, 23)]


def test_a_star_in_the_text_is_not_a_gap():
    text = "a * b c b"
    vectorizer = TermVectorizer(punctuation="keep", max_gap=1, ngram_range=(1, 2), binary=False)
    X = vectorizer.fit_transform([text]).toarray()[0]
    columns = vectorizer.vocabulary_
    assert X[columns["a * b"]] == X[columns["* * c"]] == X[columns["b * b"]] == 1
    assert X[columns["a *"]] == X[columns["*"]] == 1
    assert vectorizer.find("a * b", "a x b") == [(0, 5)]
    plain = TermVectorizer(punctuation="keep", ngram_range=(3, 3)).fit([text])
    assert plain.find("a * b", text) == [(0, 5)]
    assert plain.find("a * b", "a x b") == []


@pytest.mark.parametrize(
    ("digits", "words"),
    [
        ("keep", ["1", "1988", "2", "5x", "987", "in", "q4"]),
        ("drop", ["in", "q", "x"]),
        ("mask", ["0", "0x", "in", "q0"]),
    ],
)
def test_digits(digits, words):
    vectorizer = TermVectorizer(digits=digits).fit(["1,987 in Q4 1988. 2.5x"])
    assert vectorizer.get_feature_names_out().tolist() == words


def test_masked_numbers_look_alike_in_sequences_too():
    vectorizer = TermVectorizer(digits="mask", ngram_range=(1, 3))
    X = vectorizer.fit_transform(["up 1,987 dlrs", "up 2 dlrs"])
    assert (X[0] != X[1]).nnz == 0


def test_words_are_lowered_one_by_one_so_that_length_may_change():
    vectorizer = TermVectorizer().fit(["İstanbul ΟΔΟΣ", "Straße"])
    assert vectorizer.get_feature_names_out().tolist() == ["i̇stanbul", "straße", "οδος"]
    assert vectorizer.find("οδος", "İİİ İstanbul ΟΔΟΣ.") == [(13, 17)]


def test_stop_words_are_compared_without_regard_to_case_and_before_stemming():
    vectorizer = TermVectorizer(stop_words=["NEWS"], stemmer="porter", lowercase=False)
    vectorizer.fit(["News new NEWS newer"])
    assert vectorizer.get_feature_names_out().tolist() == ["new", "newer"]


def test_the_english_list_is_scikit_learns():
    with pytest.raises(ValueError, match="documents have no words"):
        TermVectorizer(stop_words="english").fit([" ".join(ENGLISH_STOP_WORDS)])


def test_forms_of_a_stem_most_frequent_first():
    texts = ["prices Prices price", "pricing oil", "pricing pricing pricing", "rare"]
    vectorizer = TermVectorizer(stemmer="porter", max_features=1).fit(texts)
    assert vectorizer.forms("price") == ["pricing", "prices", "price"]
    with pytest.raises(KeyError, match="'rare' is not in the vocabulary"):
        vectorizer.forms("rare")
    assert TermVectorizer().fit(texts).forms("prices") == ["prices"]


def test_forms_of_the_words_of_a_phrase():
    vectorizer = TermVectorizer(stemmer="porter", ngram_range=(2, 2)).fit(["oil prices"])
    assert vectorizer.forms("price") == ["prices"]


def test_max_features_counts_documents_if_binary_and_occurrences_if_not():
    texts = ["a a a a", "b", "b c", "c"]
    for binary, expected in ((True, ["b", "c"]), (False, ["a", "b"])):
        vectorizer = TermVectorizer(max_features=2, binary=binary).fit(texts)
        assert vectorizer.get_feature_names_out().tolist() == expected


def test_documents_without_known_terms_and_empty_ones_are_rows_of_zeros():
    vectorizer = TermVectorizer()
    assert vectorizer.fit_transform(["", "oil", "oil", " .,"]).toarray().tolist() == [
        [0],
        [1],
        [1],
        [0],
    ]
    assert vectorizer.transform(["", "wheat"]).nnz == 0
    assert vectorizer.transform([]).shape == (0, 1)


def test_a_document_of_ten_megabytes():
    text = "petroleum price internationalization, notwithstanding telecommunications: " * 140_000
    vectorizer = TermVectorizer(stemmer="porter", ngram_range=(1, 2), binary=False)
    X = vectorizer.fit_transform([text, "a" * 10_000_000])
    assert X.max() == 140_000
    assert len(vectorizer.find("petroleum price", text)) == 140_000

"""The vectorizer: documents to a sparse matrix of terms, and terms to places in a document."""

from __future__ import annotations

import numbers
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import chain, islice
from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from numpy.typing import DTypeLike, NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_array, check_is_fitted

from underdog.checks import check_choice, check_integer, is_number, notify
from underdog.files import CannotStore, Fields, Parameters, Savable, Texts
from underdog.text.analysis import DIGITS, PUNCTUATION, Analysis, Place, TokenizedDocuments
from underdog.text.documents import check_encoding, read_text, read_texts
from underdog.text.learning import Limits, learn
from underdog.text.lexicon import Lexicon, given_vocabulary
from underdog.text.sequences import DROPPED, UNKNOWN, Stream
from underdog.text.shapes import all_shapes, find, read_term

MAX_STORED = 100
"""Words over which a term in a file may reach: what is made of a file is not to be large."""
DTYPES = tuple(map(np.dtype, (np.float32, np.float64, np.int32, np.int64)))


class UnknownTermError(KeyError):
    """A term that is not in the vocabulary."""

    def __str__(self) -> str:
        return str(self.args[0])  # a KeyError shows its message as a key, in quotes


@dataclass(kw_only=True, eq=False, repr=False)
class TermVectorizer(Savable, TransformerMixin, BaseEstimator, auto_wrap_output_keys=None):  # type: ignore[misc, call-arg]
    """Documents to a sparse matrix: a row per document, a column per term, 1 where it occurs.

    A document is split into words; then, word by word: lower case, masked digits, stop words, stem.
    Terms are the words that are left, and sequences of them. Columns are in the order of the
    terms, so that the matrix does not depend on the order of the documents but for its rows.

    Parameters
    ----------
    lowercase : bool, default=True
        Turn words to lower case.
    digits : {"keep", "drop", "mask"}, default="keep"
        "keep": digits are part of words. "drop": they separate words, "q4" is "q". "mask": every
        number becomes "0", so that "1,987" and "1988" look alike and "q4" is "q0"; a number is a
        run of digits, or several with single points or commas between them.
    punctuation : {"drop", "keep"}, default="drop"
        A word is a run of letters, digits and underscores, as `\\w` of Python's `re`; one character
        is enough. "drop": everything else only separates words. "keep": every other character that
        is not white space is a word of its own.
    stop_words : None, "english" or a collection of str, default=None
        Words to leave out; "english" is scikit-learn's list. Compared before stemming and without
        regard to case, and with digits masked.
    stemmer : None or str, default=None
        "porter", or another stemmer of PyStemmer, such as "english" or "german". Needs the extra
        `text`: pip install "underdog[text]".
    min_df, max_df : int or float, default=1 and 1.0
        Leave out terms that are in fewer or in more documents: a whole number is a number of
        documents, a float is a share of them.
    max_features : int, default=None
        Keep so many terms: those that are most frequent (in most documents if `binary`, else most
        often in all); of equals, the first in the order of terms.
    ngram_range : (int, int), default=(1, 1)
        Fewest and most words of a term. Words are neighbours if only separators and words that were
        left out are between them. Written with a space: "oil price".
    max_gap : int, default=0
        In addition, pairs of words with exactly 1 to `max_gap` words between them. Written with a
        star for each word skipped: "oil * price". Together with n-grams of three words or more and
        punctuation="keep" this is refused, for a star could then be both.
    binary : bool, default=True
        1 where a term occurs; if False, how often.
    vocabulary : list, set or dict, default=None
        Terms to use; nothing is then learned from the documents, and min_df, max_df and
        max_features are not used. A list gives the order of the columns, a set is sorted, a dict
        (`vocabulary_` of another vectorizer) maps terms to columns.
    encoding : str, default="utf-8"
        How documents given as bytes are decoded.
    decode_error : {"strict", "ignore", "replace"}, default="strict"
        What to do about bytes that cannot be decoded.
    dtype : dtype, default=np.float32
        Of the matrix: float32, float64, int32 or int64.

    Attributes
    ----------
    vocabulary_ : dict
        Term to column.

    Examples
    --------
    >>> from underdog import TermVectorizer
    >>> texts = ["Oil prices rose.", "The price of crude oil fell.", "Wheat fell"]
    >>> vectorizer = TermVectorizer(stop_words="english", stemmer="porter", ngram_range=(1, 2))
    >>> X = vectorizer.fit_transform(texts)
    >>> X.shape
    (3, 12)
    >>> vectorizer.get_feature_names_out()[:4].tolist()
    ['crude', 'crude oil', 'fell', 'oil']
    >>> vectorizer.forms("price")
    ['price', 'prices']
    >>> [texts[1][start:end] for start, end in vectorizer.find("price crude", texts[1])]
    ['price of crude']

    References
    ----------
    Schapire and Singer, "BoosTexter: a boosting-based system for text categorization", Machine
    Learning 39, 2000: presence of terms, sparse n-grams.
    """

    lowercase: bool = True
    digits: str = "keep"
    punctuation: str = "drop"
    stop_words: str | Collection[str] | None = None
    stemmer: str | None = None
    min_df: float = 1
    max_df: float = 1.0
    max_features: int | None = None
    ngram_range: tuple[int, int] = (1, 1)
    max_gap: int = 0
    binary: bool = True
    vocabulary: Mapping[str, int] | Iterable[str] | None = None
    encoding: str = "utf-8"
    decode_error: str = "strict"
    dtype: DTypeLike = np.float32

    def fit(self, X: Iterable[str | bytes], y: Any = None) -> Self:
        """Learn the terms of documents.

        Parameters
        ----------
        X : iterable of str or bytes
        y : ignored
        """
        self.fit_transform(X)
        return self

    def fit_transform(self, X: Iterable[str | bytes], y: Any = None) -> sp.csr_matrix:
        """Learn the terms of documents and return their matrix."""
        self._check()
        self._shapes = all_shapes(self.ngram_range, self.max_gap)
        if self.vocabulary is not None:
            self._forms: dict[str, list[str]] = {}
            self._use(given_vocabulary(self.vocabulary))
            return self.transform(X)
        analysis = self._analysis()
        limits = Limits(self.min_df, self.max_df, self.max_features, self.binary)
        learned = learn(self._split(X, analysis), analysis, self._shapes, limits)
        self.vocabulary_ = learned.vocabulary
        self._forms = learned.forms
        self._known: Lexicon | None = None
        return self._values(learned.counts)

    def transform(self, X: Iterable[str | bytes]) -> sp.csr_matrix:
        """The matrix of documents; terms that are not in the vocabulary are left out."""
        lexicon, analysis = self._lexicon(), self._analysis()
        split = self._split(X, analysis)
        known = lexicon.words.get
        numbers = [
            known(word, UNKNOWN) if word else DROPPED for word in map(analysis.treat, split.words)
        ]
        words = np.array(numbers, dtype=np.int64)[split.numbers]
        stream = Stream.from_words(words, split.lengths, len(lexicon.words), lexicon.tables)
        return self._values(lexicon.count(stream))

    def inverse_transform(self, X: Any) -> list[NDArray[np.object_]]:
        """The terms of each row of a matrix that are not 0."""
        terms = self.get_feature_names_out()
        X = check_array(X, accept_sparse="csr")
        if X.shape[1] != len(terms):
            raise ValueError(
                f"X has {X.shape[1]} columns, but the vocabulary has {len(terms)} terms: give a "
                "matrix that this vectorizer made"
            )
        matrix = sp.csr_matrix(X)
        matrix.eliminate_zeros()
        return np.split(terms[matrix.indices], matrix.indptr[1:-1])

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """The terms, in the order of the columns."""
        check_is_fitted(self, "vocabulary_")
        terms = np.empty(len(self.vocabulary_), dtype=object)
        terms[list(self.vocabulary_.values())] = list(self.vocabulary_)
        return terms

    def set_output(self, *, transform: Any = None) -> Self:
        """Do nothing: a matrix of terms is sparse whatever is asked for, as no frame can hold it.

        So that a pipeline with a vectorizer in it can be asked for frames.
        """
        return self

    def find(self, term: str, document: str | bytes) -> list[Place]:
        """Where a term stands in a document: first character, and the one after the last.

        The places are in the document as given (in the decoded one, if it is bytes), in order, and
        as many as the term is counted. A term of several words reaches from the first of them to
        the last. A term that is not in the vocabulary is an UnknownTermError, which is a KeyError.
        """
        check_is_fitted(self, "vocabulary_")
        self._refuse_unknown(term, self.vocabulary_)
        read = read_term(term, self._shapes)
        text = read_text(document, self.encoding, self.decode_error)
        return [] if read is None else find(*read, list(self._analysis().places(text)))

    def forms(self, word: str) -> list[str]:
        """What a word of the vocabulary stood for in the training documents, most frequent first.

        Without a stemmer that is the word itself. Nothing is known of a vocabulary that was given.
        """
        words = self._lexicon().words
        self._refuse_unknown(word, words)
        return [word] if self.stemmer is None else list(self._forms.get(word, ()))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        return tags

    def _to_file(self) -> dict[str, Any]:
        parameters = Parameters.from_estimator(self)
        parameters["dtype"] = np.dtype(self.dtype).name
        if not hasattr(self, "vocabulary_"):
            return {"parameters": parameters}
        if self._reach() > MAX_STORED:
            raise CannotStore(
                f"ngram_range={self.ngram_range!r} and max_gap={self.max_gap!r} allow terms that "
                f"reach over more than {MAX_STORED} words, which a file cannot hold"
            )
        forms = self._forms.values()
        return {
            "parameters": parameters,
            "terms": Texts(self.vocabulary_),
            "columns": np.array(list(self.vocabulary_.values()), dtype=np.int64),
            "words": Texts(self._forms),
            "forms": Texts(chain.from_iterable(forms)),
            "forms_of_word": np.array([len(own) for own in forms], dtype=np.int64),
        }

    def _reach(self) -> int:
        """How many words a term may reach over."""
        return max(self.ngram_range[1], self.max_gap + 2)

    @classmethod
    def _from_file(cls, fields: Fields) -> Self:
        parameters = fields.parameters(cls)
        name = parameters.pop("dtype", "float32")
        if name not in DTYPES:
            raise fields.wrong("dtype", f"cannot be {name!r}")
        made = cls(**parameters, dtype=np.dtype(name).type)
        if "terms" not in fields:
            return made
        made._check()
        made._analysis()
        if made._reach() > MAX_STORED:
            raise fields.wrong("ngram_range", "and max_gap are too large")
        terms = fields.texts("terms")
        columns = fields.array("columns", np.int64, len(terms))
        made.vocabulary_ = given_vocabulary(dict(zip(terms, columns.tolist(), strict=True)))
        made._shapes = all_shapes(made.ngram_range, made.max_gap)
        words, forms = fields.texts("words"), iter(fields.texts("forms"))
        counts = fields.array("forms_of_word", np.int64, len(words)).tolist()
        made._forms = {
            word: list(islice(forms, max(count, 0)))
            for word, count in zip(words, counts, strict=True)
        }
        made._known = None
        return made

    def _split(self, X: Any, analysis: Analysis) -> TokenizedDocuments:
        return analysis.split(read_texts(X, self.encoding, self.decode_error))

    def _values(self, counts: sp.csr_matrix) -> sp.csr_matrix:
        if self.binary:
            counts.data = np.ones(counts.nnz, dtype=self.dtype)
        else:
            counts.data = counts.data.astype(self.dtype)
        return counts

    def _analysis(self) -> Analysis:
        return Analysis(
            self.lowercase, self.digits, self.punctuation, self.stop_words, self.stemmer
        )

    def _lexicon(self) -> Lexicon:
        """Made when it is first needed: many vectorizers are fitted only for their matrix."""
        check_is_fitted(self, "vocabulary_")
        if self._known is None:
            self._known = Lexicon(self.vocabulary_, self._shapes)
        return self._known

    def _use(self, vocabulary: dict[str, int]) -> None:
        self.vocabulary_, self._known = vocabulary, None
        never = list(self._lexicon().unreadable)
        if self.lowercase:
            never += [term for term in vocabulary if term != term.lower()]
        if never:
            notify(
                f"{len(never)} of {len(vocabulary)} terms of the vocabulary are in no document, "
                f"whatever it says, such as {never[0]!r}: compare them with lowercase, "
                "ngram_range and max_gap"
            )

    def _refuse_unknown(self, term: Any, known: Collection[str]) -> None:
        if term in known:
            return
        if not isinstance(term, str):
            raise TypeError(f"a term is a string, not {term!r}")
        treated = " ".join(word for word, _ in self._analysis().places(term))
        # Only terms with the same beginning: comparing with each of a million would take minutes.
        likely = [other for other in known if other[:1] == treated[:1]]
        nearest = get_close_matches(treated, likely, n=3, cutoff=0.5)
        hint = f"; the nearest are {', '.join(map(repr, nearest))}" if nearest else ""
        raise UnknownTermError(f"{term!r} is not in the vocabulary{hint}")

    def _check(self) -> None:
        for name in ("lowercase", "binary"):
            check_choice(name, getattr(self, name), True, False)
        check_choice("digits", self.digits, *DIGITS)
        check_choice("punctuation", self.punctuation, *PUNCTUATION)
        check_choice("decode_error", self.decode_error, "strict", "ignore", "replace")
        check_encoding(self.encoding)
        check_integer("max_gap", self.max_gap, 0)
        _check_range(self.ngram_range)
        if self.max_gap and self.punctuation == "keep" and self.ngram_range[1] > 2:
            raise ValueError(
                f"punctuation='keep' with max_gap={self.max_gap} and "
                f"ngram_range={self.ngram_range}: the star of 'oil * price' could be a gap or a "
                "word. Drop punctuation, or take n-grams of at most two words, or max_gap=0"
            )
        if self.max_features is not None:
            check_integer("max_features", self.max_features, 1)
        for name in ("min_df", "max_df"):
            _check_share(name, getattr(self, name))
        try:
            known = np.dtype(self.dtype) in DTYPES
        except TypeError:
            known = False
        if not known:
            names = ", ".join(map(str, DTYPES))
            raise ValueError(f"dtype={self.dtype!r} must be one of {names}")


def _check_range(ngram_range: Any) -> None:
    if not isinstance(ngram_range, (tuple, list)) or len(ngram_range) != 2:
        raise ValueError(f"ngram_range={ngram_range!r} must be two whole numbers, such as (1, 2)")
    check_integer("the first of ngram_range", ngram_range[0], 1)
    check_integer("the second of ngram_range", ngram_range[1], ngram_range[0])


def _check_share(name: str, value: Any) -> None:
    """A number of documents or a share of them."""
    whole = isinstance(value, numbers.Integral)
    if not is_number(value) or not (value >= 1 if whole else 0.0 <= value <= 1.0):
        raise ValueError(
            f"{name}={value!r} must be a number of documents, at least 1, or as a float a share of "
            "them between 0.0 and 1.0"
        )

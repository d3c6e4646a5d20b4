"""The vectorizer, which turns documents into a sparse matrix of terms."""

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
from underdog.text.learning import TermLimits, learn
from underdog.text.lexicon import Lexicon, given_vocabulary
from underdog.text.sequences import DROPPED, UNKNOWN, Stream
from underdog.text.shapes import all_shapes, find, read_term

MAX_STORED = 100
"""Maximum span of a term in a model file, which limits the memory that loading takes."""
DTYPES = tuple(map(np.dtype, (np.float32, np.float64, np.int32, np.int64)))


class UnknownTermError(KeyError):
    """A term that is not in the vocabulary."""

    def __str__(self) -> str:
        return str(self.args[0])  # a KeyError would show its message in quotes


@dataclass(kw_only=True, eq=False, repr=False)
class TermVectorizer(Savable, TransformerMixin, BaseEstimator, auto_wrap_output_keys=None):  # type: ignore[misc, call-arg]
    r"""Convert documents to a sparse matrix with a row per document and a column per term.

    A document is split into words, which are then normalised one by one: lower case, masked digits,
    stop words, stem. Terms are the remaining words and sequences of them. An entry is 1 if the term
    occurs in the document (with `binary=False`, how often). Columns are sorted by term, so that
    they do not depend on the order of the documents.

    Parameters
    ----------
    lowercase : bool, default=True
        Convert words to lower case.
    digits : {"keep", "drop", "mask"}, default="keep"
        "keep": digits are part of words. "drop": digits separate words, so that "q4" becomes "q".
        "mask": every number becomes "0", so that "1,987" and "1988" are the same term and "q4"
        becomes "q0"; a number is a sequence of digits, or several with single points or commas
        between them.
    punctuation : {"drop", "keep"}, default="drop"
        A word is a sequence of letters, digits and underscores, as `\w` in Python's `re`; it may be
        a single character. "drop": all other characters only separate words. "keep": every other
        character except white space is a word of its own.
    stop_words : None, "english" or a collection of str, default=None
        Words to remove; "english" is the list of scikit-learn. They are compared before stemming,
        after masking digits, and ignoring case.
    stemmer : None or str, default=None
        "porter", or another stemmer of PyStemmer, such as "english" or "german". Needs the extra
        `text`: pip install "underdog[text]".
    min_df, max_df : int or float, default=1 and 1.0
        Ignore terms that are in fewer or in more documents than this: an int is a number of
        documents, a float a share of them.
    max_features : int, default=None
        Keep only this number of terms, the most frequent ones (by documents if `binary`, otherwise
        by occurrences); of equally frequent terms, the first in sorted order.
    ngram_range : (int, int), default=(1, 1)
        Minimum and maximum number of words of a term. Words are adjacent if there are only
        separators and removed words between them. Written with a space: "oil price".
    max_gap : int, default=0
        In addition, pairs of words with exactly 1 to `max_gap` words between them. Written with a
        star for each skipped word: "oil * price". Cannot be combined with both n-grams of three
        words or more and punctuation="keep", because a star would then be ambiguous.
    binary : bool, default=True
        1 if a term occurs; if False, the number of occurrences.
    vocabulary : list, set or dict, default=None
        The terms to use. Nothing is then learned from the documents, and min_df, max_df and
        max_features are ignored. A list gives the order of the columns, a set is sorted, and a dict
        (`vocabulary_` of another vectorizer) maps terms to columns.
    encoding : str, default="utf-8"
        Encoding of documents given as bytes.
    decode_error : {"strict", "ignore", "replace"}, default="strict"
        What to do with bytes that cannot be decoded.
    dtype : dtype, default=np.float32
        Type of the matrix: float32, float64, int32 or int64.

    Attributes
    ----------
    vocabulary_ : dict
        The column of each term.

    References
    ----------
    Schapire and Singer, "BoosTexter: a boosting-based system for text categorization", Machine
    Learning 39, 2000: presence of terms, sparse n-grams.

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
        """Learn the vocabulary of documents.

        Parameters
        ----------
        X : iterable of str or bytes
            The documents.
        y : ignored

        Returns
        -------
        self
        """
        self.fit_transform(X)
        return self

    def fit_transform(self, X: Iterable[str | bytes], y: Any = None) -> sp.csr_matrix:
        """Learn the vocabulary of documents and return their matrix."""
        self._check()
        self._shapes = all_shapes(self.ngram_range, self.max_gap)
        if self.vocabulary is not None:
            self._forms: dict[str, list[str]] = {}
            self._use(given_vocabulary(self.vocabulary))
            return self.transform(X)
        analysis = self._analysis()
        limits = TermLimits(self.min_df, self.max_df, self.max_features, self.binary)
        learned = learn(self._split(X, analysis), analysis, self._shapes, limits)
        self.vocabulary_ = learned.vocabulary
        self._forms = learned.forms
        self._known: Lexicon | None = None
        return self._values(learned.counts)

    def transform(self, X: Iterable[str | bytes]) -> sp.csr_matrix:
        """The matrix of documents; terms that are not in the vocabulary are ignored."""
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
        """The terms with non-zero entries in each row of a matrix."""
        terms = self.get_feature_names_out()
        X = check_array(X, accept_sparse="csr")
        if X.shape[1] != len(terms):
            raise ValueError(
                f"X has {X.shape[1]} columns, but the vocabulary has {len(terms)} terms: give a "
                "matrix from this vectorizer"
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
        """Do nothing: the output is always a sparse matrix.

        The method exists so that pipelines with a vectorizer support `set_output`.
        """
        return self

    def find(self, term: str, document: str | bytes) -> list[Place]:
        """Positions of a term in a document.

        Parameters
        ----------
        term : str
        document : str or bytes

        Returns
        -------
        list of (start, end)
            Character ranges in the original document (in the decoded one, if it is bytes), in
            order, one for each time the term is counted. A term of several words spans from the
            first to the last of them.

        Raises
        ------
        UnknownTermError
            If the term is not in the vocabulary. It is a KeyError.
        """
        check_is_fitted(self, "vocabulary_")
        self._refuse_unknown(term, self.vocabulary_)
        read = read_term(term, self._shapes)
        text = read_text(document, self.encoding, self.decode_error)
        return [] if read is None else find(*read, list(self._analysis().places(text)))

    def forms(self, word: str) -> list[str]:
        """The forms of a word of the vocabulary in the training documents, most frequent first.

        Without a stemmer this is the word itself. For a given `vocabulary` the list is empty.
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
                f"span more than {MAX_STORED} words, which a file cannot store: decrease them"
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
        """Maximum span of a term in words."""
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
        """The lookup tables, which are built when they are first needed."""
        check_is_fitted(self, "vocabulary_")
        if self._known is None:
            self._known = Lexicon(self.vocabulary_, self._shapes)
        return self._known

    def _use(self, vocabulary: dict[str, int]) -> None:
        self.vocabulary_, self._known = vocabulary, None
        impossible = list(self._lexicon().unreadable)
        if self.lowercase:
            impossible += [term for term in vocabulary if term != term.lower()]
        if impossible:
            notify(
                f"{len(impossible)} of {len(vocabulary)} terms of the vocabulary, such as "
                f"{impossible[0]!r}, cannot occur in any document: check lowercase, ngram_range "
                "and max_gap"
            )

    def _refuse_unknown(self, term: Any, known: Collection[str]) -> None:
        if term in known:
            return
        if not isinstance(term, str):
            raise TypeError(f"term={term!r} must be a string")
        treated = " ".join(word for word, _ in self._analysis().places(term))
        # Only terms with the same first letter, because comparing all of a million takes minutes.
        likely = [other for other in known if other[:1] == treated[:1]]
        nearest = get_close_matches(treated, likely, n=3, cutoff=0.5)
        hint = f"; similar terms are {', '.join(map(repr, nearest))}" if nearest else ""
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
                f"punctuation='keep', max_gap={self.max_gap} and ngram_range={self.ngram_range} "
                "cannot be combined: the star in 'oil * price' could be a gap or a word. Use "
                "punctuation='drop', n-grams of at most two words, or max_gap=0"
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
    """Refuse anything but a number of documents or a share of them."""
    whole = isinstance(value, numbers.Integral)
    if not is_number(value) or not (value >= 1 if whole else 0.0 <= value <= 1.0):
        raise ValueError(
            f"{name}={value!r} must be an integer number of documents, at least 1, or a share of "
            "them as a float between 0.0 and 1.0"
        )

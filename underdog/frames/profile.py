"""What a column looked like in training, in a few numbers, and whether new rows differ from it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from scipy import stats

from underdog.frames import dates
from underdog.frames.columns import columns_of, moments_of, numbers_of, texts_of
from underdog.frames.roles import LEFT_OUT, TRUTH, Role
from underdog.types import Floats

BINS, SCORE_BINS = 10, 5
"""Of a column, and of the score, which models of several folds have given."""
MAX_LEVELS = 20
"""Levels that are counted alone; the others are counted together."""
MAX_COLUMNS = 300
"""Columns that are kept: a file is read with all that it says of itself."""
SOME, LARGE = 0.1, 0.25
"""The usual rule of thumb for the population stability index."""
SURE = 0.99
NUMBERS, LEVELS = "numbers", "levels"


@dataclass(frozen=True)
class ColumnProfile:
    """Counts of the values of a column.

    Attributes
    ----------
    name : str
    what : "numbers" or "levels"
    counts : rows in each bin, or with each of the levels and at last with others
    missing : rows without a value
    cuts : between the bins of numbers
    levels : the most frequent ones, but no more than 20
    low, high : the range of numbers
    """

    name: str
    what: str
    counts: list[int]
    missing: int
    cuts: list[float] = field(default_factory=list)
    levels: list[str] = field(default_factory=list)
    low: float = math.nan
    high: float = math.nan

    @classmethod
    def from_numbers(cls, name: str, values: Floats, bins: int = BINS) -> ColumnProfile:
        """Bins with about the same number of rows; equal values are in one bin."""
        known = values[~np.isnan(values)]
        lost = len(values) - len(known)
        if not len(known):
            return cls(name, NUMBERS, [0], lost)
        cuts = np.unique(np.quantile(known, np.arange(1, bins) / bins, method="lower"))
        cuts = cuts[np.isfinite(cuts)]
        counts = np.bincount(np.searchsorted(cuts, known), minlength=len(cuts) + 1)
        low, high = float(known.min()), float(known.max())
        return cls(name, NUMBERS, counts.tolist(), lost, cuts.tolist(), [], low, high)

    @classmethod
    def from_levels(cls, name: str, values: list[str | None]) -> ColumnProfile:
        """The most frequent levels."""
        counts = Counter(values)
        missing = counts.pop(None, 0)
        ranked = sorted(counts.items(), key=lambda pair: (-pair[1], str(pair[0])))
        first, rest = ranked[:MAX_LEVELS], ranked[MAX_LEVELS:]
        each = [*(count for _, count in first), sum(count for _, count in rest)]
        return cls(name, LEVELS, each, missing, [], [str(level) for level, _ in first])

    def compare(self, values: Any, known: Collection[str] | None = None) -> ColumnDrift:
        """How new values differ.

        Parameters
        ----------
        values : numbers, in which NaN is missing, or texts, in which None is
        known : all levels that occurred in training, if they are known
        """
        outside, new, example = 0, 0, ""
        if self.what == NUMBERS:
            values = np.asarray(values, dtype=np.float64)
            present = values[~np.isnan(values)]
            missing = len(values) - len(present)
            bins = np.searchsorted(self.cuts, present)
            counts = np.bincount(bins, minlength=len(self.counts)).tolist()
            outside = int(((present < self.low) | (present > self.high)).sum())
        else:
            found = Counter(values)
            missing = found.pop(None, 0)
            alone = [found.get(level, 0) for level in self.levels]
            counts = [*alone, sum(found.values()) - sum(alone)]
            if known is not None:
                strange = {level: count for level, count in found.items() if level not in known}
                new = sum(strange.values())
                example = max(strange, key=lambda level: (strange[level], level), default="")
        index, noise = stability(
            np.array([*self.counts, self.missing]), np.array([*counts, missing])
        )
        rows, before = len(values), sum(self.counts) + self.missing
        return ColumnDrift(
            self.name, index, noise, self.missing / max(before, 1), missing / max(rows, 1),
            outside, new, example, rows, before,
        )  # fmt: skip


@dataclass(frozen=True)
class ColumnDrift:
    """How a column of new rows differs from the training data.

    Attributes
    ----------
    name : str
    index : float
        Population stability index.
    noise : float
        A larger index occurs by chance in one of 100 samples of this size.
    missing_before, missing : float
        Shares of missing values in training and now.
    outside : int
        Numbers outside the range of the training data.
    new : int
        Rows with a level that did not occur in training.
    example : str
        The most frequent of these levels.
    rows, rows_before : int
        Now, and in training.
    """

    name: str
    index: float
    noise: float
    missing_before: float
    missing: float
    outside: int
    new: int
    example: str
    rows: int
    rows_before: int

    @property
    def is_often_outside(self) -> bool:
        """Whether more numbers are outside the range than chance explains.

        A new number is the lowest or the highest of n + 1 with a probability of 2 / (n + 1).
        """
        expected = 2.0 * self.rows / (self.rows_before + 1)
        return self.outside > 1.0 + expected + 3.0 * math.sqrt(expected)

    @property
    def is_often_missing(self) -> bool:
        """Whether clearly more values are missing than in training."""
        share = max(self.missing_before, 1.0 / (self.rows_before + 1))
        error = math.sqrt(share * (1.0 - share) / max(self.rows, 1))
        return self.missing > self.missing_before + max(0.01, 3.0 * error)

    @property
    def is_unusual(self) -> bool:
        """Whether there is something to look at."""
        return self.differs or self.new > 0 or self.is_often_outside or self.is_often_missing

    @property
    def differs(self) -> bool:
        """Whether the index is above 0.1, and above what chance explains."""
        return self.index > max(SOME, self.noise)

    @property
    def size(self) -> str:
        """ "large", "some" or "little", by the usual rule of thumb."""
        if not self.differs:
            return "little"
        return "large" if self.index > LARGE else "some"

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return asdict(self) | {"size": self.size}


def stability(before: Any, now: Any) -> tuple[float, float]:
    """Population stability index of two rows of counts, and what chance explains.

    The index is the sum of (q - p) ln(q / p) over the bins, where p and q are shares before and
    now; half a row is added to each bin. Without a difference it is about a chi-squared number
    times 1 / n + 1 / m.

    References
    ----------
    Yurdakul and Naranjo, "Statistical properties of the population stability index", Journal of
    Risk Model Validation 14, 2020.

    Examples
    --------
    >>> from underdog.frames.profile import stability
    >>> [round(number, 3) for number in stability([50, 50], [80, 20])]
    [0.406, 0.133]
    """
    one, two = np.asarray(before, dtype=np.float64), np.asarray(now, dtype=np.float64)
    used = one + two > 0.0
    one, two = one[used], two[used]
    if len(one) < 2 or not one.sum() or not two.sum():
        return 0.0, 0.0
    p, q = (each + 0.5 for each in (one, two))
    p, q = p / p.sum(), q / q.sum()
    errors = 1.0 / one.sum() + 1.0 / two.sum()
    noise = float(stats.chi2.ppf(SURE, len(one) - 1) * errors)
    return float(np.sum((q - p) * np.log(q / p))), noise


def values_of(role: Role, name: str, series: Any) -> Any:
    """What is counted of a column: numbers, levels, words of a text, days of a date."""
    if role.kind == "number":
        return np.asarray(numbers_of(name, series), dtype=np.float64)
    if role.kind == "date":
        return dates.numbers(moments_of(name, series, role.form))[:, 0]
    texts = texts_of(series)
    if role.kind == "text":
        return np.array([np.nan if text is None else len(text.split()) for text in texts])
    return [text and text.lower() for text in texts] if role.form == TRUTH else texts


def profiled(name: str, values: Any, bins: int = BINS) -> ColumnProfile:
    """The profile of numbers or levels."""
    if isinstance(values, np.ndarray):
        return ColumnProfile.from_numbers(name, values, bins)
    return ColumnProfile.from_levels(name, values)


@dataclass(frozen=True)
class DataProfile:
    """The columns of the training data, and the scores of its rows.

    Attributes
    ----------
    columns : list of ColumnProfile
        The first 300 of those that the model uses.
    scores : list of ColumnProfile
        Of scores or predictions: those of models that had not seen the rows, and those of the model
        itself. The first are like those of new rows, unless the model has so few rules that its
        scores have few values, which the models of folds do not share; then the second are.
    """

    columns: list[ColumnProfile]
    scores: list[ColumnProfile] = field(default_factory=list)

    @classmethod
    def from_frame(cls, X: Any, roles: Mapping[str, Role]) -> DataProfile:
        """The profile of a frame.

        Parameters
        ----------
        X : data frame of pandas or polars
        roles : those of a fitted FrameEncoder
        """
        return cls([profiled(name, values) for name, values in _values(X, roles)])

    def with_scores(self, *scores: Any) -> DataProfile:
        """With (n,) scores or predicted numbers, or lists of predicted classes."""
        return DataProfile(self.columns, [profiled("score", s, SCORE_BINS) for s in scores])

    def compare_score(self, score: Any) -> ColumnDrift | None:
        """How the score of new rows differs; None if that of the training is not known."""
        found = [each.compare(score) for each in self.scores]
        return min(found, key=lambda each: each.index, default=None)

    def compare(
        self, X: Any, roles: Mapping[str, Role], levels: Mapping[str, Collection[str]] | None = None
    ) -> list[ColumnDrift]:
        """How the columns of new rows differ.

        Parameters
        ----------
        X : data frame of pandas or polars
        roles : those of the FrameEncoder
        levels : all levels of categories in training, by column, if they are known
        """
        known = {column.name: column for column in self.columns}
        return [
            known[name].compare(values, (levels or {}).get(name))
            for name, values in _values(X, roles)
            if name in known
        ]

    def to_dict(self) -> dict[str, Any]:
        """As plain values, for the notes of a file."""
        return {
            "columns": [_plain(column) for column in self.columns],
            "scores": [_plain(score) for score in self.scores],
        }

    @classmethod
    def from_dict(cls, values: Any) -> DataProfile | None:
        """From the notes of a file, which may say anything: None if it is no profile."""
        try:
            columns, scores = values["columns"], values["scores"]
            return cls([_checked(each) for each in columns], [_checked(each) for each in scores])
        except (TypeError, KeyError, ValueError):
            return None


def _values(X: Any, roles: Mapping[str, Role]) -> Iterator[tuple[str, Any]]:
    columns = dict(columns_of(X))
    used = [name for name, role in roles.items() if role.kind not in LEFT_OUT]
    for name in used[:MAX_COLUMNS]:
        yield name, values_of(roles[name], name, columns[name])


def _plain(column: ColumnProfile) -> dict[str, Any]:
    """Without what is empty."""
    return {name: each for name, each in asdict(column).items() if each != [] and each == each}


def _checked(values: dict[str, Any]) -> ColumnProfile:
    """A column from plain values; an error if they do not fit together."""
    made = ColumnProfile(**values)
    bins = len(made.cuts if made.what == NUMBERS else made.levels) + 1
    numbers = [*made.counts, made.missing, *made.cuts, made.low, made.high]
    if made.what not in (NUMBERS, LEVELS) or len(made.counts) != bins:
        raise ValueError("the profile has not as many counts as bins")
    if not all(isinstance(each, int | float) for each in numbers) or sorted(made.cuts) != made.cuts:
        raise ValueError("the profile has something else than numbers")
    if not all(isinstance(each, str) for each in (made.name, *made.levels)):
        raise ValueError("the profile has something else than texts")
    if min(made.counts) < 0 or made.missing < 0:
        raise ValueError("the profile has a negative count")
    return made

"""Columns of a frame to columns that boosters learn from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.utils.validation import check_is_fitted

from underdog.data import Table
from underdog.data.columns import CategoryColumns, Columns, NumberColumns
from underdog.data.conversion import refuse_duplicates
from underdog.data.days import part_name
from underdog.files import Fields, Parameters, Savable, Texts
from underdog.frames import dates
from underdog.frames.columns import (
    columns_of,
    distinct_names,
    moments_of,
    numbers_of,
    refuse_other_types,
    texts_of,
)
from underdog.frames.errors import BadData, refuse_missing_columns, unknown_column
from underdog.frames.roles import LEFT_OUT, ROLES, TRUTH, Role, find_role, given_role
from underdog.text import TermVectorizer

RARE_FROM = 100
"""With so many documents or more, a term must be in two of them."""


@dataclass(eq=False, repr=False)
class FrameEncoder(Savable, TransformerMixin, BaseEstimator, auto_wrap_output_keys=None):  # type: ignore[misc, call-arg]
    """Columns of a data frame as a Table: numbers, categories, terms of texts, parts of dates.

    The role of each column is found from its values, or given. Numbers are kept as they are. The
    values of a category are its levels; one that did not occur in training counts as missing. Texts
    become terms. A date becomes the days since 1970 and, where they differ, its month, weekday
    (Monday is 1) and hour. Identifiers and columns with one value are left out.

    In a column of numbers `values.ABSENT` ("", "NA", "NaN", "null", "?", "-" and the like) are
    missing; elsewhere only "" is.

    Parameters
    ----------
    roles : dict, optional
        Column to "number", "category", "text", "date" or "identifier"; the roles of the other
        columns are found from their values.
    text : TermVectorizer, optional
        How texts become terms; each column gets a copy. By default words in lower case that are in
        two documents, or in one where there are fewer than 100.

    Attributes
    ----------
    roles_ : dict
        Column to `Role`: its `kind`, and the `reason` in words.
    vectorizers_ : dict
        Column of text to its fitted vectorizer.
    date_parts_ : dict
        Column of dates to the numbers that are made of it.
    feature_names_in_ : array of str
        The columns that `fit` has seen. `transform` takes them in any order, needs only those that
        were not left out, and ignores others.

    Examples
    --------
    >>> import pandas as pd
    >>> from underdog import FrameEncoder
    >>> frame = pd.DataFrame({"age": [31, 54, 19], "body": ["free prize", "see you", "free now"]})
    >>> encoder = FrameEncoder().fit(frame)
    >>> print(encoder.roles_["body"])
    text (2.0 words on average, 3 different values in 3 rows)
    >>> encoder.get_feature_names_out().tolist()
    ['age', 'body: free', 'body: now', 'body: prize', 'body: see', 'body: you']
    >>> encoder.transform(frame)
    Table(3 rows, 6 columns)
    """

    roles: Mapping[str, str] | None = None
    text: TermVectorizer | None = None

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find what the columns are, and learn the terms of texts.

        Parameters
        ----------
        X : data frame of pandas or polars
        y : ignored
        """
        columns = dict(self._columns(X))
        given = dict(self.roles or {})
        for name in given:
            if name not in columns:
                raise unknown_column(name, columns)
        self.roles_ = {
            name: given_role(given[name], name, series)
            if name in given
            else find_role(name, series)
            for name, series in columns.items()
        }
        self.vectorizers_ = {}
        for name in self._used("text"):
            try:
                self.vectorizers_[name] = self._learn_terms(columns[name])
            except ValueError as error:
                if name in given or self.text is not None:
                    raise BadData(f"the texts have no terms ({error})", column=name) from error
                self.roles_[name] = Role("identifier", "texts without a common word")
        if not self._used():
            raise BadData(
                "no column can be used: "
                + "; ".join(f"{name!r} is {role}" for name, role in list(self.roles_.items())[:5])
            )
        self.date_parts_ = {name: self._varying(name, columns[name]) for name in self._used("date")}
        self.feature_names_in_ = np.array(list(columns), dtype=object)
        self.n_features_in_ = len(columns)
        return self

    def transform(self, X: Any) -> Table:
        """The table of these rows; they need the columns that were not left out, in any order."""
        check_is_fitted(self, "roles_")
        columns = dict(self._columns(X))
        refuse_missing_columns(self._used(), list(columns))
        groups: list[Columns] = []
        width = 0
        for name in self._used():
            refuse_other_types(name, columns[name])
            for group in self._encode(name, columns[name]):
                groups.append(group.moved(width))
                width += group.n_columns
        rows = len(next(iter(columns.values())))
        return Table(groups, rows, self.get_feature_names_out().tolist())

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Names for people: "age", "body: free", "signed: weekday"."""
        check_is_fitted(self, "roles_")
        return np.array(distinct_names([made for _, made in self._made()]), dtype=object)

    def sources(self) -> list[str]:
        """The column of the frame that each column of the table is made of."""
        check_is_fitted(self, "roles_")
        return [name for name, _ in self._made()]

    def set_output(self, *, transform: Any = None) -> Self:
        """Refuse other output than a `Table`, which boosters take.

        Parameters
        ----------
        transform : {"default", None}
        """
        if transform not in (None, "default"):
            raise ValueError(
                f"transform={transform!r} is not possible: the output of FrameEncoder is always a "
                "Table, because a data frame would store the words of texts densely. Give the "
                "Table to a booster, and leave out set_output"
            )
        return self

    def _to_file(self) -> dict[str, Any]:
        if not hasattr(self, "roles_"):
            return {"parameters": Parameters.from_estimator(self)}
        roles = self.roles_.values()
        return {
            "parameters": Parameters.from_estimator(self),
            "columns": Texts(self.roles_),
            "kinds": Texts(role.kind for role in roles),
            "reasons": Texts(role.reason for role in roles),
            "forms": Texts(role.form or "" for role in roles),
            "vectorizers": list(self.vectorizers_.values()),
            "date_parts": [list(parts) for parts in self.date_parts_.values()],
        }

    @classmethod
    def _from_file(cls, fields: Fields) -> Self:
        made = cls(**fields.parameters(cls))
        if "columns" not in fields:
            return made
        names = fields.texts("columns")
        refuse_duplicates(names)
        kinds, reasons, forms = (fields.texts(name) for name in ("kinds", "reasons", "forms"))
        made.roles_ = {
            name: Role(kind, reason, form or None)
            for name, kind, reason, form in zip(names, kinds, reasons, forms, strict=True)
        }
        if not set(kinds) <= set(ROLES) or not set(forms) <= {"", TRUTH, *dates.FORMS}:
            raise fields.wrong("kinds", "or forms are not known")
        vectorizers, parts = fields.items("vectorizers"), fields.items("date_parts")
        if not all(isinstance(vectorizer, TermVectorizer) for vectorizer in vectorizers):
            raise fields.wrong("vectorizers", "must be a list of TermVectorizers")
        if not all(isinstance(own, list) and set(own) <= set(dates.PARTS) for own in parts):
            raise fields.wrong("date_parts", "must be parts of dates")
        made.vectorizers_ = dict(zip(made._used("text"), vectorizers, strict=True))
        made.date_parts_ = {
            name: tuple(own) for name, own in zip(made._used("date"), parts, strict=True)
        }
        made.feature_names_in_ = np.array(names, dtype=object)
        made.n_features_in_ = len(names)
        return made

    def _columns(self, X: Any) -> list[tuple[str, Any]]:
        columns = list(columns_of(X))
        if not columns or not len(columns[0][1]):
            raise BadData("there are no rows" if columns else "there are no columns")
        return columns

    def _used(self, kind: str | None = None) -> list[str]:
        """Columns that are not left out: all, or those of one kind."""
        return [
            name
            for name, role in self.roles_.items()
            if role.kind not in LEFT_OUT and kind in (None, role.kind)
        ]

    def _made(self) -> Iterator[tuple[str, str]]:
        """Columns of the frame, and names of what is made of them, in the order of the table."""
        alone = len(self._used()) == 1
        for name in self._used():
            if name in self.vectorizers_:
                for term in self.vectorizers_[name].get_feature_names_out():
                    yield name, term if alone else f"{name}: {term}"
            elif name in self.date_parts_:
                for part in self.date_parts_[name]:
                    yield name, part_name(name, part)
            else:
                yield name, name

    def _encode(self, name: str, series: Any) -> Iterable[Columns]:
        """The groups of columns that are made of one; a column of numbers keeps its memory."""
        role = self.roles_[name]
        first = np.zeros(1, dtype=np.int32)
        if role.kind == "number":
            yield NumberColumns(first, numbers_of(name, series)[:, np.newaxis])
        elif role.kind == "category":
            levels = np.empty(len(series), dtype=object)
            texts = texts_of(series)
            levels[:] = [text and text.lower() for text in texts] if role.form == TRUTH else texts
            yield CategoryColumns(first, (levels,))
        elif role.kind == "text":
            yield from Table.from_data(self.vectorizers_[name].transform(_documents(series))).groups
        else:
            parts = dates.numbers(moments_of(name, series, role.form))
            chosen = [dates.PARTS.index(part) for part in self.date_parts_[name]]
            yield NumberColumns(np.arange(len(chosen), dtype=np.int32), parts[:, chosen])

    def _learn_terms(self, series: Any) -> TermVectorizer:
        default = TermVectorizer(min_df=2 if len(series) >= RARE_FROM else 1)
        vectorizer: TermVectorizer = clone(self.text or default)
        return vectorizer.fit(_documents(series))

    def _varying(self, name: str, series: Any) -> tuple[str, ...]:
        parts = dates.numbers(moments_of(name, series, self.roles_[name].form))
        first, *others = dates.PARTS
        present = parts[~np.isnan(parts[:, 0]), 1:]
        varies = (present != present[:1]).any(axis=0)
        return (first, *(part for part, differs in zip(others, varies, strict=True) if differs))


def _documents(series: Any) -> list[str]:
    return [text or "" for text in texts_of(series)]

"""Columns as models of other libraries want them."""

from typing import Any

import pandas as pd
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler

MISSING = "missing"


def tf_idf() -> Any:
    """Documents as a sparse matrix."""
    return ColumnTransformer([("text", TfidfVectorizer(), "text")])


def numbers(*, scaled: bool) -> Any:
    """Numbers without gaps and one column of 0 and 1 per category, for linear models scaled."""
    steps = [SimpleImputer(strategy="median"), *([StandardScaler()] if scaled else [])]
    return ColumnTransformer(
        [
            ("numbers", make_pipeline(*steps), make_column_selector(dtype_include="number")),
            (
                "categories",
                OneHotEncoder(handle_unknown="ignore", sparse_output=False),
                make_column_selector(dtype_include="category"),
            ),
        ]
    )


def plain_names() -> Any:
    """The frame with names of columns that every library takes, without columns of no level.

    XGBoost refuses a category that is missing in every row.
    """
    return FunctionTransformer(_plain)


def strings() -> Any:
    """The frame with categories as strings, also those that are missing."""
    return FunctionTransformer(_strings)


def categories(X: pd.DataFrame) -> list[str]:
    """The names of columns with categories."""
    return X.select_dtypes("category").columns.tolist()


def _plain(X: pd.DataFrame) -> pd.DataFrame:
    empty = [name for name in categories(X) if X[name].cat.categories.empty]
    rest = X.drop(columns=empty)
    return rest.set_axis([f"x{place}" for place in range(rest.shape[1])], axis=1)


def _strings(X: pd.DataFrame) -> pd.DataFrame:
    texts = {name: X[name].astype(object).fillna(MISSING).astype(str) for name in categories(X)}
    return X.assign(**texts)

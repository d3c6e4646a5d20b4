"""From frames to tables."""

import pickle
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

from underdog import AdaBoostClassifier, Table, TermVectorizer, files
from underdog.data.columns import NumberColumns
from underdog.frames import BadData, FrameEncoder, Role

FRAMES = pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame], ids=["pandas", "polars"])


def columns(rows: int = 120) -> dict[str, list[Any]]:
    chance = np.random.default_rng(0)
    words = ["free", "prize", "hello", "you", "now", "meet", "win", "late"]
    return {
        "key": [f"k{i}" for i in range(rows)],
        "age": chance.integers(18, 90, rows).tolist(),
        "rate": [None if i % 7 == 0 else float(i % 11) / 4 for i in range(rows)],
        "city": [None if i % 13 == 0 else ["Rome", "Oslo", "Bern"][i % 3] for i in range(rows)],
        "member": [bool(i % 2) for i in range(rows)],
        "body": [f"{' '.join(chance.choice(words, 4))} {i}" for i in range(rows)],
        "signed": [f"2024-{i % 12 + 1:02d}-{i % 28 + 1:02d}" for i in range(rows)],
        "unit": ["kg"] * rows,
    }


def labels(rows: int = 120) -> list[str]:
    given = columns(rows)
    return ["yes" if age > 50 else "no" for age in given["age"]]


def dense(table: Table) -> list[list[Any]]:
    """Values of the columns in order, whatever form they are stored in."""
    found: dict[int, list[Any]] = {}
    for group in table.groups:
        for place, position in enumerate(group.positions.tolist()):
            if isinstance(group, NumberColumns):
                values = group.matrix[:, place].astype(float).round(9).tolist()
            elif hasattr(group, "values"):
                values = group.values[place].tolist()
            else:
                values = group.matrix.toarray()[:, place].tolist()
            found[position] = [None if value != value else value for value in values]
    return [found[position] for position in range(table.n_columns)]


@FRAMES
def test_every_kind_of_column(make: Any) -> None:
    encoder = FrameEncoder().fit(make(columns()))
    kinds = {name: role.kind for name, role in encoder.roles_.items()}
    assert kinds == {
        "key": "identifier", "age": "number", "rate": "number", "city": "category",
        "member": "category", "body": "text", "signed": "date", "unit": "constant",
    }  # fmt: skip
    names = encoder.get_feature_names_out().tolist()
    assert names[:5] == ["age", "rate", "city", "member", "body: free"]
    assert names[-3:] == ["signed: days since 1970", "signed: month", "signed: weekday"]
    table = encoder.transform(make(columns()))
    assert table.names == tuple(names)
    assert table.shape == (120, len(names))
    values = dict(zip(names, dense(table), strict=True))
    assert values["age"] == columns()["age"]
    assert values["rate"] == columns()["rate"]
    assert values["city"] == columns()["city"]
    assert values["member"][:2] == ["false", "true"]
    assert values["body: free"][0] == float("free" in columns()["body"][0])
    assert values["signed: month"][:3] == [1, 2, 3]


def test_pandas_and_polars_give_the_same() -> None:
    frames = pd.DataFrame(columns()), pl.DataFrame(columns())
    tables = [FrameEncoder().fit_transform(frame) for frame in frames]
    assert tables[0].names == tables[1].names
    assert dense(tables[0]) == dense(tables[1])


def test_rows_in_another_order_give_the_same_columns() -> None:
    frame = pd.DataFrame(columns())
    shuffled = frame.sample(frac=1, random_state=0)
    first, second = FrameEncoder().fit(frame), FrameEncoder().fit(shuffled)
    assert first.roles_ == second.roles_
    assert dense(first.transform(frame)) == dense(second.transform(frame))


@pytest.mark.parametrize("form", ["pandas", "polars"])
def test_frames_as_output_are_refused(form: str) -> None:
    message = f"transform={form!r} is not possible: the output of FrameEncoder is always a Table"
    with pytest.raises(ValueError, match=message):
        FrameEncoder().set_output(transform=form)
    with pytest.raises(ValueError, match=message):
        make_pipeline(FrameEncoder(), AdaBoostClassifier()).set_output(transform=form)


@pytest.mark.parametrize("same", ["default", None])
def test_the_usual_output_may_be_asked_for(same: str | None) -> None:
    encoder = FrameEncoder().set_output(transform=same)
    assert isinstance(encoder.fit_transform(pd.DataFrame({"a": [1, 2, 3]})), Table)


@FRAMES
def test_a_pipeline_in_cross_validation(make: Any) -> None:
    frame, y = make(columns()), np.array(labels())
    pipeline = make_pipeline(FrameEncoder(), AdaBoostClassifier(n_estimators=5))
    assert cross_val_score(pipeline, frame, y, cv=3, error_score="raise").min() > 0.9
    assert "age" in pipeline.fit(frame, y)[-1].describe()


def test_names_of_one_text_are_terms_alone() -> None:
    frame = pl.DataFrame({"id": range(20), "body": [f"hello to number {i}" for i in range(20)]})
    assert "hello" in FrameEncoder().fit(frame).get_feature_names_out()
    two = frame.with_columns(age=pl.Series(range(20)))
    assert "body: hello" in FrameEncoder().fit(two).get_feature_names_out()


def test_names_that_would_come_twice() -> None:
    frame = pl.DataFrame({"a: month": [1, 2], "a": ["2024-01-01", "2024-02-01"]})
    names = FrameEncoder().fit(frame).get_feature_names_out().tolist()
    assert names == ["a: month", "a: days since 1970", "a: month (2)", "a: weekday"]
    assert FrameEncoder().fit_transform(frame).names == tuple(names)


def test_roles_can_be_given() -> None:
    frame = pl.DataFrame({"size": [1, 2, 3], "body": ["a b", "c d", "e f"], "n": [1, 2, 3]})
    encoder = FrameEncoder({"size": "category", "body": "identifier"}).fit(frame)
    assert encoder.roles_["size"] == Role("category", "as given")
    assert dense(encoder.transform(frame)) == [["1", "2", "3"], [1, 2, 3]]
    with pytest.raises(BadData, match=r"^there is no column 'x': the columns are '"):
        FrameEncoder({"x": "text"}).fit(frame)
    with pytest.raises(ValueError, match=r"^the role of column 'n'='numeric' must be 'number' or"):
        FrameEncoder({"n": "numeric"}).fit(frame)
    with pytest.raises(
        BadData, match=r"^row at position 0 .*, column 'body': 'a b' is not a number$"
    ):
        FrameEncoder({"body": "number"}).fit_transform(frame)
    with pytest.raises(
        BadData, match=r"^row at position 0 .*, column 'body': 'a b' is not a date$"
    ):
        FrameEncoder({"body": "date"}).fit(frame)


def test_dates_that_are_all_missing() -> None:
    frame = pl.DataFrame({"when": ["", None], "n": [1, 2]})
    encoder = FrameEncoder({"when": "date"}).fit(frame)
    assert encoder.get_feature_names_out().tolist() == ["when: days since 1970", "n"]
    assert dense(encoder.transform(frame)) == [[None, None], [1, 2]]


def test_a_vectorizer_of_ones_own() -> None:
    frame = pl.DataFrame({"body": ["Oil prices rose", "oil price fell", "no oil at all"]})
    encoder = FrameEncoder(text=TermVectorizer(ngram_range=(2, 2))).fit(frame)
    assert "oil price" in encoder.get_feature_names_out()
    assert not hasattr(encoder.text, "vocabulary_")


def test_texts_that_share_no_word_are_left_out() -> None:
    frame = pl.DataFrame({"n": range(200), "name": [f"first{i} last{i}" for i in range(200)]})
    encoder = FrameEncoder().fit(frame)
    assert encoder.roles_["name"] == Role("identifier", "texts without a common word")
    assert encoder.transform(frame).names == ("n",)
    with pytest.raises(BadData, match=r"^column 'name': the texts have no terms \(none of 400"):
        FrameEncoder({"name": "text"}).fit(frame)


class TestNewRows:
    @FRAMES
    def test_columns_in_any_order_and_others_beside_them(self, make: Any) -> None:
        frame = make(columns())
        encoder = FrameEncoder().fit(frame)
        turned = make({"new": [1] * 120, **dict(reversed(columns().items()))})
        assert dense(encoder.transform(turned)) == dense(encoder.transform(frame))
        needed = make({n: v for n, v in columns().items() if n not in ("key", "unit")})
        assert dense(encoder.transform(needed)) == dense(encoder.transform(frame))

    @pytest.mark.parametrize(
        ("names", "sentence"),
        [
            (["age", "zip"], "column 'town' of the training data is missing: the data have "),
            (["age", "zip", "Town"], "column 'town' .* is missing: did you mean 'Town'\\?$"),
            (["old"], "3 columns .* are missing: 'age', 'town', 'zip'; the data have 'old'$"),
            (
                ["Age", "twon", "x"],
                "3 columns .* are missing: 'age', 'town', 'zip'; did you mean 'Age' for 'age', "
                "'twon' for 'town'\\?$",
            ),
        ],
    )
    def test_columns_that_are_missing(self, names: list[str], sentence: str) -> None:
        rows = [1, 2]
        known = pl.DataFrame({"age": rows, "town": rows, "zip": rows, "constant": [1, 1]})
        encoder = FrameEncoder().fit(known)
        with pytest.raises(BadData, match=f"^{sentence}"):
            encoder.transform(pl.DataFrame(dict.fromkeys(names, rows)))

    @FRAMES
    def test_a_word_in_a_column_of_numbers(self, make: Any) -> None:
        encoder = FrameEncoder().fit(make({"age": [1, 2, 3]}))
        assert dense(encoder.transform(make({"age": ["7", "NA", " 8.5 "]}))) == [[7, None, 8.5]]
        with pytest.raises(BadData) as caught:
            encoder.transform(make({"age": ["7", "old", "8"]}))
        error = caught.value
        place, problem = "row at position 1 (the first is 0)", "column 'age': 'old' is not a number"
        assert str(error) == f"{place}, {problem}"
        assert (error.position, error.column) == (1, "age")
        in_file = error.in_file("new.csv")
        assert str(in_file) == f"new.csv, row 2 (the first data row is 1), {problem}"
        assert error.in_file("new.csv", [0, 6]).row == 7

    def test_a_word_in_a_column_of_dates(self) -> None:
        encoder = FrameEncoder().fit(pl.DataFrame({"when": ["31/1/2024", "1/2/2024"]}))
        said = (
            r"^row at .* 0 .*, column 'when': '2024-01-01' is not a date written as day/month/year$"
        )
        with pytest.raises(BadData, match=said):
            encoder.transform(pl.DataFrame({"when": ["2024-01-01"]}))

    def test_numbers_for_a_category(self) -> None:
        encoder = FrameEncoder({"size": "category"}).fit(pl.DataFrame({"size": ["1", "2", "L"]}))
        assert dense(encoder.transform(pl.DataFrame({"size": [1.0, 2.0]}))) == [["1", "2"]]
        assert dense(encoder.transform(pd.DataFrame({"size": [1, 2]}))) == [["1", "2"]]

    def test_letters_of_true_and_false(self) -> None:
        typed, written = pl.DataFrame({"a": [True, False]}), pl.DataFrame({"a": ["True", "FALSE"]})
        for known in (typed, written):
            for encoder in (FrameEncoder(), FrameEncoder({"a": "category"})):
                encoder.fit(known)
                for new in (typed, written):
                    assert dense(encoder.transform(new)) == [["true", "false"]]
        other = FrameEncoder().fit(pl.DataFrame({"a": ["True", "False", "Maybe"]}))
        assert dense(other.transform(written)) == [["True", "FALSE"]]

    def test_nested_columns_where_they_are_used(self) -> None:
        encoder = FrameEncoder().fit(pl.DataFrame({"a": ["x", "y"], "n": [1, 2]}))
        other = pl.DataFrame({"a": ["x"], "n": [1], "tags": [["p"]]})
        assert encoder.transform(other).shape == (1, 2)
        for name in ("a", "n"):
            said = f"^column '{name}': lists or objects cannot be used: convert the column"
            with pytest.raises(BadData, match=said):
                encoder.transform(other.with_columns(pl.Series(name, [[1]])))

    def test_no_text_is_an_empty_one(self) -> None:
        encoder = FrameEncoder({"body": "text"}).fit(pl.DataFrame({"body": ["a b", "b c"]}))
        assert dense(encoder.transform(pl.DataFrame({"body": [None, ""]}))) == [[0, 0]] * 3

    def test_levels_that_are_new_are_missing(self) -> None:
        frame = pl.DataFrame({"city": ["Rome", "Oslo", None] * 10})
        y = np.array([1, 0, 0] * 10)
        model = make_pipeline(FrameEncoder(), AdaBoostClassifier(n_estimators=3)).fit(frame, y)
        scores = model.decision_function(pl.DataFrame({"city": ["Bern", None]}))
        assert scores[0] == scores[1]


class TestWhatIsRefused:
    def test_nothing_to_learn_from(self) -> None:
        said = "no column can be used: 'a' is constant (1 in all rows)"
        with pytest.raises(BadData, match=re.escape(said)):
            FrameEncoder().fit(pl.DataFrame({"a": [1, 1]}))
        with pytest.raises(BadData, match="there are no rows"):
            FrameEncoder().fit(pl.DataFrame({"a": []}))
        with pytest.raises(BadData, match="there are no columns"):
            FrameEncoder().fit(pl.DataFrame())

    def test_arrays(self) -> None:
        with pytest.raises(
            TypeError, match="X is a ndarray: give a data frame of pandas or polars"
        ):
            FrameEncoder().fit(np.zeros((2, 2)))

    def test_names_that_come_twice(self) -> None:
        with pytest.raises(ValueError, match="column name 'a' appears twice"):
            FrameEncoder().fit(pd.DataFrame([[1, 2]], columns=["a", "a"]))

    def test_texts_without_a_word(self) -> None:
        with pytest.raises(BadData, match=r"^column 'body': the texts have no terms \("):
            FrameEncoder({"body": "text"}).fit(pl.DataFrame({"body": ["!", "?"]}))


def test_memory_of_numbers_is_shared() -> None:
    frame = pl.DataFrame({"a": np.arange(5.0), "b": np.arange(5, dtype=np.int16)})
    table = FrameEncoder().fit_transform(frame)
    for group, name in zip(table.groups, frame.columns, strict=True):
        assert np.shares_memory(group.matrix, frame[name].to_numpy())


def test_names_of_columns_need_not_be_texts() -> None:
    frame = pd.DataFrame({0: [1, 2], 1: ["x", "y"]})
    assert FrameEncoder().fit(frame).get_feature_names_out().tolist() == ["0", "1"]


def test_nullable_types_of_pandas() -> None:
    frame = pd.DataFrame({"a": pd.array([1, None, 3], dtype="Int64"), "b": [1.5, None, 2]})
    assert dense(FrameEncoder().fit_transform(frame)) == [[1, None, 3], [1.5, None, 2]]


def test_it_can_be_copied() -> None:
    encoder = FrameEncoder({"a": "number"}, TermVectorizer(min_df=3))
    encoder.fit(pl.DataFrame({"a": [1, 2]}))
    assert clone(encoder).get_params()["text__min_df"] == 3
    assert pickle.loads(pickle.dumps(encoder)).roles_ == encoder.roles_
    error = BadData("it is bad", path="x", row=1, line=2, column="c")
    assert str(pickle.loads(pickle.dumps(error))) == "x, row 1 (line 2), column 'c': it is bad"
    error = BadData("it is bad", position=3)
    assert pickle.loads(pickle.dumps(error)).position == 3


class TestFiles:
    def test_letters_of_true_and_false(self, tmp_path: Path) -> None:
        files.save(FrameEncoder().fit(pl.DataFrame({"a": [True, False]})), tmp_path / "encoder")
        table = files.load(tmp_path / "encoder").transform(pl.DataFrame({"a": ["True", "False"]}))
        assert dense(table) == [["true", "false"]]

    def test_a_pipeline_from_raw_rows(self, tmp_path: Path) -> None:
        frame, y = pl.DataFrame(columns()), labels()
        model = make_pipeline(FrameEncoder(), AdaBoostClassifier(n_estimators=20)).fit(frame, y)
        files.save(model, tmp_path / "model")
        loaded = files.load(tmp_path / "model")
        assert (loaded.decision_function(frame) == model.decision_function(frame)).all()
        assert loaded[0].roles_ == model[0].roles_
        assert loaded[0].feature_names_in_.tolist() == frame.columns
        files.save(loaded, tmp_path / "again")
        assert (tmp_path / "again").read_bytes() == (tmp_path / "model").read_bytes()

    def test_parameters(self, tmp_path: Path) -> None:
        told = FrameEncoder({"a": "category"}, TermVectorizer(min_df=3))
        told.fit(pl.DataFrame({"a": [1, 2]})).save(tmp_path / "model")
        loaded = files.load(tmp_path / "model")
        assert loaded.roles == {"a": "category"}
        assert loaded.text.min_df == 3

    @pytest.mark.parametrize(
        "change",
        [
            {"kinds": ("number", "colour")},
            {"kinds": ("number",)},
            {"forms": ("", "year")},
            {"vectorizers": [3]},
            {"vectorizers": []},
            {"date_parts": [["minute"]]},
            {"date_parts": [["month"]]},
            {"columns": ("a", "a")},
        ],
    )
    def test_wrong_states_are_refused(self, change: dict[str, Any]) -> None:
        frame = pl.DataFrame({"a": [1, 2], "body": ["a b", "b c"]})
        state = FrameEncoder().fit(frame)._to_file()
        with pytest.raises(ValueError):
            FrameEncoder._from_file(files.Fields("FrameEncoder", {**state, **change}))


VALUES = st.one_of(
    st.none(),
    st.floats(),
    st.integers(-(2**70), 2**70),
    st.booleans(),
    st.text(max_size=5),
    st.sampled_from(["1", "NA", "2024-01-01", "1/2/2024", "a b c", "007", " ", "1e5"]),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(VALUES, min_size=1, max_size=15))
def test_any_values_are_encoded_or_refused(values: list[Any]) -> None:
    frame = pd.DataFrame({"a": pd.Series(values, dtype=object), "n": range(len(values))})
    try:
        encoder = FrameEncoder().fit(frame)
    except BadData:
        return
    assert encoder.transform(frame).shape == (len(values), len(encoder.get_feature_names_out()))

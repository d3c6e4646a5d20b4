"""svmlight files, and the line of what is wrong with them."""

import pytest

from tests.reading.reading_files import Write, refused
from underdog.reading import read


def test_a_matrix_and_labels(write: Write) -> None:
    data = read(write("1 1:0.5 3:2 # first\n-1 qid:3 2:1\n\n", "x.svm"))
    assert data.frame is None
    assert data.matrix.toarray().tolist() == [[0.5, 0, 2], [0, 1, 0]]
    assert data.target.tolist() == [1, -1]
    assert data.target.dtype.kind == "i"
    assert (data.format, len(data)) == ("svmlight", 2)


@pytest.mark.parametrize("base", [0, 1])
def test_indices_begin_as_in_a_file_before(write: Write, base: int) -> None:
    known = read(write(f"1 {base}:5 3:7\n", "x.svm"))
    assert known.read_options == {"zero_based": base == 0}
    row = read(write("1 2:4\n", "row.svm"), read_options=known.read_options)
    assert row.matrix.toarray().tolist() == [[0, 0, 4] if base == 0 else [0, 4]]


def test_rows_without_features(write: Write) -> None:
    assert read(write("1\n-1\n", "x.svm")).matrix.shape == (2, 1)
    assert read(write("1\n", "x.svm"), read_options={"zero_based": False}).matrix.shape == (1, 0)


def test_an_index_below_the_first(write: Write) -> None:
    path = write("1 1:2\n\n1 0:2 1:3\n", "x.svm")
    said = r", row 2 \(the first data row is 1\): there is an index 0, but indices begin with 1"
    refused(path, said, read_options={"zero_based": False})


def test_it_is_known_by_its_content(write: Write) -> None:
    assert read(write("+1 4:1\n-1 2:1\n", "a1a")).format == "svmlight"
    assert read(write("1,2\n3,4\n", "plain")).format == "csv"


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("1 1:2\nx 1:2\n", r", row 2 \(line 2\): the label 'x' is not a number"),
        ("1 1:2\n\n1 1;2\n", r", row 2 \(line 3\): '1;2' is not a feature such as 7:0.5"),
        ("1 1:a\n", r", row 1 \(line 1\): '1:a' is not a feature such as 7:0.5"),
        (
            "1 3:1 2:1\n",
            r", row 1 \(line 1\): index 2 comes after 3: indices must increase within a line",
        ),
        ("1 999999999:1\n", ": the largest index is above the limit of .*"),
        ("# nothing\n", ": there are no rows"),
    ],
)
def test_what_is_refused(write: Write, content: str, sentence: str) -> None:
    refused(write(content, "x.svm"), sentence)

"""CSV and the like: layout, quotes, numbers, and the sentence for whatever is wrong."""

import math
import random
import string
from typing import Any

import polars as pl
import pytest

from tests.reading.reading_files import Write, refused, rows
from underdog.reading import read, records

DECIMAL = "as decimal commas (0,5 is 0.5)"
THOUSANDS = "as thousands separators (1,000 is 1000)"


@pytest.fixture(params=[5, 1 << 22], ids=["small blocks", "one block"])
def block(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every record in a block of its own, or all in one."""
    monkeypatch.setattr(records, "BLOCK", request.param)


@pytest.mark.usefixtures("block")
class TestLayout:
    @pytest.mark.parametrize("separator", [",", "\t", ";", "|"])
    def test_the_separator_is_found(self, write: Write, separator: str) -> None:
        lines = [("age", "city"), ("31", "Rome"), ("54", "Oslo")]
        data = read(write("\n".join(map(separator.join, lines)) + "\n"))
        assert rows(data) == [(31, "Rome"), (54, "Oslo")]
        assert data.notes == ()

    def test_commas_in_the_text_of_a_tab_separated_file(self, write: Write) -> None:
        data = read(write("label\tbody\nham\tyes, I will, soon\nspam\tno\n", "sms.txt"))
        assert data.frame.columns == ["label", "body"]

    def test_a_separator_can_be_given(self, write: Write) -> None:
        assert rows(read(write("a^b\n1^2\n"), separator="^")) == [(1, 2)]

    @pytest.mark.parametrize("separator", ["", "ab", '"', "\n", "é"])
    def test_but_it_must_be_one_character(self, write: Write, separator: str) -> None:
        with pytest.raises(ValueError, match=r"separator=.* must be one character"):
            read(write("a\n1\n"), separator=separator)

    @pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
    def test_ends_of_lines(self, write: Write, end: str) -> None:
        for last in ("", end):
            data = read(write(end.join(["a,b", "1,x", "2,"]) + last))
            assert rows(data) == [(1, "x"), (2, None)]

    def test_one_column(self, write: Write) -> None:
        assert rows(read(write("word\nyes\nno\n"))) == [("yes",), ("no",)]

    def test_numbers_in_the_first_row_are_data(self, write: Write) -> None:
        data = read(write("1,red\n2,blue\n"))
        assert data.frame.columns == ["column 1", "column 2"]
        assert len(data) == 2
        assert data.notes[0].startswith("The first row holds numbers, so it was read as data")

    def test_unless_they_are_said_to_be_names(self, write: Write) -> None:
        data = read(write("2019,2020\n1,2\n"), header=True)
        assert data.frame.columns == ["2019", "2020"]
        assert data.notes == ()
        assert len(read(write("a,b\nc,d\n"), header=False)) == 2

    def test_names_that_come_twice(self, write: Write) -> None:
        refused(
            write("age,city,age\n1,2,3\n"),
            r", line 1: columns 1 and 3 are both named 'age': rename one of them",
        )

    def test_columns_without_a_name(self, write: Write) -> None:
        data = read(write(",age\n7,31\n"))
        assert data.frame.columns == ["column 1", "age"]
        assert data.notes == ("Columns without a name were named by their position: column 1.",)
        refused(write("column 2,\n1,2\n"), r", line 1: column 2 has no name, and another .*")

    def test_blank_lines(self, write: Write) -> None:
        data = read(write("\n\na,b\n1,2\n\n3,4\n\n\n"))
        assert rows(data) == [(1, 2), (3, 4)]
        assert "Blank lines were skipped: 3." in data.notes

    def test_no_rows(self, write: Write) -> None:
        refused(write(""), ": the file is empty")
        refused(write("\n\n"), ": the file is empty")
        refused(write("a,b\n"), ": there are no rows after the header")
        refused(write("a,b\n\n\n"), ": there are no rows after the header")

    def test_rows_of_another_length(self, write: Write) -> None:
        error = refused(write("a,b\n1,2\n\n3\n"), r", row 2 \(line 4\): 1 value for 2 columns: .*")
        assert (error.row, error.line, error.column) == (2, 4, None)
        refused(write("a,b\n1,2,3\n"), r", row 1 \(line 2\): 3 values for 2 columns: .*")
        refused(write('a,b\n"x\ny",2\n"z"\n'), r", row 2 \(line 4\): 1 value for .*")

    def test_some_of_the_columns(self, write: Write) -> None:
        path = write("a,b,c\n1,2,3\n")
        assert rows(read(path, columns=["c", "a"])) == [(1, 3)]
        sentence = ": there is no column 'd': the columns are 'a', 'b', 'c'"
        refused(path, sentence, columns=["d"])


@pytest.mark.usefixtures("block")
class TestQuotes:
    def test_what_quotes_protect(self, write: Write) -> None:
        data = read(write('a,b\n"1,2","x\n\ny"\n"say ""hi""",""\n'))
        assert [tuple(v or None for v in row) for row in rows(data)] == [
            ("1,2", "x\n\ny"),
            ('say "hi"', None),
        ]

    def test_a_quote_within_a_value_is_a_character(self, write: Write) -> None:
        assert rows(read(write('disk,n\n5" floppy,1\n'))) == [('5" floppy', 1)]

    @pytest.mark.parametrize(
        ("content", "row", "line"),
        [
            ('a,b\n1,2\n3,"4\n5,6\n', 2, 3),
            ('a,b\n1,"2\n3,"4"\n5,6\n', 1, 2),
            ('a,b\n"x\ny",2\n"3" z,4\n', 2, 4),
            ('a,b\n"x\ny","2\n', 1, 3),
        ],
    )
    def test_an_open_quote_is_told_where_it_opens(
        self, write: Write, content: str, row: int, line: int
    ) -> None:
        refused(
            write(content),
            rf", row {row} \(line {line}\): a quote opens a value here, but no quote before .*",
        )

    def test_in_the_header(self, write: Write) -> None:
        refused(write('a,"b\n1,2\n'), ", line 1: a quote opens a value here, but no .*")

    def test_a_carriage_return_within_a_value(self, write: Write) -> None:
        refused(
            write("a,b\n1,2\r3\n"),
            r", row 1 \(line 2\): a value has a carriage return: put it in quotes",
        )

    def test_long_values(self, write: Write) -> None:
        long = "word " * 50_000
        assert rows(read(write(f'a,b\n"{long}",1\n')))[0][0] == long
        assert rows(read(write(f"a,b\n{long},1\n")))[0][0] == long


@pytest.mark.usefixtures("block")
class TestNumbers:
    def test_types(self, write: Write) -> None:
        data = read(write("a,b,c,d\n1,1.5,x,300\n-2,1e3,2,-70000\n"))
        assert data.frame.dtypes == [pl.Int8, pl.Float64, pl.String, pl.Int32]
        assert rows(data) == [(1, 1.5, "x", 300), (-2, 1000.0, "2", -70000)]

    @pytest.mark.parametrize("absent", ["", " ", "NA", "N/A", "NaN", "nan", "null", "?", "-"])
    def test_missing(self, write: Write, absent: str) -> None:
        values = read(write(f"a,b\n1,2\n{absent},3\n")).frame["a"].to_list()
        assert values[0] == 1
        assert values[1] is None or math.isnan(values[1])

    def test_words_among_numbers_are_told_and_kept(self, write: Write) -> None:
        lines = [str(number) for number in range(1000)]
        lines[700] = "unknown"
        data = read(write("age\n" + "\n".join(lines) + "\n"))
        assert data.frame["age"].to_list() == lines
        assert data.notes == (
            "Column 'age' was read as text: 1 of 1,000 values are not numbers, the first is "
            "'unknown' in row 701 (the first data row is 1).",
        )

    def test_numbers_that_would_lose_digits_are_text(self, write: Write) -> None:
        data = read(write("zip,key\n02134,12345678901234567890\n10001,1\n"))
        assert rows(data) == [("02134", "12345678901234567890"), ("10001", "1")]
        assert data.notes == (
            "Column 'zip' was read as text, because values such as '02134' would lose digits as "
            "numbers.",
            "Column 'key' was read as text, because values such as '12345678901234567890' would "
            "lose digits as numbers.",
        )
        assert rows(read(write("a\n0.5\n0\n-0.1\n"))) == [(0.5,), (0.0,), (-0.1,)]

    @pytest.mark.parametrize(
        ("content", "values", "kinds"),
        [
            ("a;b\n1,5;x\n2;y\n", [1.5, 2.0], [DECIMAL]),
            ("a;b\n1,234;x\n2;y\n", [1.234, 2.0], [DECIMAL, THOUSANDS]),
            ("a;b\n1.234,5;x\n;y\n", [1234.5, None], [DECIMAL]),
            ('a,b\n"1,5",x\n2,y\n', [1.5, 2.0], [DECIMAL]),
            ('a,b\n"1,234",x\n2,y\n', [1234.0, 2.0], [THOUSANDS, DECIMAL]),
            ("a\tb\n1,234.5\tx\n2\ty\n", [1234.5, 2.0], [THOUSANDS]),
            ('a,b\n"0,126",x\n"0,250",y\n', [0.126, 0.25], [DECIMAL]),
            ('a,b\n"-0,126",x\n"1,250",y\n', [-0.126, 1.25], [DECIMAL]),
        ],
    )
    def test_commas(
        self, write: Write, content: str, values: list[float], kinds: list[str]
    ) -> None:
        data = read(write(content))
        assert data.frame["a"].to_list() == values
        others = "; they could also be read "
        assert data.notes == (f"Commas in column 'a' were read {others.join(kinds)}.",)

    def test_a_zero_has_no_thousands(self, write: Write) -> None:
        """Whatever an earlier file had: 0,126 is not 126, and neither is 0.126."""
        for separator, value, commas in (("\t", "0,126", "thousands"), (";", "0.126", "decimal")):
            path = write(f"a{separator}b\n{value}{separator}x\n")
            data = read(path, read_options={"commas": {"a": commas}})
            assert rows(data) == [(value, "x")]

    def test_commas_as_in_a_file_before(self, write: Write) -> None:
        read_options = read(write("a\tb\n2,985,800\tx\n7\ty\n")).read_options
        assert read_options == {"commas": {"a": "thousands"}}
        data = read(write("a\tb\n250,000\tx\n"), read_options=read_options)
        assert rows(data) == [(250_000.0, "x")]
        assert data.notes == (f"Commas in column 'a' were read {THOUSANDS}.",)
        assert data.read_options == read_options
        assert rows(read(write("a\n1,5\n"), separator=";", read_options=read_options)) == [("1,5",)]

    def test_a_point_between_thousands_as_in_a_file_before(self, write: Write) -> None:
        read_options = read(write("a;b\n1.234,5;x\n")).read_options
        assert rows(read(write("a;b\n1.234;x\n"), read_options=read_options)) == [(1234.0, "x")]

    @pytest.mark.parametrize("read_options", [3, {"commas": 3}, {"zero_based": "no"}])
    def test_read_options_that_are_none(self, write: Write, read_options: Any) -> None:
        with pytest.raises(ValueError, match="must be the read_options of data that were read"):
            read(write("a\n1\n"), read_options=read_options)

    def test_verbatim(self, write: Write) -> None:
        data = read(write("version,n\n1.10,1\n1.1,2\n"), verbatim=["version"])
        assert rows(data) == [("1.10", 1), ("1.1", 2)]


def test_blocks_do_not_show(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same frame whatever the size of the blocks, with and without quotes."""
    chance = random.Random(0)
    values = ["", "7", "1.5", "word", "two words", '"q,q"', '"a ""b"" c"', '"new\nline"', "é"]
    for _ in range(20):
        width = chance.randint(1, 4)
        lines = [",".join(string.ascii_letters[:width])] + [
            ",".join(chance.choice(values[1:] if width == 1 else values) for _ in range(width))
            for _ in range(chance.randint(1, 12))
        ]
        path = write("\n".join(lines) + "\n")
        frames = []
        for size in (1, 7, 40, 1 << 22):
            monkeypatch.setattr(records, "BLOCK", size)
            frames.append(read(path).frame.fill_null(""))
        for frame in frames[1:]:
            assert frame.equals(frames[0], null_equal=True)
            assert frame.dtypes == frames[0].dtypes


def test_ten_thousand_columns(write: Write) -> None:
    header = ",".join(f"x{c}" for c in range(10_000))
    row = ",".join(str(c % 7) for c in range(10_000))
    data = read(write("\n".join([header, *[row] * 20]) + "\n"))
    assert data.frame.shape == (20, 10_000)
    assert data.frame.row(19)[:9] == (0, 1, 2, 3, 4, 5, 6, 0, 1)


def test_room_is_made_by_what_can_be_there(write: Write) -> None:
    """Many columns over many blank lines are not many rows."""
    data = read(write(",".join(f"x{c}" for c in range(500)) + "\n" * 200_000 + "1," * 499 + "1\n"))
    assert data.frame.shape == (1, 500)


class TestTabs:
    """Between tabs quotes are characters, as long as every line is a record."""

    @pytest.mark.usefixtures("block")
    def test_texts_with_quotes(self, write: Write) -> None:
        data = read(write('label\tbody\nham\t"Hi" he said\nspam\t"open\nham\tclosed"\n', "x.tsv"))
        assert data.frame["body"].to_list() == ['"Hi" he said', '"open', 'closed"']

    @pytest.mark.usefixtures("block")
    def test_quotes_around_whole_values(self, write: Write) -> None:
        data = read(write('a\tb\n"x ""y"" z"\t""\n"\t"""\n', "x.tsv"))
        assert rows(data) == [('x "y" z', ""), ('"', '"""')]

    def test_quotes_that_protect(self, write: Write) -> None:
        data = read(write('a\tb\n"x\ty"\t1\n"new\nline"\t2\n', "x.tsv"))
        assert rows(data) == [("x\ty", 1), ("new\nline", 2)]


def test_a_first_row_like_the_others_is_data(write: Write) -> None:
    data = read(write("ham\tGo now\nspam\tFree prize\nham\tSee you\n", "sms.tsv"))
    assert data.frame["column 1"].to_list() == ["ham", "spam", "ham"]
    assert data.notes == (
        "The first row looks like data ('ham' occurs again in its column), so it was read as data, "
        "and the columns are named 'column 1' and so on.",
    )


def test_a_name_above_numbers_is_one_even_if_a_class_has_it(write: Write) -> None:
    data = read(write("a,b,y\n1,2,x\n3,NA,y\n5,6,z\n"))
    assert data.frame.columns == ["a", "b", "y"]
    assert data.notes == ()

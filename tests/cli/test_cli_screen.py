"""What a command shows, and how it ends."""

import json
import os
import warnings

import numpy as np
import pytest
import typer

from underdog.cli.screen import Paragraph, Screen, Stopped, as_json, clean, finite, fold
from underdog.files import BadFile
from underdog.frames.errors import BadData
from underdog.kernels.quiet import QUIET


def test_a_data_file_cannot_command_a_terminal():
    assert clean("a\x1b[31mb\tc\nd\u202e") == "a\\x1b[31mb\\tc\nd\\u202e"
    assert clean("日本 [red] äö") == "日本 [red] äö"


COMMANDS = "".join(map(chr, [*range(10), *range(11, 32), *range(0x7F, 0xA0)]))
DIRECTIONS = "\u061c\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


@pytest.mark.parametrize("character", COMMANDS + DIRECTIONS, ids=ascii)
def test_nothing_commands_a_terminal(character):
    given = {f"Zoë{character}": ["日本", character]}
    text = as_json(given, indent=2)
    assert json.loads(text) == given
    for shown in (text, clean(str(given))):
        assert character not in shown
        assert "Zoë" in shown
        assert "日本" in shown


def test_half_of_a_character_is_json_that_can_be_written():
    assert as_json("\ud800").encode() == b'"\\ud800"'


def test_values_for_machines():
    given = {"a": np.float64(0.5), 2: [np.nan, np.inf], "c": np.arange(2), "d": (None, True)}
    assert finite(given) == {"a": 0.5, "2": [None, None], "c": [0, 1], "d": [None, True]}


def test_long_lines_go_on_further_to_the_right():
    assert fold("short", 10) == "short"
    folded = fold("  one two three four five", 12).splitlines()
    assert folded[0] == "  one two"
    assert all(line.startswith("      ") for line in folded[1:])
    assert max(map(len, folded)) <= 12
    assert fold("x" * 30, 10).replace("\n", "").replace(" ", "") == "x" * 30


def test_lines_of_a_paragraph_have_the_same_indent():
    folded = fold("  one two three four five", 12, "  ").splitlines()
    assert all(line.startswith("  ") and line[2] != " " for line in folded)
    assert max(map(len, folded)) <= 12


def test_a_paragraph_in_a_pipe_is_one_line(capsys):
    Screen().print(Paragraph("a word and another " * 20, 2))
    assert capsys.readouterr().out == "  " + "a word and another " * 20 + "\n"


@pytest.mark.parametrize(
    ("error", "code", "text"),
    [
        (ValueError("no\n  good"), 1, "no good"),
        (typer.BadParameter("which?"), 2, "which?"),
        (BadData("is empty", path="x.csv", row=3, line=4), 3, "x.csv, row 3 (line 4): is empty"),
        (FileNotFoundError(2, "No such file", "x.csv"), 3, "x.csv: No such file"),
        (BadFile("it is a song"), 4, "it is a song"),
        (Stopped("stopped here"), 130, None),
        (ZeroDivisionError("oh"), 1, "ZeroDivisionError: oh (a bug in underdog: --verbose "
         "shows where)"),
    ],
)  # fmt: skip
def test_errors_are_one_sentence_and_a_code(error, code, text, capsys):
    with pytest.raises(typer.Exit) as left, Screen(as_json=text is not None):
        raise error
    assert left.value.exit_code == code
    out, err = capsys.readouterr()
    if text is None:
        assert err == "stopped here\n"
    else:
        assert err == f"error: {text}\n"
        assert json.loads(out) == {"error": text, "exit_code": code}


def test_verbose_shows_where(capsys):
    with pytest.raises(typer.Exit), Screen(verbose=True):
        raise ZeroDivisionError
    assert "Traceback" in capsys.readouterr().err


def test_warnings_are_notes_printed_once(capsys):
    with Screen():
        warnings.warn("mind the gap", UserWarning, stacklevel=1)
        warnings.warn("mind the gap", RuntimeWarning, stacklevel=1)
    assert capsys.readouterr().err == "note: mind the gap\n"
    with Screen(quiet=True):
        warnings.warn("mind the gap", UserWarning, stacklevel=1)
    assert capsys.readouterr().err == ""


def test_only_a_quiet_screen_silences_the_compilation(monkeypatch):
    monkeypatch.delenv(QUIET, raising=False)
    for quiet in (False, True):
        with Screen(quiet=quiet):
            assert (QUIET in os.environ) == quiet
        assert QUIET not in os.environ

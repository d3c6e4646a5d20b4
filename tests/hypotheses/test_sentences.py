"""Rules in words: what is read, and how errors point at their place."""

import contextlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from underdog.data import EncodedRows, Table
from underdog.hypotheses.decision_list import MAX_LEAVES, RuleTests, decision_list
from underdog.hypotheses.sentences import Above, Among, Not, Present, Some, Word, parse


@pytest.mark.parametrize(
    ("rule", "condition"),
    [
        ("if 'a b' in text: s 1", Word("a b", "text")),
        ("if 'a' not in `my text`: s 1", Not(Word("a", "my text"))),
        ("if age > -1.5e3: s 1", Above("age", -1500.0, False)),
        ("if age <= 3: s 1", Not(Above("age", 3.0, True))),
        ("if colour is red: s 1", Among("colour", ("red",), False)),
        ("if colour is not 'dark red': s 1", Not(Among("colour", ("dark red",), True))),
        ("if colour in {1, b}: s 1", Among("colour", ("1", "b"), False)),
        ("if colour is missing: s 1", Among("colour", (), True)),
        ("if free present or (free absent): s 1", Some((Present("free"), Not(Present("free"))))),
    ],
)
def test_conditions(rule, condition):
    (found,) = parse([rule])
    assert found.condition == condition
    assert found.says == (("s", 1.0),)


def test_classes_and_lines():
    found = parse("# of us\n\nif a > 1: not spam 0.25, 'x, y' .5\nelse: 1 0.5, 2 5e-1\n")
    assert [sentence.says for sentence in found] == [
        (("not spam", 0.25), ("x, y", 0.5)),
        (("1", 0.5), ("2", 0.5)),
    ]
    assert [sentence.where for sentence in found] == ["line 3", "line 4"]
    assert parse(["if a > 1: spam"])[0].says == (("spam", None),)
    assert parse(["if a > 1: 1"])[0].says == (("1", None),)


@pytest.mark.parametrize(
    ("rule", "message", "place"),
    [
        ("if 'free' in text spam 0.9", "expected 'and', 'or' or ':', not 'spam'", 18),
        ("when a > 1: s 1", "expected 'if' or 'else', not 'when'", 0),
        ("if 'free: s 1", "cannot be read: is a quote missing?", 3),
        ("if 'a' on text: s 1", "expected 'in' or 'not in'", 7),
        ("if ' ' in text: s 1", "the word is empty", 3),
        ("if a >= 1: s 1", "write '>', as rules of underdog do", 5),
        ("if a == b: s 1", "write 'is', as rules of underdog do", 5),
        ("if a > b: s 1", "expected a number, not 'b'", 7),
        ("if a: s 1", "expected '>', '<=', 'is', 'in', 'present' or 'absent', not ':'", 4),
        ("if (a > 1: s 1", "expected ')', not ':'", 9),
        ("if a in {b: s 1", "expected ',' or '}', not ':'", 10),
        ("if a > 1: s 1.5", "a probability must be from 0 to 1", 12),
        ("if a > 1:", "expected a class, not the end", 9),
        ("if a > 1: s 1 and", "expected ',' or the end of the rule, not 'and'", 14),
        ("if and > 1: s 1", "expected the name of a column, or a word between quotes", 3),
        ("else if a > 1: s 1", "expected ':', not 'if'", 5),
    ],
)
def test_errors_point_at_the_place(rule, message, place):
    with pytest.raises(ValueError) as error:
        parse([rule])
    head, text, mark = str(error.value).split("\n")
    assert head.startswith(f"rule 1: {message}")
    assert text == f"    {rule}"
    assert mark == f"    {' ' * place}^"


def test_errors_of_lists():
    with pytest.raises(ValueError, match="no rule can follow 'else'"):
        parse(["else: s 1", "if a > 1: s 1"])
    with pytest.raises(ValueError, match="there is no rule"):
        parse("# nothing")
    with pytest.raises(TypeError, match="rule 1 is 3"):
        parse([3])
    with pytest.raises(ValueError, match="too many parentheses"):
        parse(["if " + "(" * 1000 + "a > 1: s 1"])


@given(st.text(alphabet="if else'\"`<>=:(){}, 01.9ainotr#_", max_size=40))
def test_any_text_is_read_or_refused(text):
    with contextlib.suppress(ValueError):
        assert parse([text])[0].text == text.strip()


def blocks(rules, table):
    """The number of the rule that each row obeys."""
    sentences = parse(rules)
    tests = RuleTests(sentences, table)
    values = np.arange(len(sentences) + 1.0)[:, None]
    tree = decision_list(sentences, tests, values)
    assert tree.ends is not None
    encoded = EncodedRows(table, tests.schema)
    return tree.values[tree.partition(encoded).of_row(len(table)), 0].tolist()


def test_the_first_rule_wins():
    numbers = np.array([[0.0, 1.0], [3.0, 1.0], [3.0, np.nan], [np.nan, 0.0]])
    colours = np.array(["red", "blue", None, "red"], dtype=object)[:, None]
    table = Table.hstack([numbers, colours], names=["a", "w", "colour"], categorical=["colour"])
    rules = ["if a > 2 and 'w' in text: s 1", "if a <= 2 or colour is blue: s 1"]
    assert blocks(rules, table) == [1, 0, 2, 2]
    assert blocks(["if not (a > 2): s 1", "else: s 1"], table) == [0, 1, 1, 0]
    assert blocks(["if a is missing: s 1"], table) == [1, 1, 1, 0]
    assert blocks(["if a is not missing: s 1"], table) == [0, 0, 0, 1]
    assert blocks(["if colour is missing: s 1"], table) == [1, 1, 0, 1]
    assert blocks(["if colour is not red: s 1"], table) == [1, 0, 1, 1]
    assert blocks(["if colour in {red, blue}: s 1"], table) == [0, 0, 1, 0]
    assert blocks(["if w absent: s 1"], table) == [1, 1, 0, 0]


def test_words_of_several_texts():
    table = Table.hstack([np.eye(3)], names=["body: win", "title: win", "title: now"])
    assert blocks(["if 'win' in text: s 1"], table) == [0, 0, 1]
    assert blocks(["if 'win' in title: s 1"], table) == [1, 0, 1]


def test_rules_with_too_many_parts_are_refused():
    names = [f"c{number}" for number in range(40)]
    table = Table.hstack([np.eye(40)], names=names)
    rules = [f"if c{2 * k} > 0 and c{2 * k + 1} > 0: s 1" for k in range(20)]
    with pytest.raises(ValueError, match=f"more than {MAX_LEAVES} parts"):
        blocks(rules, table)
    assert blocks([f"if {name} > 0: s 1" for name in names], table) == list(range(40))

"""Rules that people write, such as "if 'refund' in text: complaint 0.9": parsed, never run.

    rule       if CONDITION: SAYING    or    else: SAYING
    condition  conditions with "and", "or", "not" and parentheses
               'WORD' in COLUMN, 'WORD' not in COLUMN
               COLUMN > NUMBER, COLUMN <= NUMBER
               COLUMN is LEVEL, COLUMN is not LEVEL, COLUMN in {LEVEL, LEVEL}
               COLUMN is missing, COLUMN is not missing, COLUMN present, COLUMN absent
    saying     CLASS PROBABILITY, CLASS PROBABILITY, ...

A column whose name has blanks or signs is written between backquotes, a class or a level between
quotes. Of a value that is missing, all conditions but "is missing" are false.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import NamedTuple

TOKEN = re.compile(
    r"""\s*(?:(?P<text>'[^']*'|"[^"]*")|(?P<name>`[^`]+`)|(?P<sign><=|>=|==|!=|[<>=(){},:])"""
    r"""|(?P<number>[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?=[\s,:(){}<>=!]|$))"""
    r"""|(?P<word>[^\s'"`<>=!(){},:]+))"""
)
KEYWORDS = {"if", "else", "and", "or", "not", "in", "is", "missing", "present", "absent"}
NEAREST = {">=": ">", "<": "<=", "=": "is", "==": "is", "!=": "is not"}
"""What to write instead of signs that tests of columns do not have."""
MAX_DEPTH = 50
"""Of parentheses."""
COMMENT = "#"


class Token(NamedTuple):
    """A piece of a rule; `kind` is a group of `TOKEN`, or "end"."""

    kind: str
    value: str
    place: int


class Word(NamedTuple):
    """Whether a word is in a column of texts."""

    word: str
    column: str


class Above(NamedTuple):
    """Whether a number is above a threshold; `missing` is the answer for missing values."""

    column: str
    threshold: float
    missing: bool


class Among(NamedTuple):
    """Whether a category is one of these levels; without any, whether it is missing."""

    column: str
    levels: tuple[str, ...]
    missing: bool


class Present(NamedTuple):
    """Whether a column of a word is above 0."""

    column: str


class Not(NamedTuple):
    """The opposite."""

    condition: Condition


class All(NamedTuple):
    """Whether all of these are true."""

    conditions: tuple[Condition, ...]


class Some(NamedTuple):
    """Whether one of these is true."""

    conditions: tuple[Condition, ...]


Atom = Word | Above | Among | Present
Condition = Atom | Not | All | Some


class Sentence(NamedTuple):
    """A rule of a person.

    Attributes
    ----------
    condition : Condition, or None for "else"
    says : tuple of (class, probability)
        The probability is None if only the class was named.
    text : str
        As it was written.
    where : str
        Where it was written, for messages.
    """

    condition: Condition | None
    says: tuple[tuple[str, float | None], ...]
    text: str
    where: str

    def error(self, message: str) -> ValueError:
        """An error about the rule as a whole."""
        return ValueError(f"{self.where}: {message}\n    {self.text}")


def parse(rules: str | Sequence[str]) -> list[Sentence]:
    """The rules of a text with one rule per line, or of a list; without blank lines and comments.

    "else" is the last rule, if there is one.
    """
    lines = rules.splitlines() if isinstance(rules, str) else list(rules)
    unit = "line" if isinstance(rules, str) else "rule"
    found: list[Sentence] = []
    for number, line in enumerate(lines, start=1):
        if not isinstance(line, str):
            raise TypeError(f"rule {number} is {line!r}, but it must be a string")
        if line.strip() and not line.lstrip().startswith(COMMENT):
            if found and found[-1].condition is None:
                raise found[-1].error("no rule can follow 'else'")
            found.append(_Parser(line.strip(), f"{unit} {number}").sentence())
    if not found:
        raise ValueError("there is no rule: write one, such as \"if 'won' in text: spam 0.9\"")
    return found


class _Parser:
    """Reads one rule from left to right."""

    def __init__(self, text: str, where: str) -> None:
        self.text, self.where = text, where
        self._tokens: list[Token] = []
        place = 0
        while place < len(text):
            match = TOKEN.match(text, place)
            if match is None:
                start = place + len(text[place:]) - len(text[place:].lstrip())
                raise self._error("cannot be read: is a quote missing?", start)
            kind = str(match.lastgroup)
            self._tokens.append(Token(kind, match[kind], match.start(kind)))
            place = match.end()
        self._tokens.append(Token("end", "", len(text)))
        self._next = 0

    def sentence(self) -> Sentence:
        if self._take("word", "else"):
            condition: Condition | None = None
        elif self._take("word", "if"):
            condition = self._some(0)
        else:
            raise self._expected("'if' or 'else'")
        if not self._take("sign", ":"):
            raise self._expected("'and', 'or' or ':'" if condition is not None else "':'")
        says = [self._saying()]
        while self._take("sign", ","):
            says.append(self._saying())
        if self._token.kind != "end":
            raise self._expected("',' or the end of the rule")
        return Sentence(condition, tuple(says), self.text, self.where)

    @property
    def _token(self) -> Token:
        return self._tokens[self._next]

    def _take(self, kind: str, value: str | None = None) -> Token | None:
        """The next token, if it is this one."""
        token = self._token
        if token.kind != kind or (value is not None and token.value != value):
            return None
        self._next += 1
        return token

    def _some(self, depth: int) -> Condition:
        found = [self._all(depth)]
        while self._take("word", "or"):
            found.append(self._all(depth))
        return found[0] if len(found) == 1 else Some(tuple(found))

    def _all(self, depth: int) -> Condition:
        found = [self._one(depth)]
        while self._take("word", "and"):
            found.append(self._one(depth))
        return found[0] if len(found) == 1 else All(tuple(found))

    def _one(self, depth: int) -> Condition:
        if depth > MAX_DEPTH:
            raise self._error("too many parentheses", self._token.place)
        if self._take("word", "not"):
            return Not(self._one(depth + 1))
        if self._take("sign", "("):
            inside = self._some(depth + 1)
            if not self._take("sign", ")"):
                raise self._expected("')'")
            return inside
        if word := self._take("text"):
            return self._word(word)
        return self._test(self._column())

    def _word(self, word: Token) -> Condition:
        """A word is in a text."""
        negated = self._take("word", "not") is not None
        if not self._take("word", "in"):
            raise self._expected("'in' or 'not in', then the column of the texts")
        own = word.value[1:-1]
        if not own.strip():
            raise self._error("the word is empty", word.place)
        atom = Word(own, self._column())
        return Not(atom) if negated else atom

    def _column(self) -> str:
        if name := self._take("name"):
            return name.value[1:-1]
        if self._token.kind == "word" and self._token.value not in KEYWORDS:
            self._next += 1
            return self._tokens[self._next - 1].value
        raise self._expected("the name of a column, or a word between quotes")

    def _test(self, column: str) -> Condition:
        """What is said of a column."""
        if self._take("sign", ">"):
            return Above(column, self._number(), False)
        if self._take("sign", "<="):
            return Not(Above(column, self._number(), True))
        if self._token.kind == "sign" and self._token.value in NEAREST:
            instead = NEAREST[self._token.value]
            raise self._error(f"write {instead!r}, as rules of underdog do", self._token.place)
        if self._take("word", "present"):
            return Present(column)
        if self._take("word", "absent"):
            return Not(Present(column))
        if self._take("word", "in"):
            return Among(column, self._levels(), False)
        if self._take("word", "not"):
            if not self._take("word", "in"):
                raise self._expected("'in'")
            return Not(Among(column, self._levels(), True))
        if not self._take("word", "is"):
            raise self._expected("'>', '<=', 'is', 'in', 'present' or 'absent'")
        negated = self._take("word", "not") is not None
        if self._take("word", "missing"):
            missing = Among(column, (), True)
            return Not(missing) if negated else missing
        level = (self._level(),)
        return Not(Among(column, level, True)) if negated else Among(column, level, False)

    def _number(self) -> float:
        number = self._take("number")
        if number is None or not math.isfinite(float(number.value)):
            raise self._expected("a number", 0 if number is None else 1)
        return float(number.value)

    def _level(self) -> str:
        token = self._take("text") or self._take("number") or self._take("word")
        if token is None:
            raise self._expected("a level")
        return token.value[1:-1] if token.kind == "text" else token.value

    def _levels(self) -> tuple[str, ...]:
        if not self._take("sign", "{"):
            raise self._expected("'{' and levels")
        found = [self._level()]
        while self._take("sign", ","):
            found.append(self._level())
        if not self._take("sign", "}"):
            raise self._expected("',' or '}'")
        return tuple(found)

    def _saying(self) -> tuple[str, float | None]:
        """A class, or several words that are its name, and a probability."""
        if text := self._take("text"):
            name = text.value[1:-1]
        else:
            first = self._next
            while self._take("word"):
                pass
            if self._token.kind == "number" and self._tokens[self._next + 1].kind == "number":
                self._next += 1  # the name ends with a number
            name = " ".join(token.value for token in self._tokens[first : self._next])
            if not name and (only := self._take("number")):  # a class that is a number
                return only.value, None
            if not name:
                raise self._expected("a class")
        number = self._take("number")
        if number is None:
            return name, None
        value = float(number.value)
        if not 0.0 <= value <= 1.0:
            raise self._error("a probability must be from 0 to 1", number.place)
        return name, value

    def _expected(self, what: str, back: int = 0) -> ValueError:
        token = self._tokens[self._next - back]
        found = "the end" if token.kind == "end" else repr(token.value.strip("'\"`"))
        return self._error(f"expected {what}, not {found}", token.place)

    def _error(self, message: str, place: int) -> ValueError:
        return ValueError(f"{self.where}: {message}\n    {self.text}\n    {' ' * place}^")

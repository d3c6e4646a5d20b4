"""Docstrings as plain text."""

import pytest

from underdog.cli.algorithms import algorithm, algorithms
from underdog.cli.docstrings import documentation, plain, written_documentation


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see `Booster` and ``x=1``", "see Booster and x=1"),
        (r":math:`\frac12 \ln\frac{W_+ + e}{W_- + e}`", "1/2 ln((W_+ + e) / (W_- + e))"),
        (r":math:`\frac{\beta}{1+\beta}`", "beta / (1+beta)"),
        (r":math:`2 \sqrt{A_t (1 - A_t)}`", "2 sqrt(A_t (1 - A_t))"),
        (r":math:`e^{-y_i f(x_i)} \le f_{t-1}`", "e^(-y_i f(x_i)) <= f_(t-1)"),
        (r":math:`\frac{(W_+ - W_-)^2}{W_{ij}}`", "((W_+ - W_-)^2) / W_(ij)"),
        (r":math:`D_t \propto w`", "D_t proportional to w"),
    ],
)
def test_marks_are_taken_away(text, expected):
    assert plain(text) == expected


def test_items_of_a_list_are_paragraphs():
    class Listed:
        """What it is.

        Two rules:

        - The first,
          in two lines.
        - The second.
        """

    assert documentation(Listed).paragraphs == [
        "Two rules:", "- The first, in two lines.", "- The second.",
    ]  # fmt: skip


@pytest.mark.parametrize("name", algorithms())
def test_the_source_says_the_same(name):
    kind = algorithm(name)
    written = written_documentation(kind.__module__, kind.__name__)
    assert written == documentation(kind)._replace(parameters={})
    assert written.summary

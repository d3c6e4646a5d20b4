"""What hypotheses say of the examples, in an order that does not depend on that of the rows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from underdog.masters.groups import distinct_codes
from underdog.types import Codes, Floats, Integers


class Votes(NamedTuple):
    """The answers of hypotheses; examples with the same label and the same answers are one row.

    Rows are sorted by label and answers, so they depend neither on the order of the examples nor
    on where these are stored, and an example of weight 3 is three examples.

    Attributes
    ----------
    sign : (G,), 0 or 1
    share : (G,)
        Share of the weight of all examples.
    answers : (G, J)
        What each hypothesis says, with a largest absolute value of 1.
    """

    sign: Codes
    share: Floats
    answers: Floats

    @property
    def game(self) -> Floats:
        """(G, J) y h."""
        result: Floats = (2.0 * self.sign[:, np.newaxis] - 1.0) * self.answers
        return result


class Answers(NamedTuple):
    """What one hypothesis says.

    Attributes
    ----------
    values : (B,)
        What it says in each of its blocks.
    block : (n,)
        The block of each example.
    """

    values: Floats
    block: Integers


def distinct_votes(sign: Codes, amounts: Integers, columns: Iterable[Answers]) -> Votes:
    """The distinct answers of hypotheses.

    Parameters
    ----------
    sign : (n,), 0 or 1
    amounts : (n,)
        The weight of each example, in units that are small enough for their sum. Examples of
        weight 0 do not count.
    columns : Answers of each hypothesis

    Examples
    --------
    >>> import numpy as np
    >>> from underdog.masters.votes import Answers, distinct_votes
    >>> sign, amounts = np.array([1, 0, 1], dtype=np.uint8), np.array([1, 2, 1])
    >>> found = distinct_votes(sign, amounts, [Answers(np.array([-1.0, 1.0]), sign)])
    >>> found.share.tolist(), found.game.tolist()
    ([0.5, 0.5], [[1.0], [1.0]])
    """
    counts = amounts > 0
    group = sign[counts].astype(np.int64)
    size = 2
    parents: list[Integers] = []
    answers: list[Floats] = []
    for column in columns:
        values, rank = np.unique(column.values + 0.0, return_inverse=True)  # -0 becomes 0
        codes = group * len(values) + rank[column.block[counts]]
        found, group = distinct_codes(codes, size * len(values))
        parent, own = np.divmod(found, len(values))
        parents.append(parent)
        answers.append(values[own])
        size = len(found)
    count = np.zeros(size, dtype=np.int64)
    np.add.at(count, group, amounts[counts])
    whole = np.empty((size, len(answers)))
    place: Integers = np.arange(size)
    for number in range(len(answers) - 1, -1, -1):
        whole[:, number] = answers[number][place]
        place = parents[number][place]
    return Votes(place.astype(np.uint8), count / int(count.sum()), whole)

"""What hypotheses say of the examples, in an order that does not depend on that of the rows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

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


def distinct_votes(sign: Codes, amounts: Integers, columns: Iterable[Floats]) -> Votes:
    """The distinct answers of hypotheses.

    Parameters
    ----------
    sign : (n,), 0 or 1
    amounts : (n,)
        The weight of each example, in units that are small enough for their sum.
    columns : (n,) each
        The answers of each hypothesis.

    Examples
    --------
    >>> import numpy as np
    >>> from underdog.masters.votes import distinct_votes
    >>> sign, amounts = np.array([1, 0, 1], dtype=np.uint8), np.array([1, 2, 1])
    >>> found = distinct_votes(sign, amounts, [np.array([1.0, -1.0, 1.0])])
    >>> found.share.tolist(), found.game.tolist()
    ([0.5, 0.5], [[1.0], [1.0]])
    """
    labels, group = np.unique(sign[amounts > 0], return_inverse=True)
    parents: list[Integers] = []
    answers: list[Floats] = []
    for column in columns:
        values, rank = np.unique(column[amounts > 0] + 0.0, return_inverse=True)  # -0 becomes 0
        found, group = np.unique(group * len(values) + rank, return_inverse=True)
        parent, own = np.divmod(found, len(values))
        parents.append(parent)
        answers.append(values[own])
    count = np.zeros(int(group.max()) + 1, dtype=np.int64)
    np.add.at(count, group, amounts[amounts > 0])
    whole = np.empty((len(count), len(answers)))
    place: Integers = np.arange(len(count))
    for number in range(len(answers) - 1, -1, -1):
        whole[:, number] = answers[number][place]
        place = parents[number][place]
    return Votes(labels[place], count / int(count.sum()), whole)

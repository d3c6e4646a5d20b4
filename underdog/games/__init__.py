"""Boosting as a game: matrix games, how to solve them, and what margins a booster could have.

Boosting is a zero-sum game between two players. The row player chooses an example, the column
player a hypothesis, and the column player wins M[i, j] = y_i h_j(x_i): +1 where the hypothesis is
right, -1 where it is wrong. A mixed row strategy p is a distribution over the examples, and the
edge of hypothesis j under it is (p M)_j. A mixed column strategy q is a vote of the hypotheses,
and the margin of example i under it is (M q)_i. By von Neumann's theorem

    min_p max_j (p M)_j  =  max_q min_i (M q)_i,

the least possible greatest edge is the greatest possible minimum margin. If on every weighting of
the examples some hypothesis has an edge of r, then some vote has a margin of r on every example:
weak learners can be made strong. AdaBoost plays the row player with multiplicative weights.

Any pair of strategies gives a bracket: what q guarantees is at most the value of the game, what p
concedes at least. Everything here is reported with its bracket, so that nothing must be believed.
"""

from underdog.games.margin_report import MarginReport, margins, voting_margins
from underdog.games.matrix import GameSolution, multiplicative_weights, solve_game

__all__ = [
    "GameSolution",
    "MarginReport",
    "margins",
    "multiplicative_weights",
    "solve_game",
    "voting_margins",
]

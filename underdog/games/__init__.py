"""Boosting as a matrix game: solvers, and the margins that the rules of a booster allow.

Boosting is a zero-sum game between two players. The row player chooses an example, the column
player a hypothesis, and the column player wins M[i, j] = y_i h_j(x_i): +1 if the hypothesis is
right, -1 if it is wrong. A mixed row strategy p is a distribution over the examples, and the edge
of hypothesis j under it is (p M)_j. A mixed column strategy q is a vote of the hypotheses, and the
margin of example i under it is (M q)_i. By von Neumann's theorem

    min_p max_j (p M)_j  =  max_q min_i (M q)_i,

the smallest possible maximum edge equals the largest possible minimum margin. If for every
weighting of the examples some hypothesis has an edge of r, then some vote has a margin of at least
r on every example: weak learners can be made strong. AdaBoost is the row player with multiplicative
weights.

Any pair of strategies gives bounds on the value of the game: what q wins at least is a lower bound,
what p loses at most an upper bound. All results are returned with both bounds.
"""

from underdog.certificates import Certificate, Certificates
from underdog.games.certificates import certificates
from underdog.games.drifting import drifting_potential, majority_rounds
from underdog.games.greatest_margin import with_greatest_margin
from underdog.games.margin_report import MarginReport, margins, voting_margins
from underdog.games.matrix import GameSolution, multiplicative_weights, solve_game
from underdog.games.three import (
    MajorityOfThree,
    boost_by_filtering,
    majority_bound,
    three_hypotheses,
)

__all__ = [
    "Certificate",
    "Certificates",
    "GameSolution",
    "MajorityOfThree",
    "MarginReport",
    "boost_by_filtering",
    "certificates",
    "drifting_potential",
    "majority_bound",
    "majority_rounds",
    "margins",
    "multiplicative_weights",
    "solve_game",
    "three_hypotheses",
    "voting_margins",
    "with_greatest_margin",
]

"""The linear programme of the soft margin."""

from __future__ import annotations

from underdog.combiners.corrective import Corrective
from underdog.core import Run
from underdog.masters.linear import LinearMaster, Solution
from underdog.types import Integers


class LinearProgramme(Corrective):
    """Maximises the soft margin over the coefficients by linear programming.

    The weights of the next round, the dual variables, minimise the largest edge of the hypotheses
    so far. Its minimum B equals the soft margin of the best coefficients. When no hypothesis has an
    edge above B, the optimum over all hypotheses is reached.

    Parameters
    ----------
    tol : float, default=0.01
        The run has converged when the best edge exceeds B by at most tol.

    References
    ----------
    Demiriz, Bennett and Shawe-Taylor, Machine Learning 46, 2002, algorithm 4.1.

    Examples
    --------
    >>> from underdog.combiners import LinearProgramme
    >>> LinearProgramme(tol=0.1)
    LinearProgramme(tol=0.1)
    """

    def solve(self, run: Run, parents: Integers | None) -> tuple[Solution, str | None]:
        memory = run.memory
        if parents is None:
            memory.solver = LinearMaster.from_groups(memory.groups, memory.groups.n_hypotheses)
        elif memory.solver is None:
            memory.solver = LinearMaster.from_groups(memory.groups, 1)
        else:
            memory.solver.add(parents)
        return memory.solver.solve(), None

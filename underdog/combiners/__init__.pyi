from .backtracking import Backtracking
from .barrier import Barrier
from .clocked import Clocked
from .cost_weighted import CostWeighted
from .entropy import EntropyProjection, EntropyRegularised
from .error_below_half import ErrorBelowHalf
from .forgiving import Forgiving
from .hard_margin import HardMargin
from .hull import Hull
from .line_search import LineSearch
from .linear_programme import LinearProgramme
from .majority_vote import MajorityVote
from .pair_steps import PairSteps
from .parallel import Parallel
from .solved_last import LinearPenalty, QuadraticPenalty
from .stagewise import Stagewise
from .steepest import SteepestDescent

__all__ = [
    "Backtracking",
    "Barrier",
    "Clocked",
    "CostWeighted",
    "EntropyProjection",
    "EntropyRegularised",
    "ErrorBelowHalf",
    "Forgiving",
    "HardMargin",
    "Hull",
    "LineSearch",
    "LinearPenalty",
    "LinearProgramme",
    "MajorityVote",
    "PairSteps",
    "Parallel",
    "QuadraticPenalty",
    "Stagewise",
    "SteepestDescent",
]

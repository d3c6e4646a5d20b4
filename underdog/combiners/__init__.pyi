from .backtracking import Backtracking
from .cost_weighted import CostWeighted
from .entropy import EntropyProjection, EntropyRegularised
from .error_below_half import ErrorBelowHalf
from .line_search import LineSearch
from .linear_programme import LinearProgramme
from .pair_steps import PairSteps
from .parallel import Parallel
from .stagewise import Stagewise

__all__ = [
    "Backtracking",
    "CostWeighted",
    "EntropyProjection",
    "EntropyRegularised",
    "ErrorBelowHalf",
    "LineSearch",
    "LinearProgramme",
    "PairSteps",
    "Parallel",
    "Stagewise",
]

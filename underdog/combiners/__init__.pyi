from .backtracking import Backtracking
from .clocked import Clocked
from .cost_weighted import CostWeighted
from .entropy import EntropyProjection, EntropyRegularised
from .line_search import LineSearch
from .linear_programme import LinearProgramme
from .parallel import Parallel
from .stagewise import Stagewise

__all__ = [
    "Backtracking",
    "Clocked",
    "CostWeighted",
    "EntropyProjection",
    "EntropyRegularised",
    "LineSearch",
    "LinearProgramme",
    "Parallel",
    "Stagewise",
]

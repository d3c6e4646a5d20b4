from .backtracking import Backtracking
from .clocked import Clocked
from .cost_weighted import CostWeighted
from .entropy import EntropyProjection, EntropyRegularised
from .forgiving import Forgiving
from .line_search import LineSearch
from .linear_programme import LinearProgramme
from .majority_vote import MajorityVote
from .parallel import Parallel
from .stagewise import Stagewise

__all__ = [
    "Backtracking",
    "Clocked",
    "CostWeighted",
    "EntropyProjection",
    "EntropyRegularised",
    "Forgiving",
    "LineSearch",
    "LinearProgramme",
    "MajorityVote",
    "Parallel",
    "Stagewise",
]

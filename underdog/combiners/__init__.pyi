from .cost_weighted import CostWeighted
from .entropy import EntropyProjection, EntropyRegularised
from .linear_programme import LinearProgramme
from .stagewise import Stagewise

__all__ = [
    "CostWeighted",
    "EntropyProjection",
    "EntropyRegularised",
    "LinearProgramme",
    "Stagewise",
]

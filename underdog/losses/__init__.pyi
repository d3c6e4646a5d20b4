from .exponential import Exponential
from .gentle import Gentle
from .logistic import Logistic
from .soft_margin import SoftMargin

__all__ = [
    "Exponential",
    "Gentle",
    "Logistic",
    "SoftMargin",
]

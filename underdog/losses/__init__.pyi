from .exponential import Exponential
from .soft_margin import SoftMargin

__all__ = [
    "Exponential",
    "SoftMargin",
]

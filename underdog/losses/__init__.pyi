from .exponential import Exponential
from .gentle import Gentle
from .log_loss import LogLoss, SoftmaxLoss
from .logistic import Logistic
from .soft_margin import SoftMargin

__all__ = [
    "Exponential",
    "Gentle",
    "LogLoss",
    "Logistic",
    "SoftMargin",
    "SoftmaxLoss",
]

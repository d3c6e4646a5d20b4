from .exponential import Exponential
from .gentle import Gentle
from .log_loss import LogLoss, SoftmaxLoss
from .logistic import Logistic
from .logit import Logit, SoftmaxLogit
from .soft_margin import SoftMargin

__all__ = [
    "Exponential",
    "Gentle",
    "LogLoss",
    "Logistic",
    "Logit",
    "SoftMargin",
    "SoftmaxLogit",
    "SoftmaxLoss",
]

from .cosh import CoshLoss
from .custom import CustomLoss
from .exponential import Exponential
from .gentle import Gentle
from .huber import HuberLoss
from .listwise import ListwiseSoftmax
from .log_loss import LogLoss, SoftmaxLoss
from .logistic import Logistic
from .logit import Logit, SoftmaxLogit
from .modified_huber import ModifiedHuber
from .pairwise import PairwiseExponential
from .poisson import PoissonLoss
from .quantile import AbsoluteError, QuantileLoss
from .regression import RegressionLoss
from .soft_margin import SoftMargin
from .squared import SquaredError
from .variance import ResidualVariance

__all__ = [
    "AbsoluteError",
    "CoshLoss",
    "CustomLoss",
    "Exponential",
    "Gentle",
    "HuberLoss",
    "ListwiseSoftmax",
    "LogLoss",
    "Logistic",
    "Logit",
    "ModifiedHuber",
    "PairwiseExponential",
    "PoissonLoss",
    "QuantileLoss",
    "RegressionLoss",
    "ResidualVariance",
    "SoftMargin",
    "SoftmaxLogit",
    "SoftmaxLoss",
    "SquaredError",
]

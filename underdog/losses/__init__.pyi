from .class_votes import ClassVotes
from .cosh import CoshLoss
from .custom import CustomLoss
from .descent import Descent
from .exponential import Exponential
from .exponential_cost import ExponentialCost
from .gentle import Gentle
from .huber import HuberLoss
from .label_ranking import LabelRanking
from .listwise import ListwiseSoftmax
from .log_loss import LogLoss, SoftmaxLoss
from .logistic import Logistic
from .logit import Logit, SoftmaxLogit
from .majority import MajorityVotes
from .modified_huber import ModifiedHuber
from .pairwise import PairwiseExponential
from .poisson import PoissonLoss
from .potentials import BrownPotential, RobustPotential
from .quantile import AbsoluteError, QuantileLoss
from .refitted_votes import RefittedVotes
from .regression import RegressionLoss
from .sigmoid import SigmoidCost
from .soft_exponential import SoftExponential
from .soft_margin import SoftMargin
from .squared import SquaredError
from .variance import ResidualVariance
from .voting_margins import VotingMargins

__all__ = [
    "AbsoluteError",
    "BrownPotential",
    "ClassVotes",
    "CoshLoss",
    "CustomLoss",
    "Descent",
    "Exponential",
    "ExponentialCost",
    "Gentle",
    "HuberLoss",
    "LabelRanking",
    "ListwiseSoftmax",
    "LogLoss",
    "Logistic",
    "Logit",
    "MajorityVotes",
    "ModifiedHuber",
    "PairwiseExponential",
    "PoissonLoss",
    "QuantileLoss",
    "RefittedVotes",
    "RegressionLoss",
    "ResidualVariance",
    "RobustPotential",
    "SigmoidCost",
    "SoftExponential",
    "SoftMargin",
    "SoftmaxLogit",
    "SoftmaxLoss",
    "SquaredError",
    "VotingMargins",
]

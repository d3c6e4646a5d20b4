"""A booster composed of given parts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from underdog.codes import Code, choose_code
from underdog.combiners import Stagewise
from underdog.core import Combiner, Component, Learner, Loss
from underdog.estimators.support.classifier import Classifier
from underdog.estimators.support.inputs import refuse_unused
from underdog.losses import Exponential


@dataclass(kw_only=True, eq=False, repr=False)
class BoostingClassifier(Classifier):
    """A booster composed of a loss, a learner, a combiner and a code.

    Every algorithm with a class of its own is one such composition; this class is for all others.

    Parameters
    ----------
    loss : "exponential" or Loss, default="exponential"
        What is minimised.
    learner : str, learner or scikit-learn classifier, default="real"
        Finds the weak rules; see `AdaBoostClassifier`, also for the parameters and attributes not
        listed here.
    combiner : "stagewise" or Combiner, default="stagewise"
        Chooses the coefficients. "stagewise" uses the parameter `learning_rate`; a combiner object
        has its own, and then `learning_rate` is refused.
    code : "auto" or Code, default="auto"
        Turns labels into columns of -1 and +1. "auto" chooses by the target.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import BoostingClassifier
    >>> from underdog.losses import Exponential
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = BoostingClassifier(
    ...     loss=Exponential(beta=2.0), learner="disc.u", pos_label=0, n_estimators=10
    ... )
    >>> round(model.fit(X, y).score(X, y), 3)
    0.97
    """

    _takes_parts: ClassVar[bool] = True

    loss: Any = "exponential"
    combiner: Any = "stagewise"
    code: Any = "auto"

    def _make_loss(self) -> Loss:
        if isinstance(self.loss, str) and self.loss == "exponential":
            return Exponential()
        loss: Loss = part("loss", self.loss, Loss, "'exponential'", "make_signal")
        if loss.code == "RealValues":
            raise ValueError(f"loss={loss!r} is for numbers, not classes: use BoostingRegressor")
        return loss

    def _make_combiner(self) -> Combiner:
        if isinstance(self.combiner, str) and self.combiner == "stagewise":
            return Stagewise(self.learning_rate)
        combiner: Combiner = part("combiner", self.combiner, Combiner, "'stagewise'", "step")
        refuse_unused(self, "combiner", "stagewise", "learning_rate")
        return combiner

    def _make_code(self, y: Any) -> Code:
        if isinstance(self.code, str) and self.code == "auto":
            return choose_code(y, self.pos_label)
        code: Code = part("code", self.code, Code, "'auto'", "fit")
        if self.pos_label is not None:
            raise ValueError(
                f"pos_label={self.pos_label!r} and code={self.code!r} were both given: set the "
                "positive class in the code, as in Binary(pos_label=...)"
            )
        return code

    def _names_positive(self) -> bool:
        return self.pos_label is not None or getattr(self.code, "pos_label", None) is not None


def part(name: str, given: Any, kind: type[Component], word: str, method: str) -> Any:
    """The given part, if it has the right type and defines the method that this type needs."""
    if not isinstance(given, kind):
        kinds = (Loss, Learner, Combiner, Code)
        other = next((each.__name__ for each in kinds if isinstance(given, each)), None)
        what = f"a {other}" if other else f"of type {type(given).__name__}"
        raise ValueError(f"{name}={given!r} is {what}: give {word} or a {kind.__name__}")
    if getattr(type(given), method) is getattr(kind, method):
        raise ValueError(
            f"{name}={given!r} does not define {method}(), which every {kind.__name__} must define"
        )
    return given

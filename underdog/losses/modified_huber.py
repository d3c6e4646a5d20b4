"""The squared hinge with a linear tail."""

from __future__ import annotations

import numpy as np

from underdog.losses.newton import NewtonLoss
from underdog.types import Codes, Floats


class ModifiedHuber(NewtonLoss):
    """The squared hinge of support vector machines, linear for examples that are far wrong.

    Minimises the mean of u_i l(y_i F(x_i)), where l(m) is (1 - m)**2 / 4 for margins m from -1 to
    1, 0 above and -m below; of several labels the sum over them. Examples with a margin above 1 do
    not matter, and those that are far wrong have a bounded weight. Gradients are y (1 - m) / 2 with
    1 - m clipped to [0, 2], and curvatures 1/2 between. Scores are margins, not log-odds.

    References
    ----------
    Zhang, "Solving large scale linear prediction problems using stochastic gradient descent
    algorithms", ICML 2004.

    Differs from the paper: the loss is divided by 4, so that gradients are between -1 and 1.

    Examples
    --------
    >>> import numpy as np
    >>> from underdog.losses import ModifiedHuber
    >>> ModifiedHuber().each(np.array([[-3.0], [0.0], [2.0]]), np.ones((3, 1), int)).ravel()
    array([3.  , 0.25, 0.  ])
    """

    def each(self, scores: Floats, sign: Codes) -> Floats:
        margin = np.where(sign == 1, scores, -scores)
        result: Floats = np.where(
            margin < -1.0, -margin, np.maximum(0.0, 1.0 - np.maximum(margin, -1.0)) ** 2 / 4.0
        )
        return result

    def derivatives(self, scores: Floats, sign: Codes) -> tuple[Floats, Floats]:
        side = np.where(sign == 1, 1.0, -1.0)
        short = np.clip(1.0 - side * scores, 0.0, 2.0)
        # In the linear tail 0 is the curvature, but with 1/2 no step is too long.
        return side * short / 2.0, np.where(short > 0.0, 0.5, 0.0)

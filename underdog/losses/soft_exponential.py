"""The exponential loss of soft margins, which forgive examples that stay heavy."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from underdog.core import Measured, Proposal, Rows, Run, Shard
from underdog.losses.exponential import Exponential
from underdog.losses.log_weights import LogWeightSignal, one_label
from underdog.losses.potentials import margins_of
from underdog.types import Floats

STEPS = 2.0**30
"""What is forgiven is a multiple of 1 / STEPS, so that its sums are exact. It is coarser than the
score grid, because it is computed from the last digits of the weights."""


class SoftExponential(Exponential):
    r"""The sum of :math:`w_i \exp(-y_i F(x_i) - s_i)`, s being what an example is forgiven.

    A combiner raises s where an example stays heavy. As long as it is 0, this is the loss of
    AdaBoost. Scores do not converge to log-odds.

    Examples
    --------
    >>> from underdog.losses import SoftExponential
    >>> SoftExponential().probability_scale is None
    True
    """

    takes_parts: ClassVar[bool] = False

    facts: ClassVar[tuple[str, ...]] = ("edge", "z", "loss")

    def __init__(self) -> None:
        super().__init__()

    @property
    def probability_scale(self) -> None:  # type: ignore[override]
        """Scores are margins."""
        return None

    def make_signal(  # type: ignore[override]
        self, rows: Rows, costly: bool = False
    ) -> SoftExponentialSignal:
        one_label(rows, self)
        return SoftExponentialSignal(rows, costly)

    def forgiven(self, signal: SoftExponentialSignal) -> list[Floats]:
        """s for each shard."""
        return signal.forgiven

    def measure(self, run: Run, proposal: Proposal, coefficient: float) -> Measured:
        steps, size, facts = super().measure(run, proposal, coefficient)
        loss = run.history.last("loss", 1.0) * facts["z"]
        return Measured(steps, size, {"edge": facts["edge"], "z": facts["z"], "loss": loss})


class SoftExponentialSignal(LogWeightSignal):
    """The weights of soft margins."""

    def __init__(self, rows: Rows, costly: bool) -> None:
        super().__init__(rows, costly)
        self.forgiven = [np.zeros(shard.encoded.n_rows) for shard in rows.shards]

    def log_weights(self, shard: Shard) -> Floats:
        logs = shard.target.log_weight(self.costly) - margins_of(shard)
        result: Floats = logs - self.forgiven[shard.number]
        return result[:, np.newaxis]

    def forgive(self, amounts: list[Floats]) -> None:
        """Raise s by (n,) amounts for each shard."""
        for own, more in zip(self.forgiven, amounts, strict=True):
            own += np.rint(more * STEPS) / STEPS

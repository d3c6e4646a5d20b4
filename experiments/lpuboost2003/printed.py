"""LPUBoost as the paper prints it: rules as large as they come, until none has a larger edge."""

from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from underdog import LPUBoostClassifier
from underdog.combiners import LinearProgramme
from underdog.combiners.corrective import NO_OUTPUT, blocks_of
from underdog.core import AskAgain, Combiner, Hypothesis, Proposal, Question, Refit, Run, Stop


class Unscaled(LinearProgramme):
    """`LinearProgramme` without scaling the rules to a largest value of 1."""

    def step(self, run: Run, question: Question, proposal: Proposal) -> Refit | AskAgain | Stop:
        memory, values = run.memory, proposal.hypothesis.values
        if not values.any():
            return Stop(NO_OUTPUT)
        edge = memory.last_edge = proposal.edge()
        memory.best_edge = min(memory.best_edge, edge)
        if self.has_converged(run, edge):
            memory.converged = True
            return Stop(self.verdict(run))
        # steps of 2**-20, as in the scaled form: finer ones are the last digits of the weights
        rounded = np.rint(values * 2.0**20) / 2.0**20
        hypothesis = cast(Hypothesis, replace(cast(Any, proposal.hypothesis), values=rounded))
        if memory.has(hypothesis, blocks_of(proposal.partition)):
            return self.repeated(run)
        return self._add(run, hypothesis, blocks_of(proposal.partition), edge)


@dataclass(kw_only=True, eq=False, repr=False)
class PrintedLPUBoostClassifier(LPUBoostClassifier):
    """`LPUBoostClassifier` with unscaled rules; use it with tol=0."""

    def _make_combiner(self) -> Combiner:
        return Unscaled(self.tol)

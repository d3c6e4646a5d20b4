"""A learner that chooses from given classifiers and rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np

from underdog.core import (
    Criterion,
    Hypothesis,
    Learner,
    Loss,
    Partition,
    Proposal,
    Question,
    Run,
    Stop,
    weight_per_unit,
)
from underdog.data import Schema, Table
from underdog.data.merging import merged
from underdog.hypotheses import Tree
from underdog.hypotheses.decision_list import RuleTests, leaves_of
from underdog.hypotheses.foreign import GivenClass
from underdog.hypotheses.moving import Mover
from underdog.hypotheses.sentences import Sentence, parse
from underdog.learners.criteria import Vote
from underdog.types import Floats

TIE = 1e-11
"""Scores of rules that differ by less are equal, and the first rule is chosen."""
NONE_LEFT = "no rule of the pool has an edge left"


class Candidate(NamedTuple):
    """A rule of the pool and its rows, for each shard."""

    hypothesis: Hypothesis
    partition: tuple[Partition, ...]


class Pool(Learner):
    r"""Chooses the best of given rules in every round.

    A rule votes 1 for its class and -1 against the others; where its condition is false it
    abstains with 0. With the weights :math:`W_+` and :math:`W_-` on which it is right and wrong,
    the rule with the greatest :math:`(\sqrt{W_+} - \sqrt{W_-})^2` is chosen, which has the least
    :math:`Z = 1 - (\sqrt{W_+} - \sqrt{W_-})^2`. So a booster learns how much each rule of a person,
    or each of some fitted classifiers, counts in a weighted sum. A rule that is wrong more often
    than right gets a negative coefficient. Boosters that maximise a margin choose the rule with
    the greatest edge.

    Parameters
    ----------
    rules : sequence of str and fitted classifiers
        Rules in words, such as "if 'won' in text: spam" (without a probability, which is learned),
        and classifiers whose `predict` gives classes of y. A model with classifiers of other
        libraries cannot be saved as an underdog file.

    References
    ----------
    Schapire and Singer, "Improved boosting algorithms using confidence-rated predictions", Machine
    Learning 37, 1999, section 4.2 (rules that abstain).

    Examples
    --------
    >>> import numpy as np
    >>> from underdog import AdaBoostClassifier, Table
    >>> from underdog.learners import Pool
    >>> words = np.array([[1, 0], [1, 1], [0, 1], [0, 0], [1, 0], [0, 1]])
    >>> X = Table.hstack([words], names=["won", "hello"])
    >>> y = ["spam", "ham", "ham", "ham", "spam", "ham"]
    >>> rules = ["if 'won' in text: spam", "if 'hello' in text: ham"]
    >>> print(AdaBoostClassifier(learner=Pool(rules), n_estimators=2).fit(X, y).describe())
    AdaBoostClassifier: 2 rules; score > 0 means 'spam', else 'ham' (all rounds done)
       1. hello > 0.5  -0.896
       2. hello > 0.5  -0.623
    training error: at most 0.6094 (measured 0.3333)
    """

    takes_soft_labels: ClassVar[bool] = True

    def __init__(self, rules: Sequence[Any]) -> None:
        self.rules = rules

    def check(self) -> None:
        if isinstance(self.rules, str) or not isinstance(self.rules, Sequence) or not self.rules:
            raise ValueError(
                f"rules={self.rules!r:.60} of Pool must be a list of rules in words and fitted "
                "classifiers"
            )
        self._sentences()
        for rule in self.rules:
            if not isinstance(rule, str) and not (
                hasattr(rule, "predict") and hasattr(rule, "classes_")
            ):
                raise ValueError(
                    f"{rule!r:.60} in Pool is neither a rule in words nor a fitted classifier"
                )

    def _sentences(self) -> list[Sentence]:
        """The rules in words; each has a condition and one class."""
        texts = [rule for rule in self.rules if isinstance(rule, str)]
        found = parse(texts) if texts else []
        for sentence in found:
            if sentence.condition is None:
                raise sentence.error("a rule of a Pool needs a condition, so it cannot be 'else'")
            if len(sentence.says) != 1 or sentence.says[0][1] is not None:
                message = "name one class, without a probability: how much it counts is learned"
                raise sentence.error(message)
        return found

    def criterion(self, loss: Loss) -> Criterion:
        return Vote(loss.beta)

    def widen(self, schema: Schema, table: Table) -> Schema:
        sentences = self._sentences()
        return merged(schema, RuleTests(sentences, table).schema) if sentences else schema

    def start(self, run: Run) -> PoolMemory:
        sentences = iter(self._sentences())
        candidates = []
        for rule in self.rules:
            is_text = isinstance(rule, str)
            made: Hypothesis = _tree(next(sentences), run) if is_text else _classifier(rule, run)
            candidates.append(Candidate(made, run.rows.place(made)))
        return PoolMemory(run, candidates)

    def fit(self, memory: PoolMemory, question: Question) -> Proposal | Stop:
        rows, by_edge = memory.run.rows, memory.run.parts.loss.chooses_by == "edge"
        best, least = None, TIE
        for candidate in memory.candidates:
            n_blocks = len(candidate.hypothesis.values)
            sums = tuple(
                rows.sums(signal, candidate.partition, n_blocks) for signal in question.signals
            )
            pairs = zip(question.signals, sums, strict=True)
            units = tuple(weight_per_unit(signal, own.sum(axis=0)) for signal, own in pairs)
            proposal = Proposal(candidate.hypothesis, candidate.partition, sums, units)
            score = proposal.edge() if by_edge else _gain(proposal)
            if score > least + (TIE if best is not None else 0.0):
                best, least = proposal, score
        return Stop(NONE_LEFT) if best is None else best


class PoolMemory(NamedTuple):
    """The rules of a pool in one run."""

    run: Run
    candidates: list[Candidate]


def _gain(proposal: Proposal) -> float:
    """1 - Z at the best coefficient: by how much the rule lowers the weights."""
    values, masses = proposal.hypothesis.values, proposal.masses()
    agrees = values[:, np.newaxis] * np.array([-1.0, 1.0])[:, np.newaxis]
    right, wrong = (float(masses[agrees * side > 0.0].sum()) for side in (1.0, -1.0))
    return float((np.sqrt(right) - np.sqrt(wrong)) ** 2)


def _vote(name: str, run: Run, error: Any) -> Floats:
    """(K,) votes for a class, given its name."""
    labels = run.labels
    if name not in labels.names:
        some = ", ".join(map(repr, labels.names[:8]))
        raise error(f"there is no class {name!r}: the classes are {some}")
    found: Floats = _votes(run)[labels.names.index(name)]
    return found


def _votes(run: Run) -> Floats:
    """(number of classes or labels, K) votes for each class, or for each label alone."""
    labels = run.labels
    if not labels.exclusive:
        return np.eye(labels.n_labels)
    signs: Floats = 2.0 * labels.sign(labels.classes) - 1.0
    return signs


def _tree(sentence: Sentence, run: Run) -> Tree:
    """A rule that abstains where its condition is false."""
    tests = RuleTests([sentence], run.rows.only.encoded.table)
    assert sentence.condition is not None
    votes = _vote(sentence.says[0][0], run, sentence.error)
    found = leaves_of(tests.condition(sentence.condition, 1, 0))
    values = np.stack([np.zeros_like(votes), votes])[[number for _, number in found]]
    tree = Tree(tuple(path for path, _ in found), values)
    return Mover(tests.schema, run.rows.layout.schema).tree(tree)


def _classifier(classifier: Any, run: Run) -> GivenClass:
    own, labels = np.asarray(classifier.classes_), run.labels
    if not labels.exclusive:
        raise ValueError(
            "classifiers in Pool predict a class, but y has several labels: give rules"
        )
    if not set(own.tolist()) <= set(labels.classes.tolist()):
        raise ValueError(
            f"{classifier!r:.60} in Pool predicts the classes {own.tolist()}, but those of y are "
            f"{labels.classes.tolist()}"
        )
    return GivenClass((classifier,), _votes(run), labels.classes)

"""AdaBoost.M1, M2 and MR on threshold stumps, as the textbook says, with every pair written down.

They return what `tests.twins.boosters` returns: scores F[round, row, class] and a record a round.
"""

import numpy as np

from tests.twins.boosters import NOTHING, table
from tests.twins.learners import answers, coefficient, is_real
from tests.twins.stumps import block_sums, first_least


def adaboost_m1(X, y, n_classes, rounds=20, sample_weight=None):
    """D(i) <- D(i) exp(-a) where h = y and exp(a) where not; a = 1/2 ln((1 - eps)/eps)."""
    D = np.ones(len(y)) if sample_weight is None else np.asarray(sample_weight, float)
    e, D = 1 / D.sum(), D / D.sum()
    tests, truth = table(X)
    one_hot = y[:, None] == np.arange(n_classes)
    F, scores, records = np.zeros((len(y), n_classes)), [], []
    for _ in range(rounds):
        sides = np.stack([~truth, truth], axis=1).astype(float)
        of_class = sides @ (D[:, None] * one_hot)  # [stump, side, class]
        best = first_least(1.0 - of_class.max(2).sum(1))
        answer = of_class[best].argmax(1)
        right = answer[truth[best].astype(int)] == y
        r = D[right].sum() - D[~right].sum()
        if r <= 0:
            break
        a = coefficient(r, e)
        values = np.where(answer[:, None] == np.arange(n_classes), 1.0, -1.0)
        F = F + a * values[truth[best].astype(int)]
        scores.append(F)
        D = D * np.where(right, np.exp(-a), np.exp(a))
        record = {"coefficient": a, "z": D.sum(), "edge": r}
        records.append(record | {"stump": tests[best], "values": values})
        D = D / D.sum()
        if right.all():
            break
    return np.array(scores), records


def adaboost_m2(X, y, n_classes, rounds=20, sample_weight=None):
    """D(i, l) over the wrong classes; plausibilities h' in {0, 1} with the least pseudo-loss.

    eps = 1/2 sum D (1 - h'(x, y) + h'(x, l)), beta = eps / (1 - eps), D <- D beta^((1 + h'(x, y) -
    h'(x, l)) / 2). The scores are sum of ln(1 / beta) (h' - 1/2).
    """
    s = np.ones(len(y)) if sample_weight is None else np.asarray(sample_weight, float)
    e = 1 / (s.sum() * n_classes)
    wrong = y[:, None] != np.arange(n_classes)
    D = s[:, None] * wrong
    D = D / D.sum()
    tests, truth = table(X)
    F, scores, records = np.zeros(D.shape), [], []
    for _ in range(rounds):
        # The class of a row is in all of its pairs, a wrong class in one of them.
        weight = np.where(wrong, D, D.sum(1, keepdims=True))
        W = block_sums(truth, weight, np.where(wrong, -1, 1))
        plausible, badness = answers("discrete", W, e)
        best = first_least(badness)
        values = (plausible[best] + 1) / 2
        h = values[truth[best].astype(int)]
        own = h[np.arange(len(y)), y][:, None]
        eps = 0.5 * (D * (1 - own + h)).sum()
        beta = max(eps, e / 2) / max(1 - eps, e / 2)
        F = F + np.log(1 / beta) * (h - 0.5)
        scores.append(F)
        D = D * beta ** (0.5 * (1 + own - h))
        # In MR the same step is exp((F_l - F_y) / 2) without the common factor beta^(1/2).
        record = {"coefficient": 0.5 * np.log(1 / beta), "z": D.sum() / np.sqrt(beta)}
        record |= {"edge": 1 - 2 * eps, "stump": tests[best], "values": 2 * values - 1}
        records.append(record)
        D = D / D.sum()
    return np.array(scores), records


def adaboost_mr(X, Y, learner="real", rounds=20, sample_weight=None):
    """D(i, l0, l1) over the pairs of a label that a row lacks and one that it has.

    The learner of AdaBoost.MH sees the weight of the pairs that a label is in, halved.
    """
    s = np.ones(len(Y)) if sample_weight is None else np.asarray(sample_weight, float)
    pairs = (Y < 0)[:, :, None] & (Y > 0)[:, None, :]
    count = pairs.sum((1, 2))
    e = 1 / (s[count > 0].sum() * Y.shape[1])
    D = s[:, None, None] * pairs / np.maximum(count, 1)[:, None, None]
    D = D / D.sum()
    tests, truth = table(X)
    F, scores, records = np.zeros(Y.shape), [], []
    for _ in range(rounds):
        d = (D.sum(2) + D.sum(1)) / 2
        values, badness = answers(learner, block_sums(truth, d, Y), e)
        best = first_least(badness)
        h = values[best][truth[best].astype(int)]
        r = (d * Y * h).sum()
        a = 1.0 if is_real(learner) else coefficient(r, e)
        if np.abs(a * h).max() < NOTHING:
            break
        F = F + a * h
        scores.append(F)
        D = D * np.exp(0.5 * a * (h[:, :, None] - h[:, None, :]))
        record = {"coefficient": a, "z": D.sum(), "edge": r}
        records.append(record | {"stump": tests[best], "values": values[best]})
        D = D / D.sum()
    return np.array(scores), records

"""AdaBoost.MO, AdaBoost.OC and AdaBoost.ECC on threshold stumps, as the textbook says."""

import numpy as np

from tests.twins.boosters import table
from tests.twins.learners import answers, coefficient, is_real
from tests.twins.stumps import block_sums, first_least


def adaboost_mo(X, words, learner="real", rounds=10, sample_weight=None):
    """One question for each column of words[i, s] = M[y_i, s]; where it is 0, D is 0.

    Returns the scores F[round, row, column] and the mean of exp(-M F) over all entries that are not
    0, after each round.
    """
    s = np.ones(len(words)) if sample_weight is None else np.asarray(sample_weight, float)
    start = s[:, None] * (words != 0)
    D, e = start / start.sum(), 1 / start.sum()
    _, truth = table(X)
    F, scores, losses = np.zeros(words.shape), [], []
    for _ in range(rounds):
        values, badness = answers(learner, block_sums(truth, D, words), e)
        best = first_least(badness)
        h = values[best][truth[best].astype(int)]
        a = 1.0 if is_real(learner) else coefficient((D * words * h).sum(), e)
        F = F + a * h
        D = D * np.exp(-a * words * h)
        D = D / D.sum()
        scores.append(F)
        losses.append((start * np.exp(-words * F)).sum() / start.sum())
    return np.array(scores), np.array(losses)


def adaboost_oc(X, y, colourings, sample_weight=None):
    """AdaBoost.M2 with the rules h'(x, l) = (1 + mu_l h(x)) / 2 of voting stumps.

    Dm(i, l) are the weights of the wrong labels, eps the pseudo-loss, beta = eps / (1 - eps).
    Returns the scores sum_t ln(1 / beta_t) h'_t[round, row, label], and Z of each round.
    """
    K = len(colourings[0])
    Dm, e = _start(y, K, sample_weight)
    rows = np.arange(len(y))
    _, truth = table(X)
    F, scores, zs = np.zeros(Dm.shape), [], []
    for mu in colourings:
        h, _, _ = _binary(truth, Dm, mu, y, "discrete", e)
        soft = (1 + h[:, None] * mu) / 2
        eps = 0.5 * (Dm * (1 - soft[rows, y][:, None] + soft)).sum()
        beta = max(2 * eps, e) / max(2 * (1 - eps), e)
        F = F + np.log(1 / beta) * soft
        Dm = Dm * beta ** (0.5 * (1 + soft[rows, y][:, None] - soft))
        # M2 leaves out the factor beta ** -1/2, which makes Z that of the pairs.
        zs.append(Dm.sum() / np.sqrt(beta))
        Dm = Dm / Dm.sum()
        scores.append(F)
    return np.array(scores), np.array(zs)


def adaboost_ecc(X, y, colourings, learner="real", sample_weight=None):
    """The step that is best for the wrong labels of another colour: Z = 1 - U (1 - z)."""
    K = len(colourings[0])
    Dm, e = _start(y, K, sample_weight)
    _, truth = table(X)
    F, scores, zs = np.zeros(Dm.shape), [], []
    for mu in colourings:
        h, D, U = _binary(truth, Dm, mu, y, learner, e)
        right = mu[y]
        a = 1.0 if is_real(learner) else coefficient((D * right * h).sum(), e)
        F = F + a * h[:, None] * mu
        Dm = Dm * np.exp(-a * h[:, None] * (right[:, None] - mu) / 2)
        zs.append(1 - U * (1 - (D * np.exp(-a * right * h)).sum()))
        np.testing.assert_allclose(Dm.sum(), zs[-1], rtol=1e-12)
        Dm = Dm / Dm.sum()
        scores.append(F)
    return np.array(scores), np.array(zs)


def _start(y, K, sample_weight):
    s = np.ones(len(y)) if sample_weight is None else np.asarray(sample_weight, float)
    Dm = s[:, None] * (np.arange(K) != y[:, None]) / (s.sum() * (K - 1))
    return Dm, 1 / s.sum()


def _binary(truth, Dm, mu, y, learner, e):
    """The best stump for the colours of the rows, their weights, and U."""
    right = mu[y]
    apart = (Dm * (mu != right[:, None])).sum(1)
    D = apart / apart.sum()
    values, badness = answers(learner, block_sums(truth, D[:, None], right[:, None]), e)
    best = first_least(badness)
    return values[best][truth[best].astype(int), 0], D, apart.sum()

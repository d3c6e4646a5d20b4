"""SLIPPER on numbers and missing values, as the paper has it, with every row looked at.

Cohen and Singer, "A simple, fast, and effective rule learner", AAAI 1999, figures 1 to 3.
"""

import numpy as np

TIE = 1e-11


def conditions(X):
    """(name, rows that meet it) of every condition; a missing value meets only "missing"."""
    for j, column in enumerate(X.T):
        known = ~np.isnan(column)
        values = np.unique(column[known])
        for cut in (values[1:] + values[:-1]) / 2:
            yield (j, ">", cut), known & (column > cut)
            yield (j, "<=", cut), known & (column <= cut)
        if not known.all():
            yield (j, "missing", None), ~known
            yield (j, "known", None), known


def z_tilde(W_plus, W_minus):
    """sqrt(W+) - sqrt(W-): the greater it is, the lesser is Z = 1 - (sqrt W+ - sqrt W-)^2."""
    return np.sqrt(W_plus) - np.sqrt(W_minus)


def confidence(W_plus, W_minus, e):
    return np.log((W_plus + e) / (W_minus + e)) / 2


def slipper(X, y, pruned_by, rounds, max_conditions=None, sample_weight=None):
    """Scores after each round, and the Z of each, for y = -1 and +1.

    pruned_by[t] has the rows by which the rule of round t is pruned; it is grown on the others.
    """
    known = list(conditions(X))
    D = np.ones(len(y)) if sample_weight is None else np.asarray(sample_weight, float)
    e, D = 1.0 / (2.0 * D.sum()), D / D.sum()
    F, scores, factors = np.zeros(len(y)), [], []

    def weigh(rows):
        return D[rows & (y > 0)].sum(), D[rows & (y < 0)].sum()

    for pruning in pruned_by[:rounds]:
        covered, reached, grown = np.ones(len(y), dtype=bool), z_tilde(*weigh(~pruning)), []
        while max_conditions is None or len(grown) < max_conditions:
            found = [z_tilde(*weigh(~pruning & covered & met)) for _, met in known]
            # Differences of squares within TIE are ties, as those of Z are.
            best = next(k for k, own in enumerate(found) if own >= max(found) - TIE)
            if not found[best] > max(reached, 0.0) + TIE:
                break
            reached, covered = found[best], covered & known[best][1]
            grown.append(covered)
        rule = None
        if grown:
            losses = []
            for own in grown:
                C = max(confidence(*weigh(own & ~pruning), e), 0.0)
                V_plus, V_minus = weigh(own & pruning)
                losses.append(V_plus * (np.exp(-C) - 1.0) + V_minus * (np.exp(C) - 1.0))
            rule = grown[int(np.flatnonzero(np.array(losses) <= min(losses) + TIE)[0])]
        everything = np.ones(len(y), dtype=bool)
        gain = 0.0 if rule is None else max(z_tilde(*weigh(rule)), 0.0) ** 2
        if rule is None or z_tilde(*weigh(everything)) ** 2 > gain + TIE:
            rule = everything
        step = np.where(rule, confidence(*weigh(rule), e), 0.0)
        F = F + step
        D = D * np.exp(-y * step)
        factors.append(D.sum())
        D = D / D.sum()
        scores.append(F)
    return np.array(scores), np.array(factors)

"""An alternating decision tree as in its paper: every test under every node is tried."""

import itertools

import numpy as np

TIE = 1e-11


def tests_of(X, categories, missing):
    """(column, false side, true side) of every test, in the order in which ties are broken."""
    for column, values in enumerate(X.T):
        known = ~np.isnan(values)
        levels = np.unique(values[known])
        if column in categories:
            sets = itertools.product([False, True], repeat=len(levels))
            sides = [np.isin(values, levels[list(chosen)]) for chosen in sets if any(chosen)]
            ends = (~known).any() and missing == "side"
            choices = [side | (~known & ends & extra) for side in sides for extra in (False, True)]
        else:
            cuts = (levels[1:] + levels[:-1]) / 2.0
            choices = [known & (values > cut) for cut in cuts]
            if not known.all() and missing == "side":
                choices = [side | (~known & extra) for side in choices for extra in (False, True)]
                choices.append(~known)
        for true in choices:
            false = (known & ~true) if missing == "neither" else ~true
            yield column, false, true


def half_log_odds(weight, positive, smooth):
    plus, minus = weight[positive].sum(), weight[~positive].sum()
    return 0.5 * np.log((plus + smooth) / (minus + smooth))


def adtree(X, y, weight, rounds, smooth, grow="all", missing="side", categories=(), loss="exp"):
    """(rounds + 1, n): the score of every row at the start and after each round; y is -1 or 1."""
    start = weight / weight.sum()
    score, positive = np.zeros(len(y)), y > 0
    tests = list(tests_of(X, categories, missing))
    nodes = [np.ones(len(y), dtype=bool)]
    hung = {}
    score = score + half_log_odds(start, positive, smooth)
    staged = [score]
    for _ in range(rounds):
        if loss == "exp":
            w = start * np.exp(-y * score)
            extra = smooth
        else:
            w = start / (1.0 + np.exp(y * score))
            extra = 0.5 * smooth / w.sum()
        w = w / w.sum()
        best, gain = None, -np.inf
        for number, node in enumerate(nodes):
            used = any(under == number for under, _ in hung)
            if number and (grow == "root" or (grow == "singles" and used)):
                continue
            scores = []
            for _, *sides in tests:
                parts = [w * (node & side) for side in sides]
                both = [(part[positive].sum(), part[~positive].sum()) for part in parts]
                z = sum(2.0 * np.sqrt(plus * minus) for plus, minus in both)
                scores.append(z - sum(part.sum() for part in parts))
            least = int(np.flatnonzero(np.array(scores) <= min(scores) + TIE)[0])
            if -scores[least] > gain + TIE:
                best, gain = (number, least), -scores[least]
        total = 1.0 - 2.0 * np.sqrt(w[positive].sum() * w[~positive].sum())
        if missing == "neither" and total > gain + TIE:  # another value of the root
            score = score + half_log_odds(w, positive, extra)
            staged.append(score)
            continue
        number, chosen = best
        sides = [nodes[number] & side for side in tests[chosen][1:]]
        values = [half_log_odds(w * side, positive, extra) for side in sides]
        score = score + sum(value * side for value, side in zip(values, sides, strict=True))
        if best not in hung:
            hung[best] = True
            nodes += sides
        staged.append(score)
    return np.array(staged)

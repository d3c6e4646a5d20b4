"""What each kernel does, said in plain Python and NumPy: slow, short, without tricks."""

import itertools
import math
from decimal import Decimal, localcontext

import numpy as np

from underdog.kernels import criteria

# --- elementary ---


def ulps(found, wanted):
    """Distance of two floats in units of the wanted one's last place."""
    return abs(found - wanted) / math.ulp(wanted)


def exact_units(height, exponent):
    """2**exponent * exp(height) with fifty digits."""
    with localcontext() as context:
        context.prec = 50
        return Decimal(height).exp() * Decimal(2) ** exponent


# --- binning ---


def midpoint(left, right):
    middle = float(left) / 2 + float(right) / 2
    return middle if left < middle < right else float(left)


def cut_points(values, counts, most_bins):
    """All gaps, or the gaps after the first value that reaches each quantile."""
    gaps = range(len(values) - 1)
    if len(values) > most_bins:
        reached = list(itertools.accumulate(int(count) for count in counts))
        gaps = sorted(
            {
                next(v for v, below in enumerate(reached) if below * most_bins >= q * reached[-1])
                for q in range(1, most_bins)
            }
            - {len(values) - 1}
        )
    return [midpoint(values[v], values[v + 1]) for v in gaps]


def distinct(values, counts):
    """Sorted distinct values and how often each is there."""
    found = {}
    for value, count in zip(values, counts, strict=True):
        found[float(value)] = found.get(float(value), 0) + int(count)
    keys = sorted(found)
    return keys, [found[key] for key in keys]


def column_cuts(column, repeats, most_bins):
    """Cuts of a dense column, NaN left out."""
    known = ~np.isnan(column)
    return cut_points(*distinct(column[known], repeats[known]), most_bins)


def bin_of(value, cuts):
    """The bin that the cuts say; the one after the last for NaN."""
    return len(cuts) + 1 if math.isnan(value) else sum(value > cut for cut in cuts)


# --- tallies ---


def add(cells_of_row, rows, delta, sign, first_label, cells):
    """Add delta[r, k] to every cell of row rows[r]; cells_of_row[i] lists them."""
    for r, i in enumerate(rows):
        for cell in cells_of_row[i]:
            for k in range(delta.shape[1]):
                cells[sign[i, first_label + k], cell, first_label + k] += delta[r, k]


def bin_sums(cells, totals, first, stored, implicit, missing):
    """[bins + 1, sign, label]: sums of every bin, the implicit one and the missing one included."""
    own = [cells[:, first + c] for c in range(stored)]
    gone = own.pop() if missing else np.zeros_like(totals)
    if implicit >= 0:
        own.insert(implicit, totals - gone - sum(own, np.zeros_like(totals)))
    return np.array([*own, gone])


# --- rules ---


def log_odds(plus, minus, smooth):
    a, b = (max(w + smooth, 2.0**-60) for w in (plus, minus))
    return (math.log(a) - math.log(b)) / 2


def sign(plus, minus):
    """Weights that differ by rounding are equal."""
    return 0.0 if math.isclose(plus, minus, rel_tol=1e-12) else math.copysign(1.0, plus - minus)


def signs(tp, tm, fp, fm):
    """Of a stump: a tied block says the opposite of the other."""
    true, false = sign(tp, tm), sign(fp, fm)
    true = true or -false or 1.0
    return true, false or -true


def value(criterion, plus, minus, smooth, beta):
    """What is said in one block."""
    if criterion in (criteria.SIGN_EDGE, criteria.SIGN_ROOT):
        return sign(plus, minus)
    if criterion == criteria.SIGN_SLOPE:
        return sign(plus / beta, minus)
    if criterion == criteria.UNEVEN_Z:
        return 2 * beta / (1 + beta) * log_odds(plus / beta, minus, smooth)
    if criterion == criteria.GENTLE:
        return (plus - minus) / (plus + minus) if plus + minus else 0.0
    return log_odds(plus, minus, smooth)


def values(criterion, tp, tm, fp, fm, smooth, beta):
    if criterion in (criteria.SIGN_EDGE, criteria.SIGN_ROOT):
        return signs(tp, tm, fp, fm)
    if criterion == criteria.SIGN_SLOPE:
        return signs(tp / beta, tm, fp / beta, fm)
    return value(criterion, tp, tm, smooth, beta), value(criterion, fp, fm, smooth, beta)


def z_at(a, true, false, tp, tm, fp, fm, beta):
    """The uneven Z of two blocks with these values and the coefficient a."""
    return (
        tp * math.exp(-a * true / beta)
        + tm * math.exp(a * true)
        + fp * math.exp(-a * false / beta)
        + fm * math.exp(a * false)
    )


def z_at_root(true, false, tp, tm, fp, fm, smooth, beta):
    """Z at the coefficient that is taken, by bisection: what is minimised is convex.

    Right and wrong weight count as e / 2 at least.
    """
    masses = (tp if true > 0 else tm) + (fp if false > 0 else fm)
    lacking_right = max(smooth / 2 - masses, 0.0)
    lacking_wrong = max(smooth / 2 - (tp + tm + fp + fm - masses), 0.0)

    terms = [(tp, true / beta), (tm, -true), (fp, false / beta), (fm, -false)]
    terms += [(lacking_right, 1.0), (lacking_wrong, -1.0)]
    low, high = -64.0, 64.0
    for _ in range(200):
        middle = (low + high) / 2
        if sum(-mass * slope * math.exp(-middle * slope) for mass, slope in terms) < 0:
            low = middle
        else:
            high = middle
    return z_at((low + high) / 2, true, false, tp, tm, fp, fm, beta)


def score(criterion, tp, tm, fp, fm, smooth, beta):
    if criterion == criteria.REAL_Z:
        return math.sqrt(tp * tm) + math.sqrt(fp * fm)
    if criterion == criteria.SIGN_EDGE:
        return -abs(tp - tm) - abs(fp - fm)
    if criterion == criteria.SIGN_SLOPE:
        return -abs(tp / beta - tm) - abs(fp / beta - fm)
    true, false = values(criterion, tp, tm, fp, fm, smooth, beta)
    if criterion in (criteria.REAL_EDGE, criteria.GENTLE):
        return -(true * (tp - tm) + false * (fp - fm))
    if criterion == criteria.UNEVEN_Z:
        power, e = 1 / (1 + beta), smooth
        blocks = ((tp, tm), (fp, fm))
        return sum((p / beta + e) ** (beta * power) * (m + e) ** power for p, m in blocks)
    if criterion == criteria.UNEVEN_UNIT:
        return z_at(1.0, true, false, tp, tm, fp, fm, beta)
    return z_at_root(true, false, tp, tm, fp, fm, smooth, beta)


# --- search ---


def block_score(criterion, true, false, unit, smooth, beta, labels):
    """Sum over labels of the score of integer sums true[sign, label] and false[sign, label]."""
    return sum(
        score(
            criterion,
            float(true[1, k] * unit[1, k]),
            float(true[0, k] * unit[0, k]),
            float(false[1, k] * unit[1, k]),
            float(false[0, k] * unit[0, k]),
            smooth,
            beta,
        )
        for k in labels
    )


def ordered_tests(n_bins, missing):
    """Which bins (the last: missing) are on the true side, for every test of an ordered column."""
    tests = []
    for cut in range(n_bins - 1):
        above = [b > cut for b in range(n_bins)]
        tests.append([*above, False])
        if missing:
            tests.append([*above, True])
    if missing:
        tests.append([False] * n_bins + [True])
    return tests


def two_sides(sums, inside):
    """(true, false) sums of a test."""
    inside = np.array(inside, dtype=bool)
    return sums[inside].sum(axis=0), sums[~inside].sum(axis=0)

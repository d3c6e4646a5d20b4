"""Scores of tests, and their gains under other weights, from the sums on their true sides."""

import numpy as np

from underdog.kernels.criteria import SCRATCH, score, values
from underdog.kernels.jit import kernel


@kernel
def score_tests(true, totals, weight_per_unit, criterion, smooth, beta, out):
    """out[t] = score of a test with the integer sums true[sign, t] on its true side; one label."""
    work = np.empty(SCRATCH)
    up, um = weight_per_unit[1, 0], weight_per_unit[0, 0]
    for t in range(out.shape[0]):
        tp, tm = true[1, t], true[0, t]
        fp, fm = (totals[1, 0] - tp) * up, (totals[0, 0] - tm) * um
        out[t] = score(criterion, tp * up, tm * um, fp, fm, smooth, beta, work)


@kernel
def gains_of_tests(
    true,
    totals,
    weight_per_unit,
    other_true,
    other_totals,
    other_unit,
    criterion,
    smooth,
    beta,
    out,
):
    """out[t] = first-order gain of test t under other weights, with its values under the first.

    The edge divided by the mean square of the values, in units of the largest value: the length of
    a Newton step.
    """
    up, um = weight_per_unit[1, 0], weight_per_unit[0, 0]
    vp, vm = other_unit[1, 0], other_unit[0, 0]
    for t in range(out.shape[0]):
        tp, tm = true[1, t], true[0, t]
        fp, fm = (totals[1, 0] - tp) * up, (totals[0, 0] - tm) * um
        yes, no = values(criterion, tp * up, tm * um, fp, fm, smooth, beta)
        tp, tm = other_true[1, t], other_true[0, t]
        fp, fm = (other_totals[1, 0] - tp) * vp, (other_totals[0, 0] - tm) * vm
        plus, minus = tp * vp, tm * vm
        edge = no * (fp - fm) + yes * (plus - minus)
        square = no * no * (fp + fm) + yes * yes * (plus + minus)
        out[t] = edge * max(abs(yes), abs(no)) / square if square > 0.0 else 0.0

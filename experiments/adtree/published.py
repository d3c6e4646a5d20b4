"""Two published runs of JBoost: alternating trees, with the values of their prediction nodes.

From the files `demo/spambase.*` and `demo/letter-FIJ-demo/trial1.*` of JBoost's repository
(github.com/sunsern/jboost, commit 437fb9e).
"""

from typing import NamedTuple


class Split(NamedTuple):
    """A test, and the values of its children where it is false and where it is true."""

    column: str
    threshold: float
    low: float | None
    high: float | None


SPAMBASE_ROOT = -0.2279298102299376
SPAMBASE = (
    Split("char_freq_!", 0.0785, -0.638109949122525, 0.6921431150862234),
    Split("word_freq_remove", 0.01, -0.2596893350510752, 1.5319957375187236),
    Split("char_freq_$", 0.1035, -0.2247157914956868, 1.1253547454397437),
    Split("word_freq_george", 0.205, 0.12867236787515568, -2.531462546142542),
    Split("word_freq_hp", 0.12, 0.1824859290693248, -1.0952082453519383),
    Split("capital_run_length_longest", 9.5, -0.650314251446431, 0.37794712925536966),
    Split("word_freq_edu", 0.085, 0.1356172545899705, -1.0192628791621654),
    Split("word_freq_meeting", 0.455, 0.07375891128821287, -2.891129212121895),
    Split("word_freq_our", 0.095, -0.2083470537391964, 0.49170630741860094),
    Split("char_freq_!", 0.8665, -0.3991238648063803, 0.446745208559594),
)
"""Spam is the positive class here; there the signs are the other way round."""
BOUND = (0.9746, 0.7927, 0.6705, 0.5978, 0.5350, 0.4960, 0.4526, 0.4223, 0.4038, 0.3867, 0.3725)
TRAIN = (0.3879, 0.2059, 0.1779, 0.1532, 0.1483, 0.1258, 0.0967, 0.0853, 0.0820, 0.0731, 0.0717)
TEST = (0.4185, 0.2207, 0.1935, 0.1848, 0.1522, 0.1304, 0.1065, 0.1000, 0.0957, 0.0826, 0.0804)
"""At the start and after each round."""

LETTER_ROOT = 0.003291491096346641
LETTER = {
    1: Split("xybar", 11.5, 0.3402651892878667, -1.1176694935),
    2: Split("x-ege", 0.5, -0.8871188341, 0.3100025352349358),
    3: Split("xybar", 7.5, 0.7543994685427768, -0.10913917272105234),
    4: Split("y-ege", 7.5, 1.2271145795, -0.6256424238494908),
    6: Split("xy2br", 8.5, -0.1546469519409786, None),
    8: Split("y2bar", 7.5, -0.16881756515462237, None),
    9: Split("y2bar", 2.5, None, -0.11331127473612287),
    10: Split("yegvx", 7.5, -0.3648622011473258, 0.31208468026478114),
    11: Split("xegvy", 10.5, -0.32311052495156495, None),
    12: Split("xybar", 12.5, 0.11408849875651654, None),
    13: Split("x2ybr", 10.5, -0.0997919879199893, None),
    14: Split("width", 0.5, None, 0.09185252682350338),
    15: Split("x-ege", 6.5, -0.03747412078949719, None),
    16: Split("x2bar", 6.5, -0.6544733360693323, None),
    19: Split("y-ege", 4.5, None, -0.17415725832110712),
    20: Split("x-ege", 2.5, -0.5582587711345497, 0.09450110857673055),
    21: Split("y-ege", 1.5, None, -0.09154071393498599),
    23: Split("y2bar", 6.5, -0.10213782313547708, 0.565442547423642),
    27: Split("x2bar", 2.5, -0.4021011933807013, 0.09860054285620573),
    28: Split("y2bar", 8.5, 0.29221938866588115, None),
    29: Split("x2ybr", 9.5, None, 1.2713956019471586),
    30: Split("x2bar", 3.5, None, -0.5610676492231119),
}
"""Of the first 30 rounds, those that the explanations of rows in the published log show.

The first four have ten digits where the log does not show them.
"""
LETTER_WEIGHTS = {1: 1 / 17723, -1: 1 / 2277}
"""By class: -1 for F, I and J, 1 for all other letters."""

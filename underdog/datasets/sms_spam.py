"""Text messages, ham and spam: the data set that ships with the package."""

from __future__ import annotations

import gzip
from importlib.resources import files
from typing import Any

import numpy as np


def load_sms_spam() -> tuple[list[str], np.ndarray[Any, Any]]:
    """Text messages in English, each labelled "ham" or "spam".

    The SMS Spam Collection: 5574 messages, of which 747 are spam. Nothing is downloaded.

    Returns
    -------
    messages : list of str
    labels : array of str, "ham" or "spam"

    References
    ----------
    Almeida, Hidalgo and Yamakami, "Contributions to the study of SMS spam filtering: new collection
    and results", DocEng 2011.

    Examples
    --------
    >>> from underdog.datasets import load_sms_spam
    >>> messages, labels = load_sms_spam()
    >>> len(messages), int((labels == "spam").sum())
    (5574, 747)
    >>> messages[1]
    'Ok lar... Joking wif u oni...'
    """
    packed = files("underdog.datasets").joinpath("sms_spam.tsv.gz").read_bytes()
    lines = gzip.decompress(packed).decode("utf-8").split("\n")
    labels, messages = zip(*(line.split("\t", 1) for line in lines), strict=True)
    return list(messages), np.array(labels)

"""Data sets that ship with the package; README.md in this folder says where they come from."""

from __future__ import annotations

import gzip
from importlib.resources import files
from typing import Any

import numpy as np

__all__ = ["load_sms_spam"]


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
    >>> messages, labels = load_sms_spam()
    >>> len(messages), int((labels == "spam").sum())
    (5574, 747)
    >>> messages[1]
    'Ok lar... Joking wif u oni...'
    """
    packed = files(__name__).joinpath("sms_spam.tsv.gz").read_bytes()
    lines = gzip.decompress(packed).decode("utf-8").split("\n")
    labels, messages = zip(*(line.split("\t", 1) for line in lines), strict=True)
    return list(messages), np.array(labels)

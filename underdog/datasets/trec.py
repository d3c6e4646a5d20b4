"""TREC questions: what kind of answer does a question ask for?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from itertools import starmap
from pathlib import Path
from typing import Any

from underdog.checks import check_choice
from underdog.datasets.archives import holds_files, lines_of, read_files, read_json_lines
from underdog.datasets.cache import GivenPath, Remote, Source, load
from underdog.datasets.counts import check_counts
from underdog.datasets.labelled import Example, as_bunch, count_examples

NAME = "trec_questions.jsonl.gz"
ADDRESS = "https://cogcomp.seas.upenn.edu/Data/QA/QC"
FILES = {"train_5500.label": "train", "TREC_10.label": "test"}
SHA256 = {
    "train_5500.label": "9e4c8bdcaffb96ed61041bd64b564183d52793a8e91d84fc3a8646885f466ec3",
    "TREC_10.label": "033f22c028c2bbba9ca682f68ffe204dc1aa6e1cf35dd6207f2d4ca67f0d0e8e",
}
REMOTES = tuple(
    Remote(f"trec_questions/{file}", (f"{ADDRESS}/{file}",), SHA256[file]) for file in FILES
)
COUNTS = {
    "coarse": {
        "labels": 6,
        "texts for train": 5452,
        "texts for test": 500,
        "ENTY": 1344,
        "DESC": 1300,
        "HUM": 1288,
        "NUM": 1009,
        "LOC": 916,
        "ABBR": 95,
    },
    "fine": {"labels": 50, "texts for train": 5452, "texts for test": 500},
}

DESCRIPTION = """\
TREC question classification

5,452 questions for training and 500 for test (those of TREC 10), each with the kind of its answer:
one of 6 coarse classes (ABBR, DESC, ENTY, HUM, LOC, NUM) and one of 50 fine ones (such as
LOC:city). Some copies of the collection have lost the quotation marks in the questions.

Li and Roth, "Learning question classifiers", COLING 2002. For research.
"""


def fetch_trec_questions(
    *,
    subset: str = "train",
    level: str = "coarse",
    data_home: GivenPath | None = None,
    archive: GivenPath | None = None,
    download_if_missing: bool = True,
    return_X_y: bool = False,
    verbose: int = 1,
) -> Any:
    """Load the TREC questions and the kinds of their answers; download them if necessary.

    Parameters
    ----------
    subset : {"train", "test", "all"}, default="train"
        5,452 questions, 500, or all of them.
    level : {"coarse", "fine"}, default="coarse"
        6 classes such as "LOC", or 50 such as "LOC:city".
    data_home, download_if_missing, verbose
        As in `fetch_reuters21578`.
    archive : path, default=None
        A local copy: a folder or tar archive with `train_5500.label` and `TREC_10.label`, or a
        file `trec_questions.jsonl.gz` whose lines have `text`, `label`, `fine` and `split`.
    return_X_y : bool, default=False
        Return `(data, target)` instead of a Bunch.

    Returns
    -------
    corpus : Bunch
        data : list of str
        target : array of int, the number of the class in `target_names`
        target_names : array of str, sorted
        DESCR : str

    Examples
    --------
    >>> from underdog.datasets import fetch_trec_questions
    >>> corpus = fetch_trec_questions(level="fine")  # doctest: +SKIP
    >>> corpus.data[0], corpus.target_names[corpus.target[0]]  # doctest: +SKIP
    ('How did serfdom develop in and then leave Russia ?', 'DESC:manner')

    References
    ----------
    Li and Roth, "Learning question classifiers", COLING 2002.
    """
    check_choice("subset", subset, "train", "test", "all")
    check_choice("level", level, "coarse", "fine")
    source = Source(archive, data_home, download_if_missing, verbose)
    examples = load(NAME, REMOTES, partial(read_questions, level=level), source)
    return as_bunch(examples, subset, DESCRIPTION, return_X_y)


def read_questions(path: Path, level: str) -> list[Example]:
    """All questions, those for training first; ValueError if it is another collection."""
    examples = list(_published(path, level) if holds_files(path) else _packed(path, level))
    check_counts("the TREC question collection", count_examples(examples), COUNTS[level])
    return examples


def _packed(path: Path, level: str) -> Iterator[Example]:
    label = "label" if level == "coarse" else "fine"
    return starmap(Example, read_json_lines(path, "text", label, "split"))


def _published(path: Path, level: str) -> Iterator[Example]:
    """Lines such as "LOC:city What city is it ?"."""
    files = read_files(path, "|".join(map(re.escape, FILES)))
    for file, split in FILES.items():
        for line in lines_of(files.get(file, b""), "latin-1"):
            label, _, text = line.partition(" ")
            yield Example(text, label.partition(":")[0] if level == "coarse" else label, split)

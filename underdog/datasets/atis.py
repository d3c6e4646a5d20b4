"""ATIS: what somebody who talks to an airline's computer wants."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import starmap
from pathlib import Path
from typing import Any

from underdog.checks import check_choice
from underdog.datasets.archives import lines_of, read_files, read_json_lines
from underdog.datasets.cache import GivenPath, Remote, Source, load
from underdog.datasets.counts import check_counts
from underdog.datasets.labelled import Example, as_bunch, count_examples

NAME = "atis_intent.jsonl.gz"
ADDRESS = "https://raw.githubusercontent.com/monologg/JointBERT/master/data/atis"
SPLITS = ("train", "dev", "test")
REMOTES = tuple(
    Remote(f"atis_intent/{split}/{file}", (f"{ADDRESS}/{split}/{file}",))
    for split in SPLITS
    for file in ("seq.in", "label")
)
COUNTS = {
    "labels": 26,
    "texts for train": 4478,
    "texts for dev": 500,
    "texts for test": 893,
    "atis_flight": 4298,
    "atis_airfare": 471,
    "atis_ground_service": 291,
    "atis_restriction": 6,
}

DESCRIPTION = """\
ATIS intents

5,871 sentences that people said to the Air Travel Information System, in small letters, each with
what is wanted: 4,478 for training, 500 for development, 893 for test. There are 26 labels, of which
8 are several intents joined by "#". Five of them do not occur in the training part. Three in four
sentences ask for flights.

Hemphill, Godfrey and Doddington, "The ATIS spoken language systems pilot corpus", 1990; the split
is that of Goo et al., "Slot-gated modeling for joint slot filling and intent prediction", 2018.
The sentences belong to the Linguistic Data Consortium. For research.
"""


def fetch_atis_intents(
    *,
    subset: str = "train",
    data_home: GivenPath | None = None,
    archive: GivenPath | None = None,
    download_if_missing: bool = True,
    return_X_y: bool = False,
    verbose: int = 1,
) -> Any:
    """Load the ATIS sentences and what is wanted in them; download them if necessary.

    Parameters
    ----------
    subset : {"train", "dev", "test", "all"}, default="train"
        4,478 sentences, 500, 893, or all of them.
    data_home, download_if_missing, verbose
        As in `fetch_reuters21578`.
    archive : path, default=None
        A local copy: a folder with `train`, `dev` and `test`, each with `seq.in` and `label`, or a
        file `atis_intent.jsonl.gz` whose lines have `text`, `label` and `split`.
    return_X_y : bool, default=False
        Return `(data, target)` instead of a Bunch.

    Returns
    -------
    corpus : Bunch
        data : list of str
        target : array of int, the number of the intent in `target_names`
        target_names : array of str, the 26 intents of all parts, sorted
        DESCR : str

    Examples
    --------
    >>> from underdog.datasets import fetch_atis_intents
    >>> corpus = fetch_atis_intents()  # doctest: +SKIP
    >>> corpus.data[0], corpus.target_names[corpus.target[0]]  # doctest: +SKIP
    ('i want to fly from baltimore to dallas round trip', 'atis_flight')

    References
    ----------
    Hemphill, Godfrey and Doddington, "The ATIS spoken language systems pilot corpus", Workshop on
    Speech and Natural Language, 1990.
    """
    check_choice("subset", subset, *SPLITS, "all")
    source = Source(archive, data_home, download_if_missing, verbose)
    examples = load(NAME, REMOTES, read_sentences, source)
    return as_bunch(examples, subset, DESCRIPTION, return_X_y)


def read_sentences(path: Path) -> list[Example]:
    """All sentences: training, development, test; ValueError if it is another collection."""
    examples = list(_published(path) if path.is_dir() else _packed(path))
    check_counts("the ATIS intents", count_examples(examples), COUNTS)
    return examples


def _packed(path: Path) -> Iterator[Example]:
    return starmap(Example, read_json_lines(path, "text", "label", "split"))


def _published(path: Path) -> Iterator[Example]:
    """A file of sentences and a file of as many intents for each part."""
    for split in SPLITS:
        folder = path / split
        files = read_files(folder, r"seq\.in|label") if folder.is_dir() else {}
        texts, labels = (lines_of(files.get(name, b"")) for name in ("seq.in", "label"))
        if len(texts) != len(labels):
            raise ValueError(f"has {len(texts)} sentences but {len(labels)} intents for {split}")
        for text, label in zip(texts, labels, strict=True):
            yield Example(text, label, split)

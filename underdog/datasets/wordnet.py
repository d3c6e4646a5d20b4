"""WordNet glosses: what a word means, and what kind of thing it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import starmap
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils import Bunch

from underdog.datasets.archives import holds_files, read_files, read_json_lines
from underdog.datasets.cache import GivenPath, Remote, Source, load
from underdog.datasets.counts import check_counts

NAME = "wordnet_glosses.jsonl.gz"
PUBLISHED = "WordNet-3.0.tar.gz"
ADDRESS = f"https://wordnetcode.princeton.edu/3.0/{PUBLISHED}"
SHA256 = "640db279c949a88f61f851dd54ebbb22d003f8b90b85267042ef85a3781d3a52"
COUNTS = {
    "different synsets": 117659,
    "glosses": 117659,
    "labels": 45,
    "adj.all": 14435,
    "noun.artifact": 11587,
    "noun.person": 11087,
    "noun.motive": 42,
}

NOUN_FILES = (
    "Tops act animal artifact attribute body cognition communication event feeling food group "
    "location motive object person phenomenon plant possession process quantity relation shape "
    "state substance time"
)
VERB_FILES = (
    "body change cognition communication competition consumption contact creation emotion motion "
    "perception possession social stative weather"
)
# by their numbers in the data
LEXICOGRAPHER_FILES = (
    *("adj.all", "adj.pert", "adv.all"),
    *(f"noun.{topic}" for topic in NOUN_FILES.split()),
    *(f"verb.{topic}" for topic in VERB_FILES.split()),
    "adj.ppl",
)
LETTERS = {"data.noun": "n", "data.verb": "v", "data.adj": "a", "data.adv": "r"}

DESCRIPTION = """\
WordNet 3.0 glosses

The 117,659 synsets of WordNet 3.0 by their glosses: a definition, often with examples in quotation
marks. The label is the lexicographer file that the synset comes from, one of 45: its part of speech
and topic, such as noun.animal or verb.motion. The rows are in the order of the ids. There is no
published split.

Fellbaum (editor), "WordNet: an electronic lexical database", MIT Press, 1998. Copyright 2006
Princeton University, under the WordNet licence: free for any purpose, with its notice.
"""


class Synset(NamedTuple):
    """Words with one meaning: its id is a letter for the part of speech and eight digits."""

    id: str
    gloss: str
    words: list[str]
    label: str


def fetch_wordnet_glosses(
    *,
    data_home: GivenPath | None = None,
    archive: GivenPath | None = None,
    download_if_missing: bool = True,
    return_X_y: bool = False,
    verbose: int = 1,
) -> Any:
    """Load the glosses of WordNet 3.0 and their 45 topics; download them if necessary.

    Parameters
    ----------
    data_home, download_if_missing, verbose
        As in `fetch_reuters21578`.
    archive : path, default=None
        A local copy: `WordNet-3.0.tar.gz`, a folder with its files `data.noun`, `data.verb`,
        `data.adj` and `data.adv`, or a file `wordnet_glosses.jsonl.gz` whose lines have `id`,
        `text`, `words` and `label`.
    return_X_y : bool, default=False
        Return `(data, target)` instead of a Bunch.

    Returns
    -------
    corpus : Bunch
        data : list of str, the glosses in the order of the ids
        target : array of int, the number of the topic in `target_names`
        target_names : array of str, sorted
        ids : array of str, such as "n00001740"
        words : list of lists of str, the words with this meaning, "_" for a space
        DESCR : str

    Examples
    --------
    >>> from underdog.datasets import fetch_wordnet_glosses
    >>> corpus = fetch_wordnet_glosses()  # doctest: +SKIP
    >>> len(corpus.data), len(corpus.target_names)  # doctest: +SKIP
    (117659, 45)

    References
    ----------
    Fellbaum (editor), "WordNet: an electronic lexical database", MIT Press, 1998.
    """
    source = Source(archive, data_home, download_if_missing, verbose)
    synsets = load(NAME, (Remote(PUBLISHED, (ADDRESS,), SHA256),), read_synsets, source)
    data = [synset.gloss for synset in synsets]
    names, target = np.unique([synset.label for synset in synsets], return_inverse=True)
    if return_X_y:
        return data, target
    return Bunch(
        data=data,
        target=target,
        target_names=names,
        ids=np.array([synset.id for synset in synsets]),
        words=[synset.words for synset in synsets],
        DESCR=DESCRIPTION,
    )


def read_synsets(path: Path) -> list[Synset]:
    """All synsets in the order of their ids; ValueError if it is not WordNet 3.0."""
    synsets = sorted(_published(path) if holds_files(path) else _packed(path))
    labels = Counter(synset.label for synset in synsets)
    found = {
        "different synsets": len({synset.id for synset in synsets}),
        "glosses": sum(bool(synset.gloss) for synset in synsets),
        "labels": len(labels),
    }
    check_counts("WordNet 3.0", found | labels, COUNTS)
    return synsets


def _packed(path: Path) -> Iterator[Synset]:
    return starmap(Synset, read_json_lines(path, "id", "text", "words", "label"))


def _published(path: Path) -> Iterator[Synset]:
    for name, content in read_files(path, r"data\.(noun|verb|adj|adv)").items():
        for line in content.decode("latin-1").split("\n"):
            # the licence stands at the top of each file, in lines that begin with spaces
            if line and not line.startswith(" "):
                yield parse_synset(line, LETTERS[name])


def parse_synset(line: str, letter: str) -> Synset:
    """A synset from its line: offset, file, type, words in pairs with a number, links, gloss.

    Examples
    --------
    >>> from underdog.datasets.wordnet import parse_synset
    >>> line = "00000042 05 n 02 cat 0 house_cat 0 001 @ 00000007 n 0000 | it purrs; \\"a cat\\"  "
    >>> synset = parse_synset(line, "n")
    >>> synset.id, synset.gloss, synset.words, synset.label
    ('n00000042', 'it purrs; "a cat"', ['cat', 'house_cat'], 'noun.animal')
    """
    front, _, gloss = line.partition("|")
    try:
        offset, file, _, n_words, *rest = front.split()
        words = rest[: 2 * int(n_words, 16) : 2]  # the number of words is hexadecimal
        label = LEXICOGRAPHER_FILES[int(file)]
    except (ValueError, IndexError) as error:
        raise ValueError(f"has a line that is not WordNet's: {line[:60]!r}") from error
    return Synset(letter + offset, gloss.strip(), words, label)

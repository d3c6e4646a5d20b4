"""Reuters-21578: news of 1987 with the topics that people gave them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.utils import Bunch

from underdog.checks import check_choice
from underdog.datasets.archives import read_files
from underdog.datasets.cache import GivenPath, Remote, Source, load
from underdog.datasets.counts import check_counts

NAME = "reuters21578.tar.gz"
ADDRESSES = (
    "http://www.daviddlewis.com/resources/testcollections/reuters21578/reuters21578.tar.gz",
    "https://archive.ics.uci.edu/ml/machine-learning-databases/reuters21578-mld/reuters21578.tar.gz",
    "https://kdd.ics.uci.edu/databases/reuters21578/reuters21578.tar.gz",
)
SHA256 = "3bae43c9b14e387f76a61b6d82bf98a4fb5d3ef99ef7e7075ff2ccbcf59f9d30"

DESCRIPTION = """\
Reuters-21578, Distribution 1.0

The 21,578 documents of the Reuters newswire of 1987, labelled with topics by people of Reuters and
Carnegie Group and prepared by David D. Lewis and others. A document may have several topics or
none. The splits are those of the collection's own README:

    split      training  test   what is in them
    ModApte       9,603  3,299  documents that were looked at for topics (TOPICS="YES")
    ModLewis     13,625  6,188  the same, and those with TOPICS="NO"
    ModHayes     20,856    722  all documents

The columns of the target are the topics that occur in the training part: 115 for ModApte and
ModLewis, 118 for ModHayes. Topics that occur only in the test part have no column: cottonseed,
f-cattle and sfr for ModApte and ModLewis, bfr and hk for ModHayes. 120 topics occur at all. Of the
documents of ModApte 1,828 for training and 280 for test have no topic.

A text is the title and the body without date line and author. A brief has a title only. A document
that Reuters left unprocessed has no title; its text is all there is. Characters that steered the
newswire are taken out; the word "Reuter" that ends most bodies is not.

The addresses of the download are those that the collection's pages give. Its copyright resides
with Reuters Ltd.; it is free for research, on condition that publications refer to it as
"Reuters-21578, Distribution 1.0".
"""


class Document(NamedTuple):
    """One document as it is in the files; split attributes with the names they have there."""

    id: int
    title: str
    text: str
    topics: frozenset[str]
    has_topics: str
    lewis_split: str
    cgi_split: str


class Split(NamedTuple):
    """Which documents train and which test: the attribute that says it, and its values."""

    attribute: str
    train: str
    test: str
    has_topics: tuple[str, ...]

    def part(self, documents: Iterable[Document], subset: str) -> list[Document]:
        """The documents of the training part or the test part."""
        wanted = self.train if subset == "train" else self.test
        return [
            document
            for document in documents
            if getattr(document, self.attribute) == wanted
            and document.has_topics in self.has_topics
        ]


SPLITS = {
    "modapte": Split("lewis_split", "TRAIN", "TEST", ("YES",)),
    "modlewis": Split("lewis_split", "TRAIN", "TEST", ("YES", "NO")),
    "modhayes": Split("cgi_split", "TRAINING-SET", "PUBLISHED-TESTSET", ("YES", "NO", "BYPASS")),
}
COUNTS = {
    "files reut2-*.sgm": 22,
    "documents": 21578,
    "ids from 1 to 21578": 21578,
    "documents in modapte train": 9603,
    "documents in modapte test": 3299,
    "documents in modlewis train": 13625,
    "documents in modlewis test": 6188,
    "documents in modhayes train": 20856,
    "documents in modhayes test": 722,
    "earn in modapte train": 2877,
    "earn in modapte test": 1087,
    "acq in modapte train": 1650,
    "acq in modapte test": 719,
    "platinum in modapte train": 5,
    "potato in modapte train": 3,
}


def fetch_reuters21578(
    *,
    subset: str = "train",
    split: str = "modapte",
    data_home: GivenPath | None = None,
    archive: GivenPath | None = None,
    download_if_missing: bool = True,
    return_X_y: bool = False,
    verbose: int = 1,
) -> Any:
    """Load the Reuters-21578 news and their topics; download them if necessary.

    Parameters
    ----------
    subset : {"train", "test", "all"}, default="train"
        Which part of the split. "all" is both parts, in the order of the ids.
    split : {"modapte", "modlewis", "modhayes"}, default="modapte"
        Which documents train and which test. ModApte has 9,603 and 3,299, ModLewis 13,625 and
        6,188, ModHayes 20,856 and 722.
    data_home : path, default=None
        The folder where the file is looked for, also in its folder `text`, and downloaded to. None
        takes the environment variable UNDERDOG_DATA, or else `~/.underdog_data`.
    archive : path, default=None
        A local `reuters21578.tar.gz`, or a folder with the files `reut2-000.sgm` to
        `reut2-021.sgm`. Nothing is downloaded then.
    download_if_missing : bool, default=True
        False raises OSError if the file is not in the data home.
    return_X_y : bool, default=False
        Return `(data, target)` instead of a Bunch.
    verbose : int, default=1
        1 shows a progress bar during a download if the standard error stream is a terminal.

    Returns
    -------
    corpus : Bunch
        data : list of str
            Title and body of each document.
        target : CSR matrix of shape (n_documents, n_topics), int8
            1 where a document has a topic. It can be given to `AdaBoostMHClassifier.fit` as it is.
        target_names : array of str
            The topics that occur in the training part of the split, sorted: 115, 115 and 118.
            Topics that occur only in the test part, of which there are 3, 3 and 2, are left out.
        ids : array of int
            The number of each document in the collection, NEWID, from 1 to 21578.
        titles : list of str
            Empty where a document has none.
        DESCR : str

    Raises
    ------
    OSError
        If the file is neither there nor can be downloaded.
    ValueError
        If it is not Reuters-21578: documents, splits and frequencies of topics are counted.

    Examples
    --------
    >>> from underdog.datasets import fetch_reuters21578
    >>> corpus = fetch_reuters21578(archive="reuters21578.tar.gz")  # doctest: +SKIP
    >>> corpus.target.shape  # doctest: +SKIP
    (9603, 115)

    References
    ----------
    Lewis, "Reuters-21578 text categorization test collection, Distribution 1.0", 1997.
    Apté, Damerau and Weiss, "Automated learning of decision rules for text categorization", ACM
    Transactions on Information Systems 12(3), 1994.
    """
    check_choice("subset", subset, "train", "test", "all")
    check_choice("split", split, *SPLITS)
    source = Source(archive, data_home, download_if_missing, verbose)
    documents = load(NAME, (Remote(NAME, ADDRESSES, SHA256),), read_documents, source)
    corpus = as_bunch(documents, subset, SPLITS[split])
    return (corpus.data, corpus.target) if return_X_y else corpus


def as_bunch(documents: Sequence[Document], subset: str, split: Split) -> Bunch:
    """A part of the collection, as `fetch_reuters21578` returns it."""
    train, test = (split.part(documents, part) for part in ("train", "test"))
    names = sorted(frozenset[str]().union(*(document.topics for document in train)))
    chosen = {"train": train, "test": test, "all": _by_id(train + test)}[subset]
    return Bunch(
        data=[document.text for document in chosen],
        target=_indicator([document.topics for document in chosen], names),
        target_names=np.array(names),
        ids=np.array([document.id for document in chosen]),
        titles=[document.title for document in chosen],
        DESCR=DESCRIPTION,
    )


def read_documents(path: Path) -> list[Document]:
    """All documents of the collection in the order of their ids; ValueError if it is another."""
    files = read_files(path, r"reut2-\d{3}\.sgm")
    documents = _by_id(document for content in files.values() for document in parse(content))
    found = {"files reut2-*.sgm": len(files), **_counts(documents)}
    check_counts("Reuters-21578, Distribution 1.0", found, COUNTS)
    return documents


def _counts(documents: Sequence[Document]) -> dict[str, int]:
    """What is counted to tell the collection from others."""
    counts = {
        "documents": len(documents),
        "ids from 1 to 21578": len({document.id for document in documents} & set(range(1, 21579))),
    }
    for name, split in SPLITS.items():
        for subset in ("train", "test"):
            part = split.part(documents, subset)
            counts[f"documents in {name} {subset}"] = len(part)
            topics = Counter(topic for document in part for topic in document.topics)
            counts |= {f"{topic} in {name} {subset}": count for topic, count in topics.items()}
    return counts


def _by_id(documents: Iterable[Document]) -> list[Document]:
    return sorted(documents, key=lambda document: document.id)


def _indicator(sets: Sequence[frozenset[str]], names: Sequence[str]) -> csr_matrix:
    column = {name: number for number, name in enumerate(names)}
    rows = [sorted(column[topic] for topic in topics if topic in column) for topics in sets]
    starts = np.cumsum([0, *map(len, rows)])
    indices = np.array([index for row in rows for index in row], dtype=np.int32)
    ones = np.ones(len(indices), dtype=np.int8)
    return csr_matrix((ones, indices, starts), shape=(len(sets), len(names)))


DOCUMENT = re.compile(r"<REUTERS\s([^>]*)>(.*?)</REUTERS>", re.DOTALL)
ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')
TOPICS = re.compile(r"<TOPICS>(.*?)</TOPICS>", re.DOTALL)
TOPIC = re.compile(r"<D>(.*?)</D>", re.DOTALL)
TEXT = re.compile(r"<TEXT[^>]*>(.*)</TEXT>", re.DOTALL)
TITLE = re.compile(r"<TITLE>(.*?)</TITLE>", re.DOTALL)
BODY = re.compile(r"<BODY>(.*?)</BODY>", re.DOTALL)
NUMBERED = re.compile(r"&#(\d{1,3});")
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


def parse(content: bytes) -> Iterator[Document]:
    """The documents of one of the collection's SGML files.

    Examples
    --------
    >>> from underdog.datasets.reuters import parse
    >>> text = b'''<REUTERS TOPICS="YES" LEWISSPLIT="TRAIN" CGISPLIT="TRAINING-SET" NEWID="7">
    ... <TOPICS><D>gold</D><D>tin</D></TOPICS><TEXT>&#2;
    ... <TITLE>Mine &lt;MINE> opens</TITLE><BODY>Today.&#3;</BODY></TEXT></REUTERS>'''
    >>> [document] = parse(text)
    >>> document.id, sorted(document.topics), document.text
    (7, ['gold', 'tin'], 'Mine <MINE> opens\\nToday.')
    """
    for attributes, inside in DOCUMENT.findall(content.decode("latin-1").replace("\r\n", "\n")):
        given = dict(ATTRIBUTE.findall(attributes))
        title, text = _texts(_inside(TEXT, inside))
        number = given.get("NEWID", "")
        yield Document(
            id=int(number) if number.isdecimal() else 0,
            title=title,
            text=text,
            topics=frozenset(TOPIC.findall(_inside(TOPICS, inside))),
            has_topics=given.get("TOPICS", ""),
            lewis_split=given.get("LEWISSPLIT", ""),
            cgi_split=given.get("CGISPLIT", ""),
        )


def _texts(inside: str) -> tuple[str, str]:
    """The title, and title and body; or all there is if they are not marked."""
    title, body = _plain(_inside(TITLE, inside)), _plain(_inside(BODY, inside))
    return title, "\n".join(filter(None, (title, body))) or _plain(inside)


def _inside(element: re.Pattern[str], text: str) -> str:
    found = element.search(text)
    return found[1] if found else ""


def _plain(text: str) -> str:
    """Entities as the characters they stand for, without those that steered the newswire."""
    text = NUMBERED.sub(lambda number: chr(int(number[1])), text)
    text = CONTROL.sub("", text).replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", '"')
    return text.replace("&amp;", "&").strip()  # last, so that "&amp;lt;" is not taken for "<"

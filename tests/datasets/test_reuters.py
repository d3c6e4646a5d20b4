"""Reuters-21578: odd documents, splits, and the counts of the real collection."""

import html
import io
import re
import tarfile
from functools import partial
from hashlib import sha256

import numpy as np
import pytest
from scipy.sparse import issparse

from underdog import AdaBoostMHClassifier
from underdog.datasets import fetch_reuters21578, reuters
from underdog.datasets.archives import read_files
from underdog.datasets.reuters import parse

ORDINARY = (
    "<TEXT>&#2;\n<TITLE>Title {}</TITLE>\n<DATELINE>    HERE, May 1 - </DATELINE><BODY>Body.\n"
    "&#3;</BODY></TEXT>"
)


def sgml(
    number,
    topics=(),
    text=ORDINARY,
    has_topics="YES",
    lewis="TRAIN",
    cgi="TRAINING-SET",
    more="",
):
    marked = "".join(f"<D>{topic}</D>" for topic in topics)
    return (
        f'<REUTERS TOPICS="{has_topics}" LEWISSPLIT="{lewis}" CGISPLIT="{cgi}"{more} '
        f'OLDID="{number + 5000}" NEWID="{number}">\n<DATE> 1-MAY-1987 10:00:00.00</DATE>\n'
        f"<TOPICS>{marked}</TOPICS>\n<PLACES><D>nowhere</D></PLACES>\n<PEOPLE></PEOPLE>\n"
        f"<UNKNOWN> \n&#5;&#5;&#5;C T\n&#22;&#22;&#1;f0704&#31;reute\nu f BC</UNKNOWN>\n"
        f"{text.format(number)}\n</REUTERS>\n"
    )


def only(text, **options):
    [document] = parse(sgml(7, text=text, **options).encode("latin-1"))
    return document


class TestParse:
    def test_title_and_body_without_date_line_and_author(self):
        document = only(
            "<TEXT>&#2;\n<TITLE>Tin mine opens</TITLE>\n<AUTHOR>    By Nobody</AUTHOR>"
            "<DATELINE>    HERE, May 1 - </DATELINE><BODY>It is deep.\n    It is dark.\n Reuter\n"
            "&#3;</BODY></TEXT>"
        )
        assert document.title == "Tin mine opens"
        assert document.text == "Tin mine opens\nIt is deep.\n    It is dark.\n Reuter"

    def test_a_brief_has_only_its_title(self):
        document = only(
            '<TEXT TYPE="BRIEF">&#2;\n******<TITLE>TIN UP\n</TITLE>Blah blah blah.\n&#3;\n\n</TEXT>'
        )
        assert document.title == document.text == "TIN UP"

    def test_an_unprocessed_one_has_no_title_and_all_of_its_text(self):
        document = only('<TEXT TYPE="UNPROC">&#2;\nTIN - MAY 1\n Up.....1 vs...2\n&#3;\n\n</TEXT>')
        assert document.title == ""
        assert document.text == "TIN - MAY 1\n Up.....1 vs...2"

    def test_an_empty_one_is_kept(self):
        document = only('<TEXT TYPE="UNPROC">&#2;\n&#3;\n\n</TEXT>')
        assert document.id == 7
        assert document.text == ""

    @pytest.mark.parametrize("text", ["", "<TEXT></TEXT>", "<TEXT><BODY></BODY></TEXT>"])
    def test_missing_parts_are_empty(self, text):
        assert "Title" not in only(text).text
        assert only(text).title == ""

    def test_entities_become_characters_and_control_characters_nothing(self):
        body = "&lt;TIN.X> R&amp;D &amp;lt; a&#127;b\x01c\td &#252;\xfc &quot;&gt;"
        document = only(f"<TEXT><TITLE>T</TITLE><BODY>{body}&#3;</BODY></TEXT>")
        assert document.text == 'T\n<TIN.X> R&D &lt; abc\td üü ">'

    def test_an_escaped_tag_ends_nothing(self):
        document = only("<TEXT><TITLE>T</TITLE><BODY>a &lt;/BODY> b</BODY></TEXT>")
        assert document.text == "T\na </BODY> b"

    def test_topics_are_those_between_the_tags_and_each_only_once(self):
        [document] = parse(sgml(7, topics=["tin", "gold", "tin"]).encode())
        assert document.topics == {"tin", "gold"}

    def test_a_stray_tag_beside_the_topics_does_no_harm(self):
        broken = sgml(7, topics=["tin"]).replace("<PLACES><D>nowhere", "<PLACES>nowhere")
        [document] = parse(broken.encode())
        assert document.topics == {"tin"}

    def test_attributes_are_found_among_others(self):
        document = only(ORDINARY, has_topics="BYPASS", lewis="NOT-USED", more=' CSECS="5"')
        assert document[0] == 7
        assert (document.has_topics, document.lewis_split) == ("BYPASS", "NOT-USED")
        assert document.cgi_split == "TRAINING-SET"

    def test_many_documents_in_the_order_of_the_file_with_any_line_ends(self):
        text = "<!DOCTYPE lewis SYSTEM 'lewis.dtd'>\n" + "".join(map(sgml, (3, 1, 2)))
        plain, dos = (list(parse(t.encode())) for t in (text, text.replace("\n", "\r\n")))
        assert [document.id for document in plain] == [3, 1, 2]
        assert plain == dos

    def test_what_has_no_number_has_the_number_0(self):
        [document] = parse(sgml(7).replace('NEWID="7"', 'NEWID="x"').encode())
        assert document.id == 0

    def test_a_document_without_an_end_is_left_out(self):
        assert list(parse(sgml(7)[:-20].encode())) == []


SMALL = {
    "reut2-001.sgm": sgml(4, ["gold", "zinc"], lewis="TEST") + sgml(5, lewis="TEST"),
    "reut2-000.sgm": sgml(1, ["tin"], cgi="PUBLISHED-TESTSET")
    + sgml(2, ["tin", "gold"])
    + sgml(3, ["iron"], has_topics="NO"),
    "reut2-002.sgm": sgml(6, has_topics="BYPASS") + sgml(7, lewis="NOT-USED"),
    "README.txt": "none of the documents",
}


def pack(path):
    with tarfile.open(path, "w:gz") as archive:
        for name, text in SMALL.items():
            member = tarfile.TarInfo(f"./{name}")
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text.encode()))
    return path


@pytest.fixture
def small(tmp_path, monkeypatch):
    """A collection of seven documents that passes for the real one."""
    monkeypatch.setattr(reuters, "COUNTS", {"documents": 7})
    return pack(tmp_path / "small.tar.gz")


class TestFetch:
    @pytest.mark.parametrize(
        ("split", "train", "test", "names"),
        [
            ("modapte", [1, 2], [4, 5], ["gold", "tin"]),
            ("modlewis", [1, 2, 3], [4, 5], ["gold", "iron", "tin"]),
            ("modhayes", [2, 3, 4, 5, 6, 7], [1], ["gold", "iron", "tin", "zinc"]),
        ],
    )
    def test_splits(self, small, split, train, test, names):
        for subset, ids in (("train", train), ("test", test), ("all", sorted(train + test))):
            corpus = fetch_reuters21578(subset=subset, split=split, archive=small)
            assert corpus.ids.tolist() == ids
            assert corpus.titles == [f"Title {number}" for number in ids]
            assert corpus.data == [f"Title {number}\nBody." for number in ids]
            assert corpus.target_names.tolist() == names
            assert corpus.target.shape == (len(ids), len(names))

    def test_target_is_sparse_and_leaves_out_topics_that_only_the_test_part_has(self, small):
        corpus = fetch_reuters21578(subset="all", archive=small)
        assert issparse(corpus.target)
        assert corpus.target.dtype == np.int8
        assert corpus.target.toarray().tolist() == [[0, 1], [1, 1], [1, 0], [0, 0]]

    def test_a_booster_takes_the_target_as_it_is(self, small):
        corpus = fetch_reuters21578(subset="all", archive=small)
        X = corpus.target.toarray()[:, ::-1].astype(float)
        booster = AdaBoostMHClassifier(n_estimators=5).fit(X, corpus.target)
        assert np.array_equal(booster.predict(X), corpus.target.toarray())

    def test_texts_and_target_alone(self, small):
        data, target = fetch_reuters21578(archive=small, return_X_y=True)
        assert data == ["Title 1\nBody.", "Title 2\nBody."]
        assert target.shape == (2, 2)

    def test_a_folder_with_the_files(self, small, tmp_path):
        folder = tmp_path / "unpacked"
        folder.mkdir()
        for name, text in SMALL.items():
            (folder / name).write_text(text)
        assert fetch_reuters21578(archive=folder).data == fetch_reuters21578(archive=small).data

    def test_from_the_data_home(self, small, tmp_path):
        (tmp_path / "text").mkdir()
        small.rename(tmp_path / "text" / "reuters21578.tar.gz")
        assert len(fetch_reuters21578(data_home=tmp_path, download_if_missing=False).data) == 2

    def test_says_where_the_collection_comes_from(self, small):
        assert "Distribution 1.0" in fetch_reuters21578(archive=small).DESCR

    def test_downloads_it(self, small, tmp_path, server, monkeypatch):
        server.content["/reuters"] = small.read_bytes()
        monkeypatch.setattr(reuters, "ADDRESSES", (server.address("/reuters"),))
        monkeypatch.setattr(reuters, "SHA256", sha256(small.read_bytes()).hexdigest())
        home = tmp_path / "home"
        assert len(fetch_reuters21578(data_home=home).data) == 2
        assert [path.name for path in home.iterdir()] == ["reuters21578.tar.gz"]


class TestErrors:
    @pytest.mark.parametrize("name", ["subset", "split"])
    def test_choices(self, name):
        with pytest.raises(ValueError, match=f"{name}='both' must be"):
            fetch_reuters21578(**{name: "both"})

    def test_another_collection_is_refused_with_what_was_found(self, tmp_path):
        with pytest.raises(ValueError, match="is not Reuters-21578") as caught:
            fetch_reuters21578(archive=pack(tmp_path / "small.tar.gz"))
        assert "found 3 files reut2-*.sgm instead of 22" in str(caught.value)
        assert "7 documents instead of 21578; 7 ids from 1 to 21578" in str(caught.value)

    def test_a_download_of_another_collection_is_not_kept(self, tmp_path, server, monkeypatch):
        server.content["/reuters"] = pack(tmp_path / "small.tar.gz").read_bytes()
        monkeypatch.setattr(reuters, "ADDRESSES", (server.address("/reuters"),))
        with pytest.raises(OSError, match="SHA256 hash of downloaded file"):
            fetch_reuters21578(data_home=tmp_path / "home")
        assert list((tmp_path / "home").iterdir()) == []

    def test_a_file_that_is_no_archive(self, tmp_path):
        path = tmp_path / "page.html"
        path.write_text("<html></html>")
        with pytest.raises(ValueError, match=r"page\.html is not a whole tar archive"):
            fetch_reuters21578(archive=path)

    def test_an_empty_folder(self, tmp_path):
        with pytest.raises(ValueError, match="found 0 files"):
            fetch_reuters21578(archive=tmp_path)

    def test_nothing_there_and_no_download(self, tmp_path):
        with pytest.raises(OSError, match="download_if_missing=False"):
            fetch_reuters21578(data_home=tmp_path, download_if_missing=False)


@pytest.fixture(scope="module")
def documents(real):
    return reuters.read_documents(real("reuters21578.tar.gz"))


class TestReal:
    @pytest.fixture
    def fetch(self, documents, monkeypatch, tmp_path):
        """The real collection without reading it again."""
        monkeypatch.setattr(reuters, "read_documents", lambda _: documents)
        return partial(fetch_reuters21578, archive=tmp_path)

    def test_modapte(self, fetch):
        train, test = fetch(), fetch(subset="test")
        assert train.target.shape == (9603, 115)
        assert test.target.shape == (3299, 115)
        both = (np.asarray(part.target.sum(axis=0)).ravel() for part in (train, test))
        counts = dict(zip(train.target_names.tolist(), zip(*both, strict=True), strict=True))
        assert counts["earn"] == (2877, 1087)
        assert counts["acq"] == (1650, 719)
        assert counts["platinum"][0] == 5
        assert counts["potato"][0] == 3
        assert np.sum(train.target.sum(axis=1) == 0) == 1828
        assert np.sum(test.target.sum(axis=1) == 0) == 280

    @pytest.mark.parametrize(
        ("split", "train", "test", "n_topics"),
        [("modlewis", 13625, 6188, 115), ("modhayes", 20856, 722, 118)],
    )
    def test_other_splits(self, fetch, split, train, test, n_topics):
        assert fetch(split=split).target.shape == (train, n_topics)
        assert fetch(split=split, subset="test").target.shape == (test, n_topics)
        assert fetch(split=split, subset="all").target.shape == (train + test, n_topics)

    def test_all_documents(self, fetch):
        corpus = fetch(split="modhayes", subset="all")
        assert corpus.ids.tolist() == list(range(1, 21579))
        assert [number for number, text in enumerate(corpus.data, start=1) if not text] == [12793]
        assert sum(not title for title in corpus.titles) == 737
        everything = "".join(corpus.data)
        assert not any(chr(code) in everything for code in (*range(9), *range(11, 32), 127))
        assert not any(tag in everything for tag in ("&lt;", "&amp;", "&#", "<BODY", "</TITLE"))

    def test_texts_have_the_words_that_a_reader_of_one_document_at_a_time_finds(
        self, documents, real
    ):
        name = "reut2-000.sgm"
        text = read_files(real("reuters21578.tar.gz"), name)[name].decode("latin-1")
        for one, document in zip(text.split("</REUTERS>"), documents[:1000], strict=False):
            parts = re.findall(r"<(TITLE|BODY)>(.*?)</\1>", one, re.DOTALL)
            parts = parts or re.findall(r"<(TEXT)[^>]*>(.*)</TEXT>", one, re.DOTALL)
            words = html.unescape(" ".join(part for _, part in parts)).split()
            assert document.text.split() == words

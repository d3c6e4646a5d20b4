"""Corpora with one label per text: the published files and the packed ones, real and small."""

import gzip
import json

import numpy as np
import pytest

from underdog.datasets import (
    atis,
    fetch_atis_intents,
    fetch_trec_questions,
    fetch_wordnet_glosses,
    trec,
    wordnet,
)
from underdog.datasets.cache import Remote

TREC = {
    "train_5500.label": b"LOC:city What city is a sister\xf0city ?\nHUM:ind Who is it ?\n",
    "TREC_10.label": b"LOC:country Where ?\n",
}
ATIS = {
    "train": [("show flights", "atis_flight"), ("show fares", "atis_airfare")],
    "dev": [("what is fn", "atis_abbreviation")],
    "test": [("flights and fares", "atis_flight#atis_airfare")],
}
LICENCE = "  1 This software and database is being provided to you\n"
WORDNET = {
    "data.noun": '00000009 05 n 01 cat 0 000 | it purrs; "a cat"  \n'
    "00000003 03 n 02 thing 0 object 1 001 ~ 00000009 n 0000 | what there is  \n",
    "data.verb": "00000005 38 v 01 go 0 000 01 + 02 00 | move from place to place  \n",
    "data.adj": "00000005 44 s 0b a 0 b 0 c 0 d 0 e 0 f 0 g 0 h 0 i 0 j 0 k(a) 0 000 | eleven  \n",
    "data.adv": "00000005 02 r 01 far 0 000 | at a distance  \n",
}


def write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def pack(path, lines):
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, lines)).encode()))
    return path


class TestTrec:
    @pytest.fixture
    def folder(self, tmp_path, monkeypatch):
        counts = {"texts for train": 2, "texts for test": 1}
        monkeypatch.setattr(trec, "COUNTS", {"coarse": counts, "fine": counts})
        for name, content in TREC.items():
            write(tmp_path / "trec_questions" / name, content)
        return tmp_path / "trec_questions"

    def test_published_files(self, folder):
        corpus = fetch_trec_questions(archive=folder)
        assert corpus.data == ["What city is a sisterðcity ?", "Who is it ?"]
        assert corpus.target_names.tolist() == ["HUM", "LOC"]
        assert corpus.target.tolist() == [1, 0]
        assert "Li and Roth" in corpus.DESCR

    def test_fine_classes_have_the_same_numbers_in_all_parts(self, folder):
        test = fetch_trec_questions(archive=folder, subset="test", level="fine")
        assert test.target_names.tolist() == ["HUM:ind", "LOC:city", "LOC:country"]
        assert test.target.tolist() == [2]
        both = fetch_trec_questions(archive=folder, subset="all", level="fine")
        assert both.target.tolist() == [1, 0, 2]

    def test_packed_file(self, folder, tmp_path):
        lines = [
            {"text": "Where ?", "label": "LOC", "fine": "LOC:city", "split": "train"},
            {"text": "Who ?", "label": "HUM", "fine": "HUM:ind", "split": "train"},
            {"text": "When ?", "label": "NUM", "fine": "NUM:date", "split": "test"},
        ]
        path = pack(tmp_path / "trec_questions.jsonl.gz", lines)
        assert fetch_trec_questions(archive=path).target.tolist() == [1, 0]
        data, target = fetch_trec_questions(
            data_home=tmp_path, subset="test", level="fine", return_X_y=True
        )
        assert data == ["When ?"]
        assert target.tolist() == [2]

    def test_downloads_the_published_files(self, folder, tmp_path, server, monkeypatch):
        server.content |= {f"/{name}": content for name, content in TREC.items()}
        remotes = tuple(Remote(f"trec/{name}", (server.address(f"/{name}"),)) for name in TREC)
        monkeypatch.setattr(trec, "REMOTES", remotes)
        home = tmp_path / "home"
        assert fetch_trec_questions(data_home=home, subset="all").target.tolist() == [1, 0, 1]
        server.content.clear()
        assert len(fetch_trec_questions(data_home=home).data) == 2

    def test_a_download_with_other_bytes_is_not_kept(self, folder, tmp_path, server, monkeypatch):
        wrong = [("/it", b"LOC:city Where ?\n"), ("/too", b"<html>")]
        server.content |= dict(wrong)
        remotes = [
            Remote(f"trec{path}", (server.address(path),), known.sha256)
            for (path, _), known in zip(wrong, trec.REMOTES, strict=True)
        ]
        monkeypatch.setattr(trec, "REMOTES", remotes)
        with pytest.raises(OSError, match="SHA256 hash of downloaded file"):
            fetch_trec_questions(data_home=tmp_path / "home")
        assert not list((tmp_path / "home").rglob("*.*"))

    def test_another_collection_is_refused(self, tmp_path):
        for name, content in TREC.items():
            write(tmp_path / name, content)
        with pytest.raises(ValueError, match="is not the TREC question collection: found 2 labels"):
            fetch_trec_questions(archive=tmp_path)

    @pytest.mark.parametrize(("name", "value"), [("subset", "dev"), ("level", "deep")])
    def test_choices(self, name, value):
        with pytest.raises(ValueError, match=f"{name}='{value}' must be"):
            fetch_trec_questions(**{name: value})

    def test_real(self, real):
        path = real("trec_questions.jsonl.gz")
        sizes = [len(fetch_trec_questions(archive=path, subset=s).data) for s in ("train", "test")]
        assert sizes == [5452, 500]
        corpus = fetch_trec_questions(archive=path, subset="all")
        names = ["ABBR", "DESC", "ENTY", "HUM", "LOC", "NUM"]
        assert corpus.target_names.tolist() == names
        assert np.bincount(corpus.target).tolist() == [95, 1300, 1344, 1288, 916, 1009]
        assert len(fetch_trec_questions(archive=path, level="fine").target_names) == 50


class TestAtis:
    @pytest.fixture
    def folder(self, tmp_path, monkeypatch):
        monkeypatch.setattr(atis, "COUNTS", {"labels": 4})
        for split, examples in ATIS.items():
            for name, lines in zip(("seq.in", "label"), zip(*examples, strict=True), strict=True):
                write(tmp_path / split / name, "".join(f"{line}\n" for line in lines).encode())
        return tmp_path

    def test_published_files(self, folder):
        corpus = fetch_atis_intents(archive=folder)
        assert corpus.data == ["show flights", "show fares"]
        assert corpus.target_names[corpus.target].tolist() == ["atis_flight", "atis_airfare"]
        assert "ATIS" in corpus.DESCR

    @pytest.mark.parametrize("subset", ["dev", "test", "all"])
    def test_parts(self, folder, subset):
        wanted = [subset] if subset != "all" else ATIS
        corpus = fetch_atis_intents(archive=folder, subset=subset)
        examples = [example for split in wanted for example in ATIS[split]]
        labels = corpus.target_names[corpus.target].tolist()
        assert list(zip(corpus.data, labels, strict=True)) == examples

    def test_packed_file(self, folder, tmp_path):
        lines = [
            {"text": text, "label": label, "split": split, "slots": "O"}
            for split, examples in ATIS.items()
            for text, label in examples
        ]
        path = pack(tmp_path / "atis_intent.jsonl.gz", lines)
        for subset in ("train", "all"):
            packed, published = (
                fetch_atis_intents(archive=place, subset=subset) for place in (path, folder)
            )
            assert packed.data == published.data
            assert np.array_equal(packed.target, published.target)

    def test_sentences_without_intents_are_an_error(self, folder):
        (folder / "dev" / "label").unlink()
        with pytest.raises(ValueError, match="has 1 sentences but 0 intents for dev"):
            fetch_atis_intents(archive=folder)

    def test_another_folder_is_refused(self, tmp_path):
        with pytest.raises(ValueError, match="is not the ATIS intents: found 0 labels"):
            fetch_atis_intents(archive=tmp_path)

    def test_choices(self):
        with pytest.raises(ValueError, match="subset='validation' must be"):
            fetch_atis_intents(subset="validation")

    def test_the_addresses_are_of_two_files_in_each_part(self):
        assert [remote.path for remote in atis.REMOTES][:2] == [
            "atis_intent/train/seq.in",
            "atis_intent/train/label",
        ]
        assert len({remote.addresses for remote in atis.REMOTES}) == 6

    def test_a_download_of_something_else_is_not_kept(self, tmp_path, server, monkeypatch):
        server.content["/page"] = b"<html>Please log in</html>"
        remotes = [Remote(known.path, (server.address("/page"),)) for known in atis.REMOTES]
        monkeypatch.setattr(atis, "REMOTES", remotes)
        with pytest.raises(OSError, match=r"is not the ATIS intents: .* It was deleted"):
            fetch_atis_intents(data_home=tmp_path)
        assert not [path for path in tmp_path.rglob("*") if path.is_file()]

    def test_real(self, real):
        path = real("atis_intent.jsonl.gz")
        corpora = [fetch_atis_intents(archive=path, subset=s) for s in ("train", "dev", "test")]
        assert [len(corpus.data) for corpus in corpora] == [4478, 500, 893]
        assert [len(corpus.target_names) for corpus in corpora] == [26] * 3
        assert [len(np.unique(corpus.target)) for corpus in corpora] == [21, 16, 20]


class TestWordnet:
    @pytest.fixture
    def folder(self, tmp_path, monkeypatch):
        monkeypatch.setattr(wordnet, "COUNTS", {"glosses": 5})
        for name, content in WORDNET.items():
            write(tmp_path / "dict" / name, (LICENCE + content).encode())
        write(tmp_path / "dict" / "index.noun", b"cat n 1 0 1 0 00000009")
        return tmp_path / "dict"

    def test_published_files(self, folder):
        corpus = fetch_wordnet_glosses(archive=folder)
        assert corpus.ids.tolist() == [
            *("a00000005", "n00000003", "n00000009", "r00000005", "v00000005"),
        ]
        assert corpus.data == [
            *("eleven", "what there is", 'it purrs; "a cat"', "at a distance"),
            "move from place to place",
        ]
        assert corpus.target_names[corpus.target].tolist() == [
            *("adj.ppl", "noun.Tops", "noun.animal", "adv.all", "verb.motion"),
        ]
        assert len(corpus.words[0]) == 11
        assert corpus.words[1:3] == [["thing", "object"], ["cat"]]
        assert "WordNet" in corpus.DESCR

    def test_packed_file_in_any_order(self, folder, tmp_path):
        published = fetch_wordnet_glosses(archive=folder)
        names = published.target_names[published.target].tolist()
        rows = zip(published.ids.tolist(), published.data, published.words, names, strict=True)
        lines = [dict(zip(("id", "text", "words", "label"), row, strict=True)) for row in rows]
        path = pack(tmp_path / "glosses.jsonl.gz", lines[::-1])
        packed = fetch_wordnet_glosses(archive=path)
        assert packed.data == published.data
        assert packed.words == published.words
        data, target = fetch_wordnet_glosses(archive=path, return_X_y=True)
        assert data == published.data
        assert np.array_equal(target, published.target)

    @pytest.mark.parametrize("line", ["00000001 05 n", "x 99 n 01 a 0 | b", "<html>"])
    def test_other_lines_are_an_error(self, folder, line):
        (folder / "data.noun").write_text(line)
        with pytest.raises(ValueError, match="has a line that is not WordNet's"):
            fetch_wordnet_glosses(archive=folder)

    def test_another_folder_is_refused(self, tmp_path):
        with pytest.raises(ValueError, match=r"is not WordNet 3\.0: found 0 different synsets"):
            fetch_wordnet_glosses(archive=tmp_path)

    def test_there_are_45_lexicographer_files(self):
        assert len(set(wordnet.LEXICOGRAPHER_FILES)) == 45
        assert wordnet.LEXICOGRAPHER_FILES[18] == "noun.person"

    def test_real(self, real):
        corpus = fetch_wordnet_glosses(archive=real("wordnet_glosses.jsonl.gz"))
        assert len(corpus.data) == len(corpus.words) == 117659
        assert set(corpus.target_names) == set(wordnet.LEXICOGRAPHER_FILES)
        counts = dict(zip(corpus.target_names, np.bincount(corpus.target), strict=True))
        assert counts["noun.artifact"] == 11587
        assert corpus.ids.tolist() == sorted(corpus.ids.tolist())

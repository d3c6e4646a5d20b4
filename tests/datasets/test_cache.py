"""Downloads from a server on this machine: whole, resumed, cut, missing, wrong."""

import re
import socket
import sys
from pathlib import Path

import pytest

from underdog.datasets import cache, get_data_home
from underdog.datasets.cache import Remote, download, load

CONTENT = bytes(range(256)) * 1000


def accept(path):
    if path.read_bytes() != CONTENT:
        raise ValueError(f"has {path.stat().st_size} bytes instead of {len(CONTENT)}")


def remote(*addresses):
    return Remote("corpus.bin", addresses, accept)


def part_of(home, address):
    return cache._part_of(home / "corpus.bin", address)


@pytest.fixture
def home(tmp_path):
    return get_data_home(tmp_path / "home")


@pytest.fixture
def address(server):
    server.content["/corpus"] = CONTENT
    return server.address("/corpus")


class TestDataHome:
    def test_is_the_argument_else_the_environment_else_in_the_users_home(
        self, monkeypatch, tmp_path
    ):
        assert get_data_home() == Path.home() / ".underdog_data"
        monkeypatch.setenv("UNDERDOG_DATA", str(tmp_path / "environment"))
        assert get_data_home() == tmp_path / "environment"
        assert get_data_home(str(tmp_path / "argument")) == tmp_path / "argument"

    def test_is_made_with_the_folders_above_it(self, tmp_path):
        assert get_data_home(tmp_path / "a" / "b").is_dir()
        assert get_data_home(tmp_path / "a" / "b").is_dir()

    def test_knows_the_users_home(self):
        assert get_data_home("~/corpora") == Path.home() / "corpora"


class TestDownload:
    def test_gives_the_whole_file_and_leaves_nothing_else(self, home, address):
        path = download(remote(address), home)
        assert path.read_bytes() == CONTENT
        assert list(home.iterdir()) == [path]

    def test_goes_on_from_what_is_there(self, home, address, server):
        part_of(home, address).write_bytes(CONTENT[:1000])
        assert download(remote(address), home).read_bytes() == CONTENT
        assert server.asked == [("/corpus", "bytes=1000-")]

    def test_starts_over_if_the_server_ignores_the_range(self, home, address, server):
        server.knows_ranges = False
        part_of(home, address).write_bytes(CONTENT[:1000])
        assert download(remote(address), home).read_bytes() == CONTENT

    @pytest.mark.parametrize("excess", [b"", b"more"])
    def test_starts_over_if_the_part_is_not_shorter_than_the_file(
        self, home, address, server, excess
    ):
        part_of(home, address).write_bytes(CONTENT + excess)
        assert download(remote(address), home).read_bytes() == CONTENT
        assert server.asked[-1] == ("/corpus", None)

    def test_goes_on_at_once_when_it_is_cut_off(self, home, address, server):
        server.cuts["/corpus"] = [5000, 100]
        assert download(remote(address), home).read_bytes() == CONTENT
        ranges = [wanted for _, wanted in server.asked]
        assert ranges == [None, "bytes=5000-", "bytes=5100-"]

    def test_keeps_the_part_if_it_is_cut_off_again_and_again(self, home, address, server):
        server.cuts["/corpus"] = [5000] * cache.TRIES
        with pytest.raises(OSError, match=r"cut off after 15000 of 256000 bytes"):
            download(remote(address), home)
        assert [path.name for path in home.iterdir()] == [part_of(home, address).name]
        assert download(remote(address), home).read_bytes() == CONTENT
        assert server.asked[-1] == ("/corpus", "bytes=15000-")

    def test_takes_the_length_from_the_content_if_it_is_not_announced(self, home, address, server):
        server.announces_length = False
        assert download(remote(address), home).read_bytes() == CONTENT

    def test_takes_the_next_address_when_one_has_nothing_or_something_else(
        self, home, address, server
    ):
        server.content["/wrong"] = b"<html>Not here</html>"
        addresses = (server.address("/gone"), server.address("/wrong"), address)
        assert download(remote(*addresses), home).read_bytes() == CONTENT
        assert [path for path, _ in server.asked] == ["/gone", "/wrong", "/corpus"]

    def test_does_not_go_on_from_the_part_of_another_address(self, home, address, server):
        server.content["/cut"] = CONTENT
        server.cuts["/cut"] = [1000] * cache.TRIES
        path = download(remote(server.address("/cut"), address), home)
        assert path.read_bytes() == CONTENT
        assert server.asked[-1] == ("/corpus", None)
        assert list(home.iterdir()) == [path]

    def test_leaves_no_wrong_content(self, home, server):
        server.content["/wrong"] = b"something else"
        with pytest.raises(OSError, match="what is there has 14 bytes instead of 256000"):
            download(remote(server.address("/wrong")), home)
        assert list(home.iterdir()) == []

    def test_says_what_was_tried_and_where_the_file_should_be(self, home, server):
        with socket.socket() as unused:  # bound but not listening: nobody answers there
            unused.bind(("127.0.0.1", 0))
            nobody = f"http://127.0.0.1:{unused.getsockname()[1]}/corpus"
            with pytest.raises(OSError) as caught:
                download(remote(server.address("/gone"), nobody), home)
        message = str(caught.value)
        assert re.search(r"/gone: HTTP Error 404", message)
        assert f"{nobody}: <urlopen error" in message
        assert f"expected at {home / 'corpus.bin'}" in message
        assert "archive=" in message

    def test_gives_up_when_nothing_arrives(self, home):
        with socket.create_server(("127.0.0.1", 0)) as silent:
            address = f"http://127.0.0.1:{silent.getsockname()[1]}/corpus"
            with pytest.raises(OSError, match="timed out"):
                download(remote(address), home, seconds=0.05)

    def test_keeps_what_arrived_before_it_stalled(self, home, address, server):
        server.stalls = True
        with pytest.raises(OSError, match=r"cut off: TimeoutError"):
            download(remote(address), home, seconds=0.2)
        assert part_of(home, address).stat().st_size == 10 * cache.TRIES
        server.stalls = False
        assert download(remote(address), home).read_bytes() == CONTENT

    def test_refuses_a_file_that_is_far_too_long(self, home, address, monkeypatch):
        monkeypatch.setattr(cache, "LARGEST_DOWNLOAD", 1000)
        with pytest.raises(OSError, match="has more than 1000 bytes"):
            download(remote(address), home)
        assert list(home.iterdir()) == []

    def test_an_error_of_the_disk_is_not_taken_for_one_of_the_network(self, home, address):
        part_of(home, address).mkdir()
        with pytest.raises(IsADirectoryError):
            download(remote(address), home)


class TestProgress:
    def test_is_a_bar_on_a_terminal(self, home, address, capsys, monkeypatch):
        monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
        download(remote(address), home)
        shown = capsys.readouterr().err
        assert shown.endswith(f"\r\033[K[{'#' * 24}] 0.3 MB of 0.3 MB\n")

    def test_counts_bytes_if_the_length_is_unknown(
        self, home, address, server, capsys, monkeypatch
    ):
        monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
        server.announces_length = False
        download(remote(address), home)
        assert re.fullmatch(r"(\r\033\[K0\.\d MB)+\n", capsys.readouterr().err)

    def test_is_quiet_elsewhere_and_on_request(self, home, address, capsys, monkeypatch):
        download(remote(address), home).unlink()
        monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
        download(remote(address), home, verbose=0)
        assert capsys.readouterr().err == ""


class TestLoad:
    def load(self, home, *remotes, archive=None, download_if_missing=True):
        def read(path):
            files = [path] if path.is_file() else sorted(path.iterdir())
            content = b"".join(file.read_bytes() for file in files)
            if b"bad" in content:
                raise ValueError("is bad")
            return content

        return load(
            "corpus.bin",
            remotes,
            read,
            archive=archive,
            data_home=home,
            download_if_missing=download_if_missing,
            verbose=0,
        )

    @pytest.mark.parametrize("folder", [".", "text"])
    def test_looks_in_the_data_home_and_in_its_text_folder(self, home, folder):
        (home / folder).mkdir(exist_ok=True)
        (home / folder / "corpus.bin").write_bytes(b"here")
        assert self.load(home, download_if_missing=False) == b"here"

    def test_downloads_once(self, home, address, server):
        for _ in range(2):
            assert self.load(home, remote(address)) == CONTENT
        assert len(server.asked) == 1

    def test_downloads_what_is_missing_of_several_files(self, home, server):
        server.content |= {"/a": b"a", "/b": b"b"}
        a, b = (Remote(f"corpus/{x}", (server.address(f"/{x}"),), print) for x in "ab")
        del server.content["/b"]
        with pytest.raises(OSError, match="b could not be downloaded"):
            self.load(home, a, b)
        with pytest.raises(OSError, match="download_if_missing=False"):
            self.load(home, a, b, download_if_missing=False)
        server.content["/b"] = b"b"
        assert self.load(home, a, b) == b"ab"
        assert [path for path, _ in server.asked] == ["/a", "/b", "/b"]

    def test_does_not_download_if_told_so(self, home, address, server):
        with pytest.raises(OSError, match=r"corpus.bin is neither in .* nor in .*text") as caught:
            self.load(home, remote(address), download_if_missing=False)
        assert "archive=" in str(caught.value)
        assert server.asked == []

    def test_takes_the_archive_given_and_makes_no_data_home(self, tmp_path):
        (tmp_path / "mine").write_bytes(b"mine")
        assert self.load(tmp_path / "home", archive=str(tmp_path / "mine")) == b"mine"
        assert not (tmp_path / "home").exists()

    def test_says_that_the_archive_given_is_not_there(self, home, tmp_path):
        with pytest.raises(FileNotFoundError, match=r"archive='.*absent' is not there"):
            self.load(home, archive=tmp_path / "absent")

    def test_says_what_is_wrong_with_a_file_and_leaves_it_alone(self, home):
        (home / "corpus.bin").write_bytes(b"bad")
        with pytest.raises(ValueError, match=r"corpus\.bin is bad\. Give another copy"):
            self.load(home)
        assert (home / "corpus.bin").exists()

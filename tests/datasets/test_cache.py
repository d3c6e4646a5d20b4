"""Downloads from a server on this machine: whole, cut, missing, wrong."""

import hashlib
import re
import socket
import sys
from pathlib import Path

import pooch
import pytest

from underdog.datasets import get_data_home
from underdog.datasets.cache import Remote, Source, download, load

CONTENT = bytes(range(256)) * 1000
SHA256 = hashlib.sha256(CONTENT).hexdigest()


def remote(*addresses):
    return Remote("corpus.bin", addresses, SHA256)


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

    def test_takes_the_length_from_the_content_if_it_is_not_announced(self, home, address, server):
        server.announces_length = False
        assert download(remote(address), home).read_bytes() == CONTENT

    @pytest.mark.parametrize("sha256", [SHA256, None])
    def test_a_file_that_is_cut_off_is_not_kept(self, home, address, server, sha256):
        server.cuts["/corpus"] = [5000]
        with pytest.raises(OSError, match=r"5000 bytes read, 251000 more expected"):
            download(Remote("corpus.bin", (address,), sha256), home)
        assert list(home.iterdir()) == []
        assert download(remote(address), home).read_bytes() == CONTENT

    def test_takes_the_next_address_when_one_has_nothing_or_something_else(
        self, home, address, server
    ):
        server.content["/wrong"] = b"<html>Not here</html>"
        server.content["/cut"] = CONTENT
        server.cuts["/cut"] = [1000]
        before = map(server.address, ("/gone", "/wrong", "/cut"))
        path = download(remote(*before, address), home)
        assert path.read_bytes() == CONTENT
        assert server.asked == ["/gone", "/wrong", "/cut", "/corpus"]
        assert list(home.iterdir()) == [path]

    def test_leaves_no_wrong_content(self, home, server):
        server.content["/wrong"] = b"something else"
        with pytest.raises(OSError, match=rf"SHA256 hash of downloaded file .*\s.*{SHA256}"):
            download(remote(server.address("/wrong")), home)
        assert list(home.iterdir()) == []

    def test_takes_any_content_where_the_right_one_is_not_known(self, home, address):
        assert download(Remote("corpus.bin", (address,)), home).read_bytes() == CONTENT

    def test_says_what_was_tried_and_where_the_file_should_be(self, home, server):
        with socket.socket() as unused:  # bound but not listening: nobody answers there
            unused.bind(("127.0.0.1", 0))
            nobody = f"http://127.0.0.1:{unused.getsockname()[1]}/corpus"
            with pytest.raises(OSError) as caught:
                download(remote(server.address("/gone"), nobody), home)
        message = str(caught.value)
        assert re.search(r"/gone: 404 Client Error", message)
        assert re.search(rf"{nobody}: .*Connection refused", message)
        assert "Is there a connection to the internet?" in message
        assert f"expected at {home / 'corpus.bin'}" in message
        assert "archive=" in message

    def test_gives_up_when_nothing_arrives(self, home):
        with socket.create_server(("127.0.0.1", 0)) as silent:
            address = f"http://127.0.0.1:{silent.getsockname()[1]}/corpus"
            with pytest.raises(OSError, match="timed out"):
                download(remote(address), home, seconds=0.05)

    def test_gives_up_when_no_more_arrives(self, home, address, server):
        server.stalls = True
        with pytest.raises(OSError, match="timed out"):
            download(remote(address), home, seconds=0.2)
        assert list(home.iterdir()) == []

    def test_an_error_of_the_disk_is_not_taken_for_one_of_the_network(self, home, address):
        (home / "folder").write_bytes(b"a file where a folder should be")
        with pytest.raises(OSError, match="folder") as caught:
            download(Remote("folder/corpus.bin", (address,), SHA256), home)
        assert "could not be downloaded" not in str(caught.value)

    def test_says_what_to_install_without_pooch(self, home, address, server, monkeypatch):
        monkeypatch.setitem(sys.modules, "pooch", None)
        needs = r'downloading corpus\.bin needs pooch: pip install "underdog\[datasets\]"'
        with pytest.raises(ImportError, match=needs):
            download(remote(address), home)
        assert server.asked == []


class TestProgress:
    def test_is_a_bar_on_a_terminal(self, home, address, capsys, monkeypatch):
        pytest.importorskip("tqdm")
        monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
        download(remote(address), home)
        assert "256k/256k" in capsys.readouterr().err

    @pytest.mark.parametrize("sha256", [SHA256, None])
    def test_is_quiet_elsewhere_and_on_request(self, home, address, capfd, monkeypatch, sha256):
        wanted = Remote("corpus.bin", (address,), sha256)
        download(wanted, home).unlink()
        monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
        download(wanted, home, verbose=0)
        assert capfd.readouterr() == ("", "")

    def test_leaves_the_messages_of_pooch_as_they_were(self, home, address):
        before = pooch.get_logger().level
        download(remote(address), home).unlink()
        with pytest.raises(OSError, match="could not be downloaded"):
            download(remote(address + "/gone"), home)
        assert pooch.get_logger().level == before


class TestLoad:
    def load(self, home, *remotes, archive=None, download_if_missing=True):
        def read(path):
            files = [path] if path.is_file() else sorted(path.iterdir())
            content = b"".join(file.read_bytes() for file in files)
            if b"bad" in content:
                raise ValueError("is bad")
            return content

        source = Source(archive, home, download_if_missing, verbose=0)
        return load("corpus.bin", remotes, read, source)

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
        a, b = (Remote(f"corpus/{x}", (server.address(f"/{x}"),)) for x in "ab")
        del server.content["/b"]
        with pytest.raises(OSError, match="b could not be downloaded"):
            self.load(home, a, b)
        with pytest.raises(OSError, match="download_if_missing=False"):
            self.load(home, a, b, download_if_missing=False)
        server.content["/b"] = b"b"
        assert self.load(home, a, b) == b"ab"
        assert server.asked == ["/a", "/b", "/b"]

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

    def test_a_download_that_is_something_else_is_not_kept(self, home, server):
        server.content["/bad"] = b"bad"
        bad = Remote("corpus.bin", (server.address("/bad"),))
        with pytest.raises(OSError, match=r"downloaded as .*corpus\.bin is bad\. It was deleted"):
            self.load(home, bad)
        assert list(home.iterdir()) == []

    def test_needs_pooch_only_to_download(self, home, tmp_path, monkeypatch):
        monkeypatch.setitem(sys.modules, "pooch", None)
        (tmp_path / "mine").write_bytes(b"mine")
        assert self.load(home, archive=tmp_path / "mine") == b"mine"
        (home / "corpus.bin").write_bytes(b"here")
        assert self.load(home) == b"here"

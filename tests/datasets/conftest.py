"""A server on this machine that misbehaves on request, and the real corpora where they are."""

import os
import threading
from collections import defaultdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"
REAL = Path(os.environ.get("UNDERDOG_DATA") or SHARED) / "text"


@pytest.fixture(scope="session")
def real():
    """The path of a real corpus; the test is skipped if it is not on this machine."""

    def find(name):
        if not (REAL / name).exists():
            pytest.skip(f"{name} is not on this machine")
        return REAL / name

    return find


@pytest.fixture(autouse=True)
def nowhere(monkeypatch, tmp_path):
    """No test reads or writes the user's own data home, or asks a proxy."""
    monkeypatch.delenv("UNDERDOG_DATA", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    monkeypatch.setenv("no_proxy", "*")


class Server(ThreadingHTTPServer):
    """Serves `content` by path.

    `cuts` says for a path after how many bytes each of its next answers breaks off; if it `stalls`,
    answers stop after ten bytes without an end. `asked` has the paths that were asked for.
    """

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.content = {}
        self.cuts = defaultdict(list)
        self.announces_length = True
        self.stalls = False
        self.go_on = threading.Event()
        self.asked = []

    def address(self, path):
        return f"http://127.0.0.1:{self.server_port}{path}"


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.asked.append(self.path)
        if self.path not in self.server.content:
            self.send_error(404)
            return
        content = self.server.content[self.path]
        self.send_response(200)
        if self.server.announces_length:
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.server.stalls:
            self.wfile.write(content[:10])
            self.server.go_on.wait(10)
            return
        cuts = self.server.cuts[self.path]
        self.wfile.write(content[: cuts.pop(0)] if cuts else content)

    def log_message(self, *_):
        pass


@pytest.fixture
def server():
    server = Server()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.go_on.set()
    server.shutdown()
    thread.join()
    server.server_close()

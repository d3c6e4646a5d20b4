"""A fit on a scheduler and workers that are started by hand, with TLS on."""

import shutil
import subprocess
import sys
import time

import dask
import dask.dataframe as dd
import pytest
from distributed import Client
from distributed.security import Security

import underdog
from tests.together.data import FRAME, TWO, assert_same
from tests.together.test_dask import as_frame

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl for a certificate"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning:distributed"),
    pytest.mark.xdist_group("dask"),
]


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """A key and a certificate that is signed by itself."""
    folder = tmp_path_factory.mktemp("tls")
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1",
         "-subj", "/CN=127.0.0.1", "-keyout", key, "-out", certificate],
        check=True, capture_output=True,
    )  # fmt: skip
    return key, certificate


@pytest.fixture
def scheduler(certificate, tmp_path):
    """A scheduler and two workers on this machine; gives the file with their address."""
    key, own = map(str, certificate)
    tls = ["--tls-ca-file", own, "--tls-cert", own, "--tls-key", key]
    file = str(tmp_path / "scheduler.json")
    python = [sys.executable, "-m", "dask"]
    commands = [
        [*python, "scheduler", "--protocol", "tls", "--host", "127.0.0.1", "--port", "0",
         "--no-dashboard", "--scheduler-file", file, *tls],
        *([*python, "worker", "--protocol", "tls", "--host", "127.0.0.1", "--nthreads", "1",
           "--no-dashboard", "--scheduler-file", file, "--local-directory", str(tmp_path),
           *tls] for _ in range(2)),
    ]  # fmt: skip
    processes = []
    try:
        for command in commands:
            quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
            processes.append(subprocess.Popen(command, **quiet))
        yield file
    finally:
        for process in reversed(processes):
            process.terminate()
        for process in processes:
            process.wait(30)


def test_scheduler_and_workers_with_tls(scheduler, certificate):
    key, own = map(str, certificate)
    security = Security(
        tls_ca_file=own, tls_client_cert=own, tls_client_key=key, require_encryption=True
    )
    deadline = time.monotonic() + 60
    while True:  # until the scheduler has written where it is
        try:
            client = Client(scheduler_file=scheduler, security=security, timeout=10)
            break
        except (OSError, ValueError):
            assert time.monotonic() < deadline
            time.sleep(0.2)
    with dask.config.set({"distributed.comm.timeouts.connect": "30s"}), client:
        client.wait_for_workers(2, timeout=60)
        assert client.scheduler.address.startswith("tls://127.0.0.1")
        X = dd.from_pandas(FRAME, npartitions=4)
        model = underdog.GradientBoostingClassifier(n_estimators=3, max_leaf_nodes=4)
        model.fit(X, as_frame(TWO, 4), client=client)
        alone = underdog.GradientBoostingClassifier(n_estimators=3, max_leaf_nodes=4)
        assert_same(alone.fit(FRAME, TWO), model)
        with pytest.raises(OSError):
            Client(client.scheduler.address.replace("tls:", "tcp:"), timeout=2)

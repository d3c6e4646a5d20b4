"""The demonstration runs as a new user runs it, and in a pipe."""

import os
import re
import subprocess
import sys

import pytest


def demonstrate(stdout=subprocess.PIPE):
    environment = {**os.environ, "PYTHONWARNINGS": "error"}
    return subprocess.Popen(
        [sys.executable, "-m", "underdog.cli.spam_demo"],
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )


@pytest.fixture(scope="module")
def output():
    running = demonstrate()
    out, err = running.communicate(timeout=300)
    assert running.returncode == 0, err
    assert err == ""
    return out


def test_it_fits_on_a_screen(output):
    lines = output.splitlines()
    assert len(lines) <= 50
    assert max(map(len, lines)) <= 80
    assert output.isascii()


def test_it_prints_rules_about_words(output):
    rules = re.findall(r"^ +(\d+)\. (\S+) .*[+-]\d\.\d{3} +else [+-]\d\.\d{3}$", output, re.M)
    assert [int(number) for number, _ in rules] == list(range(1, 13))
    assert {"txt", "claim"} <= {word for _, word in rules}


def test_it_prints_scores_of_both_boosters(output):
    for name in (r"AdaBoostClassifier\(\)", r"AdaUBoostClassifier\(beta=4\)"):
        line = re.search(rf"^ +{name} +([\d.]+) +([\d.]+) +([\d.]+) +([\d.]+) ", output, re.M)
        assert line is not None
        precision, recall, f1, ranking = map(float, line.groups())
        assert f1 == pytest.approx(2 * precision * recall / (precision + recall), abs=1e-3)
        assert f1 > 0.9
        assert ranking > 0.9


def test_a_reader_that_stops_reading_gets_no_stack_trace():
    read, write = os.pipe()
    os.close(read)
    running = demonstrate(write)
    os.close(write)
    _, err = running.communicate(timeout=300)
    assert err == ""
    assert running.returncode == 1


def test_importing_it_runs_nothing(capsys):
    import underdog.cli.spam_demo

    assert callable(underdog.cli.spam_demo.main)
    assert capsys.readouterr().out == ""

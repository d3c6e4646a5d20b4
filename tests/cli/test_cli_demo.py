"""`underdog demo`: the messages that ship with the package, and how to go on."""

import polars as pl

from tests.cli.page import every_command
from underdog.cli.commands import demo
from underdog.datasets import load_sms_spam


def test_the_messages_as_a_file(program):
    assert program.run("demo", "--write", "sms.csv").stderr == "wrote sms.csv\n"
    frame = pl.read_csv("sms.csv")
    messages, labels = load_sms_spam()
    assert frame["message"].to_list() == list(messages)
    assert frame["label"].to_list() == list(labels)
    message = program.refused("demo", "--write", "no/sms.csv", code=1)
    assert message.startswith("no/sms.csv cannot be written")


def test_it_ends_with_commands_that_the_page_runs(program, monkeypatch):
    monkeypatch.setattr("underdog.cli.spam_demo.main", lambda: print("rules"))
    shown = program.run("demo").stdout
    assert shown == f"rules\n{demo.NEXT.format('underdog')}\n"
    told = [line.strip() for line in shown.splitlines() if "underdog " in line]
    assert len(told) == 3
    on_the_page = [command for command, _ in every_command()]
    for each in told:
        assert any(command.startswith(each) for command in on_the_page)


def test_the_program_is_named_as_it_was_called(program, monkeypatch):
    monkeypatch.setattr("underdog.cli.spam_demo.main", lambda: None)
    monkeypatch.setattr("sys.argv", [".venv/bin/underdog", "demo"])
    assert "  .venv/bin/underdog explain sms.udg\n" in program.run("demo").stdout

"""The shipped text messages."""

from importlib.resources import files

import numpy as np

from underdog.datasets import load_sms_spam


def test_there_are_5574_messages_of_which_747_are_spam():
    messages, labels = load_sms_spam()
    assert len(messages) == len(labels) == 5574
    names, counts = np.unique(labels, return_counts=True)
    assert dict(zip(names.tolist(), counts.tolist(), strict=True)) == {"ham": 4827, "spam": 747}


def test_labels_are_an_array_of_strings_and_messages_a_list_of_text_without_the_label():
    messages, labels = load_sms_spam()
    assert labels.dtype.kind == "U"
    assert labels.shape == (5574,)
    assert isinstance(messages, list)
    assert messages[0].startswith("Go until jurong point")
    assert all(messages)
    assert not any(message.startswith(("ham\t", "spam\t")) for message in messages)


def test_no_message_lost_its_line_breaks_or_characters_outside_ascii():
    messages, _ = load_sms_spam()
    assert not any("\n" in message or "\r" in message for message in messages)
    assert any("£" in message for message in messages)


def test_licence_and_authors_travel_with_the_data():
    text = files("underdog.datasets").joinpath("README.md").read_text(encoding="utf-8")
    assert "Almeida" in text
    assert "CC BY 4.0" in text

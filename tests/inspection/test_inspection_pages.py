"""What results show of themselves: one short line, and in a notebook a page of escaped HTML."""

import dataclasses
import xml.etree.ElementTree as ET

import pytest

from tests.inspection.results import HOSTILE, every_result
from underdog.comparison.evaluation import Evaluation
from underdog.comparison.result import Comparison
from underdog.inspection.result import Result

RESULTS = every_result()
LONGEST = 300


def subclasses(kind):
    return {kind, *(deeper for each in kind.__subclasses__() for deeper in subclasses(each))}


def test_every_kind_of_result_is_tested():
    """Those of `compare` and `evaluate` have tests of their own."""
    assert {type(result) for result in RESULTS.values()} == subclasses(Result) - {
        Result, Comparison, Evaluation
    }  # fmt: skip


@pytest.mark.parametrize("name", list(RESULTS))
def test_reprs_are_short(name):
    result = RESULTS[name]
    assert str(result) == repr(result)
    assert len(repr(result)) <= LONGEST
    assert "\n" not in repr(result)
    for see in repr(result).split("; see ")[1].split(", "):
        assert callable(getattr(result, see.split("(")[0]))


@pytest.mark.parametrize("name", list(RESULTS))
def test_reprs_of_what_results_hold_are_short(name):
    result = RESULTS[name]
    held = [getattr(result, field.name) for field in dataclasses.fields(result)]
    if name.startswith("shapes"):
        held += result.each
    for each in held:
        if dataclasses.is_dataclass(each):
            assert len(repr(each)) <= LONGEST


def test_reprs_of_a_model_are_short():
    model = RESULTS["rules two"].explained.booster
    assert repr(model.model_) == "Ensemble(60 rules, 401 columns)"
    assert repr(model.model_.schema) == "Schema(401 columns)"


def test_what_reprs_say():
    said = {name: repr(result).split(";")[0] for name, result in RESULTS.items()}
    columns = len(RESULTS["contributions two"].names)
    assert said["contributions two"] == f"Contributions(6 rows, {columns} columns, 2 classes)"
    assert said["contributions by rule three"] == "Contributions(120 rows, 60 rules, 3 classes)"
    assert said["rules three"] == "Rules(AdaBoostMHClassifier, 60 rules, 3 classes)"
    assert said["hardest two"] == "Hardest(20 of 120 examples for AdaBoostClassifier)"
    assert said["history two"] == (
        "TrainingHistory(60 rounds of AdaBoostClassifier, 60 rules kept)"
    )


@pytest.mark.parametrize("name", list(RESULTS))
def test_pages_are_well_formed_and_names_are_escaped(name):
    page = ET.fromstring(RESULTS[name]._repr_html_())  # XML: every tag is closed
    assert page.find(".//script") is None
    assert {each.tag for each in page.iter()} <= {
        "div", "p", "strong", "table", "thead", "tbody", "tr", "th", "td"
    }  # fmt: skip
    rows = [len(list(row)) for row in page.iter("tr")]
    assert len(rows) >= 5
    if not name.startswith(("history", "rules_needed")):
        assert HOSTILE in "".join(page.itertext())


def cells(page):
    return ["".join(cell.itertext()) for cell in ET.fromstring(page).iter("td")]


def test_pages_show_what_texts_say():
    why = RESULTS["contributions two"]
    found = cells(why._repr_html_())
    lines = [line.split(None, 1) for line in why.text(0).splitlines()[1:]]
    assert found[: 2 * len(lines)] == [cell for value, words in lines for cell in (words, value)]
    assert "... and 3 more: text(row) prints one" in why._repr_html_()
    hard = RESULTS["hardest three"]
    shares = [line.split()[1] for line in hard.text().splitlines()[3:]]
    assert cells(hard._repr_html_())[1::5] == shares
    needed = RESULTS["rules_needed two"]
    assert needed.text().splitlines()[-1] in "".join(ET.fromstring(needed._repr_html_()).itertext())
    assert "training stopped: all rounds done" in RESULTS["history three"]._repr_html_()


def test_the_page_of_rules_has_their_first_lines():
    found = RESULTS["rules two"]
    table = cells(found._repr_html_())
    rules = found.to_dict()["rules"]
    assert table[1::4] == [rule["question"] for rule in rules[:20]]
    (yes,) = rules[0]["yes"].values()
    assert float(table[2]) == pytest.approx(yes, abs=0.0005)


def test_the_page_of_shapes_has_every_step_of_the_first_columns():
    found = RESULTS["shapes two"]
    table = cells(found._repr_html_())
    pieces = [piece for shape in found.each[:10] for piece in shape.pieces(0)]
    assert table[4::3] == [words for words, _ in pieces]
    assert table[1] == ""

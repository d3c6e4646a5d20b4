"""README.md: tables, figures and verdicts beside the published numbers."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import mean
from typing import Any

from experiments.boostexter import figures
from experiments.boostexter.data import GAP
from experiments.boostexter.figures import at_stage
from experiments.boostexter.measures import first_round
from experiments.boostexter.published import MP_BOOST, TARGET, WEIGHT_BOOST
from experiments.boostexter.runs import LEARNERS
from experiments.tables import table

WORDS, PAIRS, TREC = "reuters/words", "reuters/pairs", "trec/words"
APART = f"{WORDS}/apart"
SHOWN = (100, 1000)
"""Rounds at which models are compared."""

Cells = Mapping[str, Any]

HEAD = """# AdaBoost.MH on text

After Schapire and Singer, "BoosTexter", Machine Learning 39, 2000. Written by
`python -m experiments.boostexter`. Needs the folder with the data sets (`../shared/data`, or
`UNDERDOG_DATA`).

A weak rule asks whether a term occurs in a document and answers for all topics at once. *Real* is
`AdaBoostMHClassifier(learner="real.mh")`, *discrete* is `learner="disc.mh"`; everything else is as
it is by default. Nothing is tuned.
"""


def write(folder: Path, cells: Cells) -> None:
    """README.md and the figures of all corpora that are finished."""
    finished = {
        corpus
        for corpus in (WORDS, PAIRS, TREC)
        if all(f"{corpus}/{learner}" in cells for learner in LEARNERS)
    }
    parts = [HEAD]
    if WORDS in finished:
        figures.labels(folder / "labels.png", cells, WORDS)
        parts += [data(cells), labels(cells), seconds(cells), rankings(cells), categories(cells)]
    parts += speed(folder, cells, finished)
    if {WORDS, PAIRS} <= finished:
        parts.append(pairs(cells))
    (folder / "README.md").write_text("\n".join(parts), encoding="utf-8")


def data(cells: Cells) -> str:
    """What is learned from."""
    cell = cells[f"{WORDS}/real.mh"]
    train, test = cell["train"], cell["test"]
    with_documents = int((_last(cell).true + _last(cell).missed > 0).sum())
    return f"""## Data

Reuters-21578, ModApte split: {train["documents"]:,} training and {test["documents"]:,} test
documents. All {len(cell["topics"])} topics of the training part are learned in one run;
{with_documents} of them have test documents. Title and body, lower case, letters only, without
scikit-learn's English stop words, Porter stemmer, words in more than 3 training documents:
{cell["terms"]:,} terms.
"""


def labels(cells: Cells) -> str:
    """F1 and Hamming loss by rounds."""
    head = ["rounds", "micro F1", "macro F1 (0)", "macro F1 (1)", "macro F1 (present)"]
    head += ["training Hamming loss", "test Hamming loss"]
    texts = []
    for learner, word in LEARNERS.items():
        cell = cells[f"{WORDS}/{learner}"]
        rows = []
        for rounds in _stages(cell):
            counts = at_stage(cell, rounds)
            rows.append([
                f"{rounds:,}",
                *map(_f1, (counts.micro(), counts.macro(), counts.macro(1.0))),
                _f1(counts.macro_present()),
                *(f"{_share(cell[part], 'wrong', rounds):.5f}" for part in ("train", "test")),
            ])  # fmt: skip
        texts.append(f"{word.capitalize()}:\n\n{table(head, rows)}\n")
    if APART in cells:
        texts.append(_apart(cells))
    return "\n".join([
        "## 1. Labels",
        "",
        *texts,
        "![micro and macro F1 by rounds](labels.png)",
        "",
        _conventions(cells),
        *_label_verdicts(cells),
        "",
    ])  # fmt: skip


def _apart(cells: Cells) -> str:
    cell = cells[APART]
    rows = []
    for rounds in _stages(cell):
        counts = at_stage(cell, rounds)
        f1s = (counts.micro(), counts.macro(), counts.macro(1.0), counts.macro_present())
        rows.append(["each topic alone", str(rounds), *map(_f1, f1s)])
    published = [str(MP_BOOST.rounds), _f1(MP_BOOST.micro), _f1(MP_BOOST.macro), "", ""]
    rows.append(["MP-Boost++, published", *published])
    head = ["", "rounds", "micro F1", "macro F1 (0)", "macro F1 (1)", "macro F1 (present)"]
    return f"""\
AdaBoost with real rules on each topic alone, one run for each, beside the published figures of
MP-Boost++. In which column its macro F1 belongs is not known:

{table(head, rows)}
"""


def _conventions(cells: Cells) -> str:
    cell = cells[f"{WORDS}/real.mh"]
    counts = _last(cell)
    absent = int((counts.true + counts.missed == 0).sum())
    return f"""\
- Macro F1 is the mean of the F1 of all {len(cell["topics"])} topics. F1 is 0 where a topic has test
  documents but none is found, and where it has none but false alarms. {absent} topics have no test
  documents. Those without alarms count as F1 = 0 in the column "(0)" and as F1 = 1 in the column
  "(1)". The column "(present)" is the mean over the topics with test documents only.
- Hamming loss is the share of wrong decisions, documents times topics. Always "no" has
  {_always_no(cells):.5f} on the test documents.
- MP-Boost++ has the same numbers of topics and test documents. It chooses a term for each topic in
  each round, where AdaBoost.MH chooses one for all: its 100 rounds have up to 11,500 terms, ours
  100. So its nearest relative here is AdaBoost on each topic alone. Its preprocessing and its
  convention for topics without test documents are not known. Training took it
  {MP_BOOST.seconds:.0f} s, on a machine that is not stated."""


def _label_verdicts(cells: Cells) -> Iterator[str]:
    """How far the runs are from the published F1, and when they were best."""
    runs = {f"{WORDS}/{learner}": word for learner, word in LEARNERS.items()}
    for rounds in _shown(cells[f"{WORDS}/real.mh"]):
        said = []
        for name, word in {APART: "each topic alone", **runs}.items():
            if str(rounds) in cells.get(name, {"stages": {}})["stages"]:
                counts = at_stage(cells[name], rounds)
                micro, macro = counts.micro() - MP_BOOST.micro, counts.macro() - MP_BOOST.macro
                said.append(f"{word} micro {micro:+.4f}, macro (0) {macro:+.4f}")
        yield f"- **Against the published F1, after {rounds:,} rounds**: {'; '.join(said)}."
    for name, word in runs.items():
        cell = cells[name]
        best = max(_stages(cell), key=lambda rounds: at_stage(cell, rounds).macro())
        yield f"- Of these rounds, macro F1 (0) of {word} is highest after {best:,}."


def seconds(cells: Cells) -> str:
    """How long the runs took."""
    rows = []
    for corpus in (WORDS, PAIRS):
        for learner, word in LEARNERS.items():
            if f"{corpus}/{learner}" in cells:
                cell = cells[f"{corpus}/{learner}"]
                times = [f"{cell['processor']:.1f}", f"{cell['seconds']:.1f}"]
                met = "met" if cell["processor"] <= TARGET else "missed"
                verdict = [str(TARGET), met] if corpus == WORDS else ["", ""]
                size = [f"{cell['terms']:,}", f"{cell['rounds']:,}"]
                rows.append([_kind(corpus), word, *size, *times, *verdict])
    if APART in cells:
        cell = cells[APART]
        size = [f"{cell['terms']:,}", f"{cell['rounds']:,}"]
        times = [f"{cell['processor']:.1f}", f"{cell['seconds']:.1f}"]
        rows.append([_kind(WORDS), "real, each topic alone", *size, *times, "", ""])
    head = ["terms are", "learner", "terms", "rounds", "processor s", "wall s", "target s", ""]
    return f"""## Seconds

{table(head, rows)}

One thread, training only, all topics in one run but for the last row. Wall seconds
include waiting while other cells, and whatever else runs on the machine, use its cores. Processor
seconds do not, and the target is compared with them.
"""


def rankings(cells: Cells) -> str:
    """BoosTexter's measures by rounds."""
    names = ("one-error", "coverage", "average precision")
    both = [cells[f"{WORDS}/{learner}"] for learner in LEARNERS]
    rows = [
        [f"{rounds:,}", *(_ranked(cell, rounds, name) for name in names for cell in both)]
        for rounds in _stages(both[0])
    ]
    head = ["rounds", *(f"{name}, {word}" for name in names for word in LEARNERS.values())]
    test = both[0]["test"]
    last = _stages(both[0])[-1]
    better = [
        name
        for name, sign in zip(names, (1, 1, -1), strict=True)
        if sign * _rank(both[0], last, name) <= sign * _rank(both[1], last, name)
    ]
    return f"""## 2. Rankings

{table(head, rows)}

- One-error: share of documents whose topic with the highest score is wrong. Coverage: how far down
  the ranking one must go to find all topics of a document, 0 being the top (scikit-learn's
  `coverage_error` less 1). Average precision: `label_ranking_average_precision_score`. Ties count
  against the model in all three: discrete scores have many in the first rounds.
- {test["documents"] - test["labelled"]} of the {test["documents"]:,} test documents have none of
  the topics and are left out.
- These are the scores of AdaBoost.MH. BoosTexter also has AdaBoost.MR, made for rankings; the
  library has none yet. BoosTexter's own tables were not found, so there is nothing to compare with.
- **After {last:,} rounds** real is at least as good as discrete in {len(better)} of the 3 measures
  ({", ".join(better) or "none"}).
"""


def categories(cells: Cells) -> str:
    """F1 of ten topics beside those of WeightBoost's paper."""
    columns = [
        (word, rounds, cells[f"{WORDS}/{learner}"])
        for rounds in _shown(cells[f"{WORDS}/real.mh"])
        for learner, word in LEARNERS.items()
    ]
    ours = {topic: [_topic_f1(*column[1:], topic) for column in columns] for topic in WEIGHT_BOOST}
    rows = [
        [topic, *map(_f1, ours[topic]), *map(_f1, theirs)] for topic, theirs in WEIGHT_BOOST.items()
    ]
    everything = [[*ours[topic], *theirs] for topic, theirs in WEIGHT_BOOST.items()]
    rows.append(["mean", *(_f1(mean(column)) for column in zip(*everything, strict=True))])
    head = ["topic", *(f"{word}, {rounds:,}" for word, rounds, _ in columns)]
    head += ["C4.5", "AdaBoost", "WeightBoost"]
    word, rounds, cell = columns[-2]  # real, after the most rounds
    best = {topic: _topic_f1(rounds, cell, topic) for topic in WEIGHT_BOOST}
    wins = [
        sum(best[topic] >= theirs[rival] for topic, theirs in WEIGHT_BOOST.items())
        for rival in range(3)
    ]
    return f"""## 3. Ten topics

F1 on the test documents; the last three columns are published (Jin and others, ICML 2003, Table 3).

{table(head, rows)}

- Theirs is another split, ApteMod with 7,769 and 3,019 documents (documents without topics are not
  in it), 2,000 terms chosen by chi-squared, C4.5 trees instead of single terms, one run for each
  topic, and a tuned number of rounds (10 and 25). Ours is one run for all topics.
- **{word.capitalize()} after {rounds:,} rounds** is at least as good as C4.5 on {wins[0]} of 10
  topics, as AdaBoost on {wins[1]}, as WeightBoost on {wins[2]}.
"""


def speed(folder: Path, cells: Cells, finished: set[str]) -> Iterator[str]:
    """Error by rounds, real against discrete."""
    yield """## 4. Real against discrete, by rounds

Figure 5 of Schapire's survey "The boosting approach to machine learning" shows training and test
error of discrete AdaBoost.MH, discrete AdaBoost.MR and real AdaBoost.MH by rounds, on six classes
of the TREC-AP collection. It is there to show that confidence-rated rules speed boosting up. Its
numbers are not in the text, and the collection is not at hand. The nearest sets are Reuters, and
the TREC questions: six classes too, but short questions, 5,452 and 500 of them.
"""
    if WORDS in finished:
        title = "Hamming loss, %"
        figures.errors(folder / "reuters.png", cells, WORDS, "wrong", "decisions", title)
        yield "### Reuters\n\n![Hamming loss by rounds](reuters.png)\n"
        yield _factors(cells, WORDS, "wrong", "decisions", "Hamming loss")
        yield _factors(cells, WORDS, "top", "labelled", "One-error")
    if TREC in finished:
        figures.errors(folder / "trec.png", cells, TREC, "top", "labelled", "error, %")
        terms = cells[f"{TREC}/real.mh"]["terms"]
        yield f"""### TREC questions

The published split. Words in at least two questions, {terms:,} terms, neither stemmed nor without
stop words, because "who" and "where" decide. The class with the highest score is the answer; ties
are errors.

![error by rounds](trec.png)
"""
        yield _factors(cells, TREC, "top", "labelled", "Error")


def _factors(cells: Cells, corpus: str, what: str, per: str, title: str) -> str:
    """When discrete and real first reach the errors that discrete has after some rounds."""
    rows, verdicts, fewer = [], [], 0
    real, discrete = (cells[f"{corpus}/{learner}"] for learner in LEARNERS)
    stages = [rounds for rounds in _stages(discrete) if rounds >= 10]
    for part in ("train", "test"):
        factors = []
        for rounds in stages:
            level = discrete[part][what][rounds - 1]
            late = first_round(discrete[part][what], level)
            early = first_round(real[part][what], level)
            factor = late / early if early else None
            factors += [factor] if factor else []
            fewer += early is not None and early < late
            rows.append([
                _part(part),
                f"{100 * level / discrete[part][per]:.3g} %",
                f"{late:,}",
                f"{early:,}" if early else "never",
                f"{factor:.1f}" if factor else "",
            ])  # fmt: skip
        if factors:
            verdicts.append(f"{_part(part)} {factors[0]:.1f} and {factors[-1]:.1f}")
    least = "; ".join(
        f"{word} {100 * min(cell['test'][what]) / cell['test'][per]:.3g} % after "
        f"{first_round(cell['test'][what], min(cell['test'][what])):,} rounds"
        for word, cell in zip(LEARNERS.values(), (real, discrete), strict=True)
    )
    head = [title, "error", "discrete, rounds", "real, rounds", "factor"]
    return f"""{table(head, rows)}

- The errors are those of discrete after {", ".join(f"{rounds:,}" for rounds in stages)} rounds.
  The table says after which round each reaches them first.
- **Real needs fewer rounds** for {fewer} of these {len(rows)} errors. Rounds of discrete for one of
  real, at the first and the last of them: {"; ".join(verdicts) or "not defined"}.
- Least test error: {least}.
"""


def pairs(cells: Cells) -> str:
    """Words against words and pairs of words."""
    rows = []
    gains = []
    for rounds in _shown(cells[f"{WORDS}/real.mh"]):
        for learner, word in LEARNERS.items():
            found = []
            for corpus in (WORDS, PAIRS):
                cell = cells[f"{corpus}/{learner}"]
                counts = at_stage(cell, rounds)
                found.append(counts)
                time = f"{cell['processor'] * rounds / cell['rounds']:.0f}"
                terms = f"{cell['terms']:,}"
                scores = map(_f1, (counts.micro(), counts.macro(), counts.macro_present()))
                rows.append([word, f"{rounds:,}", _kind(corpus), terms, *scores, time])
            plain, paired = found
            gains.append(
                f"{word} {rounds:,} rounds: micro {paired.micro() - plain.micro():+.3f}, "
                f"macro (0) {paired.macro() - plain.macro():+.3f}"
            )
    head = ["learner", "rounds", "terms are", "terms", "micro F1", "macro F1 (0)"]
    head += ["macro F1 (present)", "processor s"]
    return f"""## 5. Pairs of words

Pairs are two words next to each other or with up to {GAP} words between them, after stop words have
gone, in more than 3 training documents.

{table(head, rows)}

- Seconds are the share of the whole run; making the terms is not in them.
- **What pairs gain**: {"; ".join(gains)}.
"""


def _stages(cell: Mapping[str, Any]) -> list[int]:
    return [int(rounds) for rounds in cell["stages"]]


def _shown(cell: Mapping[str, Any]) -> list[int]:
    """The rounds at which models are compared, or the last of a shorter run."""
    stages = _stages(cell)
    return [rounds for rounds in SHOWN if rounds in stages] or stages[-1:]


def _last(cell: Mapping[str, Any]) -> Any:
    return at_stage(cell, _stages(cell)[-1])


def _share(part: Mapping[str, Any], what: str, rounds: int) -> float:
    return part[what][rounds - 1] / part["decisions"]


def _always_no(cells: Cells) -> float:
    cell = cells[f"{WORDS}/real.mh"]
    counts = _last(cell)
    return float((counts.true + counts.missed).sum()) / cell["test"]["decisions"]


def _rank(cell: Mapping[str, Any], rounds: int, name: str) -> float:
    return float(cell["stages"][str(rounds)][name])


def _ranked(cell: Mapping[str, Any], rounds: int, name: str) -> str:
    value = _rank(cell, rounds, name)
    return f"{value:.2f}" if name == "coverage" else f"{value:.4f}"


def _topic_f1(rounds: int, cell: Mapping[str, Any], topic: str) -> float:
    return float(at_stage(cell, rounds).f1()[cell["topics"].index(topic)])


def _part(part: str) -> str:
    return "training" if part == "train" else part


def _kind(corpus: str) -> str:
    return "words" if corpus == WORDS else "words and pairs"


def _f1(value: float) -> str:
    return f"{value:.4f}".removeprefix("0") if value < 1 else "1"

"""Prior knowledge: the textbook's algorithm, split rows, and what becomes part of the model."""

import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression

from tests.core.shards import fit_on
from underdog import (
    GradientBoostingClassifier,
    LogisticAdaBoostClassifier,
    LogitBoostClassifier,
    Table,
    load,
)
from underdog.checks import UnderdogWarning
from underdog.costs import Costs
from underdog.inspection import contributions, history

BOOSTERS = [LogisticAdaBoostClassifier, LogitBoostClassifier, GradientBoostingClassifier]
WORDS = ["free", "prize", "hello", "length"]
RULES = [
    "if 'free' in text and not 'hello' in text: spam 0.9",
    "if length > 6.25: spam 0.7",
    "if 'hello' in text: ham 0.8",
    "else: spam 0.3",
]


def messages(n_rows=120, seed=0, n_classes=2):
    """Words and a number, in sparse and dense columns, with labels that depend on them."""
    rng = np.random.default_rng(seed)
    words = (rng.random((n_rows, 3)) < 0.4).astype(float)
    length = rng.integers(0, 12, n_rows).astype(float)
    X = Table.hstack([sparse.csr_matrix(words), length[:, None]], names=WORDS)
    badness = words[:, 0] + words[:, 1] - words[:, 2] + length / 8.0 + rng.normal(0, 0.6, n_rows)
    names = np.array(["ham", "spam", "bulk"])
    y = names[np.digitize(badness, np.quantile(badness, [0.6, 0.8])[: n_classes - 1])]
    return X, y, words, length


def expert(words, length):
    """P(spam) by `RULES`, written again."""
    free, hello = words[:, 0] > 0, words[:, 2] > 0
    return np.select([free & ~hello, length > 6.25, hello], [0.9, 0.7, 0.2], 0.3)


def split(X, y, p, eta, classes):
    """Every row once with its label, and once for every class, with the weight eta p."""
    every = np.arange(len(y))
    rows = np.concatenate([every, *[every] * len(classes)])
    labels = np.concatenate([y, np.repeat(classes, len(y))])
    weights = np.concatenate([np.ones(len(y)), (eta * p).T.ravel()])
    return X[rows], labels, weights


def textbook(truth, y, p, eta, rounds):
    """Rochery et al. with stumps: AdaBoost's steps on split rows, after h0 = ln(p / (1 - p))."""
    sign = np.where(y == "spam", 1.0, -1.0)
    up = (sign > 0) + eta * p  # the weights of (x, +1) and of (x, -1)
    down = (sign < 0) + eta * (1.0 - p)
    f, _total = np.log(p / (1.0 - p)), (up + down).sum()
    smooth = 0.5  # e times the weight at f = 0, which is half of the total: total / 2 / total
    for _ in range(rounds):
        plus, minus = up / (1.0 + np.exp(f)), down / (1.0 + np.exp(-f))
        best = None
        for inside in truth:
            sides = [(plus[inside == b].sum(), minus[inside == b].sum()) for b in (False, True)]
            score = sum((np.sqrt(a) - np.sqrt(b)) ** 2 for a, b in sides)
            if best is None or score > best[0] + 1e-9:
                values = [0.5 * np.log((a + smooth) / (b + smooth)) for a, b in sides]
                best = score, inside, values
        _, inside, values = best
        f = f + np.where(inside, values[1], values[0])
    return f


@pytest.mark.parametrize("eta", [0.5, 3.0])
def test_equals_the_textbook(eta):
    X, y, words, length = messages()
    model = LogisticAdaBoostClassifier(n_estimators=12, prior_knowledge=RULES, prior_weight=eta)
    cuts = np.union1d(np.arange(11) + 0.5, [6.25])
    truth = [*(words.T > 0), *(length > cut for cut in cuts)]
    expected = textbook(truth, y, expert(words, length), eta, 12)
    assert np.allclose(model.fit(X, y).decision_function(X), expected, rtol=0, atol=1e-8)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("booster", BOOSTERS)
def test_equals_the_fit_on_split_rows(booster, n_classes):
    """A weight of next to nothing only sets where the scores start."""
    X, y, _, _ = messages(n_classes=n_classes)
    model = booster(n_estimators=6, prior_knowledge=RULES, prior_weight=2.0).fit(X, y)
    p = only_knowledge(booster, X, y)
    rows = split(X, y, p, 2.0, model.classes_)
    other = booster(n_estimators=6, prior_knowledge=RULES, prior_weight=1e-13).fit(*rows)
    assert np.allclose(model.decision_function(X), other.decision_function(X), rtol=0, atol=1e-7)
    assert np.allclose(model.history_["loss"], other.history_["loss"], rtol=0, atol=1e-9)


def only_knowledge(booster, X, y):
    """The probabilities of the rules, as the columns of the code have them."""
    model = booster(n_estimators=1, prior_knowledge=RULES, prior_weight=1e12).fit(X, y)
    return model.predict_proba(X)


@pytest.mark.parametrize("booster", BOOSTERS[:2])
def test_knowledge_of_one_half_is_the_plain_booster_on_split_rows(booster):
    X, y, _, _ = messages()
    model = booster(n_estimators=8, prior_knowledge="else: spam 0.5", prior_weight=0.7).fit(X, y)
    rows = split(X, y, np.full((len(y), 2), 0.5), 0.7, model.classes_)
    plain = booster(n_estimators=8).fit(*rows)
    assert np.allclose(model.decision_function(X), plain.decision_function(X), rtol=0, atol=1e-9)


@pytest.mark.parametrize("booster", BOOSTERS)
def test_a_large_weight_gives_the_rules(booster):
    X, y, words, length = messages()
    model = booster(n_estimators=20, prior_knowledge=RULES, prior_weight=1e9).fit(X, y)
    assert np.allclose(model.predict_proba(X)[:, 1], expert(words, length), atol=1e-6)


@pytest.mark.parametrize("booster", BOOSTERS)
def test_no_weight_is_the_plain_booster(booster):
    X, y, _, _ = messages()
    model = booster(n_estimators=5, prior_knowledge=RULES, prior_weight=0).fit(X, y)
    plain = booster(n_estimators=5).fit(X, y)
    assert np.array_equal(model.decision_function(X), plain.decision_function(X))
    assert model.model_.n_known == 0
    assert model.knowledge_ is None
    assert len(model.model_) == len(plain.model_)


@pytest.mark.parametrize("booster", BOOSTERS)
def test_same_bits(booster, tmp_path):
    X, y, words, length = messages()
    model = booster(n_estimators=5, prior_knowledge=RULES, prior_weight=1.5).fit(X, y)
    scores = model.decision_function(X)
    order = np.random.default_rng(1).permutation(len(y))
    dense = Table.hstack([np.column_stack([words, length])], names=WORDS)
    twice = np.repeat(np.arange(len(y)), 2)
    for other in (
        clone(model).fit(X[order], y[order]),
        clone(model).set_params(n_jobs=2).fit(X, y),
        clone(model).fit(dense, y),
        warm(clone(model), X, y),
    ):
        assert np.array_equal(other.decision_function(X), scores)
    repeated = clone(model).fit(X[twice], y[twice])
    weighted = clone(model).fit(X, y, sample_weight=np.full(len(y), 2))
    assert np.array_equal(repeated.decision_function(X), weighted.decision_function(X))
    model.save(tmp_path / "model.udg")
    loaded = load(tmp_path / "model.udg")
    assert np.array_equal(loaded.decision_function(X), scores)
    assert loaded.describe() == model.describe()
    assert np.array_equal(list(model.staged_decision_function(X))[-1], scores)
    assert len(list(model.staged_predict(X))) == model.n_iter_ == 5
    assert np.array_equal(warm(loaded, X, y).decision_function(X), scores)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("booster", BOOSTERS)
def test_shards_have_the_same_bits(booster, n_classes, monkeypatch):
    """Of rules, of a model and of an array, whose rows are where the others are."""
    X, y, words, length = messages(n_classes=n_classes)
    dense = np.column_stack([words, length])
    before = booster(n_estimators=2).fit(X[:60], y[:60])
    share = np.random.default_rng(2).dirichlet(np.ones(n_classes), len(y))
    cases = [(X, RULES), (X, before), (dense, share)]
    repeats = np.arange(len(y)) % 3 + 1

    def fit():
        found = []
        for rows, knowledge in cases:
            model = booster(n_estimators=5, prior_knowledge=knowledge, prior_weight=1.5)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UnderdogWarning)  # an array is not stored
                model.fit(rows, y, sample_weight=repeats)
            given = {} if knowledge is not share else {"prior_knowledge": share}
            found.append((model.decision_function(rows, **given), model.history_))
        return found

    whole = fit()
    for n_shards in (2, 3):
        placed = fit_on(monkeypatch, n_shards)
        for (scores, history_), (others, other) in zip(whole, fit(), strict=True):
            assert np.array_equal(scores, others)
            for name in set(history_) - {"seconds"}:
                assert np.array_equal(history_[name], other[name])
        assert placed == [n_shards] * 3


def warm(model, X, y):
    """Five rounds, in two parts unless there are five already."""
    if not hasattr(model, "model_"):
        model.set_params(n_estimators=2, warm_start=True).fit(X, y)
    return model.set_params(n_estimators=5, warm_start=True).fit(X, y)


@pytest.mark.parametrize("booster", BOOSTERS)
def test_knowledge_is_the_first_member(booster):
    X, y, _, _ = messages()
    model = booster(n_estimators=3, prior_knowledge=RULES, prior_weight=2).fit(X, y)
    assert model.model_.n_known == 1
    assert len(model.model_) == 4
    assert "rule 1 is prior knowledge, with a weight of 2" in model.describe()
    assert "length > 6.25" in model.describe()
    why = contributions(model, X)
    assert np.array_equal(why.decision, model.decision_function(X))
    assert np.array_equal(contributions(model, X, by="rule").decision, why.decision)
    assert history(model).text().startswith("3 rounds")
    assert model.feature_importances_.sum() == pytest.approx(1.0)


@pytest.mark.parametrize("booster", BOOSTERS)
def test_the_loss_falls_by_what_is_guaranteed(booster):
    X, y, _, _ = messages()
    model = booster(n_estimators=15, prior_knowledge=RULES, prior_weight=2).fit(X, y)
    losses = model.history_["loss"]
    assert (np.diff(losses) <= 1e-12).all()
    if "guaranteed_drop" in model.history_:
        assert (-np.diff(losses) >= model.history_["guaranteed_drop"][1:] - 1e-12).all()
    wrong = (model.predict(X) != y).mean()
    assert model.certificate_["training_error"] == pytest.approx(wrong)
    assert wrong <= model.certificate_["bound"]


@pytest.mark.parametrize("booster", BOOSTERS)
@pytest.mark.parametrize("other", BOOSTERS)
def test_a_model_is_knowledge(booster, other):
    X, y, _, _ = messages()
    before = other(n_estimators=3).fit(X[:60], y[:60])
    model = booster(n_estimators=3, prior_knowledge=before, prior_weight=1e9).fit(X[60:], y[60:])
    assert model.knowledge_ == "model"
    assert model.model_.n_known >= 3
    expected = before.predict_proba(X)
    assert np.allclose(model.predict_proba(X), expected, rtol=0, atol=1e-6)
    assert np.array_equal(clone(model).fit(X[60:], y[60:]).predict(X), model.predict(X))


def test_a_model_of_other_levels_is_knowledge():
    """Levels and cuts of both are in the schema of the model."""
    table = [
        Table.hstack([np.array(values, dtype=object)[:, None]], names=["colour"], categorical=[0])
        for values in (["red", "blue"] * 20, ["blue", "green"] * 20)
    ]
    y = np.array([0, 1] * 20)
    before = LogitBoostClassifier(n_estimators=2).fit(table[0], y)
    model = LogitBoostClassifier(prior_knowledge=before, prior_weight=1e9).fit(table[1], y)
    assert np.allclose(model.predict_proba(table[0]), before.predict_proba(table[0]), atol=1e-6)


def test_functions_and_estimators_are_not_part_of_the_model(tmp_path):
    _X, y, words, length = messages()
    dense = np.column_stack([words, length])
    outside = LogisticRegression().fit(dense, y)
    models = [outside, lambda rows: outside.predict_proba(rows)[:, 1]]
    found = []
    for knowledge in models:
        found.append(LogitBoostClassifier(n_estimators=3, prior_knowledge=knowledge))
        with pytest.warns(UnderdogWarning, match="does not become part of the model"):
            found[-1].fit(dense, y)
    p = outside.predict_proba(dense)
    with pytest.warns(UnderdogWarning, match="the array of prior_knowledge"):
        model = LogitBoostClassifier(n_estimators=3, prior_knowledge=p).fit(dense, y)
    scores = model.decision_function(dense, prior_knowledge=p)
    for other in found:
        assert np.array_equal(other.decision_function(dense), scores)
        assert np.array_equal(list(other.staged_decision_function(dense))[-1], scores)
    assert np.array_equal(model.predict(dense, prior_knowledge=p), model.classes_[(scores > 0) * 1])
    assert model.predict_proba(dense, prior_knowledge=p[:, 1]).shape == (len(y), 2)
    with pytest.raises(ValueError, match="give that of these rows"):
        model.predict(dense)
    with pytest.raises(ValueError, match="cannot be explained"):
        contributions(model, dense)
    with pytest.warns(UnderdogWarning):
        found[1].save(tmp_path / "model.udg")
    loaded = load(tmp_path / "model.udg")
    with pytest.raises(ValueError, match=r"outside source \(the function\)"):
        loaded.predict(dense)
    assert np.array_equal(loaded.decision_function(dense, prior_knowledge=p), scores)


def test_several_labels():
    X, _, words, length = messages()
    Y = np.column_stack([words[:, 0] > 0, length > 5]).astype(int)
    rules = ["if 'free' in text: 0 0.9", "if length > 4.5: 1 0.8, 0 0.1"]
    for booster in BOOSTERS:
        model = booster(n_estimators=2, prior_knowledge=rules, prior_weight=1e9).fit(X, Y)
        free, longer = words[:, 0] > 0, length > 4.5
        expected = np.column_stack(
            [np.select([free, longer], [0.9, 0.1], 0.5), np.where(~free & longer, 0.8, 0.5)]
        )
        assert np.allclose(model.predict_proba(X), expected, atol=1e-6)


def test_the_weight_can_be_chosen_by_folds():
    X, _, words, length = messages(80)
    chance = np.random.default_rng(3).random(80)
    y = np.where(chance < expert(words, length), "spam", "ham")
    good = LogitBoostClassifier(n_estimators=5, prior_knowledge=RULES, prior_weight="folds")
    assert good.fit(X, y).prior_weight_ >= 1.0
    assert clone(good).fit(X[::-1], y[::-1]).prior_weight_ == good.prior_weight_
    other = np.where(y == "spam", "ham", "spam")
    assert clone(good).fit(X, other).prior_weight_ < 0.5


def test_early_stopping_sees_knowledge():
    X, y, _, _ = messages(300)
    options = {
        "prior_knowledge": RULES,
        "prior_weight": 5.0,
        "n_estimators": 30,
        "early_stopping": True,
    }
    for booster in BOOSTERS:
        for more in ({"cv": 3}, {"validation_fraction": 0.3}):
            model = booster(**options, **more).fit(X, y)
            assert model.model_.n_known == 1
            assert len(model.model_.found) == model.n_iter_
        watched = booster(**options).fit(X[:200], y[:200], X_val=X[200:], y_val=y[200:])
        final = list(watched.staged_decision_function(X[200:]))[-1]
        assert np.array_equal(final, watched.decision_function(X[200:]))
        assert np.isfinite(watched.history_["validation_score"]).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"prior_weight": -1}, "prior_weight=-1 must be a number from 0 on, or 'folds'"),
        ({"prior_weight": "cv"}, "prior_weight='cv' must be"),
        ({"prior_weight": np.nan}, "prior_weight=nan must be"),
        ({"class_weight": "balanced"}, "class_weight and prior_knowledge cannot be combined"),
        ({"costs": Costs(fn=2, fp=1)}, "costs and prior_knowledge cannot be combined"),
        ({"monotonic_cst": [-1, 0, 0, 0]}, "prior_knowledge breaks monotonic_cst"),
        ({"learner": LogisticRegression()}, "a row counts for several classes"),
        ({"prior_knowledge": np.ones((3, 2))}, r"has the shape \(3, 2\), but it must be \(120,\)"),
        ({"prior_knowledge": np.full(120, 2.0)}, "must have probabilities from 0 to 1"),
        ({"prior_knowledge": np.full((120, 2), 0.4)}, "rows that sum to 1"),
        ({"prior_knowledge": ["else: egg 0.5"]}, "there is no class 'egg'"),
        ({"prior_knowledge": ["else: spam"]}, "the probability of 'spam' is missing"),
        ({"prior_knowledge": ["else: spam 0.5, ham 0.6"]}, "sum to 1.1, not to 1"),
        ({"prior_knowledge": ["else: spam 0.5, spam 0.5"]}, "named twice"),
        (
            {"prior_knowledge": ["if lenght > 2: spam 0.5"]},
            "no column 'lenght': there are 'length'",
        ),
        ({"prior_knowledge": ["if length is red: spam 0.5"]}, "has numbers"),
    ],
)
def test_what_is_refused(options, message):
    X, y, _, _ = messages()
    model = LogisticAdaBoostClassifier(**{"prior_knowledge": RULES} | options)
    with pytest.raises(ValueError, match=message):
        model.fit(X, y)


def test_other_refusals():
    X, y, _, _ = messages()
    with pytest.raises(TypeError, match="must be rules in words"):
        LogitBoostClassifier(prior_knowledge=7).fit(X, y)
    other = LogisticRegression().fit(np.zeros((2, 4)), ["egg", "spam"])
    with pytest.raises(ValueError, match="has the classes"):
        LogitBoostClassifier(prior_knowledge=other).fit(X, y)
    model = LogitBoostClassifier(prior_knowledge=RULES, warm_start=True, n_estimators=2).fit(X, y)
    with pytest.raises(ValueError, match="is not that of the fitted model"):
        model.set_params(prior_weight=2.0).fit(X, y)
    with pytest.raises(ValueError, match="is not that of the fitted model"):
        model.set_params(prior_weight=1.0, prior_knowledge=RULES[1:]).fit(X, y)
    with pytest.raises(ValueError, match="is part of the model"):
        model.predict(X, prior_knowledge=np.full(len(y), 0.5))
    with pytest.warns(UnderdogWarning, match="no column has the word 'fre' .*there is 'free'"):
        LogitBoostClassifier(prior_knowledge=["if 'fre' in text: spam 0.9"]).fit(X, y)
    with pytest.raises(ValueError, match="the columns have no names"):
        LogitBoostClassifier(prior_knowledge=RULES).fit(np.zeros((2, 4)), ["ham", "spam"])

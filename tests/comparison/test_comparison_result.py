import numpy as np
import pytest
from scipy import stats

from tests.comparison.recorder import Recorder
from underdog import compare
from underdog.comparison.paired import corrected_t, holm


def test_a_planted_difference_is_found(data):
    found = compare(*data, {"bad": Recorder(noise=20.0), "good": Recorder()}, cv=5)
    assert found.models == ["good", "bad"]
    [pair] = found.differences()
    assert (pair.better, pair.other) == ("good", "bad")
    assert pair.larger_than_noise
    assert 0 < pair.low < pair.amount < pair.high
    assert found.statement().startswith("good is better than bad in average precision by 0.")


def test_none_between_copies(data):
    found = compare(*data, {"one": Recorder(), "two": Recorder()}, cv=5)
    [pair] = found.differences("f1")
    assert (pair.amount, pair.p_value, pair.larger_than_noise) == (0.0, 1.0, False)
    assert found.statement() == "there is no difference larger than noise between one and two."


def test_none_between_many_is_one_short_sentence(data):
    found = compare(*data, {name: Recorder() for name in "abcd"}, cv=5)
    assert found.statement() == "no difference in average precision is larger than noise."


def test_the_better_one_may_be_the_smaller(data):
    found = compare(*data, {"a": Recorder(noise=20.0), "b": Recorder()}, costs=None, cv=5)
    found.results["cost"] = np.where(found.results["model"] == "a", 1.0, 2.0)
    [pair] = found.differences("cost")
    assert (pair.better, pair.amount, pair.p_value) == ("a", 1.0, 0.0)


def test_differences_are_paired_over_folds(data):
    found = compare(*data, {"a": Recorder(), "b": Recorder(noise=0.5)}, cv=5)
    values = {m: found.results["f1"][found.results["model"] == m] for m in "ab"}
    expected = corrected_t(values["a"] - values["b"], 30 / 120)
    [pair] = found.differences("f1")
    sign = 1 if pair.better == "a" else -1
    assert pair.amount == pytest.approx(sign * expected[0])
    assert pair.p_value == pytest.approx(expected[3])


def test_corrected_t_by_hand():
    values = np.array([0.02, 0.05, 0.01, 0.04, 0.03])
    error = np.sqrt(0.00025 * (1 / 5 + 1 / 4))
    mean, low, high, p_value = corrected_t(values, 0.25)
    assert mean == pytest.approx(0.03)
    assert high - mean == pytest.approx(2.7764451 * error)
    assert mean - low == pytest.approx(high - mean)
    assert p_value == pytest.approx(2 * stats.t.sf(0.03 / error, 4))
    uncorrected = corrected_t(values, 0.0)[3]
    assert uncorrected == pytest.approx(stats.ttest_1samp(values, 0.0).pvalue)
    assert np.isnan(corrected_t(values[:1], 0.25)).all()


def test_holm_leaves_out_what_is_not_known():
    adjusted = holm([0.04, np.nan, 0.01, 0.9])
    assert adjusted[0] == pytest.approx(0.08)
    assert np.isnan(adjusted[1])
    assert adjusted[2:] == pytest.approx([0.03, 0.9])


def test_table_shows_mean_and_interval(data):
    found = compare(*data, {"a<b": Recorder()}, cv=3)
    values = found.results["f1"]
    half = stats.t.ppf(0.975, 2) * values.std(ddof=1) / np.sqrt(3)
    assert found.summary()["a<b"]["f1"] == pytest.approx((values.mean(), half))
    assert f"{values.mean():.3f} ± {half:.3f}" in found.table()
    assert ">a&lt;b</td>" in found._repr_html_()
    assert "150 examples, 50 of class 1" in found.table()
    assert "Brier" not in found.table()
    assert found.statement() == "There is only one model."


@pytest.mark.parametrize("backend", [None, "pandas", "polars"])
def test_frame(data, backend):
    found = compare(*data, [Recorder()], cv=3)
    frame = found.to_frame(backend=backend)
    assert type(frame).__module__.split(".")[0] == (backend or "pandas")
    assert frame.shape[0] == 3
    assert {"model", "fold", "f1", "error"} <= set(frame.columns)
    assert frame["f1"].to_list() == found.results["f1"].tolist()


def test_repr_is_one_line(data):
    found = compare(*data, {"good": Recorder(), "m" * 500: Recorder(noise=20.0)}, cv=3)
    assert (
        str(found)
        == repr(found)
        == (
            "Comparison(2 models, 3 folds; the best in average precision is 'good'); see table(), "
            "statement(), differences(), to_frame()"
        )
    )


def test_unknown_measure(data):
    with pytest.raises(ValueError, match="no measure 'accuracy'; there are cost, average_prec"):
        compare(*data, [Recorder()], cv=2).differences("accuracy")

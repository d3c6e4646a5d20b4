"""Matrix games: known values, and brackets that hold."""

import types

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from underdog.games import multiplicative_weights, solve_game

SCISSORS = np.array([[0.0, 1.0, -1.0], [-1.0, 0.0, 1.0], [1.0, -1.0, 0.0]])

# Matrix, value, the only optimal row strategy and column strategy.
KNOWN = {
    "rock, paper, scissors": (SCISSORS, 0.0, [1 / 3] * 3, [1 / 3] * 3),
    "matching pennies": ([[1, -1], [-1, 1]], 0.0, [1 / 2, 1 / 2], [1 / 2, 1 / 2]),
    "dear pennies": ([[3, -1], [-1, 1]], 1 / 3, [1 / 3, 2 / 3], [1 / 3, 2 / 3]),
    "uneven pennies": ([[4, 1], [2, 3]], 2.5, [1 / 4, 3 / 4], [1 / 2, 1 / 2]),
    "a dominated column": ([[3, -1, -2], [-1, 1, 0]], 1 / 3, [1 / 3, 2 / 3], [1 / 3, 2 / 3, 0]),
    "a diagonal": (np.diag([1.0, 2.0, 4.0]), 4 / 7, [4 / 7, 2 / 7, 1 / 7], [4 / 7, 2 / 7, 1 / 7]),
    "a saddle point": ([[2, 3, 1], [4, 9, 0], [5, 3, -1]], 3.0, [1, 0, 0], [0, 1, 0]),
    "one row": ([[2.0, 5.0, -3.0]], 5.0, [1], [0, 1, 0]),
    "one column": ([[2.0], [5.0], [-3.0]], -3.0, [0, 0, 1], [1]),
    "one of each": ([[7]], 7.0, [1], [1]),
}
each_known = pytest.mark.parametrize("known", KNOWN.values(), ids=KNOWN.keys())

each_solver = pytest.mark.parametrize("solver", [solve_game, multiplicative_weights])


def assert_honest(solution, matrix):
    """Distributions, and guarantees that they really give."""
    matrix = np.asarray(matrix, dtype=float)
    for strategy, size in zip(
        (solution.row_strategy, solution.column_strategy), matrix.shape, strict=True
    ):
        assert strategy.shape == (size,)
        assert (strategy >= 0).all()
        assert strategy.sum() == pytest.approx(1.0, abs=1e-12)
    scale = np.abs(matrix).max() + 1e-300
    wins = [row @ solution.column_strategy for row in matrix]
    pays = [solution.row_strategy @ column for column in matrix.T]
    assert solution.lower == pytest.approx(min(wins), abs=1e-12 * scale)
    assert solution.upper == pytest.approx(max(pays), abs=1e-12 * scale)
    assert solution.lower <= solution.value <= solution.upper
    assert solution.gap == solution.upper - solution.lower


@each_known
def test_known_values_by_linear_programming(known):
    matrix, value, row, column = known
    solution = solve_game(matrix)
    assert_honest(solution, matrix)
    assert solution.value == pytest.approx(value, abs=1e-12)
    assert solution.gap < 1e-8
    assert solution.rounds == 0
    np.testing.assert_allclose(solution.row_strategy, row, atol=1e-9)
    np.testing.assert_allclose(solution.column_strategy, column, atol=1e-9)


@each_known
def test_known_values_by_multiplicative_weights(known):
    matrix, value, _, _ = known
    solution = multiplicative_weights(matrix, tol=0.02)
    assert_honest(solution, matrix)
    assert solution.gap <= 0.02
    assert solution.lower - 1e-12 <= value <= solution.upper + 1e-12


@each_solver
def test_a_saddle_point_needs_no_rounds(solver):
    solution = solver([[2, 3, 1], [4, 9, 0], [5, 3, -1]])
    assert (solution.value, solution.gap, solution.rounds) == (3.0, 0.0, 0)
    constant = solver(np.full((3, 4), -2.5))
    assert (constant.value, constant.gap, constant.rounds) == (-2.5, 0.0, 0)


@pytest.mark.parametrize("seed", range(8))
def test_both_ways_agree_on_random_games(seed):
    rng = np.random.default_rng(seed)
    shape = rng.integers(2, 25, 2)
    matrix = rng.choice([-1.0, 1.0], shape) if seed % 2 else rng.uniform(-1, 1, shape)
    exact = solve_game(matrix)
    played = multiplicative_weights(matrix, tol=0.05)
    assert_honest(exact, matrix)
    assert_honest(played, matrix)
    assert exact.gap < 1e-8
    assert played.gap <= 0.05
    assert played.lower - 1e-9 <= exact.value <= played.upper + 1e-9


shapes = hnp.array_shapes(min_dims=2, max_dims=2, max_side=6)
entries = st.one_of(st.integers(-3, 3).map(float), st.floats(-10.0, 10.0))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(hnp.arrays(np.float64, shapes, elements=entries))
def test_players_can_change_places(matrix):
    """value(-M^T) = -value(M), and every bracket holds."""
    one, other = solve_game(matrix), solve_game(-matrix.T)
    assert_honest(one, matrix)
    assert max(one.gap, other.gap) < 1e-7
    assert other.value == pytest.approx(-one.value, abs=1e-7)
    played = multiplicative_weights(matrix, rounds=20)
    assert_honest(played, matrix)
    assert played.lower - 1e-7 <= one.value <= played.upper + 1e-7


def test_repeated_strategies_change_nothing():
    matrix = np.random.default_rng(3).normal(size=(6, 5))
    repeated = matrix[[0, 1, 1, 2, 3, 4, 5, 5, 5]][:, [0, 0, 1, 2, 3, 4, 4]]
    assert solve_game(repeated).value == pytest.approx(solve_game(matrix).value, abs=1e-9)
    assert_honest(solve_game(repeated), repeated)


def test_values_move_and_stretch_with_the_payoffs():
    matrix = np.random.default_rng(4).normal(size=(7, 6))
    value = solve_game(matrix).value
    for scale in (1e-300, 1e-9, 1e9, 1e300):
        solution = solve_game(scale * matrix)
        assert solution.value == pytest.approx(scale * value, rel=1e-9)
        assert solution.gap < 1e-8 * scale * np.abs(matrix).max()
    assert solve_game(matrix + 1000.0).value == pytest.approx(value + 1000.0, abs=1e-9)
    tiny = np.finfo(np.float64).smallest_subnormal
    assert solve_game([[tiny, -tiny], [-tiny, tiny]]).value == 0.0


def test_hedge_is_the_textbook_algorithm():
    """Twelve lines of Freund and Schapire, with a fixed rate; averages after every round."""
    matrix = np.random.default_rng(5).uniform(-1, 1, (6, 8))
    weights, rate, rounds = np.ones(6), 0.1, 200
    rows, columns = [], []
    for _ in range(rounds):
        p = weights / weights.sum()
        answer = int(np.argmax(p @ matrix))
        rows.append(p)
        columns.append(np.eye(8)[answer])
        weights = weights * np.exp(-rate * matrix[:, answer])
    counts = np.arange(1, rounds + 1)[:, np.newaxis]
    averages = np.cumsum(rows, axis=0) / counts, np.cumsum(columns, axis=0) / counts
    upper = min((np.vstack([rows, averages[0], np.eye(6)]) @ matrix).max(axis=1))
    lower = max((np.vstack([averages[1], np.eye(8)]) @ matrix.T).min(axis=1))
    solution = multiplicative_weights(matrix, rounds, 0.0, rate)
    assert solution.rounds == rounds
    assert solution.upper == pytest.approx(upper, abs=1e-12)
    assert solution.lower == pytest.approx(lower, abs=1e-12)
    assert solution.gap <= np.log(6) / (rate * rounds) + rate * np.ptp(matrix) ** 2 / 8


@pytest.mark.parametrize("rounds", [1, 10, 100, 1000])
def test_hedge_keeps_its_promise_at_any_time(rounds):
    matrix = 50.0 + 100.0 * np.random.default_rng(6).choice([-1.0, 1.0], (20, 15))
    solution = multiplicative_weights(matrix, rounds, 0.0)
    assert solution.rounds == rounds
    assert solution.gap <= 200.0 * np.sqrt(np.log(20) / rounds)


def test_hedge_gets_tighter_and_stops_in_time():
    gaps = [multiplicative_weights(SCISSORS + np.eye(3), n, 0.0).gap for n in (5, 50, 500)]
    assert gaps == sorted(gaps, reverse=True)
    early = multiplicative_weights(SCISSORS + np.eye(3), tol=0.1)
    assert 0 < early.rounds < 500
    assert early.gap <= 0.1


@pytest.mark.parametrize("rate", [1e-300, 1e-9, 50.0, 1e300])
def test_hedge_with_a_strange_rate(rate):
    for scale in (1e-200, 1.0, 1e200):
        solution = multiplicative_weights(scale * SCISSORS, 50, 0.0, rate)
        assert_honest(solution, scale * SCISSORS)
        assert solution.lower <= 0.0 <= solution.upper


def test_other_forms_of_a_matrix():
    assert solve_game([[True, False], [False, True]]).value == pytest.approx(0.5)
    assert solve_game(np.array([[1, 0], [0, 1]], dtype=object)).value == pytest.approx(0.5)
    assert solve_game(np.eye(4, dtype=np.float32)[::2, ::2]).value == pytest.approx(0.5)
    assert solve_game(np.ma.masked_array(np.eye(2))).value == pytest.approx(0.5)
    given_before = np.eye(3)
    given_before.flags.writeable = False
    assert multiplicative_weights(given_before).gap <= 1e-3


@each_solver
@pytest.mark.parametrize(
    ("matrix", "words"),
    [
        ([], "matrix has the shape (0,), but it must have two dimensions"),
        ([1.0, 2.0], "matrix has the shape (2,), but it must have two dimensions"),
        (np.zeros((2, 2, 2)), "matrix has the shape (2, 2, 2), but it must have two dimensions"),
        (3.0, "matrix has the shape (), but it must have two dimensions"),
        (np.zeros((0, 3)), "matrix has the shape (0, 3) and is empty"),
        ([[]], "matrix has the shape (1, 0) and is empty"),
        ([[1.0, np.nan], [0.0, np.inf]], "matrix[0, 1] is nan, and 2 of its 4 entries"),
        ([[1.0], [-np.inf]], "matrix[1, 0] is -inf, and 1 of its 2 entries are not finite"),
        (np.ma.masked_equal([[1, 2]], 2), "matrix[0, 1] is nan"),
        ([[None, 1.0]], "matrix[0, 0] is nan"),
        ([[1.0], [1.0, 2.0]], "is not a matrix of real numbers (setting an array element"),
        ([["1", "2"]], "is not a matrix of real numbers (<U1"),
        ([[1j]], "is not a matrix of real numbers (complex128"),
        ([[10**400]], "is not a matrix of real numbers (int too large"),
        ([[{}]], "is not a matrix of real numbers"),
        (
            np.array([["2020-01-01"]], dtype="M8[D]"),
            "is not a matrix of real numbers (datetime64[D]",
        ),
        (sp.csr_array(np.eye(2)), "matrix is sparse (csr_array), but it must be dense"),
    ],
)
def test_what_is_no_game(solver, matrix, words):
    with pytest.raises(ValueError) as refused:
        solver(matrix)
    assert words in str(refused.value)
    assert ": give " in str(refused.value)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"rounds": 0}, "rounds=0 must be a whole number, at least 1"),
        ({"rounds": 2.5}, "rounds=2.5 must be a whole number"),
        ({"tol": -1.0}, "tol=-1.0 must be a finite number of at least 0"),
        ({"tol": np.nan}, "tol=nan must be a finite number"),
        ({"rate": 0.0}, "rate=0.0 must be a finite number above 0"),
        ({"rate": np.inf}, "rate=inf must be a finite number above 0"),
    ],
)
def test_parameters_that_make_no_sense(wrong, words):
    with pytest.raises(ValueError) as refused:
        multiplicative_weights(SCISSORS, **wrong)
    assert words in str(refused.value)


def test_a_solver_that_gives_up_is_not_believed(monkeypatch):
    gave_up = types.SimpleNamespace(status=4, message="numerical difficulties")
    monkeypatch.setattr("underdog.games.matrix.linprog", lambda *_, **__: gave_up)
    with pytest.raises(RuntimeError) as refused:
        solve_game(SCISSORS)
    assert "3 x 3 game was not solved" in str(refused.value)
    assert "(numerical difficulties): use multiplicative_weights" in str(refused.value)

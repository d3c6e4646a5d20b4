"""Credits of splits and rows that reach leaves, against the same by recursion."""

import numpy as np
import pytest

from underdog.kernels import attributions

BINS = 5


def random_forest(rng, n_trees, n_columns, n_labels):
    """(roots, nodes, inside, steps, examples) of random trees, some of them a single leaf."""
    nodes, inside, steps = [], [], []

    def add(depth):
        if depth == 0 or rng.random() < 0.2:
            steps.append(np.rint(rng.normal(size=n_labels) * 2**20) / 2**20)
            return -len(steps)
        node = len(nodes)
        nodes.append([int(rng.integers(n_columns)), len(inside), 0, 0])
        inside.extend((rng.random(BINS) < 0.5).astype(int).tolist())
        for side in (2, 3):
            nodes[node][side] = add(depth - 1)
        return node

    roots = np.array([add(4) for _ in range(n_trees)])
    examples = rng.integers(0, 4, len(steps)).astype(float)
    return (
        roots,
        np.array(nodes).reshape(-1, 4),
        np.array(inside, dtype=np.uint8),
        np.array(steps),
        examples,
    )


@pytest.fixture(params=[(1, 1), (3, 2), (12, 3)], ids=str)
def given(request):
    n_trees, n_labels = request.param
    rng = np.random.default_rng(n_trees)
    forest = random_forest(rng, n_trees, 4, n_labels)
    return forest, rng.integers(0, BINS, (30, 4)).astype(np.uint16)


def mean_below(forest, node):
    """(examples, mean step) of the leaves below a node."""
    _, nodes, _, steps, examples = forest
    if node < 0:
        return examples[-1 - node], steps[-1 - node]
    sides = [mean_below(forest, child) for child in nodes[node, 2:]]
    total = sum(count for count, _ in sides)
    weights = [count for count, _ in sides] if total > 0 else [1.0, 1.0]
    return total, np.average([mean for _, mean in sides], axis=0, weights=weights)


def test_expected_steps(given):
    forest, _ = given
    _, nodes, _, steps, examples = forest
    totals, expected = np.empty(len(nodes)), np.empty((len(nodes), steps.shape[1]))
    attributions.expect(nodes, steps, examples, totals, expected)
    for node in range(len(nodes)):
        total, mean = mean_below(forest, node)
        assert totals[node] == total
        np.testing.assert_allclose(expected[node], mean, atol=1e-9)
    assert (np.rint(expected * 2**36) == expected * 2**36).all()


def test_credits(given):
    (roots, nodes, inside, steps, _), codes = given
    gains = np.random.default_rng(0).normal(size=(len(nodes), 2, steps.shape[1]))
    out = np.zeros((*codes.shape, steps.shape[1]))
    attributions.credit(codes, roots, nodes, inside, gains, 3, 25, out)
    expected = np.zeros_like(out)
    for i in range(3, 25):
        for node in roots:
            while node >= 0:
                column, first = nodes[node, :2]
                answer = inside[first + codes[i, column]]
                expected[i, column] += gains[node, answer]
                node = nodes[node, 2 + answer]
    np.testing.assert_allclose(out, expected, atol=1e-12)


@pytest.mark.parametrize("free", [(), (0,), (1, 3), (0, 1, 2, 3)])
def test_rows_that_reach_leaves(given, free):
    (roots, nodes, inside, steps, _), codes = given
    expected = np.zeros(len(steps), dtype=np.int64)

    def visit(i, node):
        if node < 0:
            expected[-1 - node] += 1
            return
        column, first = nodes[node, :2]
        answers = (0, 1) if column in free else (inside[first + codes[i, column]],)
        for answer in answers:
            visit(i, nodes[node, 2 + answer])

    for i in range(2, 28):
        for root in roots:
            visit(i, root)
    flags = np.isin(np.arange(4), free).astype(np.uint8)
    counts = np.zeros_like(expected)
    room = np.empty(5, dtype=np.int64)
    attributions.reach(codes, roots, nodes, inside, flags, 2, 28, room, counts)
    np.testing.assert_array_equal(counts, expected)
    if len(free) == 4:
        assert (counts == 26).all()

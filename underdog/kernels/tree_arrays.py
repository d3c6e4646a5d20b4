"""The arrays that the kernels of trees share, by name."""

from typing import Any, NamedTuple

LOWER = 0xFFFFFFFF
"""The bits of the second channel in a packed sum."""

# What is known of a node, by its place in a row of `Nodes.facts`.
START, STOP, DEPTH, SLOT, COLUMN, OFFSET, LABEL, EXAMPLES, CHECKED, AHEAD, N_FACTS = range(11)
LEAF = -1

# What the threads do next, by its place in `Shared.job`: the node whose rows are divided or moved,
# and its children, which are counted and searched.
JOB, JOB_NODE, JOB_SMALL, JOB_LARGE, N_JOB = range(5)
DIVIDE, MOVE = range(2)
LINE = 8  # numbers in a cache line, which no two threads write to
DIVIDED, TRUE_ROWS, TRUE_EXAMPLES, N_LAST = range(
    4
)  # the node whose rows were divided last: `Shared.last`
NOTHING = -1

# What thread 0 asks another one for, in `Shared.mail`: a split to make ahead has its number.
# A branch to grow is the number of its node (`tree_branches`), and is promised before it is sent.
TOGETHER, DONE, PROMISED = -2, -3, -4
# A split that is made ahead, by its place in `Shared.ahead`, and how far it is.
STATE, SPLIT_NODE, SPLIT_SLOT = range(3)
FREE, BEGUN, MADE, OTHER_TEST = range(4)
NODES_AHEAD = 3  # the node and its children, as they will be

# Columns whose tests are scored without a call for each: one test and one stored cell; cuts between
# numbers of which none is missing; levels of a category.
ANY, WORD, PLAIN, CATEGORY = range(4)


class Storage(NamedTuple):
    """The rows: codes of dense columns, and the stored cells of sparse ones."""

    words: Any  # [row, word]: eight codes each, for counting
    counted: Any  # of each column, the place of its code in the words; -1 if it is not there
    step: Any  # of each column, what one bin more adds to the code: more than 1 if it is shared
    joint: Any  # of each column, how many values its code has
    n_counted: Any  # codes
    pointers: Any  # where the cells of each row begin
    cells: Any
    place: Any  # of each column among the dense ones; -1 for sparse columns
    columns: Any  # [dense column, row]: for splitting
    cell_pointers: Any  # where the rows of each cell of sparse columns begin
    cell_rows: Any
    base: Any  # the first cell of `cell_pointers`
    stored: Any  # stored cells of each column
    repeats: Any  # how often each row counts
    repeated: Any  # whether any of them is not 1
    examples: Any  # examples of a node in each cell and in all, if rows are elsewhere, else empty


class ColumnTests(NamedTuple):
    """What the tests on each column are."""

    first_cell: Any
    bins: Any
    implicit: Any  # the bin that is not stored; -1 if all are
    missing: Any  # whether values are missing in training
    alone: Any  # whether "is missing" is a test of its own
    is_category: Any
    levels: Any
    kind: Any  # ANY, WORD, PLAIN or CATEGORY
    used: Any  # columns that are searched
    run_end: Any  # for each of them, where the run of words, or of others, ends
    together: Any  # `Together`
    direction: Any  # 1 and -1 where values must rise and fall with the column, else 0
    keys: Any  # hashes of the columns by which a node draws one cut of each; empty if it tests all


class Together(NamedTuple):
    """Which columns may be on the same path."""

    most: Any  # different columns on a path; 0 if the groups decide
    pointers: Any  # where the columns of each group begin
    columns: Any


class GrowthRule(NamedTuple):
    """How tests are scored, and where growth ends."""

    smooth: Any
    min_mass: Any
    unit: Any  # [channel, label]: the weight of one unit
    criterion: Any  # from here on, the same for all trees of a run
    beta: Any
    max_depth: Any
    max_leaves: Any
    min_samples: Any
    best_first: Any
    counted: Any  # whether a leaf with `min_mass` has `min_samples`


class Nodes(NamedTuple):
    """The tree so far."""

    facts: Any
    gains: Any  # 0 or less if a node is not to be split
    totals: Any  # [node, label]: packed sums
    children: Any  # split, and the nodes where it is false and true
    insides: Any  # [split, bin]: where the test is true
    bounds: Any  # [node, 2]: the least and the most that it may say
    on_path: Any  # [node, column]: which columns are tested above; empty if all may be together
    allowed: Any  # [node, column]: which columns may be tested
    draws: Any  # hashes of the paths, by which cuts are drawn


class Shared(NamedTuple):
    """What all threads read and write; what follows `counter` has a part for each thread."""

    packed: Any  # [row, label]: both channels of a row
    numbers: Any  # the class of each row, where all other labels count it as negative; else empty
    order: Any  # all rows, those of a node together
    spare: Any  # where the rows of a node are divided
    side: Any
    hists: Any  # [slot, cell, label]
    lowest: Any  # [slot, used column]: the least score of its tests
    job: Any
    ahead: Any  # [split that is made ahead, ...]
    settings: Any  # `smooth` and `min_mass` of the rule, which change from tree to tree
    made: Any  # nodes so far, if threads grow branches
    busy: Any  # threads that have a branch
    counter: Any  # of the barrier
    mail: Any  # [thread, ...]: what it does next
    turn: Any  # [leader, ...]: the first of the rows that no thread of a team has begun to count
    last: Any  # [leader, ...]
    last_inside: Any  # [leader, bin]: where the test of that node is true
    mark: Any  # [leader, row]: zeros, if there are sparse columns
    true: Any  # [thread, ...]: rows and examples of its share of a node where the test is true
    sums: Any  # [thread, cell]: sums over its share of the rows
    prefix: Any
    scores: Any
    masses: Any


class Growing(NamedTuple):
    """All that a tree is grown with."""

    storage: Any
    columns: Any
    rule: Any
    nodes: Any
    shared: Any

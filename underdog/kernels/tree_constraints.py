"""What constraints leave to a node: which columns it may test."""

from underdog.kernels.jit import kernel


@kernel
def may_test(nodes, node, j):
    """Whether a node may be split by a column."""
    return nodes.allowed.shape[1] == 0 or nodes.allowed[node, j] == 1


@kernel
def start_path(nodes):
    """In the root, every column may be tested."""
    for j in range(nodes.allowed.shape[1]):
        nodes.on_path[0, j] = 0
        nodes.allowed[0, j] = 1


@kernel
def continue_path(together, nodes, node, child, column):
    """Which columns a child may test, if its parent is split by a column."""
    if nodes.allowed.shape[1] == 0:
        return
    on_path, allowed = nodes.on_path[child], nodes.allowed[child]
    length = 0
    for j in range(on_path.shape[0]):
        on_path[j] = 1 if j == column else nodes.on_path[node, j]
        length += on_path[j]
    for j in range(on_path.shape[0]):
        allowed[j] = on_path[j] if length >= together.most else 1
    if together.most > 0:
        return
    for group in range(together.pointers.shape[0] - 1):
        first, last = together.pointers[group], together.pointers[group + 1]
        found = 0
        for place in range(first, last):
            found += on_path[together.columns[place]]
        if found == length:
            for place in range(first, last):
                allowed[together.columns[place]] = 1

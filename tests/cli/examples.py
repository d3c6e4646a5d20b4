"""Small files to train on."""

import random


def examples(labels=("0", "1"), count=60):
    """Rows of a number, a category and a class, which the number tells something about."""
    chance = random.Random(0)
    for row in range(count):
        which = row % len(labels)
        yield f"{chance.gauss(2 * which, 1):.2f}", chance.choice("uvw"), labels[which]


def csv(labels=("0", "1"), count=60):
    return "a,b,y\n" + "".join(",".join(row) + "\n" for row in examples(labels, count))

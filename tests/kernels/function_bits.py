"""The elementary functions at fixed points; a script prints digests of their bits."""

import hashlib
import json

import numpy as np

from underdog.kernels import elementary, error_function

FUNCTIONS = {
    "sigmoid": elementary.sigmoid,
    "log1p": elementary.log1p,
    "expm1": elementary.expm1,
    "tanh": elementary.tanh,
    "erf": error_function.erf,
    "erfc": error_function.erfc,
}
OLDER = {"exp": elementary.exp, "log": elementary.log}
GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # multiples of it, modulo 2**64, fill the range evenly


def every_size(count):
    """Finite doubles of all exponents and both signs."""
    points = (np.arange(1, count + 1, dtype=np.uint64) * GOLDEN).view(np.float64)
    return points[np.isfinite(points)]


def evenly(low, high, count):
    """Doubles between low and high; another version of a library would draw others."""
    steps = (np.arange(1, count + 1, dtype=np.uint64) * GOLDEN >> np.uint64(11)) * 2.0**-53
    return low + (high - low) * steps


def points():
    return np.concatenate(
        [every_size(3000), *(evenly(-w, w, 1500) for w in (0.01, 0.7, 3.0, 30.0, 750.0))]
    )


def digests():
    """name -> SHA-256 of the results at all points."""
    found = {}
    for name, function in {**OLDER, **FUNCTIONS}.items():
        results = np.array([function(x) for x in points().tolist()])
        results[np.isnan(results)] = 0.0  # log1p below -1: a NaN has many forms
        found[name] = hashlib.sha256(results.astype("<f8").tobytes()).hexdigest()
    return found


if __name__ == "__main__":
    print(json.dumps(digests()))

"""No bit of any model may change unnoticed: digests of many small fits of every booster.

    python tests/estimators/test_digests.py                 write digests.json anew
    python tests/estimators/test_digests.py --compare PATH  this checkout beside another one

Both need PYTHONPATH=. where another checkout is installed. `digests.json` holds what is the same on
every machine. `--compare` makes the same fits, and several hundred random ones more, with the code
of two checkouts, and prints which parts of which models differ in a single bit.
"""

import argparse
import hashlib
import json
import os
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

from tests.estimators.digest_fits import CORRECTIVE, fixed_fits, random_fit

HERE = Path(__file__).resolve()
GOLDEN = HERE.with_name("digests.json")
RANDOM_FITS = 600
FAILED = "error"
EXACT = {"rules", "steps", "coefficients", "scores", "unseen scores", "stages", "stop reason"}
"""Without libm and BLAS: the same bits on every machine, but for CORRECTIVE."""


def parts(fit):
    """All that is seen of a model, by name."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = fit.model()
        members, X, unseen = model.model_.members, fit.data.X, fit.data.unseen
        found = {
            "rules": "\n".join(one.hypothesis.words(model.model_.schema) for one in members),
            "steps": np.concatenate([_steps(member) for member in members]),
            "coefficients": [member.coefficient for member in members],
            "scores": model.decision_function(X),
            "unseen scores": model.decision_function(unseen),
            "stages": [*model.staged_decision_function(unseen)],
            "stop reason": model.stop_reason_,
        }
        found |= {f"history {k}": v for k, v in model.history_.items() if k != "seconds"}
        found |= {f"certificate {k}": model.certificate_[k] for k in model._certified}
        if hasattr(model, "predict_proba"):
            found["probabilities"] = model.predict_proba(unseen)
    return found


def _steps(member):
    """(B, K); one row for a rule that asks nothing, however it is kept."""
    same = (member.steps == member.steps[0]).all()
    return member.steps[:1] if same else member.steps


def short(value, decimals=None):
    """16 hexadecimal digits for a text or numbers, to so many decimals or to the last bit."""
    if isinstance(value, str):
        return hashlib.sha256(value.encode()).hexdigest()[:16]
    numbers = np.asarray(value, dtype=np.float64)
    if decimals is not None:
        numbers = numbers.round(decimals) + 0.0  # no -0.0
    numbers = np.where(np.isnan(numbers), np.nan, numbers)  # one kind of NaN
    return hashlib.sha256(repr(numbers.shape).encode() + numbers.tobytes()).hexdigest()[:16]


def digest(fit):
    """One digest that is the same on every machine."""
    found = parts(fit)
    solved = fit.booster in CORRECTIVE
    digests = {
        name: short(value, None if name in EXACT and not solved else 6)
        for name, value in found.items()
    }
    return short(json.dumps(digests, sort_keys=True))


def golden():
    return json.loads(GOLDEN.read_text())


FITS = fixed_fits()


def test_every_fit_has_a_digest():
    known = {name: list(by_form) for name, by_form in golden().items()}
    assert known == {name: list(by_form) for name, by_form in FITS.items()}, (
        "run this file to write digests.json anew"
    )


@pytest.mark.parametrize("name", FITS)
def test_no_bit_of_a_model_has_changed(name):
    found = {form: digest(fit) for form, fit in FITS[name].items()}
    assert found == golden()[name]


def test_digests_tell_one_bit():
    scores = np.array([0.25, -0.5, np.nan])
    other = np.nextafter(scores, 1.0)
    assert short(scores) != short(other)
    assert short(scores, 6) == short(other, 6) != short(scores + 2e-6, 6)
    assert short(scores) != short(scores[:, np.newaxis])


# As a program.


def exact_digests(seed, count):
    """Name of a fit -> name of a part -> digest to the last bit."""
    fits = {f"{name}, {form}": fit for name, by in FITS.items() for form, fit in by.items()}
    for number in range(count):
        title, fit = random_fit(seed, number)
        fits[f"random {number}: {title}"] = fit
    return {name: _exact(fit) for name, fit in fits.items()}


def _exact(fit):
    try:
        found = parts(fit)
    except Exception as error:  # what one checkout refuses the other must refuse
        found = {FAILED: f"{type(error).__name__}: {error}"}
    return {name: short(value) for name, value in found.items()}


ALONE = """
import json, sys
import underdog  # of the checkout in question, but the fits of this one
sys.path.insert(0, {tests!r})
from tests.estimators.test_digests import exact_digests
print(json.dumps([underdog.__file__, exact_digests({seed}, {count})]))
"""


def boosters_of(checkout):
    """Names of the boosters that a checkout has."""
    code = "from underdog.estimators import all_boosters; print(*all_boosters())"
    run = subprocess.run(
        [sys.executable, "-P", "-c", code], env=os.environ | {"PYTHONPATH": str(checkout)},
        stdout=subprocess.PIPE, text=True, check=True,
    )  # fmt: skip
    return set(run.stdout.split())


def compare(other, seed, count):
    """Print what differs between this checkout and another one; True if nothing does."""
    checkouts = HERE.parents[2], Path(other).resolve()
    both = set.intersection(*map(boosters_of, checkouts))
    runs = []
    for checkout in checkouts:
        code = ALONE.format(tests=str(HERE.parents[2]), seed=seed, count=count)
        environment = os.environ | {"PYTHONPATH": str(checkout), "DIGESTS_OF": " ".join(both)}
        run = subprocess.Popen(
            [sys.executable, "-P", "-c", code], env=environment, stdout=subprocess.PIPE, text=True
        )
        runs.append((checkout, run))
    found = []
    for checkout, run in runs:
        answer, _ = run.communicate()
        if run.returncode:
            raise SystemExit(f"the fits of {checkout} have failed")
        where, digests = json.loads(answer)
        if not Path(where).is_relative_to(checkout):
            raise SystemExit(f"{checkout} has no underdog: {where} was imported")
        found.append(digests)
    ours, theirs = found
    differ = 0
    for name, digests in ours.items():
        before = theirs[name]
        wrong = [part for part in digests | before if digests.get(part) != before.get(part)]
        if wrong:
            differ += 1
            print(f"{name}\n    differs in: {', '.join(wrong)}")
    failed = sum(FAILED in digests for digests in ours.values())
    print(f"{len(ours)} fits, of which {failed} end with an error: {differ} differ")
    return not differ


def write():
    digests = {name: {k: digest(fit) for k, fit in by.items()} for name, by in FITS.items()}
    lines = [f"{json.dumps(name)}: {json.dumps(by_form)}" for name, by_form in digests.items()]
    GOLDEN.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def main():
    parser = argparse.ArgumentParser(description="Without options: write digests.json anew.")
    parser.add_argument("--compare", metavar="PATH", help="the folder of another checkout")
    parser.add_argument("--random", type=int, default=RANDOM_FITS, help="how many random fits")
    parser.add_argument("--seed", type=int, default=0, help="of the random fits")
    options = parser.parse_args()
    if options.compare:
        sys.exit(not compare(options.compare, options.seed, options.random))
    write()


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""test_run.py - tests run.py on made-up figures: ratios, requirements, and the summary."""
import sys

import run

CASE = {"case": "a", "what": "", "bar": 2, "than": "", "than_bar": 0, "c": True, "c_bar": 0.95}


def record(case, seconds, neighbours=0):
    """one round; seconds: by side"""
    one = {"case": case["case"], "isa": None, "workers": 2, "neighbours": neighbours,
           "bound": None}
    one |= run.figures({side: [{"median": s, "min": s}] for side, s in seconds.items()})
    run.set_bars(one, case)
    return one


def summary(*records):
    return list(run.summary(records))


def columns(*records):
    """by head, of the one record; heads that come again have the last cell"""
    return dict(zip(run.heads(records), run.cells(records[0], run.more_sides(records))))


FAST = {"ours": 1, "peer": 3, "peer_tuned": 3, "c": 1}
ALONE = {"ours": 1, "peer": 3, "peer_tuned": 3}
SLOW = {"ours": 1, "peer": 1.5, "peer_tuned": 3, "c": 0.9}
EXPECTED = (
    ("both are met", summary(record(CASE, FAST)), ["asked: 2 ratios of 1 cases, 2 met"]),
    ("both are missed", summary(record(CASE, SLOW)),
     ["asked: 2 ratios of 1 cases, 0 met",
      "missed: a (JAX: 1.5, asked 2), a (C: 0.9, asked 0.95)"]),
    ("beside neighbours it is enough not to fall behind, and workers are not in the way",
     summary(record(CASE, {**SLOW, run.ONE: 0.9}, 1)), ["asked: 2 ratios of 1 cases, 2 met"]),
    ("workers are in the way", summary(record(CASE, {**SLOW, run.ONE: 0.5}, 1)),
     ["asked: 2 ratios of 1 cases, 1 met", "missed: a (one worker: 2, asked 1.25)"]),
    ("more workers take longer", summary(record(CASE, {**FAST, run.MANY: 1.3})),
     ["asked: 3 ratios of 1 cases, 2 met", "missed: a (4x workers: 1.3, asked 1.25)"]),
    ("nothing is asked", summary(record({**CASE, "bar": 0, "c_bar": 0}, SLOW)),
     ["asked: 0 ratios of 1 cases, 0 met"]),
    ("one failed", summary(record(CASE, FAST), {"case": "b", "failed": "why"}),
     ["asked: 2 ratios of 2 cases, 2 met", "failed: b"]),
    ("a verdict", columns(record(CASE, {**SLOW, run.MANY: 1.2}))["at most"], "1.25 met"),
    ("a large one", columns(record({**CASE, "bar": 5000}, ALONE))["asked"], "5,000 MISSED"),
    ("the last ratio is that to C", columns(record(CASE, SLOW))["ratio"], "0.9"),
)


def main():
    wrong = [(name, got, want) for name, got, want in EXPECTED if got != want]
    for name, got, want in wrong:
        print(f"{name}: {got}, not {want}")
    for side in (*run.RIVALS, *run.WORKERS):
        if side not in run.LEGEND:
            wrong.append(side)
            print(f"the legend does not explain {side}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from insight_desktop.engine.timeline import flows


def bind(ends, slices):
    """ends: (ts, phase, bp); slices: (start, end) in file order; returns places in the file."""
    order = sorted(range(len(slices)), key=lambda i: (slices[i][0], -slices[i][1], i))
    ends = sorted(ends, key=lambda e: e[0])
    hit = np.empty(len(ends), np.int64)
    flows.bind(
        np.array([e[0] for e in ends], np.int64), np.array([ord(e[1]) for e in ends], np.uint8), np.array([e[2] for e in ends], bool),
        np.array([slices[i][0] for i in order], np.int64), np.array([slices[i][1] for i in order], np.int64), np.array(order, np.uint32), hit,
    )  # fmt: skip
    return [order[h] if h >= 0 else None for h in hit]


def plain_bind(end, slices):
    ts, phase, enclosing = end
    exact = [i for i, s in enumerate(slices) if s[0] == ts]
    if exact:
        return exact[0]
    around = [i for i, s in enumerate(slices) if s[0] <= ts <= s[1]]
    # the innermost begins last, among equals it is the shortest, then the last in the file
    inner = max(around, key=lambda i: (slices[i][0], -slices[i][1], i), default=None)
    after = min((i for i, s in enumerate(slices) if s[0] > ts), key=lambda i: (slices[i][0], i), default=None)
    if phase == "s":
        return inner
    if phase == "t":
        return after if inner is None else inner
    return inner if enclosing else after


@pytest.mark.row("system-timeline", 89)
@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 40), st.sampled_from("stf"), st.booleans()), max_size=30),
    st.lists(st.tuples(st.integers(0, 40), st.integers(0, 15)), max_size=30),
)
def test_ends_are_bound_by_the_plain_rule(ends, slices):
    spans = [(s, s + d) for s, d in slices]
    ends = sorted(ends, key=lambda e: e[0])
    assert bind(ends, spans) == [plain_bind(e, spans) for e in ends]


def pairs(ends):
    """ends: (key, ts, phase) in file order."""
    source, target, single = flows.pair(
        np.array([0 for _ in ends]), np.array([e[0] for e in ends]), np.array([e[1] for e in ends]), np.array([ord(e[2]) for e in ends], np.uint8)
    )  # fmt: skip
    return sorted(zip(source.tolist(), target.tolist(), strict=True)), single


def plain_pairs(ends):
    found, alone = [], 0
    rank = {"s": 0, "t": 1, "f": 2}
    for key in {e[0] for e in ends}:
        mine = sorted((e[1], rank[e[2]], i) for i, e in enumerate(ends) if e[0] == key)
        order = [i for _, _, i in mine]
        for at, i in enumerate(order):
            if ends[i][2] == "s":
                continue
            before = [j for j in order[:at] if ends[j][2] != "f"]
            others = [j for j in order if ends[j][2] == "s"] or [j for j in order if ends[j][2] == "t"]
            origin = before[-1] if before else next(iter(others), None)
            if origin not in (None, i):
                found.append((origin, i))
            elif ends[i][2] == "f":
                alone += 1
    sources = {a for a, _ in found}
    return sorted(found), alone + sum(e[2] == "s" and i not in sources for i, e in enumerate(ends))


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 9), st.sampled_from("ssfft")), max_size=25))
def test_ends_are_paired_by_the_plain_rule(ends):
    assert pairs(ends) == plain_pairs(ends)


def test_one_start_may_have_several_ends():
    assert pairs([(4, 1, "s"), (4, 5, "f"), (4, 9, "f")]) == ([(0, 1), (0, 2)], 0)


def test_a_reused_id_belongs_to_the_latest_start():
    assert pairs([(1, 1, "s"), (1, 10, "f"), (1, 21, "s"), (1, 30, "f")]) == ([(0, 1), (2, 3)], 0)


def test_an_end_before_all_starts_belongs_to_the_earliest():
    assert pairs([(1, 5, "f"), (1, 8, "s"), (1, 9, "s")]) == ([(1, 0)], 1)


def test_a_step_ends_one_link_and_starts_the_next():
    assert pairs([(1, 1, "s"), (1, 2, "t"), (1, 3, "t"), (1, 4, "f")]) == ([(0, 1), (1, 2), (2, 3)], 0)


def test_different_ids_do_not_meet_and_both_ends_are_counted():
    assert pairs([(8, 1, "s"), (4, 2, "f")]) == ([], 2)


def test_a_start_and_an_end_of_one_time_belong_together():
    assert pairs([(1, 7, "f"), (1, 7, "s")]) == ([(1, 0)], 0)


def test_a_million_ends_are_linear():
    n = 500_000
    rng = np.random.default_rng(0)
    start = np.arange(n, dtype=np.int64) * 10
    ts = np.sort(rng.integers(0, n * 10, 2 * n))
    phase = np.where(np.arange(2 * n) % 2, ord("f"), ord("s")).astype(np.uint8)
    hit = np.empty(2 * n, np.int64)
    # one slice around everything, so that every start is enclosed
    start[0], end = 0, start + 5
    end[0] = n * 10
    flows.bind(ts[:2], phase[:2], phase[:2] > 200, start, end, np.arange(n, dtype=np.uint32), hit[:2])
    began = time.process_time()
    flows.bind(ts, phase, phase > 200, start, end, np.arange(n, dtype=np.uint32), hit)
    flows.pair(np.zeros(2 * n, np.int32), np.arange(2 * n) // 2, ts, phase)
    assert time.process_time() - began < 3
    assert (hit[phase == ord("s")] >= 0).all()

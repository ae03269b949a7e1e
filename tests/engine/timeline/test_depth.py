import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.plain_build import rows_of, union

from insight_desktop.engine.timeline import depth

INTERVALS = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 25)), max_size=80)


def rows(spans):
    start = np.array([s for s, _ in spans], np.int64)
    end = np.array([e for _, e in spans], np.int64)
    out = np.zeros(len(spans), np.int32)
    used, overlaps, first = depth.assign_rows(start, end, out)
    return out.tolist(), used, overlaps, first


@pytest.mark.row("system-timeline", 22)
@settings(max_examples=300, deadline=None)
@given(INTERVALS)
def test_rows_are_those_of_the_plain_rule(pairs):
    spans = sorted(((s, s + d) for s, d in pairs), key=lambda x: (x[0], -x[1]))
    found, used, _, _ = rows(spans)
    assert found == rows_of(spans)
    assert used == max(found, default=-1) + 1


@settings(max_examples=200, deadline=None)
@given(INTERVALS)
def test_order_is_start_then_longer_first_then_file_order(pairs):
    spans = [(s, s + d) for s, d in pairs]
    expected = sorted(range(len(spans)), key=lambda i: (spans[i][0], -spans[i][1], i))
    order = depth.order(np.array([s for s, _ in spans], np.int64), np.array([e for _, e in spans], np.int64))
    assert (list(range(len(spans))) if order is None else order.tolist()) == expected


@settings(max_examples=200, deadline=None)
@given(INTERVALS)
def test_busy_time_is_the_union(pairs):
    spans = sorted((s, s + d) for s, d in pairs)
    assert depth.union_ns(
        np.array([s for s, _ in spans], np.int64), np.array([e for _, e in spans], np.int64)
    ) == union(spans)


def test_touching_slices_share_a_row_and_zero_length_ones_block_none():
    # box 10..30 with marks of no length at its start, inside and at its end, then a touching slice
    assert rows([(10, 30), (10, 10), (15, 15), (30, 40), (30, 30)])[0] == [0, 1, 1, 0, 1]


def test_zero_length_slice_at_the_end_of_a_longer_one_stays_on_its_row():
    assert rows([(10, 30), (30, 30), (30, 30)])[0] == [0, 0, 0]


def test_partial_overlap_moves_down_and_is_counted():
    assert rows([(0, 10), (5, 15), (12, 20)]) == ([0, 1, 0], 2, 2, 1)


def test_nested_slices_are_no_overlap():
    assert rows([(0, 100), (0, 50), (10, 20), (50, 100)]) == ([0, 1, 2, 1], 3, 0, -1)


def test_slices_of_a_group_share_the_row_of_their_hull():
    start, end = np.array([0, 5, 20, 30], np.int64), np.array([10, 15, 25, 40], np.int64)
    out = np.zeros(4, np.int32)
    # group 7 spans 0..25, so the lone slice at 5 goes below and the one at 30 comes back to the top
    assert depth.rows_of_groups(start, end, np.array([7, -1, 7, -1], np.int32), out) == 2
    assert out.tolist() == [0, 1, 0, 0]


def test_a_hundred_thousand_overlapping_slices_take_a_moment_only():
    n = 100_000
    start = np.arange(n, dtype=np.int64)
    out = np.zeros(n, np.int32)
    depth.assign_rows(start[:10], start[:10] + n, out[:10])  # compiled
    began = time.process_time()
    used, overlaps, _ = depth.assign_rows(start, start + n, out)
    assert used == n
    assert overlaps == n - 1
    assert out.tolist() == list(range(n))
    assert time.process_time() - began < 2


def test_a_hundred_thousand_slices_of_one_start_are_sorted_in_a_moment():
    n = 100_000
    start, end = np.zeros(n, np.int64), np.arange(n, dtype=np.int64)
    depth.order(start[:10], end[:10])
    began = time.process_time()
    order = depth.order(start, end)
    assert order.tolist() == list(range(n - 1, -1, -1))
    assert time.process_time() - began < 2

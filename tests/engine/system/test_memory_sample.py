"""Sampling of long curves."""

from __future__ import annotations

import numpy as np
import pytest

from insight_desktop.engine.system import memory_sample

SPEC = "system-memory-operator-rl"


def kept(values: list[float], points: int = 1000) -> list[int]:
    rows = np.arange(len(values), dtype=np.int64)
    return memory_sample.keep(0, len(values), [(rows, np.array(values, np.float64))], points).tolist()


@pytest.mark.row(SPEC, 13)
@pytest.mark.example(SPEC, "M18")
def test_a_rising_line_keeps_both_ends_of_every_bucket() -> None:
    found = kept([float(i) for i in range(2500)])
    assert len(found) == 1667
    assert found[:6] == [0, 2, 3, 5, 6, 8]
    assert found[-3:] == [2496, 2498, 2499]


@pytest.mark.row(SPEC, 13)
@pytest.mark.example(SPEC, "M19")
def test_a_single_peak_stays() -> None:
    values = [0.0] * 10000
    values[5555] = 9.0
    found = kept(values)
    assert len(found) == 1001
    assert 5555 in found


@pytest.mark.row(SPEC, 13)
@pytest.mark.example(SPEC, "M20")
def test_up_to_a_thousand_rows_stay_as_they_are() -> None:
    assert kept([1.0] * 500) == list(range(500))
    assert kept([1.0] * 1000) == list(range(1000))
    found = kept([float((7 * i) % 10) for i in range(3000)])
    assert len(found) == 2000
    assert found[:8] == [0, 1, 3, 4, 6, 7, 10, 11]


@pytest.mark.row(SPEC, 13)
@pytest.mark.example(SPEC, "M21")
def test_a_window_includes_both_ends() -> None:
    stamps = np.arange(100)
    start, stop = np.searchsorted(stamps, 20), np.searchsorted(stamps, 30, "right")
    rows = np.arange(100, dtype=np.int64)
    assert memory_sample.keep(int(start), int(stop), [(rows, rows.astype(np.float64))]).tolist() == list(range(20, 31))


def test_every_line_keeps_its_own_extremes_and_gaps_do_not_count() -> None:
    even, odd = np.arange(0, 12, 2), np.arange(1, 12, 2)
    lines = [(even, np.array([5.0, 1.0, 3.0, 4.0, 2.0, 9.0])), (odd, np.array([0.0, 0.0, 7.0, 1.0, 1.0, 1.0]))]
    assert memory_sample.keep(0, 12, lines, 2).tolist() == [0, 1, 2, 5, 7, 8, 10]


def test_a_window_inside_counts_buckets_from_its_own_start() -> None:
    rows = np.arange(100, dtype=np.int64)
    assert memory_sample.keep(10, 20, [(rows, rows.astype(np.float64))], 2).tolist() == [10, 14, 15, 19]


def test_empty_windows_and_no_limit() -> None:
    assert memory_sample.keep(5, 5, [], 2).tolist() == []
    assert memory_sample.keep(7, 5, [], 2).tolist() == []
    assert memory_sample.keep(0, 4000, [], 0).tolist() == list(range(4000))


@pytest.mark.parametrize("seed", range(20))
def test_sampling_is_what_the_rule_says(seed: int) -> None:
    """Against the rule written down step by step."""
    random = np.random.default_rng(seed)
    count, points = int(random.integers(1, 300)), int(random.integers(1, 40))
    lines = []
    for _ in range(int(random.integers(1, 4))):
        rows = np.flatnonzero(random.random(count) < 0.6).astype(np.int64)
        lines.append((rows, random.integers(-3, 4, len(rows)).astype(np.float64)))
    start = int(random.integers(0, count))
    stop = int(random.integers(start, count + 1))
    expected = set(range(start, stop))
    if stop - start > points:
        bucket = -(-(stop - start) // points)
        expected = set()
        for rows, values in lines:
            held = dict(zip(rows.tolist(), values.tolist(), strict=True))
            for first in range(start, stop, bucket):
                mine = [r for r in range(first, min(first + bucket, stop)) if r in held]
                if mine:
                    expected |= {min(mine, key=lambda r: (held[r], r)), min(mine, key=lambda r: (-held[r], r))}
    assert memory_sample.keep(start, stop, lines, points).tolist() == sorted(expected)

from __future__ import annotations

import pytest

from insight_desktop.ingest.formats.memscope_times import Bursts, TimeRange

T0 = 1_754_448_082_000_000_000
SECOND, DAY = 10**9, 86_400 * 10**9


def found(*stamps: int) -> TimeRange:
    bursts = Bursts()
    bursts.add(stamps)
    return bursts.range()


def test_without_stamps_there_are_no_bounds() -> None:
    assert found() == TimeRange(None, None)


@pytest.mark.parametrize("wrong", [1, 42 * SECOND, T0 - 400 * DAY, T0 + 2 * DAY, 2**63 - 2])
def test_one_absurd_stamp_is_left_out(wrong: int) -> None:
    good = [T0 + i * SECOND for i in range(10)]
    assert found(*good, wrong) == TimeRange(T0, T0 + 9 * SECOND, 1, wrong)


def test_stamps_on_both_sides_are_left_out() -> None:
    good = [T0 + i * SECOND for i in range(10)]
    assert found(5, *good, T0 + 900 * DAY) == TimeRange(T0, T0 + 9 * SECOND, 2, 5)


def test_a_long_pause_stays() -> None:
    good = [T0 + i for i in range(10)]
    assert found(*good, T0 + DAY // 2) == TimeRange(T0, T0 + DAY // 2)


def test_halves_that_weigh_alike_stay_both() -> None:
    assert found(T0, T0 + 1, T0 + 3 * DAY, T0 + 3 * DAY + 1) == TimeRange(T0, T0 + 3 * DAY + 1)


def test_clocks_since_boot_are_no_outliers() -> None:
    assert found(5 * SECOND, 6 * SECOND, 7 * SECOND) == TimeRange(5 * SECOND, 7 * SECOND)


def test_groups_of_one_bucket_are_joined() -> None:
    bursts = Bursts()
    for stamps in ((30, 10), (5, 20)):
        bursts.add(stamps)
    assert bursts.held == {0: [5, 30, 4]}

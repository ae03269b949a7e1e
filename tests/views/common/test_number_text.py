"""Texts of numbers: literals of the specification and of the look, and hand-computed edges."""

from __future__ import annotations

from datetime import timedelta, timezone

import pytest

from insight_desktop.errors import BadArgument
from insight_desktop.views.common import number_text as text


@pytest.mark.parametrize(
    ("ns", "shown"),
    [
        (148_577_009, "148.577 ms"),
        (695_800, "695.800 µs"),
        (9_956_341_374, "9.956 s"),
        (9, "9 ns"),
        (0, "0 ns"),
        (999, "999 ns"),
        (1_000, "1.000 µs"),
        (1_199_286, "1.199 ms"),
        (1_199_500, "1.200 ms"),
        (999_999, "999.999 µs"),
        (999_999_499, "999.999 ms"),
        (999_999_500, "1.000 s"),
        (341_374_000_000_000, "341,374.000 s"),
        (-12_800_000, "−12.800 ms"),
        (None, "–"),
        (1_500.5, "1.500 µs"),
    ],
)
def test_a_duration_has_one_unit_and_three_decimals(ns: float | None, shown: str) -> None:
    assert text.duration(ns) == shown


def test_exact_durations_and_stamps_keep_every_digit() -> None:
    assert text.duration_exact(1_199_286) == "1,199,286 ns"
    assert text.timestamp(1_754_914_573_267_881_032) == "1,754,914,573,267,881,032 ns"
    assert text.duration_exact(-5) == "−5 ns"


@pytest.mark.row("system-timeline", 29)
@pytest.mark.parametrize(
    ("ns", "span", "shown"),
    [
        (2_736_000_000, 2_736_000_000, "00:02.736"),
        (807_375_000, 100_000_000, "00:00.807.375"),
        (807_375_000, 100_000_001, "00:00.807"),
        (866_881_032, 1_000_001, "00:00.866.881"),
        (866_881_032, 1_000_000, "00:00.866.881.032"),
        (866_881_032, 0, "00:00.866.881.032"),
        (0, 10**9, "00:00.000"),
        (61_000_000_000, 10**10, "01:01.000"),
        (3_600_000_000_000, 10**13, "01:00:00.000"),
        (3_599_999_999_999, 10**13, "59:59.999"),
        (90_061_001_002_003, 10, "25:01:01.001.002.003"),
        (-1_500_000, 10**7, "−00:00.001.500"),
        (-1, 10**9, "00:00.000"),
    ],
)
def test_ruler_text_depends_on_the_span(ns: int, span: int, shown: str) -> None:
    assert text.ruler(ns, span) == shown


@pytest.mark.parametrize(
    ("ns", "shown"),
    [
        (27_900_000, "27.9 ms"),
        (86_300_000, "86.3 ms"),
        (5_500_000_000, "5.5 s"),
        (342_000_000_000, "5.7 min"),
        (7_200_000_000_000, "2.0 h"),
        (59_960_000_000, "1.0 min"),
        (19, "19 ns"),
        (43_200_000, "43.2 ms"),
    ],
)
def test_the_zoom_chip_has_one_decimal(ns: int, shown: str) -> None:
    assert text.chip(ns) == shown


def test_table_cells_have_the_unit_of_their_heading() -> None:
    assert text.in_unit(1_199_286, "ms") == "1.199"
    assert text.in_unit(1_199_286, "ms", 6) == "1.199286"
    assert text.in_unit(-221_032, "µs") == "−221.032"
    assert text.in_unit(-1, "ms") == "0.000"
    assert text.in_unit(7_582_000_000, "ms") == "7,582.000"
    assert text.in_unit(None, "ms") == "–"


def test_wall_clock_is_local_and_only_for_epoch_stamps() -> None:
    china = timezone(timedelta(hours=8))
    # 1,695,115,378 s is 2023-09-19 09:22:58 UTC.
    assert text.wall_clock(1_695_115_378_725_001_230, china) == "2023-09-19 17:22:58.725"
    assert text.wall_clock(1_695_115_378_725_001_230, china, decimals=9) == "2023-09-19 17:22:58.725001230"
    assert text.wall_clock(1_000_000, china) == ""
    assert text.wall_clock(2**63 - 1, china) == "2262-04-12 07:47:16.854"


def test_counts_are_grouped_and_minus_is_a_minus() -> None:
    assert text.count(1_204) == "1,204"
    assert text.number(-1_204) == "−1,204"
    assert text.number(1234.5678, 2) == "1,234.57"
    assert text.number(-0.004, 2) == "0.00"
    assert text.number(2.5) == "2.5"
    assert text.number(None) == "–"
    assert text.number(float("nan")) == "–"
    assert text.number(float("-inf")) == "−∞"


def test_differences_carry_a_sign() -> None:
    assert text.signed(39.682, 3) == "+39.682"
    assert text.signed(-221.032, 3) == "−221.032"
    assert text.signed(0, 3) == "0.000"
    assert text.signed_duration(412_774) == "+412.774 µs"
    assert text.signed_duration(-412_774) == "−412.774 µs"


def test_ratios_and_their_absence() -> None:
    assert text.percent(0.953) == "95.3 %"
    assert text.percent(1) == "100.0 %"
    assert text.percent(0.3435, 1) == "34.4 %"
    assert text.percent(None) == "NA"


def test_bytes_count_by_1024() -> None:
    assert text.bytes_text(33_554_432) == "32.0 MiB"
    assert text.bytes_text(33_554_432, style="spec", decimals=3) == "32.000 MB"
    assert text.bytes_text(1_023) == "1,023 B"
    assert text.bytes_text(1_024) == "1.0 KiB"
    assert text.bytes_text(-1_536) == "−1.5 KiB"
    assert text.bandwidth(27.96e9) == "27.96 GB/s"


@pytest.mark.parametrize(
    ("typed", "ns"),
    [
        ("1ms", 1_000_000),
        ("1.5 µs", 1_500),
        ("1.5 us", 1_500),
        ("1,199,286 ns", 1_199_286),
        ("9.956341374 s", 9_956_341_374),
        (" 2 min ", 120_000_000_000),
        ("250", 250),
        ("−3 ms", -3_000_000),
        (".5ms", 500_000),
    ],
)
def test_typed_durations_are_understood(typed: str, ns: int) -> None:
    assert text.parse_duration(typed) == ns


def test_a_bare_number_takes_the_unit_of_the_column() -> None:
    assert text.parse_duration("0.1", "ms") == 100_000


@pytest.mark.parametrize("typed", ["", "ms", "1 parsec", "one ms", "1.2.3 ms", "1e3 ms"])
def test_what_is_no_duration_says_how_to_write_one(typed: str) -> None:
    with pytest.raises(BadArgument, match="not a duration"):
        text.parse_duration(typed)


@pytest.mark.parametrize(
    ("value", "shown"), [(1e300, "1.000e+300"), (-2.5e18, "\u22122.500e+18"), (1e17, "100,000,000,000,000,000.000")]
)
def test_absurd_numbers_of_damaged_data_stay_short(value: float, shown: str) -> None:
    assert text.number(value, 3) == shown

"""Numbers as the pages show them, from the examples of the formats."""

from __future__ import annotations

import pytest

from insight_desktop.engine.operator import numbers

SPEC = "operator"
pytestmark = pytest.mark.row(SPEC, 59)


@pytest.mark.parametrize(
    ("value", "shown"),
    [(1.235, "1.24"), (123.456, "123.46"), (0.05, "0.05"), (0.001234, "0.0012"), (5.0001234, "5.00012"), (1e-7, "0"),
     (0.0, "0"), (90.0, "90"), (-1.5, "-1.5"), (0.00001234, "0.000012"), (1e22, "10000000000000000000000")],
)  # fmt: skip
def test_two_decimals_or_two_digits_behind_the_zeros(value: float, shown: str) -> None:
    assert numbers.decimal_text(value, 2) == shown


def test_percent_of_a_ratio_has_three_decimals() -> None:
    assert numbers.decimal_text(0.084731 * 100, 3) == "8.473"


@pytest.mark.parametrize(
    ("text", "shown"),
    [("19.008541", "19.01"), ("16.503309", "16.5"), ("4.068", "4.07"), ("0.000000", "0"), ("47847", "47847"), ("NA", "NA"),
     ("90.550110", "90.55"), ("2.9992265701293945", "3"), ("0.0123", "0.012"), ("0.5", "0.5"), ("", ""), ("nan", "nan"),
     ("-2.456", "-2.46"), ("1e400", "1e400")],
)  # fmt: skip
def test_figure_of_the_diagram(text: str, shown: str) -> None:
    assert numbers.short_text(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [("16.272491", "16.272491"), ("0.000000", "0"), ("80", "80"), ("NA", "NA"), ("52.626453", "52.626453"),
     ("90.550110", "90.55011"), ("377241600", "377241600"), ("1.25", "1.25"), ("-0.0", "0"), ("1e3", "1000"), ("1_0", "1_0")],
)  # fmt: skip
def test_cell_of_a_table(text: str, shown: str) -> None:
    assert numbers.plain_text(text) == shown


@pytest.mark.example(SPEC, 13)
def test_difference_of_two_texts() -> None:
    assert numbers.difference_text("111111.555555", "0.555555") == "111111"
    assert numbers.difference_text("111111.555555", "0.555550", 2) == "111111.000005"
    assert numbers.difference_text("", "aa") == ""
    assert numbers.difference_text("5.5", "NA") == "5.5"
    assert numbers.difference_text("1.0", "1.0") == "0"


@pytest.mark.example(SPEC, 13)
def test_difference_of_two_counts_stays_within_64_bits() -> None:
    assert numbers.count_difference("2", "107") == -105
    assert numbers.count_difference(str(2**64 - 1), "0") == 9223372036854775807
    assert numbers.count_difference("0", str(2**64)) == -9223372036854775808


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0, "0Byte"), (1023, "1023Byte"), (1024, "1 KB"), (1536, "1.5 KB"), (2641408, "2.52 MB"), (6158848, "5.87 MB"),
     (1 << 30, "1 GB"), (5 << 40, "5120 GB")],
)  # fmt: skip
def test_amount_of_bytes(value: int, shown: str) -> None:
    assert numbers.bytes_text(value) == shown


@pytest.mark.parametrize("text", ["0.5\x1f", "\u0665", "1e", "--1", "0x10", "1,5", "inf", "", None, "9" * 500])
def test_other_texts_are_no_numbers(text: str | None) -> None:
    assert numbers.to_number(text) is None

from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from insight_desktop.ingest.formats import decimal_text


def ns(*texts, cut=False):
    numbers, exponents, bad = decimal_text.scaled(pa.array(texts, pa.string()), 3, cut=cut)
    return numbers.to_pylist(), exponents, bad


def test_times_of_today_keep_every_ns():
    assert ns("1736408883704643.212\t", "1695115378713661", " 0.5 ", "+7", "-1.25") == (
        [1736408883704643212, 1695115378713661000, 500, 7000, -1250],
        0,
        0,
    )


def test_fourth_decimal_rounds_away_from_zero_or_is_cut():
    assert ns("2000.1239", "1.0005", "1.0004", "-1.0005")[0] == [2000124, 1001, 1000, -1001]
    assert ns("2000.1239", "1.0005", "-1.0009", cut=True)[0] == [2000123, 1000, -1000]


def test_missing_values_are_null_and_no_damage():
    assert ns("", "\t", "N/A", "n/a", "nan", "NULL", "-", None) == ([None] * 8, 0, 0)


def test_exponents_are_read_exactly_and_counted():
    assert ns("1.69512E+15", "1.5e3") == ([1695120000000000000, 1500000], 2, 0)


def test_text_that_is_no_number_is_null_and_counted():
    assert ns("abc", "1.2.3", "1;2", "99999999999999999999") == ([None] * 4, 0, 4)


def test_quotes_and_decimal_commas_do_not_matter():
    assert ns('"12,5"', "'3'") == ([12500, 3000], 0, 0)


def test_a_slice_of_an_array_reads_its_own_texts():
    texts = pa.array(["1", "2", "3", "4"]).slice(1, 2)
    assert decimal_text.scaled(texts, 0)[0].to_pylist() == [2, 3]
    assert decimal_text.scaled(pa.array([], pa.string()), 3)[0].to_pylist() == []


@given(st.lists(st.decimals(min_value=-(10**15), max_value=10**15, places=5), min_size=1))
def test_kernel_agrees_with_decimal_arithmetic(numbers):
    texts = pa.array([f"{n:f}" for n in numbers])
    for cut, mode in ((True, ROUND_DOWN), (False, ROUND_HALF_UP)):
        wanted = [int((n * 1000).to_integral_value(mode)) for n in map(Decimal, numbers)]
        assert decimal_text.scaled(texts, 3, cut=cut)[0].to_pylist() == wanted


@pytest.mark.parametrize(("text", "number"), [("1.5\t", 1.5), ("-3,5", -3.5), ("x", None), ("inf", None), ("", None)])
def test_real_numbers(text, number):
    assert decimal_text.real(text) == number


@pytest.mark.parametrize(
    ("value", "wanted"),
    [(3, 3.0), ("1.5", 1.5), (True, 1.0), (None, None), ("abc", None), ([1], None), (float("inf"), None), ("-Infinity", None), (10**400, None)],
)  # fmt: skip
def test_values_of_json_objects_are_finite_or_none(value, wanted):
    found = decimal_text.finite(value)
    assert (found if found == found else None) == wanted

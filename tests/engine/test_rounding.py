from decimal import ROUND_HALF_UP, Decimal

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from insight_desktop.engine.rounding import half_away, ns_to_ms


def test_half_goes_away_from_zero_on_the_written_decimal():
    assert half_away([68.5565, 0.125, -0.125, 2.675, 1.005, -2.5], 3).tolist() == [
        68.557,
        0.125,
        -0.125,
        2.675,
        1.005,
        -2.5,
    ]
    assert half_away([68.5565, 0.125, -0.125, 2.675, 1.005, 64.005], 2).tolist() == [
        68.56,
        0.13,
        -0.13,
        2.68,
        1.01,
        64.01,
    ]
    assert half_away([0.5, 1.5, 2.5, -0.4], 0).tolist() == [1.0, 2.0, 3.0, 0.0]


def test_null_nan_and_huge_numbers_stay():
    assert np.isnan(half_away(pa.array([None, 1.0]), 2)).tolist() == [True, False]
    assert half_away([1e18 + 512, float("inf")], 3).tolist() == [1e18 + 512, float("inf")]
    assert float(half_away(68.5565, 3)) == 68.557


def test_ns_become_ms_with_three_decimals():
    assert ns_to_ms([68556500, 499, 500, -500, -499]).tolist() == [68.557, 0.0, 0.001, -0.001, 0.0]
    assert ns_to_ms(pa.array([1500, None])).tolist()[0] == 0.002
    assert ns_to_ms([1736408883704643212]).tolist() == [1736408883704.643]


@given(st.decimals(min_value=-(10**9), max_value=10**9, places=4), st.integers(0, 4))
def test_every_decimal_is_rounded_as_decimal_arithmetic_does(number, digits):
    wanted = float(number.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP))
    assert half_away([float(number)], digits).tolist() == [wanted]

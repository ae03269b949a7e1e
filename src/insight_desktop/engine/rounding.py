"""Rounding as tables show it: half away from zero, decided on the decimal that a number is written as, not on its double."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

import numpy as np
import numpy.typing as npt
import pyarrow as pa

_Numbers = npt.NDArray[np.float64]
_EXACT = 2.0**52  # from here on a double has no decimals


def half_away(values: npt.ArrayLike | pa.Array | pa.ChunkedArray, digits: int) -> _Numbers:
    """Numbers rounded to `digits` decimals: 68.5565 gives 68.557, -0.125 gives -0.13 (with 2 digits).

    Args:
        values: numbers of any shape; null becomes NaN.
        digits: how many decimals stay.

    Returns:
        float64 of the same shape; NaN and infinite stay.
    """
    given = _array(values)
    numbers = np.atleast_1d(given)
    scale = 10.0**digits
    with np.errstate(invalid="ignore", over="ignore"):
        size = np.abs(numbers) * scale
        whole = np.floor(size)
        rest = size - whole
        # The product has an error of half a unit in the last place: near a half the written decimal decides.
        near = np.abs(rest - 0.5) <= np.maximum(size, 1.0) * 4e-16
        out = np.where(rest >= 0.5, whole + 1.0, whole) / scale
        out = np.copysign(np.where(size < _EXACT, out, np.abs(numbers)), numbers)
    near &= size < _EXACT
    if near.any():
        distinct, inverse = np.unique(numbers[near], return_inverse=True)
        out[near] = np.array([_decimal(float(value), digits) for value in distinct])[inverse]
    return (out + 0.0).reshape(given.shape)  # no negative zero


def ns_to_ms(values: npt.ArrayLike | pa.Array | pa.ChunkedArray) -> _Numbers:
    """Integer ns as ms with three decimals, half away from zero; null becomes NaN."""
    if isinstance(values, pa.Array | pa.ChunkedArray):
        missing = np.asarray(values.is_null())
        numbers = np.asarray(values.fill_null(0), dtype=np.int64)
    else:
        numbers, missing = np.asarray(values, dtype=np.int64), np.asarray(False)
    whole = np.sign(numbers) * ((np.abs(numbers) + 500) // 1000)
    return np.where(missing, np.nan, whole / 1000.0)


def _array(values: npt.ArrayLike | pa.Array | pa.ChunkedArray) -> _Numbers:
    if isinstance(values, pa.Array | pa.ChunkedArray):
        return np.asarray(values.cast(pa.float64()).fill_null(float("nan")), dtype=np.float64)
    return np.asarray(values, dtype=np.float64)


def _decimal(value: float, digits: int) -> float:
    return float(Decimal(repr(value)).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP))

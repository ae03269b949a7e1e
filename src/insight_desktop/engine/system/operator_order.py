"""Stable sorting of whole numbers: numpy sorts 16-bit numbers by counting, so wide ones are sorted 16 bits at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
_SHORT = 1 << 15  # below that one comparison sort costs less


def ascending(values: npt.NDArray[Any]) -> Ints:
    """Positions in ascending order of the values; equal ones stay in their order."""
    if len(values) < _SHORT:
        return np.argsort(values, kind="stable")
    low, high = int(values.min()), int(values.max())
    if high - low >= 1 << 63:
        return np.argsort(values, kind="stable")
    rest = (values - values.dtype.type(low)).astype(np.uint64)
    order = np.argsort((rest & 0xFFFF).astype(np.uint16), kind="stable")
    span = (high - low) >> 16
    shift = 16
    while span:
        digit = ((rest >> np.uint64(shift)) & np.uint64(0xFFFF)).astype(np.uint16)
        order = order[np.argsort(digit[order], kind="stable")]
        span >>= 16
        shift += 16
    return order


def descending(values: npt.NDArray[Any]) -> Ints:
    """Positions in descending order of the values; equal ones stay in their order."""
    return ascending(~np.asarray(values, np.int64))  # ~v = −v − 1: turns the order round without overflow

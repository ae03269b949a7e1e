"""Decimal texts to scaled integers, exactly: never through a double, which cannot hold µs of today with three decimals."""

from __future__ import annotations

from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal, InvalidOperation
from typing import Any

import numpy as np
import pyarrow as pa
from numba import njit

_PLAIN, _NONE, _OTHER = 0, 1, 2
_LIMIT = 922_337_203_685_477_580  # from here on another digit could leave int64: such texts take the slow way
_BLANK = " \t\r\n\"'\x00"


@njit(cache=True, nogil=True)
def _parse(data, offsets, digits, cut, out, state):  # type: ignore[no-untyped-def] # pragma: no cover - compiled
    for i in range(len(out)):
        at, end = offsets[i], offsets[i + 1]
        while at < end and (data[at] <= 32 or data[at] == 34 or data[at] == 39):
            at += 1
        while end > at and (data[end - 1] <= 32 or data[end - 1] == 34 or data[end - 1] == 39):
            end -= 1
        if at == end or data[at] == 78 or data[at] == 110 or (end - at == 1 and data[at] == 45):
            state[i] = _NONE  # empty, N/A, NaN, null, -
            continue
        negative = data[at] == 45
        if negative or data[at] == 43:
            at += 1
        value = 0
        decimals = -1  # -1 before the point
        up = False
        seen = 0
        good = True
        while at < end:
            c = data[at]
            at += 1
            if 48 <= c <= 57:
                seen += 1
                if decimals >= digits:
                    if decimals == digits:
                        up = c >= 53
                    decimals += 1
                    continue
                if value >= _LIMIT:
                    good = False
                    break
                value = value * 10 + (c - 48)
                if decimals >= 0:
                    decimals += 1
            elif (c == 46 or c == 44) and decimals < 0:
                decimals = 0
            else:
                good = False
                break
        if not good or seen == 0:
            state[i] = _OTHER
            continue
        for _ in range(digits - max(decimals, 0)):
            if value >= _LIMIT:
                good = False
                break
            value *= 10
        if not good:
            state[i] = _OTHER
            continue
        if up and not cut:
            value += 1
        out[i] = -value if negative else value
        state[i] = _PLAIN


def scaled(texts: pa.StringArray, digits: int, *, cut: bool = False) -> tuple[pa.Int64Array, int, int]:
    """Numbers times 10^digits as int64.

    Blanks, tabs and quotes around a number do not matter; empty texts, N/A and what is no number are null.

    Args:
        texts: decimal texts, `.` or `,` before the decimals; an exponent is accepted.
        digits: how many decimals count.
        cut: drop further decimals; else round, half away from zero.

    Returns:
        The numbers, how many had an exponent, how many were no number at all.
    """
    count = len(texts)
    out, state = np.zeros(count, np.int64), np.full(count, _NONE, np.uint8)
    if count:
        _, ends, content = texts.buffers()
        offsets = np.frombuffer(ends, np.int32, count + 1, texts.offset * 4)
        data = np.frombuffer(content, np.uint8) if content is not None and content.size else np.zeros(1, np.uint8)
        _parse(data, offsets, digits, cut, out, state)
    if texts.null_count:
        state[texts.is_null().to_numpy(zero_copy_only=False)] = _NONE
    exponents = bad = 0
    for i in np.flatnonzero(state == _OTHER):
        text = texts[int(i)].as_py()
        number = _slowly(text, digits, cut)
        if number is None:
            bad += 1
            continue
        exponents += "e" in text.lower()
        out[i], state[i] = number, _PLAIN
    return pa.array(out, mask=state != _PLAIN), exponents, bad


def _slowly(text: str, digits: int, cut: bool) -> int | None:
    try:
        number = Decimal(_plain(text)).scaleb(digits)
        whole = int(number.to_integral_value(ROUND_DOWN if cut else ROUND_HALF_UP))
    except (InvalidOperation, ValueError, OverflowError):
        return None
    return whole if -(2**63) <= whole < 2**63 else None


def _plain(text: str) -> str:
    """A number without what spreadsheets put around and into it: `="1.5"`, `86,470.910`, `1.234,5`."""
    text = text.strip(_BLANK).removeprefix("=").strip(_BLANK)
    comma, point = text.find(","), text.find(".")
    if comma >= 0 and (point > comma or text.count(",") > 1):
        return text.replace(",", "")
    if 0 <= point < comma:
        text = text.replace(".", "")
    return text.replace(",", ".")


def real(text: str) -> float | None:
    """A number from a text as `scaled` reads it; None for none."""
    try:
        number = float(_plain(text))
    except ValueError:
        return None
    return number if number - number == 0 else None  # neither infinite nor NaN


def finite(value: Any) -> float:
    """A value of a JSON object as a number, quoted or not; NaN for what is none or infinite."""
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return float("nan")
    return number if number - number == 0 else float("nan")


def is_missing(text: str) -> bool:
    """True for what stands for no value: empty, N/A, NaN, null, none, -."""
    return text.strip(_BLANK).lower() in ("", "n/a", "na", "nan", "null", "none", "-")


def warm() -> None:
    """Compile the kernel."""
    scaled(pa.array(["1.5", ""]), 3)
    scaled(pa.array(["1.5", ""]), 3, cut=True)

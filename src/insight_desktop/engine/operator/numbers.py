"""Numbers as the pages of a kernel show them: from the text that the collector wrote."""

from __future__ import annotations

import math
import re
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal, localcontext

_NUMBER = re.compile(r"[ \t]*[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?[ \t]*")
_LARGEST = (1 << 63) - 1
_UNITS = ("KB", "MB", "GB")
_LONG = 400  # longer texts are no numbers that anybody wrote


def to_number(text: str | None) -> float | None:
    """The number that a text is; None for NA, blank and everything else."""
    if text is None or len(text) > _LONG or not _NUMBER.fullmatch(text):
        return None
    found = float(text)
    return found if math.isfinite(found) else None


def decimal_text(value: float, digits: int) -> str:
    """A number with `digits` decimals, more where the first ones are zeros; no trailing zeros.

    With the first decimal that is not zero at place p: `digits` decimals for p ≤ `digits`, else p − 1 + `digits`.
    """
    exact = Decimal(repr(value))
    place = 0
    if exact == 0 or Decimal("1e-6") <= abs(exact) < Decimal("1e21"):
        fraction = f"{exact:f}".partition(".")[2]
        place = next((i for i, digit in enumerate(fraction, 1) if digit != "0"), 0)
    return _rounded(exact, digits if place <= digits else place - 1 + digits, ROUND_HALF_UP)


def short_text(text: str) -> str:
    """A figure of the memory diagram: two decimals from 1 on, about two digits below; other texts stay."""
    value = to_number(text)
    if value is None:
        return text
    if value == 0:
        return "0"
    digits = 2 if abs(value) >= 1 else int(2 - math.log10(abs(value)))
    return _stripped(f"{value:.{digits}f}")


def plain_text(text: str) -> str:
    """A cell: a number without trailing zeros; other texts stay."""
    value = to_number(text)
    if value is None:
        return text
    # Digits beyond those of a double are not made up and not lost.
    return _stripped(f"{Decimal(text.strip()):f}") if len(text) < 40 else _stripped(repr(value))


def difference_text(compared: str, baseline: str, digits: int = 3) -> str:
    """`compared` − `baseline` in decimal arithmetic; empty when one is; texts that are no numbers count as 0.

    `digits` decimals, more where the fraction of the difference is small; no trailing zeros.
    """
    if not compared or not baseline:
        return ""
    with localcontext() as context:
        context.prec = 60
        found = _exact(compared) - _exact(baseline)
        fraction = abs(found) % 1
        zeros = int(fraction.log10()) if fraction else 0
    return _rounded(found, digits - zeros if zeros < 0 else digits, ROUND_HALF_EVEN)


def count_difference(compared: str, baseline: str) -> int:
    """Difference of two counts, kept within 64 bits; texts that are no whole numbers count as 0."""
    return max(-_LARGEST - 1, min(_LARGEST, _whole(compared) - _whole(baseline)))


def bytes_text(value: int) -> str:
    """An amount of bytes: whole below 1024, else KB, MB or GB of 1024 with two decimals at most."""
    if abs(value) < 1024:
        return f"{value}Byte"
    power = 1 if abs(value) < 1 << 20 else 2 if abs(value) < 1 << 30 else 3
    return f"{_stripped(f'{value / 1024**power:.2f}')} {_UNITS[power - 1]}"


def _exact(text: str) -> Decimal:
    return Decimal(text.strip()) if to_number(text) is not None else Decimal(0)


def _whole(text: str) -> int:
    given = text.strip()
    return int(given) if len(given) <= 40 and given.lstrip("+-").isdecimal() else int(to_number(text) or 0)


def _rounded(value: Decimal, digits: int, how: str) -> str:
    with localcontext() as context:
        context.prec = 400
        return _stripped(f"{value.quantize(Decimal(1).scaleb(-digits), rounding=how):f}")


def _stripped(text: str) -> str:
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text in ("-0", "") else text

"""Numbers as text: durations, ruler times, bytes, counts, ratios; and durations back from what people type.

Pure functions. Durations and times are int nanoseconds; ratios are 0–1. Rounding is half up on the exact integer, never
through a double, so that a text always agrees with the exact value beside it.
"""

from __future__ import annotations

import math
import re
from datetime import datetime, timedelta, timezone, tzinfo
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation

from insight_desktop.errors import BadArgument

MINUS = "\u2212"
MISSING = "–"  # no value
NOT_COLLECTED = "N/A"  # the collector was not asked for it
IMPOSSIBLE = "NA"  # a ratio without a base
_ABSURD = 1e18  # damaged data; fixed decimals of it would be pages long, or more than a decimal number can hold

UNIT_NS: dict[str, int] = {"ns": 1, "µs": 1_000, "ms": 1_000_000, "s": 1_000_000_000}
_LONG_NS = {**UNIT_NS, "min": 60_000_000_000, "h": 3_600_000_000_000}
_TYPED = {**_LONG_NS, "us": 1_000, "μs": 1_000, "m": 60_000_000_000, "sec": 1_000_000_000}
_BYTES = {"binary": ("B", "KiB", "MiB", "GiB", "TiB"), "spec": ("B", "KB", "MB", "GB", "TB")}
# Stamps below this are a trace's own clock (2001-09-09 is 1e18 ns); real profiles count since the epoch.
_EPOCH_NS = 10**18
_DURATION = re.compile(r"\s*([+\-−]?)\s*([0-9][0-9,_]*(?:\.[0-9]+)?|\.[0-9]+)\s*([A-Za-zµμ]*)\s*")


def _fixed(value: int, divisor: int, decimals: int) -> str:
    """value / divisor ≥ 0 with fixed decimals, rounded half up, grouped."""
    scale = 10**decimals
    whole, rest = divmod((2 * value * scale + divisor) // (2 * divisor), scale)
    return f"{whole:,}.{rest:0{decimals}d}" if decimals else f"{whole:,}"


def _with_unit(ns: float, units: dict[str, int], decimals: int) -> str:
    whole = round(ns)
    size = abs(whole)
    sign = MINUS if whole < 0 else ""
    if size < 1_000:
        return f"{sign}{size} ns"
    names = list(units)
    at = max(i for i, name in enumerate(names) if units[name] <= size)
    # 999,999,900 ns rounds to 1000.000 ms: the next unit says it better.
    while at + 1 < len(names):
        step = units[names[at + 1]] // units[names[at]]
        if (2 * size * 10**decimals + units[names[at]]) // (2 * units[names[at]]) < step * 10**decimals:
            break
        at += 1
    return f"{sign}{_fixed(size, units[names[at]], decimals)} {names[at]}"


def duration(ns: float | None) -> str:
    """A duration in its best unit (µs, ms, s) with three decimals; below 1 µs as integer ns; `–` for None.

    >>> duration(148_577_009)
    '148.577 ms'
    """
    return MISSING if ns is None or ns != ns else _with_unit(ns, UNIT_NS, 3)


def duration_exact(ns: int | None) -> str:
    """All digits: `1,199,286 ns`."""
    return MISSING if ns is None else f"{number(ns)} ns"


def chip(ns: float | None) -> str:
    """A span for the zoom chip and range arrows: best unit up to hours, one decimal (`27.9 ms`, `5.7 min`)."""
    return MISSING if ns is None or ns != ns else _with_unit(ns, _LONG_NS, 1)


def in_unit(ns: float | None, unit: str, decimals: int = 3) -> str:
    """A duration for a table cell whose heading names the unit: `in_unit(1_199_286, "ms")` is `1.199`."""
    if ns is None or ns != ns:
        return MISSING
    whole = round(ns)
    text = _fixed(abs(whole), UNIT_NS[unit], decimals)
    return f"{MINUS if whole < 0 and text.strip('0.,') else ''}{text}"


def ruler(ns: int | None, span_ns: int = 0) -> str:
    """A time on the axis, as deep as the visible span needs; a span of 0 gives every digit.

    Spans above 100 ms show ms (`00:02.736`), above 1 ms µs (`00:00.807.375`), others ns. Hours only when there are any.
    Digits are cut, not rounded, so that a longer text always begins with the shorter one.
    """
    if ns is None:
        return MISSING
    size = abs(int(ns))
    groups = 1 if span_ns > 10**8 else 2 if span_ns > 10**6 else 3
    seconds, rest = divmod(size, 10**9)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    parts = [f"{part:03d}" for part in (rest // 10**6, rest // 1_000 % 1_000, rest % 1_000)][:groups]
    shown = hours or minutes or seconds or any(p != "000" for p in parts)
    head = f"{hours:02d}:" if hours else ""
    return f"{MINUS if ns < 0 and shown else ''}{head}{minutes:02d}:{seconds:02d}.{'.'.join(parts)}"


def timestamp(ns: int | None) -> str:
    """A raw stamp, exact and grouped: `1,754,914,573,267,881,032 ns`."""
    return duration_exact(ns)


def is_epoch(ns: int) -> bool:
    """Whether a stamp counts since 1970 (else it is the trace's own clock)."""
    return ns >= _EPOCH_NS


def wall_clock(ns: int | None, zone: tzinfo | None = None, *, decimals: int = 3) -> str:
    """Local date and time of an epoch stamp (`2026-08-11 20:16:12.401`); empty for a trace's own clock."""
    if ns is None or not is_epoch(ns):
        return ""
    seconds, rest = divmod(ns, 10**9)
    try:
        at = (datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(seconds=seconds)).astimezone(zone)  # noqa: UP017
    except (OverflowError, OSError, ValueError):
        return ""
    fraction = f".{rest:09d}"[: decimals + 1] if decimals else ""
    return f"{at:%Y-%m-%d %H:%M:%S}{fraction}"


def number(value: float | None, decimals: int | None = None) -> str:
    """A grouped number with U+2212 for minus; integers whole, floats with `decimals` or their shortest text."""
    if value is None or value != value:
        return MISSING
    if isinstance(value, float) and math.isinf(value):
        return "∞" if value > 0 else f"{MINUS}∞"
    if decimals is None:
        text = f"{value:,}" if isinstance(value, int) or abs(value) < 1e15 else f"{value:g}"
        text = text.removesuffix(".0")
    elif abs(value) >= _ABSURD:
        text = f"{value:.3e}"
    else:
        rounded = Decimal(str(value)).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)
        text = f"{rounded if rounded else abs(rounded):,f}"
    return text.replace("-", MINUS)


def count(value: int | None) -> str:
    """A count, grouped: `1,204`. Ids and addresses are never passed through here."""
    return number(value)


def signed(value: float | None, decimals: int | None = None) -> str:
    """A difference: always with a sign, except for zero (`+39.682`, `−221.032`)."""
    text = number(value, decimals)
    positive = value is not None and value > 0 and bool(text.strip("0.,"))
    return f"+{text}" if positive else text


def signed_duration(ns: float | None) -> str:
    """A duration with its sign: `+412.774 µs`."""
    return f"+{duration(ns)}" if ns is not None and ns > 0 else duration(ns)


def percent(ratio: float | None, decimals: int = 1) -> str:
    """A ratio 0–1 as `95.3 %`; `NA` where the ratio has no base (None or NaN)."""
    if ratio is None or ratio != ratio:
        return IMPOSSIBLE
    exact = Decimal(str(ratio)) * 100
    return f"{number(float(exact.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)), decimals)} %"


def bytes_text(value: float | None, *, style: str = "binary", decimals: int = 1) -> str:
    """Bytes in their best unit of 1024: `binary` writes KiB, MiB, GiB; `spec` writes KB, MB, GB (also 1024-based).

    >>> bytes_text(33_554_432)
    '32.0 MiB'
    """
    if value is None or value != value:
        return MISSING
    size, units, at = abs(round(value)), _BYTES[style], 0
    while at + 1 < len(units) and size >= 1024 ** (at + 1):
        at += 1
    sign = MINUS if value < 0 else ""
    return f"{sign}{_fixed(size, 1024**at, decimals if at else 0)} {units[at]}"


def bandwidth(bytes_per_second: float | None, decimals: int = 2) -> str:
    """Bandwidth in GB/s = 10⁹ bytes per second."""
    return MISSING if bytes_per_second is None else f"{number(bytes_per_second / 1e9, decimals)} GB/s"


def parse_duration(text: str, unit: str = "ns") -> int:
    """The nanoseconds of a typed duration: `1ms`, `1.5 µs`, `1,199,286 ns`; a bare number is in `unit`.

    Raises:
        BadArgument: the text is no duration.
    """
    found = _DURATION.fullmatch(text)
    size = (_TYPED.get(found[3]) or _TYPED.get(found[3].lower())) if found and found[3] else _TYPED[unit]
    if not found or not size:
        raise BadArgument(
            f"“{text}” is not a duration.", fix="Write a number and ns, µs, ms, s, min or h, e.g. 1.5 ms."
        )
    try:
        value = Decimal(found[2].replace(",", "").replace("_", "")) * size
    except InvalidOperation as error:
        raise BadArgument(f"“{text}” is not a duration.", fix="Write a plain decimal number and a unit.") from error
    whole = int(value.quantize(Decimal(1), ROUND_HALF_UP))
    return -whole if found[1] in ("-", MINUS) else whole

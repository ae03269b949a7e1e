"""JSON of an operator bin: tolerant access, numbers keep the digits that were written."""

from __future__ import annotations

import codecs
import json
import math
from typing import Any

from insight_desktop.errors import BadFile

MAX_BYTES = 256 << 20  # a page's block of some hundred MB is no data of a kernel


def parse_object(raw: bytes) -> dict[str, Any]:
    """The object in a payload; every number is the text that was written. Raises BadFile with the byte where it breaks."""
    if len(raw) > MAX_BYTES:
        raise BadFile(f"it has {len(raw) >> 20} MiB, more than the {MAX_BYTES >> 20} MiB that a page can use")
    text = raw.removeprefix(codecs.BOM_UTF8).decode("utf-8", "replace")
    try:
        found = json.loads(text, parse_float=str, parse_int=str, parse_constant=str, strict=False)
        # Half surrogates cannot be stored; they come from escapes only.
        found = _clean(found) if "\\ud" in text or "\\uD" in text else found
    except json.JSONDecodeError as error:
        at = len(text[: error.pos].encode("utf-8"))
        raise BadFile(f"its JSON breaks at byte {at} of the block ({error.msg})") from error
    except RecursionError as error:
        raise BadFile("its JSON is nested too deep") from error
    if not isinstance(found, dict):
        raise BadFile("its JSON is no object")
    return found


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {_clean(k): _clean(v) for k, v in value.items()}
    return [_clean(v) for v in value] if isinstance(value, list) else value


def text(row: dict[str, Any], *names: str) -> str:
    """The first of the members that is a text or number; empty without one."""
    for name in names:
        value = row.get(name)
        if isinstance(value, str):
            return value
        if isinstance(value, bool):
            return str(value).lower()
    return ""


def text_or_none(row: dict[str, Any], name: str) -> str | None:
    """As `text`; None when the member is missing."""
    return text(row, name) if isinstance(row.get(name), str) else None


def objects(row: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """The objects of an array; nothing when it is no array."""
    value = row.get(name)
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def texts(value: Any) -> list[str]:
    """The texts and numbers of an array; the text alone when it is no array, without blank ones."""
    items = value if isinstance(value, list) else [value]
    return [item for item in items if isinstance(item, str) and item.strip()]


def cells(value: Any) -> list[str]:
    """The items of an array as texts, blank ones too; nothing when it is no array."""
    if not isinstance(value, list):
        return []
    return [i if isinstance(i, str) else "" for i in value]


def number(value: object) -> float | None:
    """A finite number; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    try:
        found = float(value)
    except (ValueError, OverflowError):
        return None
    return found if math.isfinite(found) else None


def whole(value: object) -> int | None:
    """A whole number that fits 64 bits, a fraction cut off; None for anything else."""
    if isinstance(value, str) and value.strip().lstrip("+-").isdigit() and len(value) < 40:
        exact = int(value)
    else:
        found = number(value)
        if found is None:
            return None
        exact = int(found)
    return exact if -(1 << 63) <= exact < 1 << 63 else None


def address(value: object) -> int | None:
    """An address written in base 16; None when it is none or does not fit 64 bits."""
    if not isinstance(value, str):
        return None
    try:
        found = int(value.strip(), 16)
    except ValueError:
        return None
    return found if 0 <= found < 1 << 64 else None


def ranges(value: Any) -> list[int]:
    """First and last address of each pair of an `Address Range`, flat; pairs that are none are skipped."""
    out: list[int] = []
    for pair in value if isinstance(value, list) else ():
        if isinstance(pair, list) and len(pair) == 2:
            first, last = address(pair[0]), address(pair[1])
            if first is not None and last is not None:
                out += (first, last)
    return out

"""Values of MemScope rows: the Attr object in its two spellings, numbers as texts, addresses."""

from __future__ import annotations

from typing import Any

import orjson

_LAST = 2**63 - 1
_WORD = 2**64


def attributes(text: str) -> dict[str, str]:
    """Keys and values of an Attr cell; empty for an empty one.

    Newer collectors write JSON with texts as values, older ones and csv files `{key:value,key:value}` without quotes. There a
    new pair begins at the last comma before the next colon, so values may hold commas.

    >>> attributes("{shape:[4,8],size:16}")
    {'shape': '[4,8]', 'size': '16'}
    """
    if not text or text == "null":
        return {}
    try:
        found = orjson.loads(text)
    except orjson.JSONDecodeError:
        return _unquoted(text)
    if not isinstance(found, dict):
        return {}
    return {key: value if isinstance(value, str) else _as_text(value) for key, value in found.items()}


def _as_text(value: Any) -> str:
    return (
        "" if value is None else orjson.dumps(value).decode() if isinstance(value, dict | list | bool) else str(value)
    )


def _unquoted(text: str) -> dict[str, str]:
    body = text.strip()
    body = body[1:] if body.startswith("{") else body
    body = body[:-1] if body.endswith("}") else body
    out: dict[str, str] = {}
    key, _, rest = body.partition(":")
    while _:
        value, colon, after = rest.partition(":")
        if not colon:
            out[key.strip(" \"'")] = value.strip(" \"'")
            break
        comma = value.rfind(",")
        if comma < 0:  # a colon inside a value
            nearest = after.find(",")
            out[key.strip(" \"'")] = (
                rest.strip(" \"'") if nearest < 0 else rest[: len(value) + 1 + nearest].strip(" \"'")
            )
            if nearest < 0:
                break
            key, _, rest = after[nearest + 1 :].partition(":")
            continue
        out[key.strip(" \"'")] = value[:comma].strip(" \"'")
        key, rest = value[comma + 1 :], after
    return {k: v for k, v in out.items() if k}


def whole(value: Any) -> int | None:
    """A whole number from a number or text, decimal or `0x…`; None for anything else.

    >>> whole("0x10"), whole("-512"), whole("N/A")
    (16, -512, None)
    """
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) < _LAST else None
    text = str(value).strip()
    try:
        return int(text, 16) if text[:2].lower() == "0x" else int(text) if len(text) <= 40 else None
    except ValueError:
        return None


def address(value: Any) -> int | None:
    """An address as a number from 0 to 2⁶⁴ − 1; negative integers are the upper half as SQLite stores it."""
    found = whole(value)
    if found is None or not -(_WORD >> 1) <= found < _WORD:
        return None
    return found % _WORD


def nanoseconds(value: Any) -> int | None:
    """A time that can be one: a whole number above 0 and below 2⁶³ − 1."""
    found = whole(value)
    return found if found is not None and 0 < found < _LAST else None

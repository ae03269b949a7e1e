"""Arguments of events of serving runs: JSON objects in the spellings that probes and damage produce."""

from __future__ import annotations

import json
from typing import Any

import orjson

_DIGITS = 18  # a longer number fits no column of whole numbers


def object_of(text: bytes) -> dict[str, Any] | None:
    """The object that a text holds; None when it holds none.

    NaN and Infinity are accepted, whole numbers beyond 64 bits become real ones, half surrogates are replaced.
    """
    try:
        found = orjson.loads(text)
    except ValueError:
        try:
            found = json.loads(text.decode("utf-8", "replace"), parse_int=_number)
            found = json.loads(json.dumps(found, ensure_ascii=False).encode("utf-8", "replace"))
        except (ValueError, RecursionError):
            return None
    return found if isinstance(found, dict) else None


def _number(digits: str) -> int | float:
    return int(digits) if len(digits) <= _DIGITS else float(digits)

"""Cells of serving results: numbers, times and lists in whatever spelling they were written."""

from __future__ import annotations

import ast
import json
import math
import re
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

from insight_desktop.ingest.formats.service_rids import rids_of

MISSING = frozenset({"", "none", "nan", "<na>", "n/a", "null", "nat"})
MICROSECONDS = 1e14  # a time in a column called ms that is larger holds µs
_MOST_NS = 4 * 10**18  # the year 2096; later times are damage
_MOST_RANKS = 1_000_000
_DATETIME = re.compile(r"(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d):(\d\d)(?:[:.,](\d{1,9}))?")
_SHANGHAI = timezone(timedelta(hours=8))
_TYPES = {"0": "prefill", "1": "decode"}
_KNOWN = {"prefill", "decode", "extend", "dummy", "other", "mixed"}


@dataclass(frozen=True)
class Item:
    """One request in an event's list of results; numbers are None where they are not told."""

    rid: str
    iteration: float | None = None
    kind: float | None = None
    scheduled: float | None = None
    prompt: float | None = None
    computed: float | None = None
    spec: float | None = None
    accepted: float | None = None


def number(value: Any) -> float | None:
    """A number from a cell; None for missing values in any spelling and for text."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        return float(value) if math.isfinite(value) else None
    text = str(value).strip()
    if text.lower() in MISSING:
        return None
    try:
        found = float(text)
    except ValueError:
        return None
    return found if math.isfinite(found) else None


def ms_to_ns(value: Any) -> int | None:
    """Nanoseconds of a column called (ms); values above 1e14 hold microseconds."""
    if isinstance(value, int) and not isinstance(value, bool):
        ns = value * (1000 if value > MICROSECONDS else 1_000_000)
    else:
        found = number(value)
        if found is None:
            return None
        # The shortest text of a double holds the digits that were written; products of doubles this large lose them.
        ns = int((Decimal(repr(found)) * (1000 if found > MICROSECONDS else 1_000_000)).to_integral_value())
    return ns if abs(ns) < _MOST_NS else None


def datetime_ns(text: Any) -> int | None:
    """Nanoseconds of a date and time as the collector writes it (in the time zone of Shanghai); None for anything else."""
    found = _DATETIME.match(str(text)) if text is not None else None
    if found is None:
        return None
    year, month, day, hour, minute, second = (int(part) for part in found.groups()[:6])
    try:
        moment = datetime(year, month, day, hour, minute, second, tzinfo=_SHANGHAI)
    except ValueError:
        return None
    return int(moment.timestamp()) * 1_000_000_000 + int((found[7] or "0").ljust(9, "0"))


def literal(text: str) -> Any:
    """What a text that holds a list or an object means: a Python literal or JSON; the text itself when neither."""
    stripped = text.strip()
    if stripped.lower() in MISSING:
        return None
    if not stripped.startswith(("[", "{")):
        return text
    for parse in (ast.literal_eval, json.loads):
        try:
            return parse(stripped)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            continue
    return text


def items_of(value: Any) -> list[Item]:
    """The requests in a list of results: names, objects, lists of lists, or the text of one of them."""
    if isinstance(value, str):
        found = literal(value)
        return [Item(rid) for rid in rids_of(found)] if isinstance(found, str) else items_of(found)
    if isinstance(value, list | tuple):
        return [item for part in value for item in items_of(part)]
    if isinstance(value, dict):
        if isinstance(value.get("rid"), list):
            return items_of(value["rid"])
        numbers = [
            number(value.get(key))
            for key in (
                "iter", "type", "num_scheduled_tokens", "num_prompt_tokens", "num_computed_tokens",
                "num_spec_output_tokens", "num_spec_accepted_tokens",
            )
        ]  # fmt: skip
        return [Item(rid, *numbers) for rid in rids_of(value.get("rid"))]
    return [Item(rid) for rid in rids_of(value)]


def batch_type(value: Any) -> str:
    """One of schema_service.BATCH_TYPES from any spelling; empty when nothing is told."""
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return ""
    text = str(int(value) if isinstance(value, int | float) else value).replace(" ", "").lower()
    if text in MISSING:
        return ""
    text = _TYPES.get(text, text)
    if text in ("prefill,decode", "decode,prefill"):
        return "mixed"
    return text if text in _KNOWN else "other"


def rate(value: Any) -> float | None:
    """A share from 0 to 1: values above 1 are percent."""
    found = number(value)
    return found / 100 if found is not None and found > 1 else found


def data_parallel(value: Any) -> int | None:
    """A data parallel rank; None for -1 and all spellings of none."""
    found = number(value)
    return int(found) if found is not None and 0 <= found < _MOST_RANKS else None

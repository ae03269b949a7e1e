"""Names of requests: how events list them, and which spellings are one request."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import Any

_FIRST = frozenset({"httpReq", "tokenize"})
_SUFFIX = re.compile(r"(.+)-[0-9a-fA-F]{8}")


def rids_of(value: Any) -> list[str]:
    """The requests that a list of results names: a text, a list of texts or objects, or nested ones."""
    if value is None or isinstance(value, bool):
        return []
    if isinstance(value, str):
        return [canonical(part) for part in (piece.strip() for piece in value.split(",")) if part]
    if isinstance(value, int):
        return [str(value)]
    if isinstance(value, float):
        return [str(int(value))] if math.isfinite(value) and value == int(value) else []
    if isinstance(value, dict):
        return rids_of(value.get("rid"))
    if isinstance(value, list):
        return [rid for item in value for rid in rids_of(item)]
    return []


def canonical(text: str) -> str:
    """A request's name as the analyser writes it: names that look like numbers lose leading zeros."""
    if text.isascii() and text.isdigit():
        return text.lstrip("0") or "0"
    return text


class RequestNames:
    """Joins the late names of requests (`<name>-xxxxxxxx`) with the first ones."""

    def __init__(self, first: Iterable[str] = ()) -> None:
        self._first = set(first)
        self._all: set[str] = set(self._first)

    def see(self, event: str, rids: list[str]) -> None:
        """Remember the names that an event uses."""
        if rids:
            self._all.update(rids)
            if event in _FIRST:
                self._first.update(rids)

    def knows(self, text: str) -> bool:
        """True when a text was the name of a request."""
        return text in self._all

    def canonical(self, rid: str) -> str:
        """The first name of a request."""
        if rid in self._first:
            return rid
        found = _SUFFIX.fullmatch(rid)
        return found[1] if found and found[1] in self._first else rid

"""Lanes of the same name on all cards: the same communication group, else the same kind and title."""

from __future__ import annotations

import re
from typing import Any

from insight_desktop import schema
from insight_desktop.engine.store import Store

MOST = 100  # lanes that are pinned at once
_GROUP = re.compile(r"(?:.*:)?Group (?P<id>.+?)(?: Aicpu)? Communication")


def same_named(store: Store, *, card: str, track: int) -> tuple[list[tuple[str, int]], int]:
    """Lanes (card, track) that are called like one of them, and how many there are in all.

    The lane itself comes first, then its card, then the others in their order; MOST at the most are given. Lanes of a
    communication group match by the group's id, whatever name stands in front of it; all others by role, label and title.
    """
    wanted = _key(_rows(store, card)[track])
    found = [
        (other.name, number)
        for other in store.cards
        for number, row in enumerate(_rows(store, other.name))
        if _key(row) == wanted
    ]
    found.sort(key=lambda lane: (lane != (card, track), lane[0] != card))  # stable: display order inside
    return found[:MOST], len(found)


def _rows(store: Store, card: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = store.capture(card).tracks.select(["role", "group", "lane"]).to_pylist()
    return rows


def _key(row: dict[str, Any]) -> tuple[str, ...]:
    found = _GROUP.fullmatch(row["lane"]) if row["role"] == schema.ROLE_GROUP else None
    return ("group", found["id"]) if found else (row["role"], row["group"], row["lane"])

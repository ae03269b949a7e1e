"""Hosts of the cards of a run: from the data, else the worker in the name of a profile's folder, else the folder above the ranks.

Data of text form do not name their host. A name that only repeats the rank of its card (`rank3`, `card_3`) tells no host.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from insight_desktop.engine.store import StoreCard
from insight_desktop.ingest.discover_names import DEVICE_FOLDER, PROF_FOLDER, RANK_FOLDER, UNIT_FOLDER

_RUN_NUMBER = re.compile(r"_\d+$")  # of the label of a host that comes in several runs
_WORKER = re.compile(r"^(.+)_\d+_\d{14,17}_ascend_(?:pt|ms)$")
_LAST_NUMBER = re.compile(r"(\d+)\D*$")
_BELOW_HOST = (RANK_FOLDER, UNIT_FOLDER, PROF_FOLDER, DEVICE_FOLDER, re.compile(r"(?i)^\w*profiler_output$"))


def hosts(cards: Sequence[StoreCard]) -> dict[str, str]:
    """Host by name of the card; empty where nothing tells it."""
    found = {card.name: _RUN_NUMBER.sub("", card.host) for card in cards}
    unknown = [card for card in cards if not found[card.name]]
    workers, folders = _told(unknown, _worker), _told(unknown, _folder)
    several = [names for names in (workers, folders) if len(set(names.values())) > 1]
    found.update(several[0] if several else workers)
    return found


def _told(cards: Sequence[StoreCard], name_of: Callable[[StoreCard], str]) -> dict[str, str]:
    """What all cards are called after, unless it is their ranks."""
    names = {card.name: name_of(card) for card in cards}
    if all(_is_rank(names[card.name], card.rank) for card in cards):
        return dict.fromkeys(names, "")
    return names


def _is_rank(name: str, rank: str | None) -> bool:
    number = _LAST_NUMBER.search(name)
    return number is not None and rank is not None and number[1].lstrip("0") == rank.lstrip("0")


def _worker(card: StoreCard) -> str:
    for part in reversed(card.source_folder.parts if card.source_folder is not None else ()):
        found = _WORKER.match(part)
        if found is not None:
            return found[1]
    return ""


def _folder(card: StoreCard) -> str:
    """Name of the lowest folder above the card that holds ranks."""
    parts = card.source_folder.parts if card.source_folder is not None else ()
    while parts and any(pattern.search(parts[-1]) for pattern in _BELOW_HOST):
        parts = parts[:-1]
    return parts[-1] if parts else ""

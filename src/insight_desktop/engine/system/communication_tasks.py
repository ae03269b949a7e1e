"""Rules that need the tasks of a rank's timeline: copies whose size does not fit the hardware."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop.engine.capture import Capture
from insight_desktop.engine.store import Store
from insight_desktop.engine.timeline import details, layers, slice_sets
from insight_desktop.engine.timeline.kept import kept

ALIGNED_BYTES = 512  # copies above this should be a multiple of it
_TASKS = ("Memcpy", "Reduce_Inline")
_PARENT = "hcom_"
_MOST = 200_000  # tasks of a rank that are looked at
_SIZE = re.compile(r'"size\(Byte\)":\s*"?(\d+)')
_TRANSPORT = re.compile(r'"transport ?[tT]ype":\s*"([^"]*)"')
_LINK = re.compile(r'"link ?[tT]ype":\s*"([^"]*)"')
ALIGNMENTS = pa.schema([("rank", pa.int32()), ("name", pa.string()), ("tasks", pa.int32()), ("size_bytes", pa.int64())])


def violates(size: int, transport: str, link: str) -> bool:
    """True for a copy over SDMA to another card that is no multiple of ALIGNED_BYTES."""
    return transport == "SDMA" and link != "ON_CHIP" and size > ALIGNED_BYTES and size % ALIGNED_BYTES != 0


def alignments(opened: Store, cards: Iterable[tuple[int, str]]) -> pa.Table:
    """Operators with copies that are not aligned, once each: rank, name, tasks (how many), size_bytes (of the first)."""
    rows: list[dict[str, Any]] = []
    for rank, card in cards:
        capture = opened.capture(card)
        found = kept(capture, "alignments", partial(_of_card, opened, card, capture), lambda rows: 200 * len(rows))
        rows += [{"rank": rank, **row} for row in found]
    return pa.Table.from_pylist(rows, ALIGNMENTS)


def _of_card(store: Store, card: str, capture: Capture) -> list[dict[str, Any]]:
    wanted = np.asarray(
        pc.is_in(capture.strings, pa.array(_TASKS, capture.strings.type)).to_numpy(zero_copy_only=False)
    )
    if not wanted.any():
        return []
    found: dict[str, dict[str, Any]] = {}
    for group, planes in layers.group_planes(store, card):
        picked = slice_sets.pick(capture, planes)
        tasks = picked.ids[wanted[picked.name]][:_MOST]
        if not len(tasks):
            continue
        parents = slice_sets.pick(capture, (group,))
        texts = details.args_text(store.card(card), capture, tasks)
        bad = [(int(i), size) for i, text in zip(tasks, texts, strict=True) if (size := _bad(text)) is not None]
        for name, size in _operators(capture, parents, bad):
            row = found.setdefault(name, {"name": name, "tasks": 0, "size_bytes": size})
            row["tasks"] += 1
    return list(found.values())


def _bad(text: str | None) -> int | None:
    """Size of a copy that violates the rule."""
    size = _SIZE.search(text or "")
    if text is None or size is None:
        return None
    transport, link = _TRANSPORT.search(text), _LINK.search(text)
    number = int(size[1])
    return number if violates(number, transport[1] if transport else "", link[1] if link else "") else None


def _operators(capture: Capture, parents: slice_sets.Picked, tasks: list[tuple[int, int]]) -> Iterable[tuple[str, int]]:
    """Names of the operators that tasks belong to: the latest that begins at or before them and is not over."""
    order = np.argsort(parents.start, kind="stable")
    starts, ends = parents.start[order], parents.end[order]
    names: npt.NDArray[Any] = parents.name[order]
    for task, size in tasks:
        begin = int(capture.slice_start[task])
        at = int(np.searchsorted(starts, begin, "right")) - 1
        if at >= 0 and begin <= int(ends[at]):
            text = capture.text(int(names[at]))
            if text.startswith(_PARENT):
                yield text, size

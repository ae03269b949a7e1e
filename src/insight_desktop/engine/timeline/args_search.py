"""Finding a text in the arguments of many slices, in the bytes of the source where that is possible."""

from __future__ import annotations

import numpy as np
from numba import njit

from insight_desktop.engine.capture import Array, Capture
from insight_desktop.engine.store import StoreCard
from insight_desktop.engine.timeline import details

_PIECE = 50_000  # slices whose arguments are read as text at a time


def contains(card: StoreCard, capture: Capture, ids: Array, text: str) -> Array:
    """One truth value per slice or instant: do its arguments, as written in the source, contain the text.

    Case is ignored. Raises NoData when the source is not there any more or changed.
    """
    found = np.zeros(len(ids), np.bool_)
    at, length = details.places(capture, np.asarray(ids, np.int64))
    with_args = np.flatnonzero(length != 0)
    if not len(with_args) or not text:
        return found
    facts = capture.manifest.args
    if facts.get("mode") == "file" and not facts.get("joined") and text.isascii():
        at, length = at[with_args], length[with_args].astype(np.int64)
        needle = np.frombuffer(text.lower().encode(), np.uint8)
        begin = 0
        for path in details.sources(card, capture):
            held = np.memmap(path, np.uint8, "r") if path.stat().st_size else np.empty(0, np.uint8)
            mine = np.flatnonzero((length > 0) & (at >= begin) & (at < begin + len(held)))
            hit = np.zeros(len(mine), np.bool_)
            _scan(np.asarray(held), at[mine] - begin, length[mine], needle, hit)
            found[with_args[mine]] = hit
            begin += len(held)
        return found
    wanted = text.casefold()
    # In the order of the source, so that packed blocks are opened once.
    order = with_args[np.argsort(at[with_args], kind="stable")]
    for first in range(0, len(order), _PIECE):
        piece = order[first : first + _PIECE]
        texts = details.args_text(card, capture, ids[piece])
        found[piece] = [t is not None and wanted in t.casefold() for t in texts]
    return found


@njit(cache=True, nogil=True)
def _scan(held: Array, at: Array, length: Array, needle: Array, hit: Array) -> None:
    """Look for the needle (lower-case ASCII) in each piece [at, at + length) of the bytes."""
    size = len(needle)
    first = needle[0]
    upper = first - 32 if 97 <= first <= 122 else first
    for i in range(len(at)):
        for j in range(at[i], min(at[i] + length[i], len(held)) - size + 1):
            byte = held[j]
            if byte != first and byte != upper:
                continue
            k = 1
            while k < size:
                other = held[j + k]
                if 65 <= other <= 90:
                    other += 32
                if other != needle[k]:
                    break
                k += 1
            if k == size:
                hit[i] = True
                break


def warm() -> None:
    """Compile the kernel for mapped bytes."""
    held = np.frombuffer(b"abc", np.uint8)
    place = np.zeros(1, np.int64)
    _scan(held, place, place + 3, np.frombuffer(b"b", np.uint8), np.zeros(1, np.bool_))

"""Results that are kept as long as their capture is open: asking the same again costs nothing."""

from __future__ import annotations

import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from insight_desktop.engine.capture import Capture

T = TypeVar("T")
LIMIT_BYTES = 256 << 20  # per capture; the least recently used results go first

_guard = threading.Lock()
_held: weakref.WeakKeyDictionary[Capture, OrderedDict[Hashable, tuple[int, Any]]] = weakref.WeakKeyDictionary()


def kept(capture: Capture, key: Hashable, make: Callable[[], T], size: Callable[[T], int]) -> T:
    """The result of `make`, kept under `key` for the capture.

    Args:
        capture: the owner; its results go with it.
        key: what was asked, with all arguments.
        make: computes the result; two threads may do so at once, one result stays.
        size: bytes that the result holds; results above a quarter of LIMIT_BYTES are not kept.
    """
    with _guard:
        mine = _held.setdefault(capture, OrderedDict())
        if key in mine:
            mine.move_to_end(key)
            found: T = mine[key][1]
            return found
    made = make()
    weight = size(made)
    if weight <= LIMIT_BYTES // 4:
        with _guard:
            mine[key] = weight, made
            while sum(w for w, _ in mine.values()) > LIMIT_BYTES:
                mine.popitem(last=False)
    return made

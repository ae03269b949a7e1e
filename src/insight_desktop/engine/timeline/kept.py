"""Results that are kept while their capture is open: asking the same again costs nothing."""

from __future__ import annotations

import threading
import weakref
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from insight_desktop.engine.capture import Capture

T = TypeVar("T")
LIMIT_BYTES = 512 << 20  # of all captures together; the least recently used results go first

_guard = threading.Lock()
_held: OrderedDict[tuple[int, Hashable], tuple[int, Any]] = OrderedDict()
_owners: set[int] = set()
_gone: deque[int] = deque()  # a capture can be collected while the lock is held, so its end is only noted


def kept(capture: Capture, key: Hashable, make: Callable[[], T], size: Callable[[T], int]) -> T:
    """The result of `make`, kept under `key` for the capture.

    Args:
        capture: the owner; its results go with it.
        key: what was asked, with all arguments.
        make: computes the result; two threads may do so at once, one result stays.
        size: bytes that the result holds; results above a quarter of LIMIT_BYTES are not kept.
    """
    place = (id(capture), key)
    with _guard:
        _drop_gone()
        if place in _held:
            _held.move_to_end(place)
            found: T = _held[place][1]
            return found
    made = make()
    weight = size(made)
    if weight <= LIMIT_BYTES // 4:
        with _guard:
            if id(capture) not in _owners:
                _owners.add(id(capture))
                weakref.finalize(capture, _gone.append, id(capture)).atexit = False
            _held[place] = weight, made
            while sum(held for held, _ in _held.values()) > LIMIT_BYTES:
                _held.popitem(last=False)
    return made


def _drop_gone() -> None:
    """Let go of the results of captures that are no more, before another one takes their number."""
    while _gone:
        owner = _gone.popleft()
        _owners.discard(owner)
        for place in [place for place in _held if place[0] == owner]:
            del _held[place]

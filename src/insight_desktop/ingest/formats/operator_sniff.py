"""Tells the trace of one kernel from other traces by the head of its text; needs no scanner."""

from __future__ import annotations

import re

_PROFILING_TYPE = re.compile(r'"profilingType"\s*:\s*"op"')


def is_operator_trace(head: str) -> bool:
    """True when the profiling type `op` is named before the first array."""
    return bool(_PROFILING_TYPE.search(head.split("[", 1)[0]))

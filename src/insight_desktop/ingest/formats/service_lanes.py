"""Lanes of serving traces: what their names mean, and how a trace of a service is told from others."""

from __future__ import annotations

import re

KV_DOMAINS = frozenset({"KVCache", "Schedule.KVCache"})  # never slices: their events are samples of a counter
REQUEST_DOMAINS = frozenset({"Engine", "Request"})
EXECUTE_DOMAINS = frozenset({"Execute", "ModelExecute"})
_ONE_LANE = frozenset({"Request", "RequestState", "KVCache", "Schedule.KVCache"})  # all threads share it
_HIDDEN = ("Meta", "expert_hot")
_RENAMED = {"PDSplit": "PDCommunication"}
_DOMAIN = re.compile(r"(.+?)(?:\((-?\d+)\))?")
_WORDS = (
    "Request|RequestState|Engine|Schedule|BatchSchedule|ModelExecute|Execute|Executor|Connector|Communication|"
    r"PDCommunication|Coordinator|KVCache|Schedule\.KVCache|HitCache"
)
_SIGNS = (
    re.compile(rb'"name":\s*"flow_([^"]+)"[^{}]*"id":\s*"\1"[^{}]*"cat":\s*"\1"'),
    re.compile(rb'"tid":\s*"(?:' + _WORDS.encode() + rb')(?:\(\d+\))?"'),
    re.compile(rb'"res_list":'),
    re.compile(rb'"name":\s*"(?:batchFrameworkProcessing|BatchSchedule)"'),
    re.compile(rb'"Device Block":'),
)


def domain_of(lane: str) -> str:
    """The domain in the title of a lane: `Execute(21)` is of `Execute`."""
    found = _DOMAIN.fullmatch(lane)
    return found[1] if found else lane


def lane_of(domain: str, tid: object) -> str | None:
    """The lane of an event of a domain and thread; None for domains that are not shown."""
    if domain == _HIDDEN[0] or domain.startswith(_HIDDEN[1]):
        return None
    domain = _RENAMED.get(domain, domain)
    return domain if domain in _ONE_LANE else f"{domain}({tid})"


def host_and_dp(label: str) -> tuple[str, int | None]:
    """Host and data parallel rank of a process label: `node-a,dp0`."""
    host, _, rest = label.partition(",")
    found = re.fullmatch(r"\s*dp\s*(\d{1,6})\s*", rest)
    return host.strip(), int(found[1]) if found else None


def looks_like_service(head: bytes) -> bool:
    """True when two of the signs of a serving trace are among these bytes of a JSON trace."""
    return sum(sign.search(head) is not None for sign in _SIGNS) > 1

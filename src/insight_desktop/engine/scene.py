"""What was imported decides which tabs there are.

Scenes coexist: a project with training data and service data has the tabs of both. The whole list goes to reports;
the window shows those in BUILT.
"""

from __future__ import annotations

from collections.abc import Iterable

from insight_desktop.engine import rl_tasks
from insight_desktop.engine.capture import Capture
from insight_desktop.ingest.discover_names import CARD_ROLES, MSMONITOR_DB, MSPROF_OUTPUT, OUTPUT
from insight_desktop.ingest.sources import Card, Discovery

BUILT = frozenset(
    {
        "system.timeline",
        "system.memory",
        "system.operator",
        "system.summary",
        "system.communication",
        "memory.memscope",
        "memory.snapshot",
        "service.curve",
        "service.overview",
        "system.diagnosis",
        "system.rl",
        "operator.details",
        "operator.timeline",
        "operator.source",
        "operator.cache",
        "operator.on_chip_memory",
    }
)

SYSTEM_CARD_TABS = ("system.memory", "system.operator")
CLUSTER_TABS = ("system.summary", "system.communication")
DIAGNOSIS = "system.diagnosis"
SERVICE_TABS = ("service.curve", "service.overview")

# Display order of all tabs.
ORDER = (
    "system.timeline",
    *SYSTEM_CARD_TABS,
    *CLUSTER_TABS,
    DIAGNOSIS,
    "system.rl",
    *SERVICE_TABS,
    "operator.timeline",
    "operator.source",
    "operator.details",
    "operator.cache",
    "operator.on_chip_memory",
    "memory.memscope",
    "memory.snapshot",
)

_CLUSTER_ROLES = {"cluster_db", "cluster_analysis_output"}
_SERVICE_ROLES = {"service_db", "service_raw_db", "service_csv"}
_TIMELINE_ROLES = {"ftrace_db", "aclgraph", "service_db", "service_raw_db"}
_OTHER = {
    "operator": {"operator_bin", "operator_trace"},
    "on_chip_memory": {"on_chip_memory"},
    "memscope": {"memscope_db", "memscope_csv"},
    "snapshot": {"snapshot"},
}
_ROLE_TABS = {
    "operator_bin": ("operator.timeline", "operator.source", "operator.details"),
    "operator_trace": ("operator.timeline",),
    "on_chip_memory": ("operator.on_chip_memory",),
    "memscope_db": ("memory.memscope",),
    "memscope_csv": ("memory.memscope",),
    "snapshot": ("memory.snapshot",),
}


def has_timeline(card: Card) -> bool:
    """True when one of the card's sources has a timeline (csv files alone have none)."""
    return any(source.format != "rank_text" for source in card.sources)


def is_bare_trace(card: Card) -> bool:
    """True for a trace without anything of a collector around it (no csv, no database), a monitor's database, an ftrace."""
    for source in card.sources:
        lone = card.folder in source.files
        collected = any(file.parent.name in (OUTPUT, MSPROF_OUTPUT) for file in source.files)
        side_files = any(role in CARD_ROLES for role, _ in source.extras)
        if all(MSMONITOR_DB.match(file.name) for file in source.files):
            continue  # a monitor samples; it has no memory or operator pages
        if source.kind == "ftrace":
            continue  # what the operating system scheduled
        if source.format not in ("trace_json", "aclgraph_json") or side_files or (collected and not lone):
            return False
    return True


def scenes(found: Discovery) -> list[str]:
    """What the project holds, in a fixed order: `system`, `cluster`, `trace`, `service` and _OTHER."""
    roles = {role for role, _ in found.extras}
    system = [card for card in found.cards if card.area == "system"]
    bare = [card for card in system if is_bare_trace(card)]
    names = []
    if len(system) > len(bare):
        names.append("system")
    if roles & _CLUSTER_ROLES or (len(system) - len(bare) > 1):
        names.append("cluster")
    if bare or "ftrace_db" in roles:
        names.append("trace")
    if roles & _SERVICE_ROLES or any(card.area == "service" for card in found.cards):
        names.append("service")
    names += [name for name, needed in _OTHER.items() if roles & needed]
    return names


def scene(found: Discovery) -> str:
    """One word for the whole: `hybrid` for service beside system data, else the most telling of `scenes`."""
    names = scenes(found)
    if "service" in names and {"system", "cluster"} & set(names):
        return "hybrid"
    order = ("cluster", "system", "service", *_OTHER, "trace")
    return next((name for name in order if name in names), "empty")


def told(captures: Iterable[Capture]) -> set[str]:
    """Tabs that only the content of the data calls for, known after reading.

    Tasks of a reinforcement learning run call for `system.rl`; fillers name others in the fact `tabs`, e.g. cache records
    of an operator.
    """
    wanted: set[str] = set()
    for capture in captures:
        wanted.update(capture.manifest.extra.get("tabs", ()))
        if rl_tasks.has_tasks(capture):
            wanted.add("system.rl")
    return wanted


def tabs(found: Discovery, told: Iterable[str] = ()) -> list[str]:
    """Ids of all tabs that the data call for, in display order.

    Args:
        found: what was imported.
        told: tabs that reading it has added (see `told`).
    """
    names = scenes(found)
    roles = {role for role, _ in found.extras}
    wanted: set[str] = set()
    if any(has_timeline(card) for card in found.cards if card.area in ("system", "service")) or roles & _TIMELINE_ROLES:
        wanted.add("system.timeline")
    if "system" in names:
        wanted.update(("system.timeline", *SYSTEM_CARD_TABS, DIAGNOSIS))
    if "cluster" in names:
        wanted.update((*CLUSTER_TABS, DIAGNOSIS))
    if "service" in names:
        wanted.update(SERVICE_TABS)
    for role in roles & _ROLE_TABS.keys():
        wanted.update(_ROLE_TABS[role])
    wanted.update(told)
    return [tab for tab in ORDER if tab in wanted]


def shown_tabs(ids: Iterable[str]) -> list[str]:
    """Those of the tabs that the window can show."""
    return [tab for tab in ids if tab in BUILT]

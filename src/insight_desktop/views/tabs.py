"""All tabs, and which of them a scene shows.

A page file ends with `TAB = Tab(id, title, page)`; its place in `TABS` is all it takes to have it in the window.
"""

from __future__ import annotations

from dataclasses import dataclass

from insight_desktop.engine import scene
from insight_desktop.engine.store import Store
from insight_desktop.ingest.sources import Discovery
from insight_desktop.views.common.language import QT_TRANSLATE_NOOP
from insight_desktop.views.common.page import Tab
from insight_desktop.views.memory import memscope, snapshot
from insight_desktop.views.operator import cache as operator_cache
from insight_desktop.views.operator import details, on_chip_memory
from insight_desktop.views.operator import source as operator_source
from insight_desktop.views.operator import timeline as operator_timeline
from insight_desktop.views.service import curve as service_curve
from insight_desktop.views.service import overview as service_overview
from insight_desktop.views.system import communication, diagnosis, memory, operator, rl, summary, timeline

# Labels of the areas before their tabs, and titles of the tabs: listed so that the catalogue knows them.
AREAS = {
    "system": QT_TRANSLATE_NOOP("insight", "System"),
    "service": QT_TRANSLATE_NOOP("insight", "Service"),
    "operator": QT_TRANSLATE_NOOP("insight", "Operator"),
    "memory": QT_TRANSLATE_NOOP("insight", "Memory"),
}
TITLES = (
    QT_TRANSLATE_NOOP("insight", "Timeline"),
    QT_TRANSLATE_NOOP("insight", "Memory"),
    QT_TRANSLATE_NOOP("insight", "Operator"),
    QT_TRANSLATE_NOOP("insight", "Summary"),
    QT_TRANSLATE_NOOP("insight", "Communication"),
    QT_TRANSLATE_NOOP("insight", "Diagnosis"),
    QT_TRANSLATE_NOOP("insight", "RL"),
    QT_TRANSLATE_NOOP("insight", "MemScope"),
    QT_TRANSLATE_NOOP("insight", "Snapshot"),
    QT_TRANSLATE_NOOP("insight", "Details"),
    QT_TRANSLATE_NOOP("insight", "Cache"),
    QT_TRANSLATE_NOOP("insight", "On-Chip Memory"),
    QT_TRANSLATE_NOOP("insight", "Curve"),
    QT_TRANSLATE_NOOP("insight", "Overview"),
)
# Tabs whose title has another meaning elsewhere.
LABELS = {"operator.source": QT_TRANSLATE_NOOP("insight", "Source||code")}


TABS: tuple[Tab, ...] = (
    timeline.TAB, memory.TAB, operator.TAB, summary.TAB, communication.TAB, diagnosis.TAB, rl.TAB,
    service_curve.TAB, service_overview.TAB,
    operator_timeline.TAB, operator_source.TAB, details.TAB, operator_cache.TAB, on_chip_memory.TAB,
    memscope.TAB, snapshot.TAB,
)  # fmt: skip


@dataclass(frozen=True)
class TabGroup:
    """Tabs of one area, with the label that stands before them."""

    area: str
    label: str
    tabs: tuple[Tab, ...]


def tab(tab_id: str) -> Tab | None:
    """The tab of that id."""
    return next((t for t in TABS if t.id == tab_id), None)


def tabs_for(found: Discovery, store: Store | None = None) -> list[Tab]:
    """The tabs that the window has and the data call for, in display order; those of the content need the opened cards."""
    captures = [store.capture(card.name) for card in store.every_card] if store is not None else []
    wanted = scene.tabs(found, scene.told(captures))
    return [t for name in wanted if (t := tab(name)) is not None]


def grouped(tabs: list[Tab]) -> list[TabGroup]:
    """Tabs by area, in order."""
    areas = list(dict.fromkeys(t.id.split(".")[0] for t in tabs))
    return [TabGroup(a, AREAS.get(a, a), tuple(t for t in tabs if t.id.startswith(f"{a}."))) for a in areas]

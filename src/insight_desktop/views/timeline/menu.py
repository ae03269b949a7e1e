"""The context menu of chart and tree: a table of items, each shown when it can be done, in groups."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from insight_desktop.views.common import language, number_text
from insight_desktop.views.timeline import extra_menu, links, related, request_lanes
from insight_desktop.views.timeline.layout import Unit
from insight_desktop.views.timeline.verbs import Verbs

__all__ = ["GROUPS", "Item", "Verbs", "build"]

tr = language.tr
_LISTED = 30  # linked slices in a submenu
Test = Callable[[Verbs], bool]


def always(_verbs: Verbs) -> bool:
    """Shown in every state."""
    return True


@dataclass(frozen=True)
class Item:
    """One entry.

    Attributes:
        id: name of the entry that never changes.
        text: its words, made when the menu opens.
        verb: what it does.
        shown: whether it is listed now.
        enabled: whether it can be chosen now.
        checked: for switches: whether it is on.
        key: the key that does the same.
        menu: words of the submenu it stands in.
    """

    id: str
    text: Callable[[Verbs], str]
    verb: Callable[[Verbs], object]
    shown: Test = always
    enabled: Test = always
    checked: Test | None = None
    key: str = ""
    menu: Callable[[], str] | None = None


def _one(verbs: Verbs) -> Unit | None:
    units = verbs.selected_units()
    return units[0] if len(units) == 1 else None


def _one_card(verbs: Verbs) -> bool:
    unit = _one(verbs)
    return unit is not None and unit.is_card and unit.node is not None


def _can_shift(verbs: Verbs) -> bool:
    unit = _one(verbs)
    return unit is not None and unit.level <= 1 and unit.node is not None


def _range(verbs: Verbs) -> bool:
    return verbs.state.range is not None


def _slice(verbs: Verbs) -> bool:
    return verbs.state.selected is not None


def _kind(verbs: Verbs) -> str:
    """What kind of data the selection is on: ftrace, simulation, service, or that of its card."""
    state = verbs.state
    chosen = state.selected or state.range or _one(verbs)
    if chosen is None or state.capture(chosen.card) is None:
        return ""
    card = state.context.store.card(chosen.card)
    return "service" if card.area == "service" else card.kind


def _service_slice(verbs: Verbs) -> bool:
    chosen = verbs.state.selected
    return chosen is not None and chosen.kind == "slice" and _kind(verbs) == "service"


def _has_system_view(verbs: Verbs) -> bool:
    return _kind(verbs) not in ("ftrace", "simulation", "service")


def _can_analyse(verbs: Verbs) -> bool:
    return _range(verbs) and verbs.state.modes.can_analyse() and _has_system_view(verbs)


def _can_analyse_slice(verbs: Verbs) -> bool:
    return verbs.state.modes.can_analyse() and _has_system_view(verbs) and verbs.state.range_of_selected() is not None


def _analysing(verbs: Verbs) -> bool:
    return verbs.state.modes.analysis is not None


def _busy(verbs: Verbs) -> bool:
    """Locked or analysing: the tree must keep its lanes."""
    return _analysing(verbs) or verbs.state.modes.locked is not None


def _pins(verbs: Verbs) -> list[bool]:
    return [verbs.state.is_pinned(unit) for unit in verbs.selected_units()]


def _same(verbs: Verbs, is_pinned: bool) -> bool:
    return bool(verbs.same_named()) and all(found == is_pinned for found in _pins(verbs))


def _base(verbs: Verbs) -> bool:
    chosen = verbs.alignment.base_slice()
    return chosen is not None and chosen != verbs.state.modes.lead


def _can_time_align(verbs: Verbs) -> bool:
    return verbs.alignment.base_slice() is not None and _kind(verbs) not in ("simulation", "service")


def _is_collective(verbs: Verbs) -> bool:
    """An operator of a job of several cards, on the lane of its group."""
    chosen, units = verbs.state.selected, verbs.selected_units()
    jobs = sum(not card.guest for card in verbs.state.context.store.cards) > 1
    named = chosen is not None and chosen.kind == "slice" and chosen.name.lower().startswith("hcom_")
    return jobs and named and bool(units) and all(map(related.is_group, units))


def _related(verbs: Verbs) -> related.Related | None:
    unit = _one(verbs)
    return related.related(verbs.state, unit) if unit is not None else None


def _related_text(verbs: Verbs) -> str:
    found = _related(verbs)
    if found is None or not found.unread:
        is_busy = found is not None and found.busy
        return tr("Cards of Related Group are being read") if is_busy else tr("Parsed All Cards of Related Group")
    return tr("Parse Cards of Related Group ({0})").format(",".join(found.unread))


def _any_unread(verbs: Verbs) -> bool:
    found = _related(verbs)
    return found is not None and bool(found.unread)


def _sync_text(verbs: Verbs) -> str:
    return tr("Show SET/WAIT events") if verbs.hides_sync() else tr("Hide SET/WAIT events")


def _several(verbs: Verbs) -> bool:
    return len(verbs.state.context.store.cards) > 1


def _has_collectives(verbs: Verbs) -> bool:
    return _several(verbs) and any(c.kind not in ("simulation", "service") for c in verbs.state.context.store.cards)


def _below(verbs: Verbs, is_open: bool) -> bool:
    unit = _one(verbs)
    below = [u for u in unit.walk() if u.can_open] if unit is not None and unit.can_open else []
    return any(verbs.state.is_open(u) == is_open for u in below)


def _events(verbs: Verbs) -> bool:
    unit = _one(verbs)
    if unit is None or unit.is_card or unit.node is None or any(u.series for u in unit.walk()):
        return False
    if _kind(verbs) in ("simulation", "service"):
        return False
    return not unit.title.startswith("Plane ") and any(u.tracks for u in unit.walk())


def _counted(text: str, count: int) -> str:
    return f"{text} ({count})" if count else text


def _history(verbs: Verbs) -> bool:
    return bool(verbs.state.viewport.undo_count or verbs.state.viewport.redo_count)


def _not_a_point(verbs: Verbs) -> bool:
    chosen = verbs.state.selected
    return chosen is None or chosen.end_ns > chosen.start_ns


def _name(verbs: Verbs) -> str:
    return verbs.selected_units()[0].title


def _request_order() -> str:
    return tr("Sort requests by")


def _request_sort(sort: str, text: str) -> Item:
    return Item(
        f"requests_{sort}", lambda _: tr(text), lambda v: v.service.sort_requests(sort), lambda v: v.service.shows_requests(),
        checked=lambda v: v.state.request_lanes.sort == sort, menu=_request_order,
    )  # fmt: skip


def _time_alignment() -> str:
    return tr("Time Alignment")


GROUPS: tuple[tuple[Item, ...], ...] = (
    (
        Item("communication", lambda _: tr("Find in Communication"), lambda v: v.find_in_communication(), _is_collective),
        Item("alias", lambda _: tr("Set alias…"), lambda v: v.ask_alias(), _one_card),
        Item("offset", lambda _: tr("Timestamp offset…"), lambda v: v.ask_offset(), _can_shift),
        Item("related", _related_text, lambda v: v.read_related(), lambda v: _related(v) is not None, _any_unread),
    ),
    (
        Item("durations", lambda _: tr("Generate Duration Line Chart By Block"), lambda v: v.service.show_curve("duration"), _service_slice),
        Item("bubbles", lambda _: tr("Generate Bubble Line Chart By Block"), lambda v: v.service.show_curve("bubble"), _service_slice),
        Item("kernels", lambda _: tr("Kernels below"), lambda v: v.service.show_kernels(), _service_slice, lambda v: v.service.has_kernels()),
        Item("requests", lambda _: tr("Requests as lanes"), lambda v: v.service.toggle_requests(), lambda v: v.service.card is not None,
             checked=lambda v: v.service.shows_requests()),
        *(_request_sort(sort, text) for sort, text in request_lanes.SORTS),
    ),
    (
        Item("analyse", lambda _: tr("Time Range Analysis"), lambda v: v.analyse(False), _can_analyse),
        Item("analyse_zoom", lambda _: tr("Time Range Analysis and Zoom in"), lambda v: v.analyse(True), _can_analyse),
        Item("end_analysis", lambda _: tr("Remove Time Range Analysis"), lambda v: v.state.modes.end_analysis(), _analysing),
        Item("analyse_slice", lambda _: tr("Apply Time Range Analysis"), lambda v: v.state.modes.analyse_slice(), _can_analyse_slice),
    ),
    (
        Item("fit", lambda _: tr("Fit to screen"), lambda v: v.fit(), _slice, key="F"),
        Item("zoom_in", lambda _: tr("Zoom into selection"), lambda v: v.zoom_into_range(), _range, _not_a_point, key="Shift+Z"),
        Item("lock", lambda _: tr("Lock selection area"), lambda v: v.state.modes.lock(), lambda v: v.state.modes.can_lock()),
        Item("unlock", lambda _: tr("Unlock selection area"), lambda v: v.state.modes.unlock(), lambda v: v.state.modes.locked is not None),
        Item("undo", lambda v: _counted(tr("Undo zoom"), v.state.viewport.undo_count), lambda v: v.state.viewport.undo(),
             enabled=lambda v: bool(v.state.viewport.undo_count), key="Backspace"),
        Item("redo", lambda v: _counted(tr("Redo zoom"), v.state.viewport.redo_count), lambda v: v.state.viewport.redo(),
             enabled=lambda v: bool(v.state.viewport.redo_count), key="Shift+Backspace"),
        Item("reset", lambda _: tr("Reset zoom"), lambda v: v.state.viewport.reset(), enabled=_history, key="Ctrl+0"),
    ),
    (
        Item("pin", lambda _: tr("Pin"), lambda v: v.pin(True), lambda v: bool(_pins(v)) and not all(_pins(v))),
        Item("unpin", lambda _: tr("Unpin"), lambda v: v.pin(False), lambda v: any(_pins(v))),
        Item("unpin_all", lambda _: tr("Unpin all"), lambda v: v.state.unpin_all(), lambda v: bool(_pins(v)) and all(_pins(v))),
        Item("pin_same", lambda v: tr("Pin Same-named Lane ({0})").format(_name(v)), lambda v: v.pin_same_named(True), lambda v: _same(v, False)),
        Item("unpin_same", lambda v: tr("Unpin Same-named Lane ({0})").format(_name(v)), lambda v: v.pin_same_named(False), lambda v: _same(v, True)),
    ),
    (
        Item("base", lambda _: tr("Set base slice"), lambda v: v.set_base_slice(), _base),
        Item("no_base", lambda _: tr("Clear base slice"), lambda v: v.state.modes.set_lead(None), lambda v: v.state.modes.lead is not None),
        Item("align_left", lambda _: tr("Align Left"), lambda v: v.alignment.time_align("start"), _can_time_align,
             enabled=_several, menu=_time_alignment),
        Item("align_right", lambda _: tr("Align Right"), lambda v: v.alignment.time_align("end"), _can_time_align,
             enabled=_several, menu=_time_alignment),
        Item("collectives", lambda _: tr("Align cards by collectives…"), lambda v: v.alignment.by_collectives(), _has_collectives),
        Item("recover", lambda _: tr("Recover cards default offset"), lambda v: v.alignment.recover()),
    ),
    (
        Item("expand", lambda _: tr("Expand all"), lambda v: v.open_below(True), lambda v: _below(v, False)),
        Item("collapse", lambda _: tr("Collapse all"), lambda v: v.open_below(False), lambda v: _below(v, True)),
    ),
    (
        Item("merge", lambda _: tr("Merge Units"), lambda v: v.merge(), lambda v: len(v.selected_units()) > 1),
        Item("unmerge", lambda _: tr("Unmerge Units"), lambda v: v.unmerge(), lambda v: any(u.members for u in v.selected_units())),
        Item("hide", lambda _: tr("Hide"), lambda v: v.hide(), lambda v: bool(v.selected_units()), lambda v: not _busy(v)),
        Item("show", lambda _: tr("Show all hidden lanes"), lambda v: v.state.show_all(None), lambda v: bool(v.state.arrangement.hidden),
             lambda v: not _busy(v)),
        Item("sync", _sync_text, lambda v: v.toggle_sync(), lambda v: _kind(v) == "simulation"),
    ),
    (
        Item("auto_fit", lambda _: tr("Auto Fit Unit Height"), lambda v: v.state.modes.set_auto_fit(not v.state.modes.auto_fit),
             checked=lambda v: v.state.modes.auto_fit),
        Item("events", lambda _: tr("Show in Events View"), lambda v: v.show_events(), _events),
        Item("depth_mode", lambda _: tr("Slice Selection Mode"), lambda v: v.state.modes.set_depth_mode(not v.state.modes.depth_mode),
             lambda v: not _analysing(v), checked=lambda v: v.state.modes.depth_mode),
    ),
    (
        Item("copy", lambda _: tr("Copy name"), lambda v: v.copy_name(), lambda v: bool(v.selected_units()) or _slice(v)),
    ),
)  # fmt: skip


def build(verbs: Verbs, parent: QWidget) -> QMenu:
    """The menu for what is selected now. Groups without items leave no separator."""
    menu = QMenu(parent)
    for group in GROUPS:
        shown = [item for item in group if item.shown(verbs)]
        if shown and not menu.isEmpty():
            menu.addSeparator()
        inner: dict[str, QMenu] = {}
        for item in shown:
            target = menu
            if item.menu is not None:
                title = item.menu()
                target = inner.get(title) or inner.setdefault(title, menu.addMenu(title))
            target.addAction(_action(item, verbs, target))
    extra_menu.add(menu, verbs.state)
    _links(menu, verbs)
    return menu


def _action(item: Item, verbs: Verbs, menu: QMenu) -> QAction:
    text = item.text(verbs)
    action = QAction(f"{text}\t{item.key}" if item.key else text, menu)
    action.setObjectName(item.id)
    action.setEnabled(item.enabled(verbs))
    if item.checked is not None:
        action.setCheckable(True)
        action.setChecked(item.checked(verbs))
    action.triggered.connect(lambda _=False: item.verb(verbs))
    return action


def _links(menu: QMenu, verbs: Verbs) -> None:
    found = links.of_selection(verbs.state)
    chosen = verbs.state.selected
    if not found or chosen is None:
        return
    menu.addSeparator()
    top = menu.addMenu(tr("Jump to linked slice"))
    going, coming = links.counts(verbs.state)
    for title, count, ends in (
        (tr("From"), coming, [(link.source, link.category) for link in found if link.target.id == chosen.id]),
        (tr("To"), going, [(link.target, link.category) for link in found if link.source.id == chosen.id]),
    ):
        if ends:
            part = top.addMenu(title)
            for end, category in ends[:_LISTED]:
                action = QAction(f"{end.name} ({category})", part)
                action.triggered.connect(lambda _=False, end=end: verbs.jump(end))
                part.addAction(action)
            if count > _LISTED and len(ends) > _LISTED:
                rest = tr("… {n} more: see Slice Detail").format(n=number_text.count(count - _LISTED))
                part.addAction(rest).setEnabled(False)

"""What can be done with a block of the MemScope page: its times, its events, its address."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu

from insight_desktop.engine.memory import memscope as queries
from insight_desktop.engine.memory import memscope_look
from insight_desktop.engine.memory.memscope_look import Look
from insight_desktop.engine.store import Store
from insight_desktop.views.common.language import tr
from insight_desktop.views.memory import memscope_panels
from insight_desktop.views.memory.block_chart import Mark

if TYPE_CHECKING:
    from insight_desktop.views.memory.memscope import MemscopePage


def open_block(store: Store, *, card: str | None, block_id: int) -> dict[str, Any]:
    """A block with its events, for the menu and for steps through them."""
    name = queries.chosen(store, card).name
    found = store.sql(
        """SELECT block_id, address, alloc_ns, free_ns, never_freed, first_access_ns, last_access_ns, alloc_event, free_event
           FROM memscope_block WHERE card = $card AND block_id = $id""",
        card=name, id=block_id,
    ).to_pylist()[0]  # fmt: skip
    return {**found, "events": queries.block_events(store, block_id=block_id, card=name).to_pylist()}


def block_menu(page: MemscopePage, block: dict[str, Any]) -> QMenu:
    """What can be done with a block."""
    address = f"0x{block['address']:016x}"
    never, accessed = block["never_freed"], block["first_access_ns"] is not None
    menu = QMenu(page)
    menu.addAction(tr("Show the whole life"), lambda: page.charts.locate(block["block_id"]))
    menu.addAction(
        tr("Mark the first and last access"), lambda: mark_accesses(page, block)
    ).setEnabled(accessed)  # fmt: skip
    began = menu.addAction(
        tr("Go to the alloc event"), lambda: go_to_event(page, block["alloc_event"], block["alloc_ns"])
    )
    menu.addAction(
        tr("Go to the free event"), lambda: go_to_event(page, block["free_event"], block["free_ns"])
    ).setEnabled(block["free_event"] >= 0)  # fmt: skip
    menu.addSeparator()
    pinned = menu.addAction(tr("Pin A at its malloc"), lambda: pin_at(page, block["alloc_ns"]))
    for action in (began, pinned):
        action.setEnabled(block["alloc_event"] >= 0)
    menu.addAction(tr("Mark its free (B)"), lambda: page.go_to(float(block["free_ns"]))).setEnabled(not never)
    menu.addSeparator()
    menu.addAction(tr("Filter the table by this address"), lambda: filter_address(page, address))
    menu.addAction(tr("All lifetimes of this address"), lambda: filter_address(page, address, everywhere=True))
    menu.addAction(tr("Copy address"), lambda: QGuiApplication.clipboard().setText(address))
    return menu


def mark_accesses(page: MemscopePage, block: dict[str, Any]) -> None:
    """Flags at the first and at the last access of a block."""
    found = [
        Mark(float(block[key]), text)
        for key, text in (("first_access_ns", tr("first access")), ("last_access_ns", tr("last access")))
        if block[key] is not None
    ]
    page.charts.show_marks(found)


def filter_address(page: MemscopePage, address: str, *, everywhere: bool = False) -> None:
    """Show the blocks of an address, in the visible range or over the whole data."""
    if everywhere:
        page.charts.restore()
    page.panels.bar.setCurrentIndex(memscope_panels.BLOCKS)
    page.panels.blocks.set_filters({**page.panels.blocks.filters(), "ptr": f"={address}"})


def pin_at(page: MemscopePage, ns: int) -> None:
    """Remember what lives at a time as A: it is pinned when its owners are there."""
    page.pin_wanted = True
    page.go_to(float(ns))


def go_to_event(page: MemscopePage, row: int, ns: int) -> None:
    """Mark the time of an event and choose its row in the table of events."""
    page.panels.wanted_event = row
    page.panels.bar.setCurrentIndex(memscope_panels.EVENTS)
    page.go_to(float(ns))
    page.panels.select_event()


def step(page: MemscopePage, block: dict[str, Any], way: int) -> None:
    """Go to the event of a block before (-1) or after (1) the one that was gone to, else the marked time."""
    events = block["events"]
    rows = [event["row"] for event in events]
    here = page.panels.wanted_event
    if here in rows:
        at = rows.index(here) + way
    else:
        ns = page.marker if page.marker is not None else -1.0
        later = [i for i, event in enumerate(events) if event["t_ns"] > ns]
        earlier = [i for i, event in enumerate(events) if event["t_ns"] < ns]
        at = (later[0] if later else len(rows)) if way > 0 else (earlier[-1] if earlier else -1)
    if 0 <= at < len(rows):
        go_to_event(page, rows[at], events[at]["t_ns"])
    else:
        page.context.message.emit("info", tr("This block has no further event in that direction."), "")


def ask_look(page: MemscopePage) -> None:
    """Colours of the chart, and which blocks are inefficient, anew."""
    device, kind = page.pool
    if not page.dump or not kind:
        return
    thresholds = {key: value for key, value in page.thresholds.items() if key != "only_tagged"}
    page.ask(
        _looked, then=page.charts.show_look, failed=page.told, card=page.card, device=device, kind=kind,
        by=page.charts.choices.colour, thresholds=thresholds,
    )  # fmt: skip


def _looked(store: Store, *, card: str, device: str, kind: str, by: Any, thresholds: dict[str, Any]) -> Look:
    return memscope_look.look(store, card, device, kind, by=by, thresholds=thresholds)


def limits(page: MemscopePage) -> dict[str, int]:
    """Arguments of `memory.memscope.blocks` for the chosen sizes."""
    least, most = page.charts.choices.sizes
    return {name: size for name, size in (("min_bytes", least), ("max_bytes", most)) if size is not None}

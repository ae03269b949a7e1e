"""What can be done on the Snapshot page from its menus: export, and what a block offers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMenu

from insight_desktop.engine.memory import snapshot_export
from insight_desktop.engine.memory.snapshot_stacks import label
from insight_desktop.views.common import number_text
from insight_desktop.views.common.chart_readout import ReadoutLine
from insight_desktop.views.common.language import tr
from insight_desktop.views.memory import snapshot_texts as texts

if TYPE_CHECKING:
    from insight_desktop.views.memory.snapshot import SnapshotPage
    from insight_desktop.views.memory.snapshot_load import Opened

_LONGEST = 60


def readout(found: Opened, row: int, inset: tuple[int, int] | None) -> Sequence[ReadoutLine]:
    """What the box beside the mouse says of a row of the chart."""
    chart = found.chart
    ident = int(chart.ids[row]) if inset is None else int(chart.insets[inset[0]].ids[inset[1]])
    blocks, r = (chart.blocks, row) if inset is None else (chart.insets[inset[0]].blocks, inset[1])
    start, end = int(blocks.start[r]), int(min(blocks.end[r], found.device.events))
    if ident >= 0 and chart.kind != "segments":
        start = int(found.device.column("block_start")[ident])
        end = int(min(found.device.column("block_end")[ident], found.device.events))
    size = ReadoutLine(None, tr("Size"), texts.size(int(blocks.size[r])))
    lives = ReadoutLine(
        None, tr("Lives"), tr("events {0} – {1}").format(number_text.count(start), number_text.count(end))
    )
    if chart.kind == "segments":
        return [ReadoutLine(None, tr("Segment"), texts.address(int(chart.addresses[row]))), size, lives]
    if ident < 0:
        pool = next((i.pool for i in chart.insets if i.row == row), "")
        return [ReadoutLine(None, tr("Memory pool"), pool), size, lives]
    device = found.device
    stack = int(device.column("block_stack")[ident])
    address = texts.address(int(device.column("block_address")[ident]))
    lines = [
        ReadoutLine(None, tr("Block {0}").format(number_text.count(ident)), address),
        size,
        ReadoutLine(None, tr("Requested"), texts.size(int(device.column("block_requested")[ident]))),
        lives,
    ]
    if stack:
        lines.append(ReadoutLine(None, tr("Allocated by"), label(found.snapshot, stack)[:_LONGEST]))
    return lines


def block_menu(page: SnapshotPage, row: int) -> QMenu | None:
    """What can be done with a block of the chart; None for no block."""
    block, found = page.block_of(row), page.opened
    if block < 0 or found is None:
        return None
    device = found.device
    address = int(device.column("block_address")[block])
    alloc, _, done = (int(x[0]) for x in device.block_events(np.array([block])))
    menu = QMenu(page)
    menu.addAction(tr("Show the whole life"), lambda: page.chart.locate(row))
    menu.addAction(tr("Go to the alloc event"), lambda: page.go_to_event(alloc)).setEnabled(alloc >= 0)
    menu.addAction(tr("Go to the free event"), lambda: page.go_to_event(done)).setEnabled(done >= 0)
    menu.addAction(tr("All lifetimes of this address"), lambda: page.show_address(address))
    menu.addAction(tr("Copy address"), lambda: QGuiApplication.clipboard().setText(texts.address(address)))
    return menu


def export_menu(page: SnapshotPage) -> QMenu:
    """Pictures, the table that is seen, the details, a snapshot of the visible range."""
    menu = QMenu(page)
    menu.addAction(tr("Picture or numbers of the chart…"), page.chart.export_dialog)
    menu.addAction(tr("Picture of the allocator…"), page.panels.map.export_dialog)
    table = page.panels.tables.get(page.panels.current)
    if table is not None:
        menu.addAction(tr("Table…"), table.export_dialog)
    menu.addAction(tr("Details as JSON…"), lambda: _details(page)).setEnabled(page.detail.content is not None)
    menu.addAction(tr("Snapshot of the visible range…"), lambda: _range(page))
    return menu


def _details(page: SnapshotPage) -> None:
    name, _ = QFileDialog.getSaveFileName(page, tr("Export details"), "", "JSON (*.json)")
    if name:
        export_details(page, Path(name).with_suffix(".json"))


def export_details(page: SnapshotPage, path: Path) -> None:
    """Write what the detail panel shows."""
    path.write_text(page.detail.as_json(), encoding="utf-8")
    page.exported(str(path))


def _range(page: SnapshotPage) -> None:
    name, _ = QFileDialog.getSaveFileName(page, tr("Export snapshot"), "", "Pickle (*.pickle);;JSON (*.json)")
    if name:
        export_range(page, name)


def export_range(page: SnapshotPage, path: str) -> None:
    """Write the events of the visible range as a snapshot of its own."""
    found, visible = page.opened, page.visible_range
    if found is None:
        return
    page.ask(
        snapshot_export.write_range, then=page.exported, failed=page.told, card=found.card, device=found.device.number,
        path=path, first=visible[0] if visible else 0, last=visible[1] if visible else None,
    )  # fmt: skip

"""Makes the contents of the detail panel from the columns of a snapshot."""

from __future__ import annotations

from typing import Any

import numpy as np

from insight_desktop.engine.memory import snapshot_advice as advice
from insight_desktop.engine.memory import snapshot_rows, snapshot_stacks
from insight_desktop.engine.memory import snapshot_segments as sg
from insight_desktop.engine.memory.snapshot_data import Device, SizeMode, Snapshot, of_card
from insight_desktop.engine.memory.snapshot_state import ordered, plain, state_of
from insight_desktop.engine.store import Store
from insight_desktop.errors import NoData
from insight_desktop.schema_snapshot import EXACT, OOM, PREEXISTING, WORKSPACE_BLOCK
from insight_desktop.views.common import number_text
from insight_desktop.views.common.key_values import Fact
from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr
from insight_desktop.views.memory import snapshot_texts as texts
from insight_desktop.views.memory.snapshot_detail import Content, Item, Line, Stack

_VERDICTS = {
    advice.SHORTAGE: (
        QT_TRANSLATE_NOOP("insight", "Out of memory: the device was full"),
        QT_TRANSLATE_NOOP("insight", "Free device memory and all gaps together are less than what was asked for."),
    ),
    advice.FRAGMENTED: (
        QT_TRANSLATE_NOOP("insight", "Out of memory: fragmentation"),
        QT_TRANSLATE_NOOP("insight", "The free memory is there, but in pieces that are too small."),
    ),
    advice.ELSEWHERE: (
        QT_TRANSLATE_NOOP("insight", "Out of memory: the free memory belongs to another stream or pool"),
        QT_TRANSLATE_NOOP("insight", "A gap that is large enough exists where this request may not use it."),
    ),
}


def content_of(project: Store, *, card: str | None, device: int | None, item: Item, mode: SizeMode, every: bool, event: int) -> Content:  # fmt: skip
    """All of an event, a block or a segment; `event` is the moment that the page shows."""
    snapshot = of_card(project, card)
    chosen = snapshot.device(device)
    if item.kind == "event":
        return _event(snapshot, chosen, item, mode, every)
    if item.kind == "block":
        return _block(snapshot, chosen, item, mode, every, event)
    return _segment(snapshot, chosen, item, mode, every, event)


def stack_lines(snapshot: Snapshot, stack: int, title: str, every: bool) -> Stack:
    """A call stack as the panel shows it."""
    frames = snapshot.frames(stack)
    shown = snapshot_stacks.shown(frames, every=every)
    lines = []
    depth = 0
    for frame, times in snapshot_stacks.repeated(shown):
        name = frame.file.replace("\\", "/").rsplit("/", 1)[-1]
        place = f"{name}:{number_text.count(frame.line)}" if name else ""
        lines.append(Line(depth, frame.function, place, times, frame.fx))
        depth += times
    return Stack(title, lines, len(frames) - len(shown))


def _event(snapshot: Snapshot, device: Device, item: Item, mode: SizeMode, every: bool) -> Content:
    e = item.number
    if not 0 <= e < device.events:
        raise NoData(f"There is no event {e}.", fix="")
    code = int(device.action[e])
    action, size = snapshot.actions[code], int(device.column("size")[e])
    stream, block = int(device.column("stream")[e]), int(device.column("block")[e])
    totals = device.totals(mode)
    facts = [Fact("Action", action, strong=True)]
    if code == OOM:
        facts.append(Fact("Device memory free", texts.exact(int(device.column("address")[e].astype(np.int64)))))
    else:
        where = int(device.column("address")[e])
        facts.append(Fact("Address", texts.address(where), link=f"address:{where}"))
    facts += [Fact("Size", texts.exact(size)), Fact("Stream", str(stream))]
    if block >= 0:
        facts.append(Fact("Block", number_text.count(block), link=f"block:{block}"))
    facts += [
        Fact("Caching allocated", texts.exact(int(totals.allocated[e]))),
        Fact("Caching active", texts.exact(int(totals.active[e]))),
        Fact("Caching reserved", texts.exact(int(device.column("reserved")[e]))),
        *_context(snapshot, device, e),
    ]
    stacks = [stack_lines(snapshot, int(device.column("stack")[e]), tr("Call stack, innermost first"), every)]
    forward = device.column("forward")
    if len(forward) and forward[e] > 0:
        stacks.append(stack_lines(snapshot, int(forward[e]), tr("Forward pass"), every))
    verdict = _verdict(device, e, mode) if code == OOM else None
    title = tr("Event {0}").format(number_text.count(e))
    on = tr("stream {0}").format(stream)
    subtitle = f"{action} · {on}"
    return Content(item, title, subtitle, facts, stacks, verdict, tab=f"#{e}")


def _context(snapshot: Snapshot, device: Device, event: int) -> list[Fact]:
    """What a CUDA recording adds to an event."""
    out = []
    time = device.column("time")
    if len(time) and time[event]:
        since = int(time[event]) - int(time[0])
        out.append(Fact("Time", number_text.duration(since * 1000), f"{number_text.count(int(time[event]))} µs"))
    for title, name in (("Category", "category"), ("User metadata", "metadata"), ("Compile context", "context")):
        column = device.column(name)
        text = snapshot.text(int(column[event])) if len(column) else ""
        if text and text != "N/A":
            out.append(Fact(title, text))
    pool = device.column("pool")
    if len(pool) and pool[event] >= 0:
        out.append(Fact("Memory pool", snapshot.pool_text(int(pool[event]))))
    return out


def _verdict(device: Device, event: int, mode: SizeMode) -> tuple[str, str]:
    found = advice.out_of_memory(device, event, mode)
    title, why = _VERDICTS[found.verdict]
    numbers = tr("{asked} asked, largest gap {gap}, gaps together {gaps}, device free {free}.").format(
        asked=texts.size(found.requested), gap=texts.size(found.largest_gap), gaps=texts.size(found.gap_bytes),
        free=texts.size(found.device_free),
    )  # fmt: skip
    return tr(title), f"{tr(why)} {numbers}"


def _block(snapshot: Snapshot, device: Device, item: Item, mode: SizeMode, every: bool, event: int) -> Content:
    b = item.number
    rows = np.array([b])
    flags = int(device.column("block_flags")[b])
    alloc, asked, done = (int(x[0]) for x in device.block_events(rows))
    size, requested = int(device.sizes(mode)[b]), int(device.column("block_requested")[b])
    where = int(device.column("block_address")[b])
    end = min(int(device.column("block_end")[b]), device.events)
    start = int(device.column("block_start")[b])
    before = tr("before the first event")
    lifetimes = np.flatnonzero(device.column("block_address") == np.uint64(where))
    uses = tr("use {0} of {1}").format(int(np.searchsorted(lifetimes, b)) + 1, len(lifetimes))
    facts = [
        Fact("Address", texts.address(where), uses, link=f"address:{where}"),
        Fact("Size", texts.exact(size), "" if flags & EXACT else tr("estimated")),
        Fact("Requested", texts.exact(requested)),
        Fact("Lost to rounding", texts.exact(max(0, size - requested))),
        Fact("State", _state(device, b, event), strong=True),
        Fact("Lives", tr("{0} events").format(number_text.count(end - start))),
        Fact("Stream", str(int(device.column("block_stream")[b]))),
        _link("Alloc event", alloc, before if flags & PREEXISTING else number_text.MISSING),
        _link("Free requested event", asked),
        _link("Free completed event", done),
    ]  # fmt: skip
    pool = int(device.column("block_pool")[b])
    if pool >= 0:
        facts.append(Fact("Memory pool", snapshot.pool_text(pool)))
    category = int(snapshot_rows.block_categories(device, rows)[0])
    if category >= 0:
        facts.append(Fact("Category", snapshot.text(category)))
    if flags & WORKSPACE_BLOCK:
        facts.append(Fact("Workspace", tr("taken by a workspace of the device")))
    stacks = [stack_lines(snapshot, int(device.column("block_stack")[b]), tr("Alloc event: call stack, innermost first"), every)]  # fmt: skip
    for number, title in ((asked, tr("Free requested event")), (done, tr("Free completed event"))):
        if number >= 0 and device.column("stack")[number] > 0:
            stacks.append(stack_lines(snapshot, int(device.column("stack")[number]), title, every))
    title = tr("Block {0}").format(number_text.count(b))
    if flags & PREEXISTING:
        earlier = int(((device.column("block_flags")[:b] & PREEXISTING) > 0).sum())
        title = tr("Block {0} (pre #{1})").format(number_text.count(b), earlier + 1)
    return Content(item, title, texts.size(size), facts, stacks, tab=tr("Block {0}").format(b))


def _link(title: str, event: int, missing: str = number_text.MISSING) -> Fact:
    if event < 0:
        return Fact(title, missing)
    return Fact(title, number_text.count(event), link=f"event:{event}")


def _state(device: Device, block: int, event: int) -> str:
    """State of a block after an event."""
    start, pending, end = (int(device.column(f"block_{n}")[block]) for n in ("start", "pending", "end"))
    if event < start:
        return tr("not allocated yet")
    if event >= end:
        return tr("freed")
    return tr("pending free") if event >= pending else tr("allocated")


def _segment(snapshot: Snapshot, device: Device, item: Item, mode: SizeMode, every: bool, event: int) -> Content:
    state = state_of(device, event, mode)
    rows = np.flatnonzero(state.base == item.number)
    where = int(plain(np.array([item.number], np.int64))[0])
    title = tr("Segment {0}").format(texts.address(where))
    if not len(rows):
        return Content(
            item, title, tr("not there after event {0}").format(texts.event(event)), tab=texts.address(where)
        )
    k = int(rows[0])
    figures: dict[str, Any] = {name: int(values[k]) for name, values in state.per_segment().items()}
    s = state.segments[k]
    made = int(s[sg.EVENT])
    facts = [
        Fact("Address", texts.address(where), link=f"address:{where}"),
        Fact("Segment size", texts.exact(int(s[sg.SIZE]))),
        Fact("Stream", str(int(s[sg.STREAM]))),
        Fact("Memory pool", snapshot.pool_text(int(s[sg.POOL]))),
        Fact("Kind", tr("small") if s[sg.SMALL] else tr("large"), tr("expandable") if s[sg.EXPANDABLE] else ""),
        Fact("Allocated", texts.exact(figures["allocated"])),
        Fact("Blocks", number_text.count(figures["blocks"])),
        Fact("Gaps", number_text.count(figures["gaps"]), texts.exact(figures["gap"])),
        Fact("Largest gap", texts.exact(figures["largest"])),
        _link("Alloc/Map event", made, tr("allocation event not captured")),
    ]
    stack = int(device.column("stack")[made]) if made >= 0 else 0
    stacks = [stack_lines(snapshot, stack, tr("Call stack, innermost first"), every)]
    return Content(
        item,
        title,
        texts.size(int(s[sg.SIZE])),
        facts,
        stacks,
        tab=tr("Seg#{0}").format(made if made >= 0 else tr("unknown")),
    )


def segment_item(address: int) -> Item:
    """The item of a segment by its address."""
    return Item("segment", int(ordered(np.array([address], np.uint64))[0]))


FACT_TITLES = (
    QT_TRANSLATE_NOOP("insight", "Action"), QT_TRANSLATE_NOOP("insight", "Device memory free"),
    QT_TRANSLATE_NOOP("insight", "Address"), QT_TRANSLATE_NOOP("insight", "Size"), QT_TRANSLATE_NOOP("insight", "Stream"),
    QT_TRANSLATE_NOOP("insight", "Block"), QT_TRANSLATE_NOOP("insight", "Caching allocated"),
    QT_TRANSLATE_NOOP("insight", "Caching active"), QT_TRANSLATE_NOOP("insight", "Caching reserved"),
    QT_TRANSLATE_NOOP("insight", "Time"), QT_TRANSLATE_NOOP("insight", "Category"),
    QT_TRANSLATE_NOOP("insight", "User metadata"), QT_TRANSLATE_NOOP("insight", "Compile context"),
    QT_TRANSLATE_NOOP("insight", "Memory pool"), QT_TRANSLATE_NOOP("insight", "Requested"),
    QT_TRANSLATE_NOOP("insight", "Lost to rounding"), QT_TRANSLATE_NOOP("insight", "State"),
    QT_TRANSLATE_NOOP("insight", "Lives"), QT_TRANSLATE_NOOP("insight", "Alloc event"),
    QT_TRANSLATE_NOOP("insight", "Free requested event"), QT_TRANSLATE_NOOP("insight", "Free completed event"),
    QT_TRANSLATE_NOOP("insight", "Workspace"), QT_TRANSLATE_NOOP("insight", "Segment size"),
    QT_TRANSLATE_NOOP("insight", "Kind"), QT_TRANSLATE_NOOP("insight", "Allocated"), QT_TRANSLATE_NOOP("insight", "Blocks"),
    QT_TRANSLATE_NOOP("insight", "Gaps"), QT_TRANSLATE_NOOP("insight", "Largest gap"),
    QT_TRANSLATE_NOOP("insight", "Alloc/Map event"),
)  # fmt: skip

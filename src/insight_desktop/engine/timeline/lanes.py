"""The lane tree of a card: what is drawn below what, in display order."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

from insight_desktop import schema
from insight_desktop.engine.capture import Capture
from insight_desktop.engine.store import StoreCard

Kind = Literal["card", "process", "thread", "group", "lane", "counter"]
Row = dict[str, Any]


@dataclass(frozen=True)
class Node:
    """One row of the tree.

    Attributes:
        key: stable name of the row, also after a new import: the texts of its path (card, pid, tid, group, lane).
        title: what the row shows.
        kind: card, process, thread, group, lane (slices) or counter.
        label: tag beside the title (CPU, NPU, …), may be empty.
        track: the slice lane that the row draws, None for pure groups.
        series: the counter series that the row draws.
        rows: depth rows of `track`; 0 without one.
        unit: unit that all its series share.
        children: rows below it, in display order.
        merged: tracks that the row draws as one (see `merge`), without a `track` of its own.
    """

    key: str
    title: str
    kind: Kind
    label: str = ""
    track: int | None = None
    series: tuple[int, ...] = ()
    rows: int = 0
    unit: str = ""
    children: tuple[Node, ...] = ()
    merged: tuple[int, ...] = ()


def card_tree(capture: Capture, card: StoreCard) -> Node:
    """The card's row with everything below it."""
    key = _join("", card.name)
    processes = _processes(capture.tracks.to_pylist(), key, card.kind)
    if card.area in ("service", "operator"):
        below = _with_counters(processes, capture.series.to_pylist(), key)
        return _unique(Node(key, card.alias or card.name, "card", children=tuple(below)), {})
    metrics = _metrics(capture.series.to_pylist(), key)
    return _unique(Node(key, card.alias or card.name, "card", children=(*processes, *metrics)), {})


def walk(node: Node) -> list[Node]:
    """The node and everything below it, in display order."""
    return [node, *(below for child in node.children for below in walk(child))]


def process_title(process: str, pid: str, kind: str) -> str:
    """Title of a process: with its id for text data, as written for databases."""
    return process if kind == "db" or pid in ("", process) else f"{process} ({pid})"


def _unique(node: Node, seen: dict[str, int]) -> Node:
    """Rows with equal texts get #2, #3, … behind their key, in display order."""
    seen[node.key] = number = seen.get(node.key, 0) + 1
    children = tuple(_unique(child, seen) for child in node.children)
    return replace(node, key=node.key if number == 1 else f"{node.key}#{number}", children=children)


def _processes(tracks: list[Row], card_key: str, kind: str) -> list[Node]:
    by_process: dict[tuple[str, str], list[tuple[int, Row]]] = {}
    for number, track in enumerate(tracks):
        by_process.setdefault((track["pid"], track["process"]), []).append((number, track))
    shared = {pid for pid, _ in by_process if sum(p == pid for p, _ in by_process) > 1}
    nodes = []
    for (pid, process), mine in by_process.items():
        key = _join(card_key, pid, *([process] if pid in shared else []))
        title = process_title(process, pid, kind)
        nodes.append(Node(key, title, "process", mine[0][1]["process_label"], children=tuple(_threads(mine, key))))
    return nodes


def _with_counters(processes: list[Node], series: list[Row], card_key: str) -> list[Node]:
    """Processes of a serving run with their counters below their lanes; counters of no process stand last."""
    by_process: dict[tuple[str, str, str], dict[str, list[tuple[int, Row]]]] = {}
    for number, line in enumerate(series):
        mine = by_process.setdefault((line["process"], line["pid"], line["process_label"]), {})
        mine.setdefault(line["counter"], []).append((number, line))
    nodes = list(processes)
    for (process, pid, label), counters in by_process.items():
        title = process_title(process, pid, "")
        at = next((i for i, node in enumerate(nodes) if node.title == title), None)
        key = nodes[at].key if at is not None else _join(card_key, pid, "counters")
        lanes = tuple(_counter(name, lines, key) for name, lines in counters.items())
        if at is None:
            title = "Host" if pid == process == "1" else title  # what the collector samples for the whole host
            nodes.append(Node(key, title, "process", label, children=lanes))
        else:
            nodes[at] = replace(nodes[at], children=(*nodes[at].children, *lanes))
    return nodes


def _threads(tracks: list[tuple[int, Row]], process_key: str) -> list[Node]:
    by_thread: dict[tuple[str, str], list[tuple[int, Row]]] = {}
    for number, track in tracks:
        by_thread.setdefault((track["tid"], track["thread"]), []).append((number, track))
    return [_thread(mine, _join(process_key, tid)) for (tid, _), mine in by_thread.items()]


def _thread(tracks: list[tuple[int, Row]], key: str) -> Node:
    """A thread draws its main lane itself; its other lanes, labels and the Python stack stand below it."""
    title = tracks[0][1]["thread"]
    main = next((found for found in tracks if not found[1]["group"] and found[1]["lane"] == found[1]["thread"]), None)
    children: list[Node] = []
    groups: dict[str, list[Node]] = {}
    at: dict[str, int] = {}
    for found in tracks:
        if found is main:
            continue
        group = found[1]["group"]
        if not group:
            children.append(_lane(found, key))
        else:
            if group not in groups:
                groups[group], at[group] = [], len(children)
                children.append(Node(_join(key, group), group, "group"))
            groups[group].append(_lane(found, _join(key, group)))
    for group, lanes in groups.items():
        children[at[group]] = Node(_join(key, group), group, "group", children=tuple(lanes))
    track, rows = (main[0], _rows(main[1])) if main else (None, 0)
    return Node(key, title, "thread", track=track, rows=rows, children=tuple(children))


def _lane(found: tuple[int, Row], parent_key: str) -> Node:
    number, track = found
    # A thread can hold a group and a lane of one name, and two lanes of one name with different roles.
    role = [] if track["role"] in (schema.ROLE_THREAD, schema.ROLE_OTHER) else [track["role"]]
    key = _join(parent_key, "lane", track["lane"], *role)
    return Node(key, track["lane"], "lane", track=number, rows=_rows(track))


def _rows(track: Row) -> int:
    return int(track["rows"]) or int(track["instants"] > 0)


def _metrics(series: list[Row], card_key: str) -> list[Node]:
    tree: dict[str, dict[tuple[str, str], dict[str, list[tuple[int, Row]]]]] = {}
    for number, line in enumerate(series):
        process = tree.setdefault(line["metrics"], {}).setdefault((line["process"], line["pid"]), {})
        process.setdefault(line["counter"], []).append((number, line))
    return [
        Node(
            _join(card_key, top),
            top,
            "group",
            "CPU" if top.startswith("CPU") else "NPU",
            children=tuple(_former_processes(tree[top], _join(card_key, top))),
        )
        for top in sorted(tree)
    ]


def _former_processes(tree: dict[tuple[str, str], dict[str, list[tuple[int, Row]]]], top_key: str) -> list[Node]:
    names = [process for process, _ in tree]
    nodes = []
    for (process, pid), counters in tree.items():
        key = _join(top_key, process, pid)
        title = process if names.count(process) == 1 else f"{process} ({pid})"
        lanes = tuple(_counter(name, lines, key) for name, lines in counters.items())
        nodes.append(Node(key, title, "group", _label(counters), children=lanes))
    return nodes


def _label(counters: dict[str, list[tuple[int, Row]]]) -> str:
    """The label tag of a former process of counters."""
    return next((str(line["process_label"]) for lines in counters.values() for _, line in lines), "")


def _counter(name: str, lines: list[tuple[int, Row]], parent_key: str) -> Node:
    units = {line["unit"] for _, line in lines}
    unit = units.pop() if len(units) == 1 else ""
    title = f"{name} ({unit})" if unit and not name.endswith(f"({unit})") else name
    return Node(_join(parent_key, name), title, "counter", series=tuple(n for n, _ in lines), unit=unit)


def _join(*parts: str) -> str:
    """Path of texts; a slash inside a text is kept apart from the separator."""
    first, *rest = parts
    return "/".join([*([first] if first else []), *(part.replace("%", "%25").replace("/", "%2F") for part in rest)])

"""Named queries of a reinforcement learning run: tasks with their micro batches, idle time per card, what was recognised.

A card is one row. Rows stand by the role of their earliest task, then host, then rank; hosts are numbered from the top.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import pyarrow as pa

from insight_desktop.engine import rl_config, rl_hosts, rl_tasks
from insight_desktop.engine.rl_config import RlConfig
from insight_desktop.engine.rounding import half_away
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.engine.timeline.kept import kept
from insight_desktop.errors import NoData

TASK = "Task"

_TASKS = pa.schema(
    [
        ("row", pa.int64()), ("card", pa.string()), ("host", pa.string()), ("rank", pa.string()), ("task", pa.int64()),
        ("node_type", pa.string()), ("name", pa.string()), ("role", pa.string()), ("start_ns", pa.int64()),
        ("dur_ns", pa.int64()), ("id", pa.int64()),
    ]
)  # fmt: skip
_BUBBLES = pa.schema(
    [
        ("row", pa.int64()), ("card", pa.string()), ("host", pa.string()), ("host_number", pa.int64()), ("rank", pa.string()),
        ("tasks", pa.int64()), ("span_ms", pa.float64()), ("busy_ms", pa.float64()), ("bubble_ms", pa.float64()),
        ("bubble_ratio", pa.float64()),
    ]
)  # fmt: skip
_FACTS = pa.schema(
    [
        ("framework", pa.string()), ("algorithm", pa.string()), ("backend", pa.string()), ("min_ns", pa.int64()),
        ("max_ns", pa.int64()), ("cards", pa.int64()), ("note", pa.string()),
    ]
)  # fmt: skip
_DIGITS = re.compile(r"(\d+)")


@dataclass(frozen=True)
class _Row:
    """A card with tasks."""

    card: StoreCard
    host: str
    rank: str
    tasks: tuple[rl_tasks.Found, ...]


def tasks(store: Store) -> pa.Table:
    """Tasks and micro batches: row, card, host, rank, task, node_type, name, role, start_ns, dur_ns, id.

    One line per node in the order of the rows, each task before its micro batches. node_type is Task, FP or BP; task is the
    number of the task on its row; times are raw ns; id is the slice (of a merged micro batch the first one).

    Raises NoData when no card has a task of the configuration.
    """
    lines = []
    for number, row in enumerate(_rows(store)):
        facts = {"row": number, "card": row.card.name, "host": row.host, "rank": row.rank}
        for k, found in enumerate(row.tasks):
            role = {"task": k, "role": found.task.role}
            lines.append({
                **facts, **role, "node_type": TASK, "name": found.task.name, "start_ns": found.start_ns,
                "dur_ns": found.end_ns - found.start_ns, "id": found.slice_id,
            })  # fmt: skip
            lines += [
                {**facts, **role, "node_type": each.kind, "name": each.kind, "start_ns": each.start_ns,
                 "dur_ns": each.end_ns - each.start_ns, "id": each.slice_id}
                for each in found.batches
            ]  # fmt: skip
    return pa.Table.from_pylist(lines, _TASKS)


def bubbles(store: Store) -> pa.Table:
    """Idle time per row: row, card, host, host_number, rank, tasks, span_ms, busy_ms, bubble_ms, bubble_ratio.

    The span goes from the first start to the last end of the row's tasks, busy is the union of the tasks, the bubble is the
    rest; the ratio (0–1) is the bubble's part of the span, 0 without a span. Micro batches do not count. Milliseconds have
    three decimals, ratios four.
    """
    rows = _rows(store)
    hosts = list(dict.fromkeys(row.host for row in rows))
    lines = []
    for number, row in enumerate(rows):
        span = max(t.end_ns for t in row.tasks) - min(t.start_ns for t in row.tasks)
        busy = _union([(t.start_ns, t.end_ns) for t in row.tasks])
        lines.append({
            "row": number, "card": row.card.name, "host": row.host, "host_number": hosts.index(row.host) + 1,
            "rank": row.rank, "tasks": len(row.tasks), "span_ms": float(half_away(span / 1e6, 3)),
            "busy_ms": float(half_away(busy / 1e6, 3)), "bubble_ms": float(half_away((span - busy) / 1e6, 3)),
            "bubble_ratio": float(half_away((span - busy) / span, 4)) if span else 0.0,
        })  # fmt: skip
    return pa.Table.from_pylist(lines, _BUBBLES)


def facts(store: Store) -> pa.Table:
    """What was recognised, one line: framework, algorithm, backend, min_ns, max_ns (raw, of all tasks), cards, note.

    The framework and algorithm are those of the first configuration all of whose tasks occur, else of the first of which one
    occurs. The backend is `fsdp` when the first card calls its forward pass, else `Megatron`. note says what is wrong with the
    user's configuration file.
    """
    rows = _rows(store)
    config = _config(store)
    assert config is not None
    line = {
        "framework": config.framework, "algorithm": config.algorithm,
        "backend": "fsdp" if _is_fsdp(store) else "Megatron",
        "min_ns": min(t.start_ns for row in rows for t in row.tasks),
        "max_ns": max(t.end_ns for row in rows for t in row.tasks), "cards": len(rows), "note": rl_config.configs()[1],
    }  # fmt: skip
    return pa.Table.from_pylist([line], _FACTS)


def _rows(store: Store) -> list[_Row]:
    config = _config(store)
    if config is None:
        raise NoData(
            "No card has tasks of a reinforcement learning run.",
            fix="Mark the tasks of the trainer with mstx ranges, or name your marks in the file "
            f"{rl_config.config_file()}.",
        )
    fsdp = _is_fsdp(store)
    rows = []
    for card in store.cards_of("system"):
        capture = store.capture(card.name)
        if not rl_tasks.names_in(capture) & config.names:
            continue
        is_db = card.kind == "db"
        found = kept(
            capture,
            ("rl tasks", config, fsdp, is_db),
            lambda capture=capture, is_db=is_db: rl_tasks.tasks(capture, config, is_fsdp=fsdp, is_db=is_db),  # type: ignore[misc]
            lambda tasks: 200 * sum(1 + len(t.batches) for t in tasks),
        )
        rows.append((card, tuple(found)))
    hosts = rl_hosts.hosts([card for card, _ in rows])
    return sorted((_Row(card, hosts[card.name], card.rank or card.name, found) for card, found in rows), key=_order)


def _order(row: _Row) -> tuple[object, ...]:
    first = row.tasks[0]
    return first.task.role, _natural(row.host), (not row.rank.isdigit(), _natural(row.rank)), row.card.name


def _natural(text: str) -> tuple[tuple[bool, int, str], ...]:
    return tuple((not p.isdigit(), int(p) if p.isdigit() else 0, p) for p in _DIGITS.split(text) if p)


def _config(store: Store) -> RlConfig | None:
    names: set[str] = set()
    for card in store.cards_of("system"):
        names |= rl_tasks.names_in(store.capture(card.name))
    return rl_tasks.chosen(frozenset(names))


def _is_fsdp(store: Store) -> bool:
    first = next((card for card in store.cards_of("system") if rl_tasks.names_in(store.capture(card.name))), None)
    if first is None:
        return False
    capture = store.capture(first.name)
    return kept(capture, "rl fsdp", lambda: rl_tasks.is_fsdp(capture), lambda _: 1)


def _union(spans: list[tuple[int, int]]) -> int:
    total, reach = 0, None
    for start, end in sorted(spans):
        begin = start if reach is None else max(start, reach)
        total += max(0, end - begin)
        reach = end if reach is None else max(reach, end)
    return total

"""Opens one staged case as a user would and compares it with what is expected, key by key."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.support import csv_case
from tests.support.plain_build import union

from insight_desktop.engine import export, load
from insight_desktop.engine.import_report import import_report
from insight_desktop.engine.queries import run
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.errors import InsightError
from insight_desktop.ingest.formats import operator_blocks

Wanted = dict[str, Any]


@dataclass
class Opened:
    """What became of one import: the report, or the refusal, and the rows that the named queries give."""

    report: dict[str, Any] = field(default_factory=dict)
    refusal: str = ""
    store: Store = field(default_factory=Store)
    seconds: float = 0.0
    paths: list[Path] = field(default_factory=list)

    @property
    def refused(self) -> bool:
        return not self.report or not any(card["status"] == "ready" for card in self.report["cards"])

    @property
    def said(self) -> str:
        """Every text that the user is shown, lower case."""
        parts = [self.refusal]
        for row in [*self.report.get("cards", []), *self.report.get("issues", [])]:
            parts += [str(row.get(key, "")) for key in ("where", "message", "fix")]
        parts += [f"{row['path']} {row['reason']}" for row in self.report.get("ignored", [])]
        return "\n".join(parts).lower()

    def total(self, name: str) -> int:
        return sum(card[name] for card in self.report["cards"])

    def rows(self, query: str, **arguments: Any) -> list[dict[str, Any]]:
        found = run(self.store, f"system.timeline.{query}", arguments).to_pylist()
        if query in ("lanes", "slices", "counters", "flows"):
            found += run(self.store, f"operator.timeline.{query}", arguments).to_pylist()
        return found

    def lanes(self) -> list[dict[str, Any]]:
        return [lane for lane in self.rows("lanes") if lane["kind"] == "slice"]


def open_paths(paths: list[Path]) -> Opened:
    """Import; a refusal is an outcome, any other exception is a crash."""
    began = time.perf_counter()
    try:
        found, imports = load.import_paths(paths, fresh=True)
    except InsightError as error:
        return Opened(refusal=str(error), seconds=time.perf_counter() - began, paths=paths)
    seconds = time.perf_counter() - began
    store = Store([StoreCard.of_import(item) for item in imports if item.status == "ready"])
    report = json.loads(json.dumps(import_report(found, imports, seconds)))
    return Opened(report, store=store, seconds=seconds, paths=paths)


def failures(opened: Opened, wanted: Wanted, base: Path, slack: int = 0) -> list[str]:
    """Every key that does not hold, with what was found."""
    slack = wanted.get("ts_tolerance_ns", slack)
    out = []
    for key, value in wanted.items():
        if key == "slice":
            out += _slice(opened, value, slack)
        elif key == "any_of":
            each = [failures(opened, alternative, base, slack) for alternative in value]
            out += [] if any(not found for found in each) else [f"any_of: {each}"]
        elif key in _CHECKS:
            out += [f"{key}: {text}" for text in _CHECKS[key](opened, value, base)]
        else:
            raise KeyError(f"the test does not know the key {key!r}")
    return out


def _equal(found: Any, value: Any) -> list[str]:
    return [] if found == value else [f"found {found!r}, expected {value!r}"]


def _slice(opened: Opened, value: Wanted, slack: int) -> list[str]:
    rows = opened.rows("slices")
    out = []
    for name, facts in value.items():
        same = [row for row in rows if row["name"] == name]
        if not any(_fits(row, facts, slack) for row in same):
            out.append(f"slice {name}: found {same}, expected {facts}")
    return out


def _fits(row: dict[str, Any], facts: Wanted, slack: int) -> bool:
    unknown = set(facts) - {"ts_ns", "dur_ns", "unfinished", "row"}
    if unknown:
        raise KeyError(f"the test does not know {unknown}")
    near = abs(row["ts_ns"] - facts.get("ts_ns", row["ts_ns"])) <= slack
    return near and all(row[key] == value for key, value in facts.items() if key != "ts_ns")


def _error(opened: Opened, value: bool, base: Path) -> list[str]:
    return [] if opened.refused == value else [f"refused: {opened.refused}; {opened.said[:500]}"]


def _mention_any(opened: Opened, value: list[str], base: Path) -> list[str]:
    # The path of the case is no message about it.
    said = opened.said.replace(str(base).lower(), "")
    return [] if any(text.lower() in said for text in value) else [f"none of {value} in {said!r}"]


def _warn(opened: Opened, value: bool, base: Path) -> list[str]:
    return _equal(bool(opened.report.get("issues")), value)


def _count(name: str) -> Callable[[Opened, Any, Path], list[str]]:
    def check(opened: Opened, value: int, base: Path) -> list[str]:
        found = _equal(opened.total(name), value)
        if name in ("slices", "instants"):
            shown = len(opened.rows("slices"))
            found += _equal(shown, sum(map(opened.total, ("slices", "derived_slices", "instants"))))
        return found

    return check


def _tracks(opened: Opened, value: dict[str, Wanted], base: Path) -> list[str]:
    out = []
    for key, facts in value.items():
        pid, tid = key.split("/")
        lanes = [lane for lane in opened.lanes() if (lane["pid"], lane["tid"]) == (pid, tid)]
        rows = [row for row in opened.rows("slices", process=pid) if row["tid"] == tid]
        spans = [(row["ts_ns"], row["ts_ns"] + row["dur_ns"]) for row in rows]
        found = {
            "slices": sum(lane["slices"] for lane in lanes),
            "dur_sum_ns": sum(lane["sum_ns"] for lane in lanes),
            "busy_ns": union(spans) if len(lanes) > 1 else sum(lane["busy_ns"] for lane in lanes),
            "rows": sum(lane["rows"] for lane in lanes),
        }
        out += [f"{key} {name}: found {found[name]}, expected {v}" for name, v in facts.items() if found[name] != v]
    return out


def _args(opened: Opened, value: dict[str, Wanted], base: Path) -> list[str]:
    out = []
    rows = opened.rows("slices")
    for name, facts in value.items():
        found = [json.loads(row["args"]) for row in rows if row["name"] == name and row["args"]]
        if not any(all(_same(args.get(key), v) for key, v in facts.items()) for args in found):
            out.append(f"{name}: found {found}, expected {facts}")
    return out


def _same(found: Any, value: Any) -> bool:
    return found == value or str(found) == str(value)


def _counter(opened: Opened, key: str) -> list[float]:
    return [row["value"] for row in opened.rows("counters") if f"{row['counter']}/{row['series']}" == key]


def _counter_points(opened: Opened, value: dict[str, int], base: Path) -> list[str]:
    return [text for key, count in value.items() for text in _equal((key, len(_counter(opened, key))), (key, count))]


def _counter_values(opened: Opened, value: dict[str, list[float | None]], base: Path) -> list[str]:
    wanted = {key: [v for v in values if v is not None] for key, values in value.items()}
    return [text for key, values in wanted.items() for text in _equal((key, _counter(opened, key)), (key, values))]


def _flow_pairs(opened: Opened, value: list[list[str]], base: Path) -> list[str]:
    found = sorted([row["from_name"], row["to_name"]] for row in opened.rows("flows"))
    return _equal(found, sorted(value)) + _equal(opened.total("links"), len(value))


def _labels(column: str, id_columns: tuple[str, ...]) -> Callable[[Opened, Any, Path], list[str]]:
    def check(opened: Opened, value: Any, base: Path) -> list[str]:
        lanes = opened.rows("lanes")
        if isinstance(value, dict):
            found = {"/".join(lane[c] for c in id_columns): lane[column] for lane in lanes}
            found |= {lane[id_columns[-1]]: lane[column] for lane in lanes}
            return _equal({key: found.get(key) for key in value}, value)
        shown = {lane[column] for lane in lanes}
        return [f"{name!r} not in {sorted(shown)}" for name in value if name not in shown]

    return check


def _process_order(opened: Opened, value: list[str], base: Path) -> list[str]:
    found = list(dict.fromkeys(lane["process"] for lane in opened.lanes()))
    return _equal(found, value) + _equal(opened.report["cards"][0]["processes"], value)


def _names(opened: Opened, value: list[str], base: Path) -> list[str]:
    shown = {row["name"] for row in opened.rows("slices")}
    return [f"{name!r} not in {sorted(shown)}" for name in value if name not in shown]


def _names_absent(opened: Opened, value: list[str], base: Path) -> list[str]:
    shown = {row["name"] for row in opened.rows("slices")}
    return [f"{name!r} is there" for name in value if name in shown]


def _project(opened: Opened, value: Wanted, base: Path) -> list[str]:
    cards = opened.report.get("cards", [])
    labels = [card["name"] for card in cards]
    checks: dict[str, Callable[[Any], list[str]]] = {
        "cards": lambda v: _equal(len(cards), v),
        "cards_min": lambda v: [] if len(cards) >= v else [f"{len(cards)} cards"],
        "failed_cards": lambda v: _equal(sum(card["status"] == "failed" for card in cards), v),
        "first_labels": lambda v: _equal(labels[: len(v)], v),
        "last_label": lambda v: _equal(labels[-1:], [v]),
        "card_labels": lambda v: _equal(sorted(labels), sorted(v)),
        "kind_choice": lambda v: [] if any(set(v) <= set(c["kinds"]) for c in cards) else [f"{cards}"],
    }
    return [f"{key}: {text}" for key, v in value.items() for text in checks[key](v)]


def _db(opened: Opened, value: Wanted, base: Path) -> list[str]:
    if set(value) - {"tables"}:
        raise KeyError(f"the test does not know {set(value) - {'tables'}}")
    found: dict[str, int] = {}
    for card in opened.report["cards"]:
        for name, rows in card["tables"].items():
            found[name] = found.get(name, 0) + rows
    return _equal({name: found.get(name, 0) for name in value["tables"]}, value["tables"])


def _range(opened: Opened, value: Any, base: Path) -> list[str]:
    ready = [card for card in opened.report["cards"] if card["status"] == "ready"]
    wanted = list(value.values()) if isinstance(value, dict) else list(value)
    return _equal([min(c["start_ns"] for c in ready), max(c["end_ns"] for c in ready)], wanted)


def _view_start(opened: Opened, value: int, base: Path) -> list[str]:
    found = opened.store.range()[0]
    return [] if found >= value else [f"found {found}, expected at least {value}"]


def _view_span(opened: Opened, value: int, base: Path) -> list[str]:
    start, end = opened.store.range()
    return [] if end - start <= value else [f"found {end - start}, expected at most {value}"]


def _open_each(opened: Opened, value: list[str], base: Path) -> list[str]:
    paths = [base / name for name in value]
    out = [f"{p.name}: {o.said}" for p in paths if (o := open_paths([p])).refused]
    together = [open_paths(order) for order in (paths, paths[::-1])]
    out += [f"together: {o.said}" for o in together if o.refused]
    return out or _equal(together[0].total("slices"), together[1].total("slices"))


def _max_rss(opened: Opened, value: float, base: Path) -> list[str]:
    """In a process of its own: this one remembers the peaks of other tests."""
    command = [sys.executable, "-m", "insight_desktop", "import", "--fresh", *map(str, opened.paths)]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": "src"})
    if not done.stdout:
        return []  # refused, which needs no memory
    found = json.loads(done.stdout)["peak_rss_mb"]
    return [] if found <= value else [f"{found} MB"]


def _max_seconds(opened: Opened, value: float, base: Path) -> list[str]:
    return [] if opened.seconds <= value else [f"took {opened.seconds:.1f} s"]


def _canary(opened: Opened, value: Any, base: Path) -> list[str]:
    names = [value] if isinstance(value, str) else value
    return [f"{p} exists" for name in names for p in (Path(name), base / name) if p.exists()]


def _csv(opened: Opened, value: Wanted, base: Path) -> list[str]:
    return csv_case.failures(opened.store, value, opened.report["issues"])


def _export_guard(opened: Opened, value: Any, base: Path) -> list[str]:
    return [] if not value or all(export.guarded(c + "1").startswith("'") for c in "=+-@") else ["not guarded"]


def _bin(opened: Opened, value: Wanted, base: Path) -> list[str]:
    """The blocks of an operator's file, its base info and sources."""
    unknown = set(value) - {"types", "details", "sources"}
    if unknown:
        raise KeyError(f"the test does not know {unknown}")
    out = []
    if "types" in value:
        out += _equal(operator_blocks.read_index(opened.paths[0]).types, bytearray(value["types"]))
    if "details" in value:
        out += _details(opened, value["details"], base)
    if "sources" in value:
        files = run(opened.store, "operator.source.files", {})
        found = files.num_rows if isinstance(value["sources"], int) else files["path"].to_pylist()
        out += _equal(found, value["sources"])
    return out


def _details(opened: Opened, value: Wanted, base: Path) -> list[str]:
    rows = run(opened.store, "operator.details.base_info", {}).to_pylist()
    found = {row["field"]: row["value"] for row in rows}
    return _equal({key: found.get(key) for key in value}, {key: str(v) for key, v in value.items()})


def _nothing(opened: Opened, value: Any, base: Path) -> list[str]:
    """Checked around the import by `watched`, or a parameter of another key."""
    return []


def _snapshot(opened: Opened, value: Wanted, base: Path) -> list[str]:
    """Facts of the device that is shown first: the one with the longest trace."""
    if opened.refused:
        return [f"refused: {opened.said[:300]}"]
    rows = run(opened.store, "memory.snapshot.summary", {}).to_pylist()
    row = max(rows, key=lambda r: (r["events"], r["blocks"]))
    found = {
        **{key: row[key] for key in ("events", "device", "segments", "blocks", "active_bytes", "peak_active_bytes",
                                     "reserved_bytes", "oom_events")},
        "preexisting_blocks": row["preexisting"],
        "devices_with_events": sum(r["events"] > 0 for r in rows),
    }  # fmt: skip
    out = []
    for key, wanted in value.items():
        plain = key.removesuffix("_max").removesuffix("_min")
        fits = (
            found[plain] <= wanted if key.endswith("_max") else found[plain] >= wanted if key.endswith("_min") else None
        )
        if fits is None:
            fits = found[plain] == wanted
        out += [] if fits else [f"{key}: found {found[plain]}, expected {wanted}"]
    return out


_CHECKS: dict[str, Callable[[Opened, Any, Path], list[str]]] = {
    "no_crash": _nothing, "ts_tolerance_ns": _nothing, "source_unchanged": _nothing, "fs_reads_outside": _nothing,
    "error": _error, "mention_any": _mention_any, "warn": _warn,
    "slices": _count("slices"), "instants": _count("instants"), "counters": _count("counters"),
    "slices_min": lambda o, v, b: [] if o.total("slices") >= v else [f"found {o.total('slices')}"],
    "events_visible": lambda o, v, b: _equal(len(o.rows("slices")), v),
    "processes": lambda o, v, b: _equal(len({(r["card"], r["pid"]) for r in o.lanes()}), v),
    "tracks": _tracks, "tracks_max_rows": lambda o, v, b: [str(r) for r in o.lanes() if r["rows"] > v],
    "args": _args, "counter_points": _counter_points, "counter_values": _counter_values, "flow_pairs": _flow_pairs,
    "process_names": _labels("process", ("pid",)), "thread_names": _labels("thread", ("pid", "tid")),
    "process_order": _process_order, "names": _names, "names_absent": _names_absent, "project": _project, "db": _db,
    "range_ns": _range, "view_start_ns_min": _view_start, "view_span_ns_max": _view_span, "open_each": _open_each,
    "max_rss_mb": _max_rss, "max_seconds": _max_seconds, "canary_absent": _canary, "export_guard": _export_guard,
    "csv": _csv, "snapshot": _snapshot, "bin": _bin, "details": _details,
    "sources": lambda o, v, b: _bin(o, {"sources": v}, b), "types": lambda o, v, b: _bin(o, {"types": v}, b),
}  # fmt: skip


def listing(folder: Path) -> dict[str, tuple[int, int, str]]:
    """Size, time and hash of every file and link below a folder."""
    out = {}
    for path in sorted(folder.rglob("*")):
        with contextlib.suppress(PermissionError):
            facts = path.lstat()
            content = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
            out[str(path)] = (facts.st_size, facts.st_mtime_ns, hashlib.sha256(content).hexdigest())
    return out


_opened_files: list[str] | None = None
_hooked = threading.Lock()


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    if _opened_files is not None and event in ("open", "sqlite3.connect", "os.listdir", "os.scandir"):
        _opened_files.append(os.fsdecode(arguments[0]) if isinstance(arguments[0], str | bytes) else "")


@contextlib.contextmanager
def recorded_reads() -> Iterator[list[str]]:
    """Paths that Python opens or lists meanwhile."""
    global _opened_files
    if _hooked.acquire(blocking=False):
        sys.addaudithook(_hook)  # hooks cannot be taken away: one for the life of the process
    _opened_files = []
    try:
        yield _opened_files
    finally:
        _opened_files = None


def reads_outside(paths: list[str], value: Any, base: Path, home: Path) -> list[str]:
    """Reads of the listed paths, or (with a plain truth value) of anything that is neither data, cache nor program."""
    if isinstance(value, list | str):
        forbidden = [value] if isinstance(value, str) else value
        return [p for p in paths for f in forbidden if Path(p).is_absolute() and (p == f or p.startswith(f + "/"))]
    own = [base, home, Path(sys.prefix), Path(sys.base_prefix), Path(load.__file__).parents[2], Path.cwd()]
    roots = [str(p.resolve()) for p in own] + ["/proc", "/sys", "/dev", "/usr", "/lib", "/etc/ld"]
    return [p for p in paths if Path(p).is_absolute() and not os.path.realpath(p).startswith(tuple(roots))]

"""What the trace tests share: read bytes as a trace and get plain rows back."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from insight_desktop.ingest.formats import trace_json
from insight_desktop.ingest.report import Report
from insight_desktop.ingest.sources import Source


@dataclass
class Read:
    """Rows of a stream with names instead of ids."""

    report: Report
    tables: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    args: bytes = b""

    @property
    def strings(self) -> list[str]:
        return [row["value"] for row in self.tables["string"]]

    def _text(self, number: int) -> str | None:
        return self.strings_cached[number] if number >= 0 else None

    def finish(self) -> None:
        self.strings_cached = self.strings
        self.args = b"".join(row["bytes"] for row in self.tables.get("args", []))

    @property
    def slices(self) -> list[dict[str, Any]]:
        return [self._named(row) for row in self.tables.get("slice", [])]

    @property
    def instants(self) -> list[dict[str, Any]]:
        return [self._named(row) for row in self.tables.get("instant", [])]

    @property
    def flows(self) -> list[dict[str, Any]]:
        rows = []
        for row in self.tables.get("flow", []):
            named = self._named(row)
            named["id"] = str(row["id"]) if row["id"] >= 0 else self._text(-1 - row["id"])
            rows.append(named)
        return rows

    @property
    def counters(self) -> list[tuple[str, str, int, float]]:
        series = self.tables["series"]
        return [
            (series[row["series"]]["counter"], series[row["series"]]["series"], row["ts_ns"], row["value"])
            for row in self.tables.get("counter", [])
        ]

    @property
    def tracks(self) -> list[dict[str, Any]]:
        return self.tables["track"]

    @property
    def codes(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for issue in self.report.issues:
            code = issue.code.removeprefix("trace_json.")
            found[code] = found.get(code, 0) + issue.count
        return found

    def _named(self, row: dict[str, Any]) -> dict[str, Any]:
        track = self.tracks[row["track"]]
        named = dict(row)
        named["pid"], named["tid"], named["lane"], named["role"] = (
            track["pid"], track["tid"], track["lane"], track["role"],
        )  # fmt: skip
        for column in ("name", "category", "group"):
            if column in named:
                named[column] = self._text(named[column])
        return named

    def times(self) -> dict[str, tuple[int, int, int]]:
        """Name -> (start, duration, flags) of the slices."""
        return {s["name"]: (s["start_ns"], s["end_ns"] - s["start_ns"], s["flags"]) for s in self.slices}


def read_files(*paths: Path, threads: int = 1, extras: tuple[tuple[str, Path], ...] = ()) -> Read:
    report = Report()
    result = Read(report)
    for table, batch in trace_json.read(Source("trace_json", "text", paths, extras), report, threads=threads):
        result.tables.setdefault(table, []).extend(batch.to_pylist())
    result.finish()
    return result


def read_bytes(folder: Path, data: bytes | str, *, threads: int = 1, name: str = "trace.json") -> Read:
    path = folder / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return read_files(path, threads=threads)

"""The `track` table of a profiler database: titles and display order, settled when all rows are known."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from insight_desktop import schema
from insight_desktop.ingest.formats.profiler_db_identity import groups, schema_version
from insight_desktop.ingest.formats.profiler_db_rows import Rows, pid_tid
from insight_desktop.ingest.formats.profiler_db_tables import NULL

_DEVICE_KINDS = ("Ascend Hardware", "Communication", "CCU", "Overlap Analysis")


def track_batches(rows: Rows, many_devices: bool) -> tuple[pa.RecordBatch | None, int]:
    """The `track` table (None when there is no track) and the first free number of the order of processes."""
    found = rows.tracks.rows
    host = sorted({row["global_tid"] for row in found if row["kind"] == "host"}, key=str)
    pids = list(dict.fromkeys(pid_tid(tid)[0] for tid in host))
    titles = _group_titles(rows)
    below = sorted(
        {(_shown(row, many_devices), _DEVICE_KINDS.index(row["kind"])) for row in found if row["kind"] != "host"}
    )
    subs = sorted({(row["kind"], row["sub"]) for row in found if row["kind"] != "host"})
    order = {key: n for n, key in enumerate(subs)}
    out: list[dict[str, Any]] = []
    for row in found:
        if row["kind"] == "host":
            pid, tid = pid_tid(row["global_tid"])
            place = {
                "pid": pid, "process": f"Process {pid}", "process_label": "CPU", "process_sort": float(pids.index(pid)),
                "tid": tid, "thread": f"Thread {tid}", "thread_sort": float(host.index(row["global_tid"])),
            }  # fmt: skip
        else:
            device = _shown(row, many_devices)
            title = row["kind"] + (f" (NPU {device})" if device >= 0 else "")
            at = below.index((device, _DEVICE_KINDS.index(row["kind"])))
            place = {
                "pid": title, "process": title, "process_label": f"NPU {device}" if device >= 0 else "NPU",
                "process_sort": float(len(pids) + at), "thread_sort": float(order[row["kind"], row["sub"]]),
            }  # fmt: skip
            if row["role"] == schema.ROLE_GROUP:
                row = {**row, "thread": titles[row["sub"][0]], "lane": titles[row["sub"][0]]}
        columns = {**row, **place}
        if columns["device"] >= 2**31:
            columns["device"] = -1
        out.append({field.name: columns[field.name] for field in schema.STREAM["track"].schema})
    batch = pa.RecordBatch.from_pylist(out, schema=schema.STREAM["track"].schema) if out else None
    return batch, len(pids) + len(below)


def _shown(row: dict[str, Any], many_devices: bool) -> int:
    """The device that the title tells: only when several devices have rows."""
    device = int(row["device"])
    return device if many_devices else -1


def _group_titles(rows: Rows) -> dict[int, str]:
    """Title of each communication group: a running number in schema 1.0, the name of the group later."""
    ids = sorted({row["sub"][0] for row in rows.tracks.rows if row["kind"] == "Communication"})
    known = groups(rows.database)
    numbered = schema_version(rows.database).startswith("1.0")
    titles = {}
    for index, group in enumerate(ids):
        name = "(none)" if group == NULL else rows.names.label(group)
        title = f"Group {index if numbered else name} Communication"
        parallel = known.get(name, {}).get("group_name")
        titles[group] = f"{parallel}:{title}" if parallel else title
    return titles

"""What the JSON blocks of an operator bin say: rows of the tables of `schema_operator`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from insight_desktop.ingest.formats import operator_blocks as blocks
from insight_desktop.ingest.formats.operator_json import (
    cells,
    number,
    objects,
    parse_object,
    ranges,
    text,
    text_or_none,
    texts,
    whole,
)

Row = dict[str, Any]
Tables = dict[str, list[Row]]


def read_block(kind: int, raw: bytes) -> Tables:
    """Rows by table of one block of a page. Raises BadFile (a reason without a name) when its JSON cannot be read."""
    return _READ[kind](parse_object(raw))


def _advice(section: str, given: Any, block_id: str = "") -> list[Row]:
    lines = [line for item in texts(given) for line in item.splitlines() if line.strip()]
    return [{"section": section, "block_id": block_id, "row": i, "text": line.strip()} for i, line in enumerate(lines)]


def _base_info(found: Row) -> Tables:
    columns = ("name", "soc", "op_type", "block_dim", "mix_block_dim", "device_id", "pid")
    base = {name: text(found, name) for name in columns}
    base["duration_us"] = text(found, "duration")
    base["cur_freq_mhz"], base["rated_freq_mhz"] = text(found, "cur_freq"), text(found, "rated_freq")
    mix = found.get("op_type")
    first = "mix_block_detail" if isinstance(mix, str) and mix.lower() == "mix" else "block_detail"
    second = "block_detail" if first == "mix_block_detail" else "mix_block_detail"
    detail = next((d for d in (found.get(first), found.get(second)) if isinstance(d, dict)), {})
    heads = cells(detail.get("head_name"))
    rows = [
        {"row": i, "column": c, "head": heads[c] if c < len(heads) else "", "value": value}
        for i, row in enumerate(objects(detail, "row"))
        for c, value in enumerate(cells(row.get("value")))
    ]
    # A table without rows still shows its headings.
    rows = rows or [{"row": -1, "column": c, "head": head, "value": ""} for c, head in enumerate(heads)]
    return {
        "operator_base": [base],
        "operator_block_duration": rows,
        "operator_advice": _advice("base_info", found.get("advice")),
    }


def _compute(kind: str) -> Callable[[Row], Tables]:
    def read(found: Row) -> Tables:
        rows = [
            {
                "kind": kind,
                "row": i,
                "block_id": text(entry, "block_id"),
                "block_type": text(entry, "block_type"),
                "name": text(entry, "name"),
                "unit": _unit(entry.get("unit")),
                "value": text(entry, "value"),
                "origin_value": text_or_none(entry, "origin_value"),
            }
            for i, entry in enumerate(objects(found, "subblock_detail"))
        ]
        return {"operator_compute": rows, "operator_advice": _advice("compute", found.get("advice"))}

    return read


def _unit(value: object) -> int:
    code = whole(value)
    return code if code is not None and abs(code) < 1 << 31 else -1


_PARTS = (("Cube", "cube"), ("Vector", "vector"), ("Vector1", "vector1"))


def _memory_graph(found: Row) -> Tables:
    out: Tables = {"operator_memory_block": [], "operator_memory_path": [], "operator_advice": []}
    for i, entry in enumerate(objects(found, "core_memory_map")):
        block = text(entry, "core_no")
        row: Row = {"row": i, "block_id": block, "soc": text(entry, "soc"), "op_type": text(entry, "op_type")}
        cache = entry.get("L2cache")
        if isinstance(cache, dict):
            row |= {
                "l2_hit": text_or_none(cache, "hit"),
                "l2_miss": text_or_none(cache, "miss"),
                "l2_total": text_or_none(cache, "total_request"),
                "l2_hit_ratio": text_or_none(cache, "hit_ratio"),
            }
        for member, column in _PARTS:
            part = entry.get(member)
            if isinstance(part, dict):
                row[f"{column}_cycle"] = text_or_none(part, "cycle")
                row[f"{column}_total"] = text_or_none(part, "total_cycles")
                row[f"{column}_ratio"] = text_or_none(part, "ratio")
        out["operator_memory_block"].append(row)
        out["operator_advice"] += _advice("memory_graph", entry.get("advice"), block)
        for unit in objects(entry, "memory_unit"):
            path = whole(unit.get("memory_path"))
            if path is None or not 0 <= path < 1 << 31:
                continue
            out["operator_memory_path"].append(
                {
                    "row": len(out["operator_memory_path"]),
                    "block_id": block,
                    "path": path,
                    "request": text(unit, "request"),
                    "bandwidth_gbps": text(unit, "bandwidth"),
                    "peak_ratio": text(unit, "peak_ratio"),
                    "request_suffix": text(unit, "request_suffix", "requests_suffix"),
                    "bandwidth_suffix": text(unit, "bandwidth_suffix"),
                }
            )
    return out


def _memory_table(found: Row) -> Tables:
    rows: list[Row] = []
    advice: list[Row] = []
    for block in objects(found, "table_per_block"):
        name = text(block, "block_id")
        advice += _advice("memory_table", block.get("advice"), name)
        for place, table in enumerate(objects(block, "table_detail")):
            head = {
                "block_id": name,
                "table_number": place,
                "table": text(table, "table_name"),
                "heads": cells(table.get("header_name"))[1:],
            }
            lines = objects(table, "row") or [{"name": None, "value": []}]  # its headings are shown all the same
            rows += [
                {**head, "row": i, "name": text_or_none(line, "name"), "values": cells(line.get("value"))}
                for i, line in enumerate(lines)
            ]
    return {"operator_memory_table": rows, "operator_advice": advice}


def _core_load(found: Row) -> Tables:
    rows: list[Row] = []
    head = {"soc": text(found, "soc"), "op_type": text(found, "op_type")}
    for core in objects(found, "op_detail"):
        for part in objects(core, "core_detail"):
            simt = part.get("simt_vf_instructions")
            simt = simt if isinstance(simt, dict) else {}
            rows.append(
                {
                    **head,
                    "row": len(rows),
                    "core": whole(core.get("core_id")) or 0,
                    "sub_core": text(part, "subcore_id"),
                    "type": text(part, "subcore_type"),
                    "cycles": max(0, whole(part.get("cycles")) or 0),
                    "throughput_bytes": max(0, whole(part.get("throughput")) or 0),
                    "hit_rate_percent": number(part.get("L2cache_hit_rate")) or 0.0,
                    "simt_instructions": whole(simt.get("instructions")),
                    "simt_ipc": number(simt.get("instruction_per_cycle")),
                }
            )
    if not rows and head["soc"]:
        rows.append({**head, "row": -1, "core": -1, "sub_core": "", "type": ""})  # empty cards of the chip are drawn
    return {"operator_core": rows, "operator_advice": _advice("core_load", found.get("advice"))}


def _roofline(found: Row) -> Tables:
    rows: list[Row] = []
    for chart, group in enumerate(objects(found, "multiple_rooflines")):
        entries = objects(group, "rooflines")
        for entry in entries or [{}]:
            point = entry.get("point")
            x, y = (number(v) for v in point) if isinstance(point, list) and len(point) == 2 else (None, None)
            rows.append(
                {
                    "chart": chart,
                    "title": text(group, "title"),
                    "row": len(rows) if entries else -1,
                    "bw_name": text(entry, "bw_name"),
                    "bw_tbps": number(entry.get("bw")),
                    "computility_name": text(entry, "computility_name"),
                    "computility_tops": number(entry.get("computility")),
                    "intensity": x,
                    "performance_tops": y,
                    "ratio": number(entry.get("ratio")),
                }
            )
    return {"operator_roofline": rows, "operator_advice": _advice("roofline", found.get("advice"))}


def _stalls(found: Row) -> Tables:
    table = found.get("top_stall_reason_table")
    items = table.items() if isinstance(table, dict) else ()
    rows = [
        {"row": i, "reason": text({"k": name}, "k"), "count": count}
        for i, (name, value) in enumerate(items)
        if (count := whole(value)) is not None
    ]
    return {"operator_stall": rows}


def _cache(found: Row) -> Tables:
    return {"operator_cache": [cache_row(i, r) for i, r in enumerate(objects(found, "Cacheline Records"))]}


def cache_row(place: int, record: Row) -> Row:
    """A row of `operator_cache` from one record."""
    row: Row = {"row": place, "id": whole(record.get("Cacheline Id"))}
    for member, count, ratio, where in (
        ("Hit", "hits", "hit_ratio", "hit_ranges"),
        ("Miss", "misses", "miss_ratio", "miss_ranges"),
    ):
        side = record.get(member)
        side = side if isinstance(side, dict) else {}
        value = side.get("Value")
        events, part = value if isinstance(value, list) and len(value) == 2 else (None, None)
        if number(events) is not None and number(part) is not None:
            row[count], row[ratio] = whole(events), number(part)
        row[where] = ranges(side.get("Address Range"))
    return row


_READ: dict[int, Callable[[Row], Tables]] = {
    blocks.BASE_INFO: _base_info,
    blocks.COMPUTE_GRAPH: _compute("chart"),
    blocks.COMPUTE_TABLE: _compute("table"),
    blocks.MEMORY_GRAPH: _memory_graph,
    blocks.MEMORY_TABLE: _memory_table,
    blocks.CORE_LOAD: _core_load,
    blocks.ROOFLINE: _roofline,
    blocks.STALLS: _stalls,
    blocks.CACHE_LINES: _cache,
}
PAGES = tuple(_READ)

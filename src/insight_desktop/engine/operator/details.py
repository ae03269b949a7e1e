"""Named queries of the page Details: what one kernel is, how its cores, pipes and memory were used.

With `baseline` the same figures of another kernel stand beside, and their difference (this one minus the baseline).
"""

from __future__ import annotations

from typing import Literal

import pyarrow as pa

from insight_desktop.engine.operator import core_levels, memory_diagram, numbers, rooflines
from insight_desktop.engine.operator.bounds import bounds as bounds
from insight_desktop.engine.operator.profiles import Profile, Row, kernel, pair
from insight_desktop.engine.operator.ranking import operators as operators
from insight_desktop.engine.store import Store
from insight_desktop.errors import BadArgument
from insight_desktop.ingest.formats import operator_blocks as blocks

__all__ = [
    "advice", "base_info", "block_durations", "block_ids", "bounds", "compute", "core_load", "memory_paths", "memory_tables",
    "memory_units", "operators", "roofline", "simt", "stalls",
]  # fmt: skip

Metric = Literal["cycles", "throughput", "hit_rate", "simt"]
_COLUMN = {
    "cycles": "cycles", "throughput": "throughput_bytes", "hit_rate": "hit_rate_percent", "simt": "simt_instructions",
}  # fmt: skip
UNITS = {0: "Duration(μs)", 1: "Instructions", 2: "Data Volume(byte)"}
_TEXT, _F64, _I64, _I32 = pa.string(), pa.float64(), pa.int64(), pa.int32()
_ALL_COLLECTED = "Collect with msprof op --aic-metrics=Default (Occupancy and Roofline are switched on by name)."


def base_info(store: Store, *, card: str | None = None, baseline: str | None = None) -> pa.Table:
    """The kernel: field, label, value, baseline; values as the collector wrote them, in display order.

    Fields are name, duration_us, op_type, device_id, pid (when told), block_dim, mix_block_dim (mix kernels), soc and
    the frequencies (when told). A bin without base info raises NoData.
    """
    main, other = pair(store, card, baseline)
    row = _base(main)
    compared = other.rows("operator_base")[0] if other is not None and other.rows("operator_base") else {}
    labels = {
        "name": "Name", "duration_us": "Duration (μs)", "op_type": "Op Type", "device_id": "Device Id", "pid": "Pid",
        "block_dim": "Block Dim", "mix_block_dim": "Mix Block Dim", "soc": "Chip", "cur_freq_mhz": "Frequency (MHz)",
        "rated_freq_mhz": "Rated Frequency (MHz)",
    }  # fmt: skip
    optional = {"pid", "soc", "cur_freq_mhz", "rated_freq_mhz"}
    is_mix = row["op_type"].lower() == "mix"
    shown = [
        field
        for field in labels
        if (field != "mix_block_dim" or is_mix) and (field not in optional or row[field] or compared.get(field))
    ]
    found = [
        {"field": field, "label": labels[field], "value": row[field], "baseline": compared.get(field)}
        for field in shown
    ]
    return pa.Table.from_pylist(found, _schema(field=_TEXT, label=_TEXT, value=_TEXT, baseline=_TEXT))


def block_durations(store: Store, *, card: str | None = None) -> pa.Table:
    """The table of blocks, one row per cell: row, column, head, value; row −1 holds headings of a table without rows."""
    return kernel(store, card).table("operator_block_duration")


def core_load(
    store: Store, *, metric: Metric = "cycles", card: str | None = None, baseline: str | None = None
) -> pa.Table:
    """Load of the parts of cores in the order of the cards: card, shown, core, sub_core, type, value, level, text, baseline.

    level 0 to 10 compares with all parts of the type: 4 to 6 is near the average, 0 means no difference. text is the
    value as shown; throughput is bytes. `card` is the running number of the drawn card, `shown` its number in the title:
    vector kernels show two cores on one card, as Vector0 and Vector1; cores that a chip has but the kernel did not use
    come as cards without a value.
    """
    main, other = pair(store, card, baseline)
    rows = main.rows("operator_core")
    if not rows:
        raise main.nothing("core load", _ALL_COLLECTED, blocks.CORE_LOAD)
    before = {} if other is None else {(r["core"], _part(r)): r[_COLUMN[metric]] for r in other.rows("operator_core")}
    parts = [row for row in rows if row["row"] >= 0 and row[_COLUMN[metric]] is not None]
    level: dict[int, int] = {}
    for kind in {row["type"].lower() for row in parts}:
        same = [row for row in parts if row["type"].lower() == kind]
        found = core_levels.levels([row[_COLUMN[metric]] for row in same], narrow=metric == "hit_rate")
        level |= {row["row"]: each for row, each in zip(same, found, strict=True)}
    out: list[Row] = []
    for place, shown, label, row in _on_cards(rows):
        value = row[_COLUMN[metric]] if row is not None else None
        held = before.get((row["core"], _part(row))) if row is not None else None
        out.append(
            {
                "card": place, "shown": shown, "core": row["core"] if row is not None else shown, "sub_core": label, "type": row["type"] if row is not None else None,
                "value": value, "level": level.get(row["row"], 0) if row is not None else None,
                "text": None if value is None else core_text(metric, value),
                "baseline": None if held is None else core_text(metric, held),
            }
        )  # fmt: skip
    return pa.Table.from_pylist(
        out,
        _schema(
            card=_I64,
            shown=_I64,
            core=_I64,
            sub_core=_TEXT,
            type=_TEXT,
            value=_F64,
            level=_I32,
            text=_TEXT,
            baseline=_TEXT,
        ),
    )


def core_text(metric: str, value: float) -> str:
    """A value of the core load as shown."""
    if metric == "throughput":
        return numbers.bytes_text(int(value))
    return numbers.plain_text(f"{value:.2f}") if metric == "hit_rate" else str(int(value))


def simt(store: Store, *, card: str | None = None) -> pa.Table:
    """Instructions per cycle of SIMT vector functions: sub_core, core, instructions, ipc; nothing when not collected."""
    rows = [
        {"sub_core": _part(r), "core": r["core"], "instructions": r["simt_instructions"], "ipc": r["simt_ipc"] or 0.0}
        for r in kernel(store, card).rows("operator_core")
        if r["simt_instructions"] is not None
    ]
    rows.sort(key=lambda r: (r["sub_core"], r["core"]))
    return pa.Table.from_pylist(rows, _schema(sub_core=_TEXT, core=_I64, instructions=_I64, ipc=_F64))


def roofline(store: Store, *, card: str | None = None) -> pa.Table:
    """Roofs and points: tab, chart, title, bw_name, bw_tbps, computility_name, computility_tops, intensity,
    performance_tops, ratio, turning_x, low, max_x, start_x, start_y.

    ratio is the part of the roof that was reached (0 to 1), null for NA. low and max_x are the ends of the axes of the
    chart, start the left end of the roof. Entries with a number that is not above 0 have no turning point and are not
    drawn. Charts come in the order of their tabs.
    """
    main = kernel(store, card)
    rows = main.rows("operator_roofline")
    if not rows or not main.rows("operator_base"):
        raise main.nothing("roofline", _ALL_COLLECTED, blocks.ROOFLINE, blocks.BASE_INFO)
    charts: dict[int, list[Row]] = {}
    for row in rows:
        charts.setdefault(row["chart"], []).append(row)
    out: list[Row] = []
    order = sorted(charts, key=lambda c: _chart_key(charts[c][0]["title"], c))
    for number in order:
        entries = [row for row in charts[number] if row["row"] >= 0][: rooflines.MAX_ENTRIES]
        drawn = [roof for row in entries if (roof := _roof(row)) is not None]
        low, max_x = rooflines.axes(drawn)
        title = charts[number][0]["title"]
        head = {"tab": rooflines.tab_of(title), "chart": number, "title": title, "low": low, "max_x": max_x}
        for row in entries or [{}]:
            roof = _roof(row)
            own = {} if roof is None else {"turning_x": roof.turning[0]}
            if roof is not None:
                own["start_x"], own["start_y"] = roof.line(low, max_x)[0]
            out.append({**row, **head, **own})
    columns = _schema(
        tab=_TEXT, chart=_I32, title=_TEXT, bw_name=_TEXT, bw_tbps=_F64, computility_name=_TEXT, computility_tops=_F64,
        intensity=_F64, performance_tops=_F64, ratio=_F64, turning_x=_F64, low=_F64, max_x=_F64, start_x=_F64,
        start_y=_F64,
    )  # fmt: skip
    return pa.Table.from_pylist(out, columns)


def compute(
    store: Store, *, card: str | None = None, block: str | None = None, baseline: str | None = None
) -> pa.Table:
    """Compute load: kind, block_id, block_type, name, unit, value, cycles, baseline, baseline_cycles, diff.

    kind is chart (percent of the cycles, with the cycles themselves) or table (unit is the heading of the column).
    Values are texts as written; rows come in the order of the file. `block` keeps one block.
    """
    main, other = pair(store, card, baseline)
    if not main.table("operator_compute").num_rows:
        raise main.nothing("compute load", _ALL_COLLECTED, blocks.COMPUTE_GRAPH, blocks.COMPUTE_TABLE)
    rows = main.rows("operator_compute", block_id=block)
    before: dict[tuple[str, ...], Row] = {}
    for row in other.rows("operator_compute", block_id=block) if other is not None else ():
        before.setdefault(_compute_key(row), row)
    mine = {_compute_key(row) for row in rows}
    blocks_of = set(main.blocks("operator_compute")) if before else set()
    extra = [row for key, row in before.items() if key not in mine and row["block_id"] not in blocks_of]
    out = []
    for row, here in [*((row, True) for row in rows), *((row, False) for row in extra)]:
        held = before.get(_compute_key(row))
        value = row["value"] if here else None
        unit = "%" if row["kind"] == "chart" else UNITS.get(row["unit"], "")
        out.append(
            {
                **row, "unit": unit, "value": value, "cycles": row["origin_value"] if here else None,
                "baseline": held["value"] if held else None,
                "baseline_cycles": held["origin_value"] if held else None,
                "diff": _difference(value, held["value"] if held else None) if other is not None else None,
            }
        )  # fmt: skip
    columns = (
        "kind",
        "block_id",
        "block_type",
        "name",
        "unit",
        "value",
        "cycles",
        "baseline",
        "baseline_cycles",
        "diff",
    )
    return pa.Table.from_pylist(out, pa.schema([(name, _TEXT) for name in columns]))


def memory_paths(
    store: Store, *, card: str | None = None, block: str | None = None, baseline: str | None = None
) -> pa.Table:
    """Transfers of the memory diagram: block_id, path, arrow, request, bandwidth_gbps, peak_percent, request_text,
    bandwidth_text, baseline_request, baseline_bandwidth, request_diff, bandwidth_diff.

    bandwidth is GB/s of 2^30 bytes, as written; the texts are the labels of the arrows. peak_percent is null where the
    collector wrote NA. Without `block` all blocks follow one another. Transfers that only the baseline has come last, without
    figures of their own.
    """
    main, other = pair(store, card, baseline)
    if not main.table("operator_memory_path").num_rows and not main.table("operator_memory_block").num_rows:
        raise main.nothing("memory workload", _ALL_COLLECTED, blocks.MEMORY_GRAPH)
    rows = main.rows("operator_memory_path", block_id=block)
    held_rows = other.rows("operator_memory_path", block_id=block) if other is not None else []
    before = {(r["block_id"], r["path"]): r for r in held_rows}
    out = []
    for row in rows:
        held = before.get((row["block_id"], row["path"]))
        shown: Row = {
            "baseline_request": None,
            "baseline_bandwidth": None,
            "request_diff": None,
            "bandwidth_diff": None,
        }
        if other is not None:
            shown = _path_difference(row, held)
        out.append(
            {
                **row, **shown, "arrow": memory_diagram.arrow(row["path"]),
                "peak_percent": numbers.to_number(row["peak_ratio"]),
                "request_text": _label(row["request"], held["request"] if held else None, row["request_suffix"], other),
                "bandwidth_text": _label(row["bandwidth_gbps"], held["bandwidth_gbps"] if held else None, row["bandwidth_suffix"], other),
            }
        )  # fmt: skip
    out += _only_before(rows, before, block)
    columns = _schema(
        block_id=_TEXT, path=_I32, arrow=_TEXT, request=_TEXT, bandwidth_gbps=_TEXT, peak_percent=_F64, request_text=_TEXT,
        bandwidth_text=_TEXT, baseline_request=_TEXT, baseline_bandwidth=_TEXT, request_diff=_TEXT, bandwidth_diff=_TEXT,
    )  # fmt: skip
    return pa.Table.from_pylist(out, columns)


def memory_units(
    store: Store, *, card: str | None = None, block: str | None = None, baseline: str | None = None
) -> pa.Table:
    """Rates in the boxes of the memory diagram: block_id, diagram, known, soc, unit, ratio_percent, text, part, total, baseline.

    unit is L2, Cube, Vector or Vector1; part and total are hits and requests, or cycles. diagram names the drawing,
    known is false for a chip that has none of its own.
    """
    main, other = pair(store, card, baseline)
    if not main.table("operator_memory_block").num_rows:
        raise main.nothing("memory workload", _ALL_COLLECTED, blocks.MEMORY_GRAPH)
    rows = main.rows("operator_memory_block", block_id=block)
    held_rows = other.rows("operator_memory_block", block_id=block) if other is not None else []
    before = {row["block_id"]: row for row in held_rows}
    paths: dict[str, set[int]] = {}
    for row in main.rows("operator_memory_path", block_id=block):
        paths.setdefault(row["block_id"], set()).add(row["path"])
    parts = (
        ("L2", "l2_hit_ratio", "l2_hit", "l2_total"), ("Cube", "cube_ratio", "cube_cycle", "cube_total"),
        ("Vector", "vector_ratio", "vector_cycle", "vector_total"),
        ("Vector1", "vector1_ratio", "vector1_cycle", "vector1_total"),
    )  # fmt: skip
    out = []
    for row in rows:
        name, known = memory_diagram.diagram(row["soc"], row["op_type"], paths.get(row["block_id"], set()))
        for unit, ratio, part, total in parts:
            held = before.get(row["block_id"], {}).get(ratio)
            out.append(
                {
                    "block_id": row["block_id"], "diagram": name, "known": known, "soc": row["soc"], "unit": unit,
                    "ratio_percent": numbers.to_number(row[ratio]), "text": _rate(row[ratio]), "part": row[part],
                    "total": row[total], "baseline": None if held is None else _rate(held),
                }
            )  # fmt: skip
    columns = _schema(
        block_id=_TEXT, diagram=_TEXT, known=pa.bool_(), soc=_TEXT, unit=_TEXT, ratio_percent=_F64, text=_TEXT, part=_TEXT,
        total=_TEXT, baseline=_TEXT,
    )  # fmt: skip
    return pa.Table.from_pylist(out, columns)


def memory_tables(
    store: Store, *, card: str | None = None, block: str | None = None, baseline: str | None = None
) -> pa.Table:
    """Tables of memory and pipes, one row per value: block_id, table_number, table, row, name, column, head, value, baseline, diff.

    Values are texts as written (NA where nothing was measured), in the order of the file.
    """
    main, other = pair(store, card, baseline)
    if not main.table("operator_memory_table").num_rows:
        raise main.nothing("memory tables", _ALL_COLLECTED, blocks.MEMORY_TABLE)
    rows = main.rows("operator_memory_table", block_id=block)
    before: dict[tuple[str, str, str, str], str] = {}
    for row in other.rows("operator_memory_table", block_id=block) if other is not None else ():
        for head, value in _cells(row):
            before.setdefault((row["block_id"], row["table"], row["name"] or "", head), value)
    out = []
    for row in rows:
        for column, (head, value) in enumerate(_cells(row)):
            held = before.get((row["block_id"], row["table"], row["name"] or "", head))
            diff = _difference(value, held) if other is not None else None
            out.append({**row, "column": column, "head": head, "value": value, "baseline": held, "diff": diff})
    columns = _schema(
        block_id=_TEXT, table_number=_I32, table=_TEXT, row=_I64, name=_TEXT, column=_I32, head=_TEXT, value=_TEXT,
        baseline=_TEXT, diff=_TEXT,
    )  # fmt: skip
    return pa.Table.from_pylist(out, columns)


def block_ids(store: Store, *, card: str | None = None) -> pa.Table:
    """Blocks that have figures: query, block_id; NA first, then by number. query is compute, memory_units or memory_tables."""
    main = kernel(store, card)
    tables = {
        "compute": "operator_compute", "memory_units": "operator_memory_block", "memory_tables": "operator_memory_table",
    }  # fmt: skip
    found = [{"query": query, "block_id": block} for query, table in tables.items() for block in main.blocks(table)]
    return pa.Table.from_pylist(found, _schema(query=_TEXT, block_id=_TEXT))


def stalls(store: Store, *, card: str | None = None, baseline: str | None = None) -> pa.Table:
    """Why warps waited: reason, count, baseline, diff; rows in the order of the file."""
    main, other = pair(store, card, baseline)
    rows = main.rows("operator_stall")
    if not rows:
        raise main.nothing("warp stall reasons", "They are collected for SIMT kernels only.", blocks.STALLS)
    before = {} if other is None else {row["reason"]: row["count"] for row in other.rows("operator_stall")}
    known = {row["reason"] for row in rows}
    rows += [{"reason": reason, "count": 0} for reason in before if reason not in known]
    out = [
        {
            **row,
            "baseline": None if other is None else before.get(row["reason"], 0),
            "diff": None if other is None else row["count"] - before.get(row["reason"], 0),
        }
        for row in rows
    ]
    return pa.Table.from_pylist(out, _schema(reason=_TEXT, count=_I64, baseline=_I64, diff=_I64))


def advice(store: Store, *, card: str | None = None, section: str | None = None, block: str | None = None) -> pa.Table:
    """What the collector advises: section, block_id, text; equal sentences of a section and block come once.

    Sections are base_info, core_load, roofline, compute, memory_graph and memory_table. A frequency of 95 % of the
    rated one or less is said here too.
    """
    main = kernel(store, card)
    known = ("base_info", "core_load", "roofline", "compute", "memory_graph", "memory_table")
    if section is not None and section not in known:
        raise BadArgument(f"There is no section {section!r}.", fix=f"Sections: {', '.join(known)}.")
    rows = main.rows("operator_advice", section=section, block_id=block)
    found = [(row["section"], row["block_id"], row["text"]) for row in rows]
    for row in main.rows("operator_base"):
        now, rated = numbers.to_number(row["cur_freq_mhz"]), numbers.to_number(row["rated_freq_mhz"])
        if now is not None and rated is not None and 0 < now <= 0.95 * rated:
            found.append(("base_info", "", "The current frequency is lower than the rated frequency"))
    kept = [
        {"section": s, "block_id": b, "text": text}
        for s, b, text in dict.fromkeys(found)
        if section in (None, s) and block in (None, b)
    ]
    return pa.Table.from_pylist(kept, _schema(section=_TEXT, block_id=_TEXT, text=_TEXT))


def _schema(**columns: pa.DataType) -> pa.Schema:
    return pa.schema(list(columns.items()))


def _base(main: Profile) -> Row:
    rows = main.rows("operator_base")
    if not rows:
        raise main.nothing("base info", "Open the visualize_data.bin of msprof op; the simulator's has none.", blocks.BASE_INFO)  # fmt: skip
    return rows[0]


def _part(row: Row) -> str:
    """`cube0`, `vector1`, …"""
    return f"{row['type'].lower()}{row['sub_core']}"


def _on_cards(rows: list[Row]) -> list[tuple[int, int, str, Row | None]]:
    """(card, core shown, part, row) in the order of drawing; row is None for a card that only the chip has."""
    used = [row for row in rows if row["row"] >= 0]
    cores: dict[int, list[Row]] = {}
    for row in used:
        cores.setdefault(row["core"], []).append(row)
    out: list[tuple[int, int, str, Row | None]] = []
    if rows[0]["op_type"] == "vector":
        order = sorted(cores)
        for i, core in enumerate(order):
            out.append((i // 2, i // 2, f"vector{i % 2}", cores[core][0]))
        cards = (len(order) + 1) // 2
    else:
        for place, (core, parts) in enumerate(cores.items()):
            out += [(place, core, _part(row), row) for row in parts]
        cards = len(cores)
    wanted = min(core_levels.MAX_CARDS, max(cards, core_levels.card_count(rows[0]["soc"])))
    out += [(place, place, "", None) for place in range(cards, wanted)]
    return [each for each in out if each[0] < core_levels.MAX_CARDS]


def _chart_key(title: str, number: int) -> tuple[int, int, int]:
    tabs = list(rooflines.TABS)
    return tabs.index(rooflines.tab_of(title)), rooflines.order_of(title), number


def _roof(row: Row) -> rooflines.Roof | None:
    figures = [row.get(name) for name in ("bw_tbps", "computility_tops", "intensity", "performance_tops")]
    if any(figure is None or figure <= 0 for figure in figures):
        return None
    return rooflines.Roof(*(float(figure) for figure in figures if figure is not None))


def _compute_key(row: Row) -> tuple[str, ...]:
    return row["kind"], row["block_id"], row["block_type"], row["name"]


def _difference(value: str | None, held: str | None) -> str:
    """Difference as shown; `-` when a side is missing or no number."""
    if numbers.to_number(value) is None or numbers.to_number(held) is None:
        return "-"
    return numbers.difference_text(value or "", held or "")


def _path_difference(row: Row, held: Row | None) -> Row:
    if held is None:
        return dict.fromkeys(("baseline_request", "baseline_bandwidth", "request_diff", "bandwidth_diff"), "-")
    return {
        "baseline_request": held["request"],
        "baseline_bandwidth": held["bandwidth_gbps"],
        "request_diff": str(numbers.count_difference(row["request"], held["request"])),
        "bandwidth_diff": _difference(row["bandwidth_gbps"], held["bandwidth_gbps"]),
    }


def _only_before(rows: list[Row], before: dict[tuple[str, int], Row], block: str | None) -> list[Row]:
    """Transfers that only the baseline has, in blocks that both have; their own side is empty."""
    mine = {(row["block_id"], row["path"]) for row in rows}
    shared = {row["block_id"] for row in rows}
    return [
        {
            "block_id": name, "path": path, "arrow": memory_diagram.arrow(path), "baseline_request": held["request"],
            "baseline_bandwidth": held["bandwidth_gbps"], "request_diff": "-", "bandwidth_diff": "-",
        }
        for (name, path), held in before.items()
        if (name, path) not in mine and name in shared and block in (None, name)
    ]  # fmt: skip


def _label(value: str, held: str | None, suffix: str, other: Profile | None) -> str:
    if other is None:
        return numbers.short_text(value) + suffix
    return f"{numbers.short_text(value)}({numbers.short_text(held) if held is not None else '-'}){suffix}"


def _rate(text: str | None) -> str:
    return "NA" if text is None or numbers.to_number(text) is None else f"{numbers.short_text(text)}%"


def _cells(row: Row) -> list[tuple[str, str]]:
    """Heading and value of each column; values that are missing are blank."""
    count = max(len(row["heads"]), len(row["values"]))
    heads = [*row["heads"], *[""] * (count - len(row["heads"]))]
    values = [*row["values"], *[""] * (count - len(row["values"]))]
    return list(zip(heads, values, strict=True))

"""Tables of one kernel's profile, as they lie in its capture: type and meaning of each column.

Numbers whose digits are shown as the collector wrote them stay text; readers of these tables turn them into numbers.
"""

from __future__ import annotations

import pyarrow as pa

from insight_desktop.schema import Column, Table

_I32, _I64, _F64, _TEXT = pa.int32(), pa.int64(), pa.float64(), pa.string()
_ROW = ("row", _I64, "running number in the order of the file")
_BLOCK = ("block_id", _TEXT, "block of the kernel; NA for the average of the cores")
_AS_WRITTEN = "as written"


def _t(name: str, row: str, *columns: tuple[str, pa.DataType, str]) -> Table:
    return Table(name, row, tuple(Column(*c) for c in columns))


TABLES: dict[str, Table] = {
    t.name: t
    for t in (
        _t(
            "operator_container",
            "one block of the file that is used, or why it is not",
            ("number", _I64, "running number in the file, 1 first"),
            ("type", _I32, "type byte"),
            ("name", _TEXT, "what it holds"),
            ("at_bytes", _I64, "first byte of its payload"),
            ("size_bytes", _I64, "bytes of its payload in the file"),
            ("version", _I32, "version byte"),
            ("path", _TEXT, "path of a source, empty for other types"),
            ("problem", _TEXT, "why it, or a part of it, cannot be used; empty when it can"),
        ),
        _t(
            "operator_base",
            "the kernel",
            *((name, _TEXT, meaning) for name, meaning in (
                ("name", "name of the kernel"), ("soc", "chip"), ("op_type", "mix, vector, cube or AiCore"),
                ("block_dim", "blocks"), ("mix_block_dim", "blocks of the other kind that a mix kernel uses"),
                ("duration_us", "duration in µs, as written"), ("device_id", "device"), ("pid", "process"),
                ("cur_freq_mhz", "frequency while it ran"), ("rated_freq_mhz", "frequency of the chip"),
            )),
        ),
        _t(
            "operator_block_duration",
            "one cell of the table of blocks",
            _ROW,
            ("column", _I32, "place of the column"),
            ("head", _TEXT, "heading"),
            ("value", _TEXT, _AS_WRITTEN),
        ),
        _t(
            "operator_advice",
            "one sentence of the collector",
            ("section", _TEXT, "base_info, core_load, roofline, compute, memory_graph or memory_table"),
            _BLOCK,
            _ROW,
            ("text", _TEXT, _AS_WRITTEN),
        ),
        _t(
            "operator_core",
            "one part of a core",
            _ROW,
            ("soc", _TEXT, "chip, for the number of cores that are drawn"),
            ("op_type", _TEXT, "vector, cube or mix"),
            ("core", _I64, "number of the core"),
            ("sub_core", _TEXT, "number of the part, as written"),
            ("type", _TEXT, "cube or vector"),
            ("cycles", _I64, "cycles, never negative"),
            ("throughput_bytes", _I64, "bytes moved, never negative"),
            ("hit_rate_percent", _F64, "L2 cache hit rate"),
            ("simt_instructions", _I64, "instructions of SIMT vector functions; null when not collected"),
            ("simt_ipc", _F64, "instructions per cycle; null when not collected"),
        ),
        _t(
            "operator_roofline",
            "one roof with its point",
            ("chart", _I32, "running number of the chart"),
            ("title", _TEXT, "title of the chart"),
            _ROW,
            ("bw_name", _TEXT, "which transfer"),
            ("bw_tbps", _F64, "bandwidth in TB/s"),
            ("computility_name", _TEXT, "which unit"),
            ("computility_tops", _F64, "peak in TOps/s"),
            ("intensity", _F64, "operations per byte; null without a point"),
            ("performance_tops", _F64, "TOps/s reached; null without a point"),
            ("ratio", _F64, "part of the roof reached, 0 to 1; null for NA"),
        ),
        _t(
            "operator_compute",
            "one entry of the compute load",
            ("kind", _TEXT, "chart or table"),
            _ROW,
            _BLOCK,
            ("block_type", _TEXT, "cube0, vector0, vector1, cube, vector or AiCore"),
            ("name", _TEXT, "what was counted"),
            ("unit", _I32, "0 duration in µs, 1 instructions, 2 bytes, 3 percent; others have no heading"),
            ("value", _TEXT, _AS_WRITTEN),
            ("origin_value", _TEXT, "cycles, as written; null when not told"),
        ),
        _t(
            "operator_memory_block",
            "one block of the memory diagram; null where the file has no such part",
            _ROW,
            _BLOCK,
            ("soc", _TEXT, "chip family, decides the diagram"),
            ("op_type", _TEXT, "vector, cube, mix or AiCore"),
            *((name, _TEXT, meaning) for name, meaning in (
                ("l2_hit", "L2 hits"), ("l2_miss", "L2 misses"), ("l2_total", "L2 requests"),
                ("l2_hit_ratio", "percent"), ("cube_cycle", "cycles of the cube"), ("cube_total", "cycles in all"),
                ("cube_ratio", "percent"), ("vector_cycle", "cycles of the first vector unit"),
                ("vector_total", "cycles in all"), ("vector_ratio", "percent"),
                ("vector1_cycle", "cycles of the second vector unit"), ("vector1_total", "cycles in all"),
                ("vector1_ratio", "percent"),
            )),
        ),
        _t(
            "operator_memory_path",
            "one transfer of the memory diagram",
            _ROW,
            _BLOCK,
            ("path", _I32, "number of the transfer, see engine.operator.memory_paths"),
            ("request", _TEXT, "number of requests, as written"),
            ("bandwidth_gbps", _TEXT, "GB/s of 2^30 bytes, as written"),
            ("peak_ratio", _TEXT, "percent of the peak, as written, or NA"),
            ("request_suffix", _TEXT, "text behind the number of requests"),
            ("bandwidth_suffix", _TEXT, "text behind the bandwidth"),
        ),
        _t(
            "operator_memory_table",
            "one row of a table of memory and pipes",
            _BLOCK,
            ("table_number", _I32, "place of the table in its block"),
            ("table", _TEXT, "name of the table"),
            _ROW,
            ("name", _TEXT, "name of the row"),
            ("heads", pa.list_(_TEXT), "headings of the values"),
            ("values", pa.list_(_TEXT), "values, as written"),
        ),
        _t(
            "operator_stall",
            "one reason why warps waited",
            _ROW,
            ("reason", _TEXT, _AS_WRITTEN),
            ("count", _I64, "samples"),
        ),
        _t(
            "operator_cache",
            "one cache line of L2",
            _ROW,
            ("id", _I64, "number of the cache line"),
            ("hits", _I64, "hit events; null when not written properly"),
            ("hit_ratio", _F64, "part of the events, 0 to 1"),
            ("misses", _I64, "miss events; null when not written properly"),
            ("miss_ratio", _F64, "part of the events, 0 to 1"),
            ("hit_ranges", pa.list_(pa.uint64()), "first and last address of each range of instructions, both inclusive"),
            ("miss_ranges", pa.list_(pa.uint64()), "as hit_ranges"),
        ),
    )
}  # fmt: skip

ON_CHIP: dict[str, Table] = {
    t.name: t
    for t in (
        _t(
            "operator_on_chip_scope",
            "one memory of a kernel's plan",
            _ROW,
            ("kernel", _TEXT, "name of the kernel"),
            ("scope", _TEXT, "which memory, e.g. UB"),
            ("status", _TEXT, "fail or success, as written"),
            ("error", _TEXT, "message of the compiler, empty for none"),
        ),
        _t(
            "operator_on_chip_block",
            "one block of memory, simulated by the allocator of engine.operator.allocator",
            _ROW,
            ("scope", _TEXT, "which memory"),
            ("id", _TEXT, "address and first line, one after the other"),
            ("buffer", _TEXT, "name in the intermediate representation"),
            ("address_bytes", _I64, "simulated address"),
            ("size_bytes", _I64, "size"),
            ("start_line", _I64, "first line that needs it"),
            ("end_line", _I64, "last line that needs it"),
            ("alloc_line", _I64, "line of the allocation"),
            ("is_tmpbuf", pa.bool_(), "a temporary buffer"),
            ("offset_bytes", _I64, "offset in the file, only shown"),
            ("source_location", _TEXT, "file and line of the program"),
        ),
    )
}

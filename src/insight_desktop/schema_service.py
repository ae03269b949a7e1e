"""Tables of a serving run, as they lie in its capture: the same ones whatever the run was read from.

Times are int64 ns as recorded; null where the data do not tell. `request` is the running number of a request in
`service_request`, `step` that of a scheduler iteration in `service_step`, counted from 1.
"""

from __future__ import annotations

import pyarrow as pa

from insight_desktop.schema import Column, Table

_I8, _I32, _I64, _F64, _TEXT, _BOOL = pa.int8(), pa.int32(), pa.int64(), pa.float64(), pa.string(), pa.bool_()

PARTS = ("frontend", "queue", "prefill", "decode", "stalled", "tail")  # of a request's time, in order
STATES = ("done", "no_arrival", "running", "no_token")
BATCH_TYPES = ("prefill", "decode", "mixed", "extend", "dummy", "other")

# Flags of a request (bit mask).
ARRIVAL_ESTIMATED = 1  # no httpReq: the earliest event of the request counts as its arrival
CLAMPED = 2  # boundaries were out of order (clocks of several processes) and were moved to the one before
CROSS_HOST = 4  # its times come from several hosts whose clocks may differ
RECORDED_ONLY = 8  # known from result tables only, not from events
SIZE_ESTIMATED = 16  # the output length is the number of token events


def _t(name: str, row: str, *columns: tuple[str, pa.DataType, str]) -> Table:
    return Table(name, row, tuple(Column(*c) for c in columns))


_REQUEST = ("request", _I32, "number of the request")
_STEP = ("step", _I32, "number of the step, 0 when none is known")
_PID = ("pid", _TEXT, "process")
_DP = ("dp", _I32, "data parallel rank; null when not told")

TABLES: dict[str, Table] = {
    t.name: t
    for t in (
        _t(
            "service_request",
            "one request",
            _REQUEST,
            ("rid", _TEXT, "its name"),
            ("arrive_ns", _I64, "arrival at the server"),
            ("enqueue_ns", _I64, "first time it was put into the waiting queue"),
            ("dequeue_ns", _I64, "first time it left the waiting queue"),
            ("scheduled_ns", _I64, "start of the first scheduling that lists it"),
            ("first_token_ns", _I64, "first token left the engine"),
            ("last_token_ns", _I64, "last token left the engine"),
            ("done_ns", _I64, "end of the request"),
            ("first_event_ns", _I64, "its first event of any kind"),
            ("last_event_ns", _I64, "its last event of any kind"),
            ("n_in", _I64, "tokens of the prompt"),
            ("n_out", _I64, "tokens of the answer"),
            ("cache_hit", _F64, "share of the prompt found in the cache, 0 to 1"),
            ("preemptions", _I32, "how often it was thrown out of the running batch"),
            ("stall_ns", _I64, "time between being thrown out and coming back"),
            ("recomputed", _I64, "tokens that were computed again afterwards"),
            ("state", _TEXT, "done, no_arrival, running (no end), no_token"),
            ("flags", _I32, "bit mask: arrival estimated, clamped, several hosts, recorded only, size estimated"),
            ("recorded_ttft_ns", _I64, "time to first token as the collector recorded it"),
            ("recorded_e2e_ns", _I64, "whole time as recorded, whole ms"),
            ("recorded_queue_ns", _I64, "queue time as recorded"),
            ("prefill_host", _TEXT, "host that did the prefill; null when all is done on one"),
            ("decode_host", _TEXT, "host that did the decode; null when all is done on one"),
        ),
        _t(
            "service_token",
            "one token event of a request, in order of request and time",
            _REQUEST,
            ("ts_ns", _I64, "when it left the engine"),
            ("tokens", _I32, "tokens in it; more than one with speculative decoding"),
            _STEP,
        ),
        _t(
            "service_step",
            "one iteration of a scheduler, in order of start",
            ("step", _I32, "running number from 1"),
            _PID,
            _DP,
            ("schedule_start_ns", _I64, "start of building the batch"),
            ("schedule_end_ns", _I64, "end of building the batch"),
            ("execute_start_ns", _I64, "start of the execution"),
            ("execute_end_ns", _I64, "end of the execution"),
            ("batch_size", _I32, "requests in it"),
            ("prefill_size", _I32, "requests in their prefill"),
            ("decode_size", _I32, "requests in their decode"),
            ("prefill_tokens", _I64, "tokens of prefills; null when not told"),
            ("decode_tokens", _I64, "tokens of decodes; null when not told"),
            ("context_tokens", _I64, "tokens computed before, of all requests; null when not told"),
            ("type", _TEXT, "prefill, decode, mixed, extend, dummy or other"),
            ("kv_total", _F64, "blocks of the cache; null when not told"),
            ("kv_used", _F64, "used blocks; null when not told"),
            ("spec_tokens", _I64, "drafted tokens; null without speculative decoding"),
            ("accepted_tokens", _I64, "drafted tokens that were accepted"),
            ("schedule_id", _I64, "id of the slice of the scheduling, -1 none"),
            ("execute_id", _I64, "id of the slice of the execution, -1 none"),
        ),
        _t(
            "service_step_request",
            "one request in one step, in order of request and step",
            _REQUEST,
            ("step", _I32, "number of the step"),
            ("iteration", _I32, "iteration of the request; -1 not told"),
            ("kind", _I8, "0 prefill, 1 decode, -1 not told"),
            ("tokens", _I32, "tokens scheduled; -1 not told"),
            ("computed", _I32, "tokens computed before; -1 not told"),
            ("spec_tokens", _I32, "drafted tokens; -1 none"),
            ("accepted_tokens", _I32, "drafted tokens that were accepted; -1 none"),
        ),
        _t(
            "service_stall",
            "one preemption",
            _REQUEST,
            ("start_ns", _I64, "thrown out"),
            ("end_ns", _I64, "back again; null when never"),
            ("recomputed", _I64, "tokens of the step that resumed it; null when not told"),
            ("step", _I32, "last step before"),
        ),
        _t(
            "service_kv",
            "one sample of the cache",
            ("ts_ns", _I64, "time"),
            _PID,
            _DP,
            ("total", _F64, "blocks in all"),
            ("used", _F64, "used blocks"),
            ("rate", _F64, "used share, 0 to 1"),
            ("raw_rate", _F64, "share as recorded; may leave 0 to 1; null when not recorded"),
            ("estimated", _BOOL, "the capacity is the highest number of free blocks seen"),
        ),
        _t(
            "service_queue",
            "one sample of a queue",
            ("ts_ns", _I64, "time"),
            _PID,
            ("queue", _TEXT, "WAITING, RUNNING, SWAPPED, PENDING, …"),
            ("size", _F64, "requests in it"),
        ),
        _t(
            "service_forward",
            "one forward pass of a card, in order of process and start",
            _PID,
            ("host", _TEXT, "host"),
            _DP,
            ("start_ns", _I64, "start"),
            ("end_ns", _I64, "end"),
            ("iteration", _I32, "running number in its process from 1"),
            _STEP,
            ("slice_id", _I64, "id of its slice"),
        ),
        _t(
            "service_pd",
            "one request between a prefill and a decode node",
            _REQUEST,
            ("receive_ns", _I64, "request received"),
            ("send_ns", _I64, "sent to the decode node"),
            ("sent_ns", _I64, "sending succeeded"),
            ("prefill_ns", _I64, "prefill answered"),
            ("decode_ns", _I64, "decode answered"),
        ),
        _t(
            "service_pull",
            "one transfer of cache blocks to a decode node",
            _REQUEST,
            ("rank", _TEXT, "device that pulled"),
            ("start_ns", _I64, "start"),
            ("end_ns", _I64, "end"),
            ("blocks", _TEXT, "blocks as written"),
        ),
        _t(
            "service_process",
            "one process",
            _PID,
            ("name", _TEXT, "schedule, forward, or the pid"),
            ("host", _TEXT, "host"),
            _DP,
            ("role", _TEXT, "prefill, decode or mixed"),
            ("hosts", _I32, "hosts that were seen for this pid"),
        ),
        _t(
            "service_view",
            "one recorded table or curve; its rows lie in service_view_<number>.arrow",
            ("number", _I32, "running number"),
            ("name", _TEXT, "name of the view"),
            ("kind", _TEXT, "data (a table to show), curve, or other"),
            ("rows", _I64, "rows"),
            ("columns", pa.list_(_TEXT), "names of its columns"),
            ("error", _TEXT, "why it cannot be read; empty when it can"),
            ("description_en", _TEXT, "description in English, may be empty"),
            ("description_zh", _TEXT, "description in Chinese, may be empty"),
        ),
        _t(
            "service_fact",
            "one fact about the run as a whole",
            ("name", _TEXT, "generation, token_source, …"),
            ("value", _TEXT, "its value"),
        ),
    )
}

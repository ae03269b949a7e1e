"""The trace reader against the plain reader, on real files, and as a whole."""

from __future__ import annotations

import gzip
import json
import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.ingest.formats.trace_help import Read, read_bytes, read_files
from tests.support import plain_trace

from insight_desktop.errors import BadFile, Cancelled
from insight_desktop.ingest.formats import trace_chunks, trace_json
from insight_desktop.ingest.report import Progress, Report
from insight_desktop.ingest.sources import Source

LEVEL2 = "text_level2/rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json"
LEVEL1 = "text_level1/rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json"
GPU = "gpu/rank-0.Apr_03_18_51_38.1102.pt.trace.json.gz"


def same_as_plain(read: Read, path: Path, details: Callable[[int, int], bytes]) -> None:
    events = plain_trace.events(path)
    plain = plain_trace.slices(events)
    rows = read.slices
    assert len(rows) == len(plain)
    for row, event in zip(rows, plain, strict=True):
        found = (row["pid"], row["tid"], row["name"], row["start_ns"], row["end_ns"], row["category"] or "")
        assert found == tuple(event[key] for key in ("pid", "tid", "name", "start_ns", "end_ns", "cat"))
    for row, event in list(zip(rows, plain, strict=True))[::97]:
        raw = details(row["args_at"], row["args_len"])
        assert (json.loads(raw, parse_int=str, parse_float=str) if raw else None) == event["args"]
    flows = [e for e in events if e["ph"] in "stf"]
    assert [
        (f["pid"], f["tid"], f["ts_ns"], chr(f["phase"]), f["category"], f["id"], f["enclosing"]) for f in read.flows
    ] == [(e["pid"], e["tid"], plain_trace.ns(e["ts"]), e["ph"], e["cat"], e["id"], e.get("bp") == "e") for e in flows]
    values = [
        (e["name"], key, plain_trace.ns(e["ts"]), float(value))
        for e in events
        if e["ph"] == "C"
        for key, value in e["args"].items()
        if key != "acc_id"
    ]
    assert [(counter.split("[")[0], *rest) for counter, *rest in read.counters] == values


@pytest.mark.parametrize("name", [LEVEL2, LEVEL1])
def test_every_event_of_a_real_trace_equals_the_plain_reader(real: Callable[[str], Path], name: str) -> None:
    path = real(name)
    same_as_plain(read_files(path), path, lambda at, size: trace_json.details((path,), at, size))


def test_a_gzip_trace_of_a_gpu_equals_the_plain_reader(real: Callable[[str], Path]) -> None:
    path = real(GPU)
    read = read_files(path)
    same_as_plain(read, path, lambda at, size: read.args[at : at + size])
    assert read.report.counts["phase.X"] == 45420
    assert (read.report.counts["flow_starts"], read.report.counts["flow_ends"]) == (7306, 15928)
    assert (read.report.counts["phase.M"], len(read.instants)) == (36, 2)
    assert "GPU 0" in {track["process_label"] for track in read.tracks}
    assert {t["device"] for t in read.tracks if t["process_label"] == "GPU 0"} == {0}


def test_the_level2_trace_has_the_known_counts_and_no_issue(real: Callable[[str], Path]) -> None:
    read = read_files(real(LEVEL2))
    assert read.report.counts == {
        "phase.X": 4811, "phase.C": 4368, "phase.f": 611, "phase.s": 606, "phase.M": 80,
        "flow_starts": 606, "flow_ends": 611, "counters": 4368,
    }  # fmt: skip
    assert read.report.issues == []
    assert len(read.slices) == 4811


def test_the_level2_lanes_have_their_roles_and_devices(real: Callable[[str], Path]) -> None:
    read = read_files(real(LEVEL2))
    lanes = {(t["process"], t["lane"]): t for t in read.tracks}
    counts: dict[str, int] = {}
    for row in read.slices:
        counts[row["lane"]] = counts.get(row["lane"], 0) + 1
    assert counts["Python Stack 3178231"] == 1282
    assert (counts["Stream 2"], counts["Stream 4"]) == (219, 308)
    assert lanes["Ascend Hardware", "Stream 2"]["role"] == "stream"
    assert lanes["Ascend Hardware", "Stream 2"]["device"] == 0
    assert lanes["Python", "Python Stack 3178231"]["role"] == "python_stack"
    assert lanes["Python", "Python Stack 3178231"]["device"] == -1
    assert lanes["Overlap Analysis", "Computing"]["role"] == "overlap"
    roles = {t["role"] for t in read.tracks if t["process"] in ("Communication", "HCCL")}
    assert roles == {"group", "plane"}
    metrics = {s["process"]: s["metrics"] for s in read.tables["series"]}
    assert metrics["HBM"] == "NPU Metrics"
    units = {s["series"]: s["unit"] for s in read.tables["series"] if s["process"] == "HBM"}
    assert units == {"Read(MB/s)": "MB/s", "Write(MB/s)": "MB/s"}


@pytest.mark.parametrize(("chunk", "threads"), [(1 << 10, 1), (1 << 10, 2), (1 << 16, 1), (1 << 16, 2)])
def test_chunk_size_and_threads_do_not_change_the_rows(
    real: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch, chunk: int, threads: int
) -> None:
    path = real(LEVEL2)
    whole = read_files(path)
    monkeypatch.setattr(trace_chunks, "CHUNK_BYTES", chunk)
    cut = read_files(path, threads=threads)
    for table in ("slice", "flow", "counter", "track", "series", "string"):
        assert cut.tables[table] == whole.tables[table], table
    assert cut.report.counts == whole.report.counts


@pytest.mark.parametrize("threads", [1, 2])
def test_a_gzip_trace_in_small_chunks_has_the_same_details(
    real: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch, threads: int
) -> None:
    path = real(GPU)
    whole = read_files(path)
    monkeypatch.setattr(trace_chunks, "CHUNK_BYTES", 1 << 17)
    cut = read_files(path, threads=threads)
    assert cut.args == whole.args
    assert cut.tables["slice"] == whole.tables["slice"]
    assert cut.tables["instant"] == whole.tables["instant"]


NASTY = st.sampled_from(
    [
        '}, {"ph": "X"',
        '"',
        "\\",
        "\\\\",
        '\\"',
        "}]",
        "[{",
        ": ",
        '{"traceEvents": [',
        "名字",
        "\u2028",
        "\n",
        "/*",
        "//",
        "😀",
    ]
)
TEXT = (
    st.lists(st.one_of(NASTY, st.text(max_size=6)), max_size=4)
    .map("".join)
    .map(lambda s: s.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
)
EVENT = st.fixed_dictionaries(
    {
        "ph": st.just("X"),
        "name": TEXT,
        "pid": st.integers(-3, 3),
        "tid": st.one_of(st.integers(0, 3), TEXT),
        "ts": st.integers(1, 10**15),
        "dur": st.integers(0, 10**6),
        "args": st.recursive(
            st.one_of(TEXT, st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False)),
            lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXT, inner, max_size=3)),
            max_leaves=8,
        ),
    }
)


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    events=st.lists(EVENT, min_size=1, max_size=12),
    layout=st.sampled_from(["array", "pretty", "tight", "object", "after", "lines"]),
    ascii_only=st.booleans(),
    chunk=st.sampled_from([64, 257, 1 << 12, 1 << 20]),
)
def test_any_well_formed_trace_is_read_as_json_reads_it(
    tmp_path: Path, events: list[dict[str, object]], layout: str, ascii_only: bool, chunk: int
) -> None:
    if layout == "lines":
        text = "\n".join(json.dumps(e, ensure_ascii=ascii_only) for e in events)
    else:
        root: object = events
        if layout == "object":
            root = {"schemaVersion": 1, "other": {"traceEvents": [{"ph": "X"}], "q": '"'}, "traceEvents": events}
        elif layout == "after":
            root = {"traceEvents": events, "stackFrames": {"1": {"name": '}], "'}}, "displayTimeUnit": "ns"}
        indent = 2 if layout == "pretty" else None
        tight = (",", ":") if layout == "tight" else None
        text = json.dumps(root, ensure_ascii=ascii_only, indent=indent, separators=tight)
    before = trace_chunks.CHUNK_BYTES
    trace_chunks.CHUNK_BYTES = chunk
    try:
        read = read_bytes(tmp_path, text, threads=1 + chunk % 2)
    finally:
        trace_chunks.CHUNK_BYTES = before
    assert read.codes == {}
    assert [(r["name"], r["pid"], r["tid"], r["start_ns"], r["end_ns"]) for r in read.slices] == [
        (
            e["name"] or "(no name)", str(e["pid"]), str(e["tid"]),
            int(e["ts"]) * 1000, (int(e["ts"]) + int(e["dur"])) * 1000,  # type: ignore[call-overload]
        )
        for e in events
    ]  # fmt: skip
    path = tmp_path / "trace.json"
    for row, event in zip(read.slices, events, strict=True):
        assert json.loads(trace_json.details((path,), row["args_at"], row["args_len"])) == event["args"]


def test_random_damage_never_stops_the_reader_and_gives_the_same_rows_in_small_chunks(
    tmp_path: Path, real: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = real(LEVEL2).read_bytes()
    small = data[:30_000] + data[-6_000:]
    rng = random.Random(7)
    for _ in range(300):
        damaged = bytearray(small)
        for _ in range(rng.randint(1, 6)):
            at = rng.randrange(len(damaged))
            kind = rng.randrange(4)
            if kind == 0:
                damaged[at] = rng.randrange(256)
            elif kind == 1:
                del damaged[at : at + rng.randint(1, 200)]
            elif kind == 2:
                damaged[at:at] = rng.choice([b'"', b"{", b"}", b"\\", b"[", b"]", b"\x00" * 9, b"/*", b","])
            else:
                del damaged[max(at, 100) :]
        started = time.monotonic()
        monkeypatch.setattr(trace_chunks, "CHUNK_BYTES", 1 << 20)
        try:
            read = read_bytes(tmp_path, bytes(damaged))
        except BadFile:
            continue
        monkeypatch.setattr(trace_chunks, "CHUNK_BYTES", 1 << 12)
        cut = read_bytes(tmp_path, bytes(damaged), threads=2)
        assert time.monotonic() - started < 10
        assert [(row["name"], row["start_ns"]) for row in cut.slices] == [
            (row["name"], row["start_ns"]) for row in read.slices
        ]
        assert all(row["end_ns"] >= row["start_ns"] >= 0 for row in read.slices)


def test_several_files_are_read_in_order_and_details_find_their_file(tmp_path: Path) -> None:
    first, second = tmp_path / "msprof_slice_0_1.json", tmp_path / "msprof_slice_1_1.json"
    first.write_text('[{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1,"args":{"k":1}}]')
    second.write_text('[{"ph":"X","name":"b","pid":1,"tid":1,"ts":2,"dur":1,"args":{"k":2}}]')
    read = read_files(first, second)
    assert [row["name"] for row in read.slices] == ["a", "b"]
    assert len(read.tracks) == 1
    found = [trace_json.details((first, second), row["args_at"], row["args_len"]) for row in read.slices]
    assert found == [b'{"k":1}', b'{"k":2}']


def test_one_bad_file_of_several_is_reported_and_the_others_are_read(tmp_path: Path) -> None:
    good, bad = tmp_path / "msprof_1.json", tmp_path / "msprof_2.json"
    good.write_text('[{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1}]')
    bad.write_text("")
    read = read_files(good, bad)
    assert len(read.slices) == 1
    assert read.codes == {"bad_file": 1}


def test_details_across_a_file_border_are_laid_end_to_end(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"0123")
    (tmp_path / "b").write_bytes(b"4567")
    assert trace_json.details((tmp_path / "a", tmp_path / "b"), 2, 4) == b"2345"


def test_gzip_of_several_members_is_one_stream(tmp_path: Path) -> None:
    data = gzip.compress(b'[{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1,"args":{"k":1}},') + gzip.compress(
        b'{"ph":"i","name":"b","pid":1,"tid":1,"ts":2,"args":{"k":2}}]'
    )
    read = read_bytes(tmp_path, data, name="trace.json.gz")
    assert [row["name"] for row in read.slices + read.instants] == ["a", "b"]
    assert read.args == b'{"k":1}{"k":2}'
    assert (read.instants[0]["args_at"], read.instants[0]["args_len"]) == (7, 7)


def test_cut_gzip_keeps_the_whole_events(tmp_path: Path) -> None:
    events = ",".join(f'{{"ph":"X","name":"n{i}","pid":1,"tid":1,"ts":{i},"dur":1}}' for i in range(5000))
    data = gzip.compress(f"[{events}]".encode())
    read = read_bytes(tmp_path, data[: len(data) * 2 // 3], name="trace.json.gz")
    assert 0 < len(read.slices) < 5000
    assert [row["name"] for row in read.slices] == [f"n{i}" for i in range(len(read.slices))]
    assert "cut" in read.codes


@pytest.mark.parametrize(("at", "kept"), [(-6, 5000), (0.5, 1000)])
def test_damaged_gzip_keeps_the_events_before_the_damage(tmp_path: Path, at: float, kept: int) -> None:
    """A flipped bit in the check sum costs nothing, one in the data only what stands behind it."""
    events = ",".join(f'{{"ph":"X","name":"n{i}","pid":1,"tid":1,"ts":{i},"dur":1}}' for i in range(5000))
    data = bytearray(gzip.compress(f"[{events}]".encode()))
    data[int(at if at < 0 else at * len(data))] ^= 0xFF
    read = read_bytes(tmp_path, bytes(data), name="trace.json.gz")
    assert len(read.slices) >= kept
    assert [row["name"] for row in read.slices[:kept]] == [f"n{i}" for i in range(kept)]
    assert "cut" in read.codes


def test_progress_reaches_the_size_of_the_file_and_cancelling_stops(
    real: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = real(LEVEL2)
    monkeypatch.setattr(trace_chunks, "CHUNK_BYTES", 1 << 17)
    seen: list[Progress] = []
    for _ in trace_json.read(Source("trace_json", "text", (path,)), Report(seen.append), threads=2):
        pass
    assert seen[-1].done_bytes == seen[-1].total_bytes == path.stat().st_size
    stopped = Report(is_cancelled=lambda: True)
    with pytest.raises(Cancelled):
        list(trace_json.read(Source("trace_json", "text", (path,)), stopped, threads=2))


def test_closing_the_iterator_early_ends_the_threads(
    real: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trace_chunks, "CHUNK_BYTES", 1 << 16)
    stream = trace_json.read(Source("trace_json", "text", (real(LEVEL2),)), Report(), threads=2)
    next(stream)
    stream.close()  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("name", "head", "expected"),
    [
        ("trace_view.json", b'[{"ph": "X"', True),
        ("anything.json", b'{"schemaVersion": 1, "traceEvents": [', True),
        ("a.pt.trace.json", b'{"schemaVersion": 1,', True),
        ("a.pt.trace.json.gz", b"\x1f\x8b\x08", True),
        ("msprof_20240101.json", b"\xef\xbb\xbf[", True),
        ("snapshot.json", b'{"segments": [], "device_traces": []}', False),
        ("communication.json", b'{"step": {"p2p"', False),
        ("data.db", b"SQLite format 3\x00", False),
        ("log.gz", b"\x1f\x8b\x08", False),
        ("trace.json", b"version https://git-lfs", True),
        ("trace.json", b"", True),
        ("msprof_slice_0_20240101010101.json", b"[", True),
        ("rank0.json", b'{\n  "schemaVersion": 1,\n  "deviceProperties": [', True),
        ("op.json", b'{"segments": [{"address": 1', False),
        ("package.json", b'{"name": "pkg"}', False),
        ("events.json", b'{"ph": "X", "name": "one per line"}', True),
    ],
)
def test_sniff_goes_by_name_and_first_bytes(name: str, head: bytes, expected: bool) -> None:
    assert trace_json.sniff(name, head) is expected


def test_a_trace_without_anything_to_show_says_so(tmp_path: Path) -> None:
    meta = '{"ph":"M","name":"process_name","pid":1,"args":{"name":"p"}}'
    assert read_bytes(tmp_path, f"[{meta}]").codes == {"nothing_to_show": 1}
    for other in ('"ph":"i"', '"ph":"B"', '"ph":"X","dur":1', '"ph":"C","args":{"a":1}'):
        read = read_bytes(tmp_path, f'[{meta},{{{other},"name":"a","pid":1,"tid":1,"ts":5}}]')
        assert "nothing_to_show" not in read.codes


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ('[{"ph":"X","na', "ends inside its first event (truncated at byte 14)"),
        ('{"traceEvents":[{"ph":"X","args":{"x":"y', "ends inside its first event (truncated at byte 40)"),
        ('[{"ph":"X",tid":1},{"ph":"X",tid":1}]', "is not valid JSON at byte 11 and behind"),
        ("[]", "which is empty or missing"),
    ],
)
def test_a_trace_without_a_whole_event_says_what_is_wrong(tmp_path: Path, data: str, said: str) -> None:
    with pytest.raises(BadFile) as refusal:
        read_bytes(tmp_path, data)
    assert said in refusal.value.message
    assert "no trace events found" in refusal.value.message
    assert refusal.value.fix

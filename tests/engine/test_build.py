import itertools
import random
import re

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.support import plain_build, plain_trace
from tests.support.plain_stream import stream

from insight_desktop import schema
from insight_desktop.engine.build import build_capture
from insight_desktop.engine.build_text import natural, string_hashes
from insight_desktop.engine.capture import ARGS_BLOCK, DTYPES, Capture
from insight_desktop.errors import BadFile, Cancelled
from insight_desktop.ingest.report import Report
from insight_desktop.ingest.sources import Source

NONE = Source("plain", "text", ())
US = 1000


def build(folder, report=None, threads=1, source=NONE, **rows):
    return build_capture(folder, stream(**rows), source, report or Report(), threads=threads)


def x(name, start, length, tid=1, pid=1, **more):
    return {"pid": pid, "tid": tid, "name": name, "start_ns": start, "end_ns": start + length, **more}


def table(capture):
    """Every slice as (process, lane, row, name, start, end), in the order of the capture."""
    tracks = capture.tracks.to_pylist()
    out = []
    for lane in range(len(capture.lane_track)):
        track = tracks[capture.lane_track[lane]]
        for i in range(capture.lane_offset[lane], capture.lane_offset[lane + 1]):
            out.append(
                (
                    track["process"],
                    track["lane"],
                    int(capture.lane_row[lane]),
                    capture.text(int(capture.slice_name[i])),
                    int(capture.slice_start[i]),
                    int(capture.slice_end[i]),
                )
            )
    return out


def links(capture):
    names = [capture.text(int(i)) for i in capture.slice_name]
    return [(names[a], names[b]) for a, b in zip(capture.link_from, capture.link_to, strict=True)]


def issues(capture):
    return {issue["code"]: issue for issue in capture.manifest.issues}


# ---- against the plain builder


SLICES = st.lists(
    st.tuples(
        st.integers(0, 2),
        st.integers(0, 2),
        st.integers(0, 5000),
        st.sampled_from([0, 1, 10, 700, 3000]),
        st.sampled_from(["aten::add", "matmul_12", "op"]),
    ),
    max_size=60,
)


@pytest.mark.row("system-timeline", 22)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(SLICES, st.integers(1, 40), st.integers(0, 3), st.booleans())
def test_capture_equals_that_of_the_plain_builder(tmp_path_factory, rows, size, seed, two):
    slices = [x(name, start, length, tid, pid) for pid, tid, start, length, name in rows]
    random.Random(seed).shuffle(slices)
    counters = [
        {"process": "HBM", "counter": c, "series": "v", "ts_ns": t, "value": v}
        for c, t, v in itertools.islice(
            ((f"c{i % 2}", (i * 7919) % 1000, None if i % 5 == 4 else i / 3) for i in range(200)), len(rows) * 3
        )
    ]
    instants = [{"pid": s["pid"], "tid": s["tid"], "name": "mark", "ts_ns": s["start_ns"]} for s in slices[::5]]
    known = [(i, j, "c") for i, j in zip(range(0, len(slices), 3), range(1, len(slices), 3), strict=False)]
    folder = tmp_path_factory.mktemp("both")
    ours = build(
        folder / "ours",
        threads=1 + two,
        slices=slices,
        counters=counters,
        instants=instants,
        links=known,
        size=size,
        seed=seed,
    )
    plain = plain_build.build(folder / "plain", slices=slices, counters=counters, instants=instants, links=known)
    assert table(ours) == table(plain)
    for name in (
        "lane_offset",
        "lane_track",
        "lane_row",
        "track_lane",
        "instant_offset",
        "instant_ts",
        "counter_ts",
        "counter_value",
        "series_offset",
        "link_from",
        "link_to",
        "link_by_to",
        "peak_64_min",
        "peak_64_max",
        "peak_4096_offset",
    ):
        np.testing.assert_array_equal(ours.column(name), plain.column(name), name)
    dropped = ["process_sort", "first_ns", "last_ns"]
    assert ours.tracks.to_pylist() == plain.tracks.to_pylist()
    assert ours.series.drop_columns(dropped).to_pylist() == plain.series.drop_columns(dropped).to_pylist()
    for name in ("start_ns", "end_ns", "view_start_ns"):
        assert getattr(ours.manifest, name) == getattr(plain.manifest, name), name
    assert [p for p in ours.manifest.processes if p != "HBM"] == plain.manifest.processes
    for name in ("slices", "instants", "counters", "links"):
        assert ours.manifest.counts[name] == plain.manifest.counts[name]


@pytest.mark.parametrize("text", ["", "a", "matmul_12", "12", "0x7f 007", "通信 3", "a1b22c333", "·"])
def test_colour_hash_is_the_plain_one(text):
    import pyarrow as pa

    texts = pa.array(["zz", text, "y"], pa.large_string())
    assert int(string_hashes(texts)[1]) == plain_build._hash(text)
    assert int(string_hashes(texts[1:])[0]) == plain_build._hash(text)


# ---- order, rows, totals


def test_tracks_come_in_the_order_of_their_sort_indices_missing_last(tmp_path):
    # indices -5, 0, 10, none for B, A, C, D; written in another order
    slices = [
        x("d", 0, 1, pid=4, process="D", sort=None),
        x("c", 0, 1, pid=3, process="C", sort=10),
        x("a", 0, 1, pid=1, process="A", sort=0),
        x("b", 0, 1, pid=2, process="B", sort=-5),
    ]
    assert build(tmp_path / "c", slices=slices).manifest.processes == ["B", "A", "C", "D"]


def test_streams_are_ordered_by_number(tmp_path):
    slices = [x("k", 0, 1, tid=i, thread=f"Stream {i}") for i in (10, 2, 33)]
    assert build(tmp_path / "c", slices=slices).tracks["lane"].to_pylist() == ["Stream 2", "Stream 10", "Stream 33"]
    assert natural("Stream 2") < natural("Stream 10")


def test_touching_slices_stay_on_one_row_to_the_nanosecond(tmp_path):
    start = 1761000000000100250
    capture = build(tmp_path / "c", slices=[x("a", start, 5160), x("b", start + 5160, 2000)])
    assert capture.tracks["rows"].to_pylist() == [1]
    assert [row[4:] for row in table(capture)] == [
        (1761000000000100250, 1761000000000105410),
        (1761000000000105410, 1761000000000107410),
    ]


def test_longer_slice_of_equal_start_is_on_top(tmp_path):
    capture = build(tmp_path / "c", slices=[x("child", 50 * US, 10 * US), x("parent", 50 * US, 100 * US)])
    assert [(row[3], row[2]) for row in table(capture)] == [("parent", 0), ("child", 1)]
    assert capture.tracks.select(["sum_ns", "busy_ns"]).to_pylist() == [{"sum_ns": 110000, "busy_ns": 100000}]


def test_slices_of_one_group_share_a_row(tmp_path):
    slices = [x("r1", 0, 10, group_id="a"), x("other", 5, 10), x("r2", 20, 5, group_id="a")]
    assert [(row[3], row[2]) for row in table(build(tmp_path / "c", slices=slices))] == [
        ("r1", 0),
        ("r2", 0),
        ("other", 1),
    ]


def test_partial_overlap_is_kept_whole_and_told_by_name(tmp_path):
    capture = build(tmp_path / "c", slices=[x("mul_a", 100 * US, 50 * US, tid=7), x("add_b", 130 * US, 40 * US, tid=7)])
    assert capture.tracks.select(["rows", "sum_ns", "busy_ns"]).to_pylist() == [
        {"rows": 2, "sum_ns": 90000, "busy_ns": 70000}
    ]
    assert issues(capture)["timeline.overlap"]["count"] == 1
    assert "add_b" in issues(capture)["timeline.overlap"]["message"]


def test_asynchronous_slices_may_overlap_without_a_word(tmp_path):
    assert (
        build(tmp_path / "c", slices=[x("rd", 2, 3, role="async"), x("wr", 3, 4, role="async")]).manifest.issues == []
    )


def test_overrunning_duration_is_kept_and_named(tmp_path):
    slices = [
        x("k1", 0, 100 * US),
        x("k2", 200 * US, 1600000 * US),
        x("k3", 400 * US, 50 * US),
        x("k4", 600 * US, 50 * US),
    ]
    capture = build(tmp_path / "c", slices=slices)
    # sum 100 + 1600000 + 50 + 50 us; k3 and k4 lie inside k2
    assert capture.tracks.select(["rows", "sum_ns", "busy_ns"]).to_pylist() == [
        {"rows": 2, "sum_ns": 1600200000, "busy_ns": 1600100000}
    ]
    assert "k2" in issues(capture)["timeline.overrun"]["message"]
    assert "overrun" in issues(capture)["timeline.overrun"]["message"]


def test_ordinary_callers_are_no_overrun(tmp_path):
    slices = [x("step", 0, 1000), *(x(f"op{i}", i * 100, 90) for i in range(10))]
    assert build(tmp_path / "c", slices=slices).manifest.issues == []


def test_real_trace_has_the_known_rows_and_links(tmp_path, real):
    path = real("text_level2/rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json")
    found = plain_trace.events(path)
    slices = plain_trace.slices(found)
    named = {e["pid"]: e["args"]["name"] for e in found if e["ph"] == "M" and e["name"] == "process_name"}
    threads = {(e["pid"], e["tid"]): e["args"]["name"] for e in found if e["ph"] == "M" and e["name"] == "thread_name"}
    for s in slices:
        s["process"], s["thread"] = named[s["pid"]], threads[s["pid"], s["tid"]]
        if s["cat"] == "python_function":
            s.update(lane=f"Python Stack {s['tid']}", lane_sort=1, role="python_stack")
    ids = {}
    flows = [
        {
            "pid": e["pid"],
            "tid": e["tid"],
            "ts_ns": plain_trace.ns(e["ts"]),
            "phase": e["ph"],
            "cat": e["cat"],
            "id": ids.setdefault(str(e["id"]), len(ids)),
            "bp": e.get("bp"),
            "process": named[str(e["pid"])],
            "thread": threads[e["pid"], e["tid"]],
        }
        for e in found
        if e["ph"] in "stf"
    ]
    capture = build(tmp_path / "c", slices=slices, flows=flows)
    rows = {(t["process"], t["lane"]): (t["slices"], t["rows"]) for t in capture.tracks.to_pylist()}
    assert {k[1]: v for k, v in rows.items() if k[0] == "Python"} == {
        "Thread 3178231": (369, 8), "Thread 3186523": (650, 8), "Thread 3181770": (159, 1), "Python Stack 3178231": (1282, 24),
    }  # fmt: skip
    assert [rows["CANN", f"Thread {t}"] for t in (3181770, 3178231, 3186523)] == [(767, 4), (109, 3), (168, 2)]
    assert [rows["Ascend Hardware", f"Stream {s}"] for s in (2, 4)] == [(219, 1), (308, 7)]
    count = {}
    for c in capture.link_category:
        count[capture.text(int(c))] = count.get(capture.text(int(c)), 0) + 1
    assert count == {"HostToDevice": 215, "async_npu": 210, "async_task_queue": 159, "fwdbwd": 27}
    assert "flows.one_end" not in issues(capture)


# ---- links


def f(phase, ts, tid, number=1, cat="z", pid=1, bp=None):
    return {"pid": pid, "tid": tid, "ts_ns": ts * US, "phase": phase, "cat": cat, "id": number, "bp": bp}


def us(name, start, length, tid):
    return x(name, start * US, length * US, tid)


@pytest.mark.row("system-timeline", 89)
@pytest.mark.parametrize("category", ["HostToDevice", "async_npu", "async_task_queue", "fwdbwd", "MsTx", "ac2g"])
def test_links_of_every_category_join_the_slices_at_their_ends(tmp_path, category):
    capture = build(
        tmp_path / "c",
        slices=[us("launch", 0, 5, 1), us("kernel", 10, 5, 2)],
        flows=[f("s", 0, 1, cat=category), f("f", 10, 2, cat=category, bp="e")],
    )
    assert links(capture) == [("launch", "kernel")]
    assert [capture.text(int(c)) for c in capture.link_category] == [category]


def test_reused_id_links_neighbours_only(tmp_path):
    slices = [us("A", 0, 5, 1), us("B", 10, 5, 2), us("C", 20, 5, 1), us("D", 30, 5, 2)]
    flows = [f("s", 1, 1), f("f", 10, 2, bp="e"), f("s", 21, 1), f("f", 30, 2, bp="e")]
    assert links(build(tmp_path / "c", slices=slices, flows=flows)) == [("A", "B"), ("C", "D")]


def test_equal_ids_of_two_categories_are_two_links(tmp_path):
    slices = [us("A", 0, 5, 1), us("B", 10, 5, 2), us("C", 20, 5, 3)]
    flows = [
        f("s", 0, 1, 9, "HostToDevice"),
        f("f", 10, 2, 9, "HostToDevice"),
        f("s", 0, 1, 9, "fwdbwd"),
        f("f", 20, 3, 9, "fwdbwd"),
    ]
    assert links(build(tmp_path / "c", slices=slices, flows=flows)) == [("A", "B"), ("A", "C")]


def test_ends_in_the_void_are_counted_and_not_drawn(tmp_path):
    capture = build(
        tmp_path / "c",
        slices=[us("only", 100, 5, 1)],
        flows=[f("s", 1, 1, 3), f("f", 101, 1, 3, bp="e"), f("s", 100, 1, 4)],
    )
    assert links(capture) == []
    assert issues(capture)["flows.no_slice"]["count"] == 1
    assert issues(capture)["flows.one_end"]["count"] == 1
    assert "unmatched" in issues(capture)["flows.one_end"]["message"]


def test_main_lane_is_asked_before_the_python_stack(tmp_path):
    stack = x("frame", 0, 100 * US, 1, lane="Python Stack 1", lane_sort=1)
    lonely = x("deep", 300 * US, 10 * US, 1, lane="Python Stack 1", lane_sort=1)
    slices = [stack, lonely, x("op", 10 * US, 20 * US, 1), us("k", 200, 5, 2), us("k2", 400, 5, 2)]
    flows = [f("s", 15, 1, 1), f("f", 200, 2, 1), f("s", 305, 1, 2), f("f", 400, 2, 2)]
    assert sorted(links(build(tmp_path / "c", slices=slices, flows=flows))) == [("deep", "k2"), ("op", "k")]


# ---- ranges


EPOCH = 1_761_000_000 * 10**9


@pytest.mark.row("system-timeline", 98)
def test_stamp_zero_among_epoch_stamps_does_not_widen_the_view(tmp_path):
    slices = [x("init", 0, 1000), x("op1", EPOCH, 10_000), x("op2", EPOCH + 20_000, 10_000)]
    capture = build(tmp_path / "c", slices=slices)
    assert (capture.manifest.start_ns, capture.manifest.end_ns) == (0, EPOCH + 30_000)
    assert (capture.manifest.view_start_ns, capture.manifest.view_span_ns) == (EPOCH, 30_000)
    assert "'init' at ts 0.000 us" in issues(capture)["timeline.outlier"]["message"]
    assert len(table(capture)) == 3


def test_view_leaves_out_absurd_and_far_events_of_every_kind(tmp_path):
    slices = [x(f"op{i}", EPOCH + i * 1000, 900) for i in range(100)]
    instants = [{"pid": 1, "tid": 1, "name": "late", "ts_ns": 9_223_372_036_854_775_000}]
    counters = [{"process": "HBM", "counter": "rw", "series": "r", "ts_ns": -5, "value": 1.0}]
    capture = build(tmp_path / "c", slices=slices, instants=instants, counters=counters)
    assert (capture.manifest.view_start_ns, capture.manifest.view_span_ns) == (EPOCH, 99_900)
    assert issues(capture)["timeline.outlier"]["count"] == 2
    assert "rw" in issues(capture)["timeline.outlier"]["message"]


def test_few_events_of_another_year_do_not_widen_the_view(tmp_path):
    slices = [x(f"task{i}", EPOCH + i * 1_000_000, 900_000) for i in range(300)] + [
        x("mark", EPOCH + 10**17 + i, 5, tid=2) for i in range(13)
    ]
    capture = build(tmp_path / "c", slices=slices)
    assert (capture.manifest.view_start_ns, capture.manifest.view_span_ns) == (EPOCH, 299_900_000)
    assert issues(capture)["timeline.outlier"]["count"] == 13
    assert "mark" in issues(capture)["timeline.outlier"]["message"]


def test_unfinished_slice_from_zero_does_not_widen_the_view(tmp_path):
    slices = [x("init", 0, EPOCH + 9), *(x(f"op{i}", EPOCH + i, 1) for i in range(5))]
    assert build(tmp_path / "c", slices=slices).manifest.view_start_ns == EPOCH


def test_pauses_and_two_equal_halves_stay_in_the_view(tmp_path):
    slices = [x("first", 0, 10 * US), x("second", 3600 * 10**9, 10 * US)]
    capture = build(tmp_path / "c", slices=slices)
    assert (capture.manifest.view_start_ns, capture.manifest.view_span_ns) == (0, 3600 * 10**9 + 10 * US)
    assert capture.manifest.issues == []


# ---- files and failures


def test_every_column_has_its_declared_type_and_no_temporary_file_stays(tmp_path):
    capture = build(tmp_path / "c", slices=[x("a", 0, 1)], instants=[{"pid": 1, "tid": 1, "name": "i", "ts_ns": 1}])
    names = {path.name for path in capture.folder.iterdir()}
    assert not [name for name in names if name.endswith(".tmp")]
    assert {f"{name}.bin" for name in DTYPES} - names == {"args_block.bin"}
    assert [len(capture.column(n)) for n in ("slice_start", "instant_ts", "lane_offset", "series_offset")] == [
        1,
        1,
        2,
        1,
    ]


def test_empty_stream_gives_an_empty_capture(tmp_path):
    capture = build(tmp_path / "c")
    assert capture.manifest.counts["slices"] == 0
    assert capture.tracks.num_rows == capture.series.num_rows == len(capture.strings) == 0
    assert (capture.manifest.view_start_ns, capture.manifest.view_span_ns) == (0, 0)


def test_details_of_unseekable_sources_are_kept_in_blocks(tmp_path):
    import zstandard

    pieces = [bytes([65 + i % 26]) * 100_000 for i in range(7)]

    def with_args():
        yield from (("args", schema.batch("args", bytes=pieces[i : i + 2])) for i in range(0, 7, 2))
        yield from stream(slices=[x("a", 0, 1, args_at=0, args_len=9)])

    capture = build_capture(tmp_path / "c", with_args(), NONE, Report())
    assert capture.manifest.args == {"mode": "blocks"}
    packed = (capture.folder / "args.zst").read_bytes()
    blocks = [zstandard.decompress(packed[a:b]) for a, b in itertools.pairwise(capture.args_block)]
    assert [len(b) for b in blocks] == [ARGS_BLOCK, ARGS_BLOCK, 700_000 - 2 * ARGS_BLOCK]
    assert b"".join(blocks) == b"".join(pieces)


def test_places_of_details_and_facts_of_the_reader_reach_the_manifest(tmp_path):
    report = Report()
    report.facts["args_tables"] = ["TASK", "CANN_API"]
    report.add("table.TASK", 12)
    report.add("flow_starts", 3)
    report.issue("reader.defect", "warning", "x", "Something.")
    capture = build(tmp_path / "c", report=report, slices=[x("a", 0, 1, args_at=7, args_len=-2)])
    assert capture.manifest.args == {"mode": "db", "tables": ["TASK", "CANN_API"]}
    assert (capture.manifest.tables, capture.manifest.counts["flow_starts"]) == ({"TASK": 12}, 3)
    assert "reader.defect" in issues(capture)
    assert (int(capture.slice_args_at[0]), int(capture.slice_args_len[0])) == (7, -2)


def test_slices_that_the_reader_computed_are_counted_apart(tmp_path):
    report = Report()
    report.facts["derived_slices"] = 1
    capture = build(tmp_path / "c", report=report, slices=[x("a", 0, 1), x("Computing", 0, 1, tid=2)])
    assert (capture.manifest.counts["slices"], capture.manifest.counts["derived_slices"]) == (1, 1)


def test_stopped_build_leaves_no_capture(tmp_path):
    report = Report(is_cancelled=lambda: True)
    with pytest.raises(Cancelled):
        build(tmp_path / "c", report=report, slices=[x("a", 0, 1)])
    with pytest.raises(BadFile):
        Capture(tmp_path / "c")


def test_source_is_described_and_not_touched(tmp_path):
    path = tmp_path / "t.json"
    path.write_bytes(b"[]" * 100_000)
    before = path.stat().st_mtime_ns
    capture = build(tmp_path / "c", source=Source("trace_json", "text", (path,)), slices=[x("a", 0, 1)])
    file = capture.manifest.source["files"][0]
    assert (file["path"], file["size"], file["mtime_ns"]) == (str(path), 200_000, before)
    assert re.fullmatch("[0-9a-f]{32}", file["fingerprint"])
    assert path.stat().st_mtime_ns == before


def test_events_on_tracks_that_nobody_described_are_kept(tmp_path):
    def torn():
        yield from ((t, b) for t, b in stream(slices=[x("a", 0, 1), x("b", 0, 1, tid=2)]) if t != "track")

    capture = build_capture(tmp_path / "c", torn(), NONE, Report())
    assert [row[3] for row in table(capture)] == ["a", "b"]

"""Snapshots are read without running anything of them; hostile, damaged and foreign files are refused with the reason."""

from __future__ import annotations

import gzip
import json
import pickle
import sqlite3
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.support import snapshot_files as sf

from insight_desktop.errors import BadFile
from insight_desktop.ingest.formats import snapshot_pickle
from insight_desktop.ingest.report import Report

P4 = b"\x80\x04"
TEXT = b"\x8c\x05posix\x8c\x06system"


def _parsed(path: Path, folder: Path) -> dict[str, Any]:
    folder.mkdir(exist_ok=True)
    snapshot_pickle.parse(path, folder, Report())
    return dict(json.loads((folder / "facts.json").read_text()))


def _column(folder: Path, name: str, kind: str) -> list[int]:
    return np.fromfile(folder / f"event_{name}.bin", kind).tolist()


def _texts(folder: Path) -> list[str]:
    import pyarrow as pa

    with pa.memory_map(str(folder / "texts.arrow")) as file:
        return list(pa.ipc.open_file(file).read_all().column("value").to_pylist())


# What CPython would call, build or look up; what it would load and we must not; each with a part of the message.
HOSTILE: dict[str, tuple[bytes, str]] = {
    "STACK_GLOBAL": (P4 + TEXT + b"\x93.", "executable pickle instruction STACK_GLOBAL at byte 17"),
    "GLOBAL": (b"\x80\x02cos\nsystem\n.", "executable pickle instruction GLOBAL at byte 2"),
    "INST": (b"\x80\x02(ios\nsystem\n.", "executable pickle instruction INST at byte 3"),
    "getattr": (b"\x80\x02cbuiltins\ngetattr\n.", "executable pickle instruction GLOBAL at byte 2"),
    "BINPERSID": (P4 + b"\x8c\x01xQ.", "executable pickle instruction BINPERSID at byte 5"),
    "PERSID": (b"\x80\x02Px\n.", "PERSID at byte 2"),
    "EXT1": (b"\x80\x02\x82\x01.", "EXT1 at byte 2"),
    "REDUCE": (P4 + b"\x8c\x01x)R.", "REDUCE at byte 6"),
    "BUILD": (P4 + b"}]b.", "BUILD at byte 4"),
    "NEWOBJ": (P4 + b"\x8c\x01x)\x81.", "NEWOBJ at byte 6"),
    "OBJ": (P4 + b"(\x8c\x01xo.", "OBJ at byte 6"),
    "huge BINUNICODE": (P4 + b"X" + struct.pack("<I", 2**31) + b"a.", "the file ends early (2 of 9 bytes"),
    "huge BINUNICODE8": (P4 + b"\x8d" + struct.pack("<Q", 2**62) + b"a.", "the file ends early"),
    "huge LONG4": (P4 + b"\x8b" + struct.pack("<i", 2**30) + b".", "LONG4 at byte 2"),
    "empty": (b"", "is empty"),
    "text": (b"hello world", "not a pickle"),
    "LFS pointer": (b"version https://git-lfs.github.com/spec/v1\n", "not a pickle but a Git LFS pointer"),
    "protocol 6": (b"\x80\x06}.", "protocol 6 is not one of 2 to 5"),
    "protocol 0": (b"(dp0\nS'a'\np1\nI1\ns.", "protocol 0"),
    "list that holds itself": (P4 + b"]\x94h\x00a.", "no key segments/device_traces"),
    "100,000 nested lists": (P4 + b"]" * 100_000 + b"a" * 99_999 + b".", "no key segments/device_traces"),
    "nested marks": (P4 + b"(" * 100_000 + b".", "nested too deep at byte 66"),
    "memo bomb": (b"\x80\x02]r\xff\xff\xff\x03.", "memo number out of range at byte 3"),
    "bytes": (P4 + b"C\x01a.", "SHORT_BINBYTES at byte 2"),
    "bytearray": (pickle.dumps(bytearray(b"a"), protocol=5), "BYTEARRAY8"),
    "set": (P4 + b"\x8f.", "EMPTY_SET at byte 2"),
    "None": (P4 + b"N.", "no key segments/device_traces"),
    "other dictionary": (pickle.dumps({"a": 1}, protocol=4), "no key segments/device_traces"),
    "wrong content": (pickle.dumps({"segments": 5, "device_traces": []}, protocol=4), "segments is no list"),
    "stack underflow": (P4 + b"a.", "does not fit what stands before it"),
    "nothing at the end": (P4 + b".", "does not fit"),
    "no end": (P4 + b"}", "the file ends early"),
    "big number": (P4 + b"\x8a\x0a" + b"\xff" * 10 + b".", "a number of more than 64 bits"),
    "zip": (b"PK\x03\x04" + b"\0" * 40, "torch.save archive"),
    "page": (b"<!doctype html><html>", "an HTML page"),
    "damaged gzip": (gzip.compress(b"\x80\x04}.")[:-6], "the gzip ends early"),
    "gzip bomb": (gzip.compress(b"\0" * (80 << 20)), "refused: the gzip swells"),
    "deep JSON": (b"[" * 50_000 + b"]" * 50_000, "JSON"),
}  # fmt: skip


@pytest.mark.row("memory", 24)
@pytest.mark.example("memory", "W16")
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_or_foreign_bytes_are_refused_with_the_reason(name: str, tmp_path: Path) -> None:
    content, message = HOSTILE[name]
    path = tmp_path / "mem.pkl"
    path.write_bytes(content)
    began = time.perf_counter()
    with pytest.raises(BadFile) as caught:
        _parsed(path, tmp_path / "out")
    assert message in str(caught.value)
    assert caught.value.fix
    assert time.perf_counter() - began < 30


# The child as the reader starts it, for one file after the other; says its own peak, which begins anew with each process.
_CHILD = """
import json, sys
from pathlib import Path
from insight_desktop.errors import BadFile
from insight_desktop.ingest.formats import snapshot_child
for path in sys.argv[2:]:
    try:
        snapshot_child.read(Path(path), Path(sys.argv[1]), capped=False)
        print("read", path)
    except BadFile:
        pass
status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
print("peak", int(status["VmHWM"].split()[0]))
"""


@pytest.mark.row("memory", 24)
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak of a process is read from /proc")
def test_nothing_of_a_pickle_runs_and_no_reader_takes_more_than_400_mb(tmp_path: Path) -> None:
    canary = tmp_path / "canary"
    call = f"touch {canary}".encode()
    program = b"cos\nsystem\n(X" + struct.pack("<I", len(call)) + call + b"tR0"
    paths = []
    for number, content in enumerate([*(c for c, _ in HOSTILE.values()), P4 + program + b"}."]):
        path = tmp_path / f"{number}.pkl"
        path.write_bytes(content)
        paths.append(str(path))
    said = subprocess.run(
        [sys.executable, "-c", _CHILD, str(tmp_path), *paths], capture_output=True, text=True, check=True, cwd=tmp_path
    ).stdout.split()
    assert said[0] == "peak"
    assert int(said[1]) < 400 * 1024
    assert not canary.exists()


@pytest.mark.row("memory", 24)
def test_a_file_cut_anywhere_is_refused(tmp_path: Path) -> None:
    whole = pickle.dumps(sf.made(n=12), protocol=4)
    from insight_desktop.ingest.formats import snapshot_child

    for cut in range(1, len(whole) - 1, 37):
        path = tmp_path / "mem.pkl"
        path.write_bytes(whole[:cut])
        with pytest.raises(BadFile, match="ends early"):
            snapshot_child.read(path, tmp_path, capped=False)


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_every_protocol_gives_the_same_columns(protocol: int, tmp_path: Path) -> None:
    facts = _parsed(sf.written(tmp_path, sf.made(), protocol=protocol), tmp_path / "out")
    assert facts["devices"][0] == [[0, 200]]
    assert facts["protocol"] == protocol
    texts = _texts(tmp_path / "out")
    actions = [texts[row] for row in _column(tmp_path / "out", "action", "<i4")]
    assert {a: actions.count(a) for a in set(actions)} == {
        "alloc": 68, "free_requested": 65, "free_completed": 65, "segment_alloc": 2,
    }  # fmt: skip
    assert np.load(tmp_path / "out" / "segments.npy").shape[0] == 4


def test_events_are_what_python_would_load(tmp_path: Path) -> None:
    content = sf.made(n=500, timed=True)
    content["device_traces"][0][7].update(
        category="grad", user_metadata="step 3", pool_id=(0, 5), compile_context="1/0"
    )
    _parsed(sf.written(tmp_path, content, protocol=2), tmp_path / "out")
    out, trace = tmp_path / "out", content["device_traces"][0]
    texts, pairs = _texts(out), np.load(out / "pairs.npy").tolist()
    assert [texts[r] for r in _column(out, "action", "<i4")] == [e["action"] for e in trace]
    for name, kind, key in (("address", "<u8", "addr"), ("size", "<i8", "size"), ("stream", "<i8", "stream"), ("time", "<i8", "time_us")):  # fmt: skip
        assert _column(out, name, kind) == [e[key] for e in trace]
    assert [texts[r] if r >= 0 else None for r in _column(out, "category", "<i4")] == [e.get("category") for e in trace]
    assert pairs[_column(out, "pool", "<i4")[7]] == [0, 5]
    stacks, items, frames = (np.load(out / f"{n}.npy") for n in ("stacks", "stack_frames", "frames"))
    for event, stack in zip(trace, _column(out, "stack", "<i4"), strict=True):
        at, count = stacks[stack]
        found = [(texts[frames[f][0]], int(frames[f][1]), texts[frames[f][2]]) for f in items[at : at + count]]
        assert found == [(f["filename"], f["line"], f["name"]) for f in event["frames"]]


def test_equal_stacks_are_kept_once_however_the_file_repeats_them(tmp_path: Path) -> None:
    trace = [
        sf.event("alloc", 512 * k, 512, frames=[{"filename": "a.py", "line": 1, "name": "f"}, {"filename": "b.py", "line": 2, "name": "g"}])
        for k in range(3000)
    ]  # fmt: skip
    _parsed(sf.written(tmp_path, {"segments": [], "device_traces": [trace]}), tmp_path / "out")
    assert len(np.load(tmp_path / "out" / "stacks.npy")) == 2
    assert len(np.load(tmp_path / "out" / "frames.npy")) == 2


def test_whole_numbers_up_to_64_bits_are_kept(tmp_path: Path) -> None:
    trace = [sf.event("alloc", 2**64 - 512, 512), sf.event("alloc", 2**63, 2**40, stream=-(2**63))]
    _parsed(sf.written(tmp_path, {"segments": [], "device_traces": [trace]}), tmp_path / "out")
    assert _column(tmp_path / "out", "address", "<u8") == [2**64 - 512, 2**63]
    assert _column(tmp_path / "out", "stream", "<i8") == [0, -(2**63)]


def test_values_of_the_wrong_kind_are_left_out_and_counted(tmp_path: Path) -> None:
    trace = [{"action": "alloc", "addr": "x", "size": 1.5, "stream": None, "frames": [3, "text"]}, 7, {"addr": 1}]
    facts = _parsed(sf.written(tmp_path, {"segments": [5], "device_traces": [trace, None, 4]}), tmp_path / "out")
    assert (facts["bad_fields"], facts["bad_frames"], facts["bad_segments"], facts["bad_events"]) == (2, 1, 1, 3)
    assert facts["events"] == 1


@pytest.mark.row("memory", 45)
def test_json_and_gzip_give_what_the_pickle_gives(tmp_path: Path) -> None:
    content = sf.made(n=300)
    plain = sf.written(tmp_path, content)
    packed = tmp_path / "mem.pickle.gz"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    text = tmp_path / "mem.json"
    text.write_text(json.dumps(content), encoding="utf-8")
    found = []
    for number, path in enumerate((plain, packed, text)):
        out = tmp_path / str(number)
        facts = _parsed(path, out)
        found.append((facts["events"], _column(out, "address", "<u8"), np.load(out / "blocks.npy")[:, 1:5].tolist()))
    assert found[0] == found[1] == found[2]


@pytest.mark.row("memory", 45)
def test_the_database_of_the_viewer_gives_events_blocks_and_stacks(tmp_path: Path) -> None:
    path = tmp_path / "mem.pkl.db"
    db = sqlite3.connect(path)
    db.executescript("""
        CREATE TABLE trace_entry_0 (id INTEGER PRIMARY KEY, action INTEGER, address INTEGER, size INTEGER, stream INTEGER,
            allocated INTEGER, active INTEGER, reserved INTEGER, callstack TEXT);
        CREATE TABLE block_0 (id INTEGER PRIMARY KEY, address INTEGER, size INTEGER, requestedSize INTEGER, state INTEGER,
            allocEventId INTEGER, freeEventId INTEGER);
        INSERT INTO trace_entry_0 VALUES (-1, 0, 1000, 500, 7, 0, 0, 500, ''), (0, 0, 1500, 300, 7, 0, 0, 800, ''),
            (1, 4, 1000, 40, 7, 40, 40, 800, 'run.py:3 main' || char(10) || 'net.py:12 forward'),
            (2, 4, 1600, 90, 7, 130, 130, 800, ''), (3, 5, 1600, 90, 7, 40, 130, 800, '');
        INSERT INTO block_0 VALUES (1, 1000, 100, 40, 1, 1, -1), (2, 1600, 100, 90, 0, 2, -1);
    """)
    db.commit()
    db.close()
    before = path.stat().st_mtime_ns
    facts = _parsed(path, tmp_path / "out")
    assert facts["events"] == 4
    assert np.load(tmp_path / "out" / "segments.npy")[:, :4].tolist() == [[0, 1000, 800, 7]]
    assert np.load(tmp_path / "out" / "blocks.npy")[:, 1:5].tolist() == [[1000, 100, 40, 1], [1600, 100, 90, 0]]
    texts = _texts(tmp_path / "out")
    frame = np.load(tmp_path / "out" / "frames.npy")[np.load(tmp_path / "out" / "stack_frames.npy")[0]]
    assert (texts[frame[0]], frame[1], texts[frame[2]]) == ("net.py", 12, "forward")
    assert path.stat().st_mtime_ns == before
    assert sorted(p.name for p in tmp_path.iterdir()) == ["mem.pkl.db", "out"]


def test_old_blocks_without_addresses_tile_their_segment(tmp_path: Path) -> None:
    blocks = [
        {"size": 1024, "state": "active_allocated", "history": [{"addr": 4096, "real_size": 1000, "frames": []}]},
        {"size": 3072, "state": "inactive"},
        {"size": 512, "state": "active_awaiting_free"},
    ]
    path = sf.written(tmp_path, [{"address": 4096, "total_size": 4608, "stream": 0, "blocks": blocks}])
    _parsed(path, tmp_path / "out")
    found = np.load(tmp_path / "out" / "blocks.npy")
    assert found[:, 1:5].tolist() == [[4096, 1024, 1000, 1], [5120, 3072, 3072, -1], [8192, 512, 512, 0]]


@pytest.mark.row("memory", 1)
@pytest.mark.parametrize(
    ("name", "head", "fits"),
    [
        ("A.PKL", b"", True), ("x.pickle", b"", True), ("x.pickle.gz", b"\x1f\x8b", True), ("x.pkl.db", b"", True),
        ("x.json", b'{"segments": [], "device_traces": []}', True), ("x.json", b'{"traceEvents": []}', False),
        ("x.pkl.txt", b"", False), ("pickle", b"", False), ("x.db", b"", False),
    ],
)  # fmt: skip
def test_snapshots_are_known_by_name_or_by_their_keys(name: str, head: bytes, fits: bool) -> None:
    assert snapshot_pickle.sniff(f"/data/{name}", head) is fits


@pytest.mark.row("memory", 4)
def test_the_file_of_the_user_is_not_touched(real: Callable[[str], Path], tmp_path: Path) -> None:
    path = real("snapshot/snapshot_expandable.pkl")
    before = (path.stat().st_mtime_ns, path.read_bytes(), sorted(p.name for p in path.parent.iterdir()))
    _parsed(path, tmp_path / "out")
    assert (path.stat().st_mtime_ns, path.read_bytes(), sorted(p.name for p in path.parent.iterdir())) == before


@pytest.mark.row("memory", 49)
def test_a_stopped_import_ends_the_reader(tmp_path: Path) -> None:
    from insight_desktop.errors import Cancelled

    path = sf.written(tmp_path, sf.made(n=3000))
    (tmp_path / "out").mkdir()
    with pytest.raises(Cancelled):
        snapshot_pickle.parse(path, tmp_path / "out", Report(is_cancelled=lambda: True))

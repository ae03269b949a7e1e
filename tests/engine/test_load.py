import hashlib
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from insight_desktop.engine import load_worker
from insight_desktop.engine.cache import Cache
from insight_desktop.engine.capture import Capture
from insight_desktop.engine.import_report import import_report
from insight_desktop.engine.load import CardImport, Importer, import_paths, use_kernel_cache
from insight_desktop.errors import InsightError
from insight_desktop.ingest.report import Progress
from insight_desktop.ingest.sources import Card, Discovery, Ignored, Source

ROOT = Path(__file__).resolve().parents[2]
GOOD = "a 0 10\nb 20 10\nc 25 2\n"


@pytest.fixture(autouse=True)
def lines_format(monkeypatch):
    monkeypatch.setenv("INSIGHT_READERS", "tests.support.formats")


@pytest.fixture
def cache(tmp_path):
    return Cache(tmp_path / "captures")


def card(folder, name, text, form="lines_format"):
    path = folder / f"{name}.txt"
    path.write_text(text)
    return Card(name, name, None, "", "", path, (Source(form, "text", (path,)),))


def state(folder):
    return {
        p: (p.stat().st_mtime_ns, hashlib.sha256(p.read_bytes()).hexdigest()) for p in folder.iterdir() if p.is_file()
    }


def wait_for(path):
    end = time.monotonic() + 30
    while not path.exists():
        assert time.monotonic() < end
        time.sleep(0.01)


def names(item):
    capture = Capture(item.capture)
    return [capture.text(int(i)) for i in capture.slice_name]


def test_small_card_is_read_in_this_process_and_found_again(cache, tmp_path):
    one = card(tmp_path, "0", GOOD)
    before = state(tmp_path)
    with Importer(cache) as importer:
        importer.start([one])
        (first,) = importer.wait(60)
        assert (first.status, first.cached, first.kind) == ("ready", False, "text")
        assert first.manifest.extra["pid"] == os.getpid()
        assert names(first) == ["a", "b", "c"]
        assert first.counts["slices"] == 3
        importer.start([one])
        assert [(item.status, item.cached) for item in importer.wait(60)] == [("ready", False), ("ready", True)]
        importer.start([one], fresh=True)
        assert [item.cached for item in importer.wait(60)] == [False, True, False]
    assert state(tmp_path) == before


def test_files_of_waiting_cards_are_looked_at_once(cache, tmp_path, monkeypatch):
    looked = []
    monkeypatch.setattr(Source, "size_bytes", property(lambda self: looked.append(self.files) or 10))
    gate = tmp_path / "gate"
    cards = [card(tmp_path, str(i), f"a 0 10\nwait {gate}" if i < 2 else GOOD) for i in range(8)]
    with Importer(cache) as importer:
        importer.start(cards)
        wait_for(gate.with_suffix(".begun"))
        time.sleep(0.2)  # lanes are looked for again and again
        waiting = [files for files in looked if files in {c.sources[0].files for c in cards[3:]}]
        gate.touch()
        importer.wait(60)
    assert len(waiting) == len(set(waiting))


@pytest.mark.row("system-timeline", 14)
def test_damaged_card_of_four_fails_alone(cache, tmp_path):
    cards = [card(tmp_path, str(i), "refuse" if i == 2 else GOOD) for i in range(4)]
    seen = []
    with Importer(cache, on_change=lambda item: seen.append((item.card.name, item.status))) as importer:
        importer.start(cards)
        done = importer.wait(60)
    assert [item.status for item in done] == ["ready", "ready", "failed", "ready"]
    assert (done[2].message, done[2].fix) == ("The file is damaged at byte 7.", "Copy it again.")
    assert done[2].capture is None
    assert next(s for n, s in seen if n == "2") == "reading"
    assert [s for n, s in seen if n == "2"][-1] == "failed"


@pytest.mark.row("system-timeline", 14)
def test_crash_of_a_worker_fails_only_its_card(cache, tmp_path):
    gate = tmp_path / "gate"
    cards = [
        card(tmp_path, "dies", "# x\ndie"),
        card(tmp_path, "lives", f"a 0 10\nwait {gate}"),
        card(tmp_path, "next", GOOD),
    ]
    with Importer(cache, inline_bytes=-1, workers=2) as importer:
        importer.start(cards)
        wait_for(gate.with_suffix(".begun"))  # in work while the other one dies
        end = time.monotonic() + 60
        while importer.imports[0].status == "reading" or not importer.imports[2].is_done:
            assert time.monotonic() < end
            time.sleep(0.02)
        gate.touch()
        dead, lives, after = importer.wait(60)
    assert dead.status == "failed"
    assert "ended unexpectedly" in dead.message
    assert "memory" in dead.fix
    assert (lives.status, after.status) == ("ready", "ready")
    assert after.manifest.extra["pid"] != os.getpid()
    assert list(cache.root.glob("tmp-*")) == []


def test_unexpected_error_of_a_reader_is_told_by_its_kind(cache, tmp_path):
    with Importer(cache) as importer:
        importer.start([card(tmp_path, "0", "break")])
        (item,) = importer.wait(60)
    assert item.status == "failed"
    assert item.message == "0.txt could not be read: ValueError: unheard of"


def test_full_disk_fails_the_card_with_a_remedy(cache, tmp_path):
    with Importer(cache) as importer:
        importer.start([card(tmp_path, "0", "full")])
        (item,) = importer.wait(60)
    assert item.status == "failed"
    assert "full" in item.message
    assert "space" in item.fix
    assert [p for p in cache.root.iterdir() if p.is_dir()] == []


@pytest.mark.parametrize("inline_bytes", [4096, -1])
def test_stopped_import_leaves_no_capture(cache, tmp_path, inline_bytes):
    gate = tmp_path / "gate"
    cards = [card(tmp_path, "0", f"a 0 10\nwait {gate}"), card(tmp_path, "1", GOOD)]
    with Importer(cache, inline_bytes=inline_bytes, workers=1) as importer:
        importer.start(cards)
        wait_for(gate.with_suffix(".begun"))
        assert not importer.wait(0.05)[0].is_done
        importer.cancel("0")
        done = importer.wait(60)
        assert [item.status for item in done] == ["cancelled", "ready"]
        assert len(cache.keys()) == 1
        assert list(cache.root.glob("tmp-*")) == []
        # and it can be asked for again
        gate.touch()
        importer.start(cards[:1])
        assert importer.wait(60)[-1].status == "ready"


def test_closing_stops_everything(cache, tmp_path):
    importer = Importer(cache, inline_bytes=-1, workers=1)
    importer.start([card(tmp_path, str(i), f"wait {tmp_path / 'never'}") for i in range(3)])
    importer.close()
    assert {item.status for item in importer.imports} == {"cancelled"}
    with pytest.raises(InsightError):
        importer.start([])


def test_progress_and_preview_are_told_while_a_card_is_read(cache, tmp_path):
    gate = tmp_path / "gate"
    text = "".join(f"op 1000{i:04} 5\n" for i in range(400)) + f"wait {gate}"
    seen = []
    with Importer(cache, on_change=lambda item: seen.append(item.progress)) as importer:
        importer.start([card(tmp_path, "0", text)])
        wait_for(gate.with_suffix(".begun"))
        end = time.monotonic() + 20
        while not any(p and p.what == "waiting" for p in seen):
            assert time.monotonic() < end
            time.sleep(0.01)
        gate.touch()
        importer.wait(60)
    progress = next(p for p in seen if p and p.what == "waiting")
    assert progress == Progress(400, len(text), "waiting")


def test_preview_counts_every_slice_while_its_range_grows():
    board = load_worker.Board(1)
    tap = load_worker._PreviewTap(board, 0)
    starts = [[5000, 5001], [9000], [100], [10**15], [1]]
    for part in starts:
        tap._told = 0.0
        tap._count(np.array(part, np.int64))
    _, preview = board.read(0)
    assert preview.density.sum() == 6
    assert preview.start_ns <= 1
    assert preview.end_ns > 10**15
    span = (preview.end_ns - preview.start_ns) // load_worker.BUCKETS
    assert preview.density[(10**15 - preview.start_ns) // span] == 1


def test_preview_follows_a_range_that_begins_near_the_end_of_time():
    tap = load_worker._PreviewTap(load_worker.Board(1), 0)
    for part in ([2**63 - 2], [1], [2**62]):
        tap._count(np.array(part, np.int64))
    assert tap._density.sum() == 3


def test_format_without_a_reader_is_skipped(cache, tmp_path):
    cards = [card(tmp_path, "1", "x", "no_such_format"), Card("2", None, None, "", "", tmp_path, ())]
    with Importer(cache) as importer:
        importer.start(cards)
        done = importer.wait(60)
    assert [item.status for item in done] == ["skipped"] * 2
    assert "no timeline" in done[0].message
    assert "no files" in done[1].message


def test_delivered_captures_stay_until_the_importer_is_closed(tmp_path):
    cache = Cache(tmp_path / "captures", limit_bytes=1)
    with Importer(cache) as importer:
        importer.start([card(tmp_path, str(i), GOOD) for i in range(3)])
        importer.wait(60)
        found = cache.keys()
        for key in found:
            os.utime(cache.root / key / "manifest.json", ns=(1, 1))
        assert cache.evict() == []
        assert len(cache.keys()) == 3
    assert len(cache.evict()) == 3
    assert list(cache.root.glob("*.pin")) == []


def test_preloaded_worker_is_used_and_ends_when_nothing_is_to_do(cache, tmp_path):
    with Importer(cache, inline_bytes=-1, workers=1, idle_s=0.2) as importer:
        importer.preload()
        worker = importer._lanes[-1].executor
        importer.start([card(tmp_path, "0", GOOD)])
        assert importer.wait(60)[0].status == "ready"
        end = time.monotonic() + 20
        while importer._lanes[-1].executor is worker:
            assert time.monotonic() < end
            time.sleep(0.02)
        importer.start([card(tmp_path, "1", GOOD)])
        first, second = importer.wait(60)
        assert second.status == "ready"
        assert first.manifest.extra["pid"] != second.manifest.extra["pid"]


def test_executor_of_somebody_else_takes_the_place_of_workers(cache, tmp_path):
    with ThreadPoolExecutor(2) as pool, Importer(cache, executor=pool) as importer:
        importer.start([card(tmp_path, str(i), GOOD) for i in range(3)])
        assert [item.status for item in importer.wait(60)] == ["ready"] * 3


def test_listener_that_fails_does_not_stop_imports(cache, tmp_path):
    def listener(item):
        raise RuntimeError("window is gone")

    with Importer(cache, on_change=listener) as importer:
        importer.start([card(tmp_path, "0", GOOD)])
        assert importer.wait(60)[0].status == "ready"


def test_source_that_changes_while_it_is_read_is_refused(cache, tmp_path):
    gate = tmp_path / "gate"
    one = card(tmp_path, "0", f"a 0 10\nwait {gate}")
    with Importer(cache) as importer:
        importer.start([one])
        wait_for(gate.with_suffix(".begun"))
        (tmp_path / "0.txt").write_text("a 0 10")
        gate.touch()
        (item,) = importer.wait(60)
    assert item.status == "failed"
    assert "changed while it was read" in item.message
    assert cache.keys() == []


@pytest.mark.row("system-timeline", 97)
def test_two_processes_that_import_one_file_at_once_both_get_it_whole(cache, tmp_path):
    path = tmp_path / "data.txt"
    path.write_text("".join(f"op{i} {i * 10} 5\n" for i in range(3000)))
    before = state(tmp_path)
    code = f"""
import sys; sys.path[:0] = [{str(ROOT / "src")!r}, {str(ROOT)!r}]
from pathlib import Path
from insight_desktop.engine.cache import Cache
from insight_desktop.engine.load_worker import Job, run_job
from insight_desktop.ingest.sources import Source
path = Path({str(path)!r})
out = run_job(Job(Source("lines_format", "text", (path,)), Path({str(cache.root)!r}), 10**9, False, 1))
print(out.status, out.cached, out.capture)
"""
    processes = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(2)]
    answers = [p.communicate(timeout=120)[0].split() for p in processes]
    assert [a[0] for a in answers] == ["ready", "ready"]
    assert sorted(a[1] for a in answers) == ["False", "True"]
    assert answers[0][2] == answers[1][2]
    assert len(Capture(Path(answers[0][2])).slice_start) == 3000
    assert state(tmp_path) == before


# ---- import_paths and the report


TRACE = '[{"ph":"X","name":"op","pid":1,"tid":1,"ts":"%d.000","dur":5}, {"ph":"C","name":"HBM","pid":2,"ts":"%d","args":{"v":1}}]'


def traces(folder, *starts):
    folder.mkdir()
    for i, start in enumerate(starts):
        out = folder / f"r{i}_ascend_pt" / "ASCEND_PROFILER_OUTPUT"
        out.mkdir(parents=True)
        (out / "trace_view.json").write_text(TRACE % (start, start))
        (out.parent / f"profiler_info_{i}.json").write_text("{}")
    return folder


def test_paths_are_found_and_read(cache, tmp_path):
    pytest.importorskip("insight_desktop.ingest.formats.trace_json")
    folder = traces(tmp_path / "data", 1_761_000_000_000_000, 1_761_000_180_000_000)
    found, cards = import_paths([folder], cache=cache)
    assert [item.status for item in cards] == ["ready", "ready"], cards
    report = import_report(found, cards, 1.25)
    assert [(c["name"], c["status"], c["slices"], c["counters"], c["start_ns"]) for c in report["cards"]] == [
        ("0", "ready", 1, 1, 1_761_000_000_000_000_000), ("1", "ready", 1, 1, 1_761_000_180_000_000_000),
    ]  # fmt: skip
    assert set(report) == {"project", "scene", "tabs", "cards", "issues", "ignored", "seconds", "cached", "peak_rss_mb"}
    clock = next(i for i in report["issues"] if i["code"] == "import.clock")
    assert "179.999995 s" in clock["message"] or "180.000 s" in clock["message"]
    assert "offset" in clock["message"]
    assert "Align" in clock["fix"]
    assert import_report(*import_paths([folder], cache=cache), 0.1)["cached"] is True


def test_many_cards_are_read_only_when_they_are_asked_for(cache, tmp_path):
    pytest.importorskip("insight_desktop.ingest.formats.trace_json")
    folder = traces(tmp_path / "data", *[1_761_000_000_000_000] * 5)
    _, cards = import_paths([folder], cache=cache, lazy_above=4)
    assert {item.status for item in cards} == {"waiting"}
    _, cards = import_paths([folder], cache=cache, lazy_above=4, cards=["3"])
    assert [item.status for item in cards] == ["waiting"] * 3 + ["ready", "waiting"]
    _, cards = import_paths([folder], cache=cache, lazy_above=4, ask=lambda found: [c.name for c in found.cards][:2])
    assert [item.status for item in cards] == ["ready"] * 2 + ["waiting"] * 3


def test_report_names_failed_cards_and_ignored_files(tmp_path):
    one = card(tmp_path, "7", "x")
    found = Discovery((tmp_path,), "proj", [one], [Ignored(tmp_path / "z", "a pointer of Git LFS")])
    report = import_report(found, [CardImport(one, "text", "failed", "Damaged at byte 7.", "Copy it again.")], 0.5)
    assert report["project"] == "proj"
    assert report["cards"][0]["status"] == "failed"
    assert (report["cards"][0]["slices"], report["cards"][0]["processes"], report["cards"][0]["start_ns"]) == (
        0,
        [],
        None,
    )
    assert report["issues"] == [
        {
            "code": "import.failed",
            "severity": "error",
            "where": str(tmp_path / "7.txt"),
            "count": 1,
            "message": "Damaged at byte 7.",
            "fix": "Copy it again.",
            "card": "7",
        }
    ]
    assert report["ignored"] == [{"path": str(tmp_path / "z"), "reason": "a pointer of Git LFS"}]


def test_kernels_go_to_the_users_cache_when_the_package_is_read_only(monkeypatch, insight_home):
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setattr(os, "access", lambda *_: False)
    use_kernel_cache()
    assert Path(os.environ["NUMBA_CACHE_DIR"]).is_relative_to(insight_home)
    monkeypatch.delenv("NUMBA_CACHE_DIR")


def test_a_rank_file_that_cannot_be_used_is_named(tmp_path, insight_home):
    folder = tmp_path / "a_ascend_pt"
    (folder / "ASCEND_PROFILER_OUTPUT").mkdir(parents=True)
    event = '[{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1}]'
    (folder / "ASCEND_PROFILER_OUTPUT" / "trace_view.json").write_text(event)
    (folder / "profiler_info_0.json").write_text('{"config":')
    (folder / "profiler_metadata.json").write_text("{}")
    _, imports = import_paths([tmp_path])
    assert [item.status for item in imports] == ["ready"]
    assert [(issue["code"], issue["where"]) for issue in imports[0].issues] == [
        ("rank_info.unreadable", "profiler_info_0.json")
    ]

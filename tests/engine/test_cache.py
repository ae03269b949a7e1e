import errno
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from insight_desktop.engine.cache import Cache, capture_key
from insight_desktop.engine.capture import FORMAT_VERSION, Manifest
from insight_desktop.errors import Cancelled, InsightError
from insight_desktop.ingest.sources import Source

ROOT = Path(__file__).resolve().parents[2]


def fill(folder, size=1000):
    (folder / "slice_start.bin").write_bytes(bytes(size))
    Manifest().write(folder)


def put(cache, key, size=1000, **how):
    with cache.create(key, **how) as folder:
        if folder is not None:
            fill(folder, size)


def write_half(cache, error=None):
    with cache.create("k") as folder:
        (folder / "slice_start.bin").write_bytes(b"half")
        if error is not None:
            raise error


def source(*files, extras=()):
    return Source("trace_json", "text", tuple(files), tuple(extras))


@pytest.fixture
def cache(tmp_path):
    return Cache(tmp_path / "captures")


def test_key_follows_every_file_and_its_time(tmp_path):
    a, b, log = tmp_path / "a.json", tmp_path / "b.json", tmp_path / "a.json-wal"
    a.write_text("1")
    b.write_text("1")
    keys = [
        capture_key(source(a)),
        capture_key(source(a, b)),
        capture_key(source(a, extras=[("rank", b)])),
        capture_key(Source("trace_json", "db", (a,))),
    ]
    log.write_text("rows")
    keys.append(capture_key(source(a)))
    os.utime(a, ns=(1, 1))
    keys.append(capture_key(source(a)))
    a.write_text("22")
    os.utime(a, ns=(1, 1))
    keys.append(capture_key(source(a)))
    assert len(set(keys)) == 7
    assert capture_key(source(a)) == keys[-1]


def test_key_is_the_same_through_a_link(tmp_path):
    (tmp_path / "a.json").write_text("1")
    (tmp_path / "b.json").symlink_to(tmp_path / "a.json")
    assert capture_key(source(tmp_path / "a.json")) == capture_key(source(tmp_path / "b.json"))


def test_capture_is_found_only_when_it_is_whole(cache):
    with cache.create("k") as folder:
        assert cache.find("k") is None
        fill(folder)
        assert cache.find("k") is None
    assert cache.find("k") == cache.root / "k"


def test_half_written_capture_is_never_found_and_leaves_nothing(cache):
    with pytest.raises(ZeroDivisionError):
        write_half(cache, ZeroDivisionError())
    with pytest.raises(InsightError):
        write_half(cache)  # no manifest
    assert cache.find("k") is None
    assert [p.name for p in cache.root.iterdir() if p.is_dir()] == []


def test_capture_of_another_version_is_not_found(cache):
    put(cache, "k")
    path = cache.root / "k" / "manifest.json"
    path.write_text(path.read_text().replace(f'"format_version": {FORMAT_VERSION}', '"format_version": 0'))
    assert cache.find("k") is None


def test_capture_that_is_there_already_is_a_success(cache):
    put(cache, "k")
    with cache.create("k") as folder:
        assert folder is None
    with cache.create("k", fresh=True) as folder:
        fill(folder, 5)
    assert (cache.root / "k" / "slice_start.bin").stat().st_size == 5


def test_full_disk_is_told_with_a_remedy_and_leaves_nothing(cache):
    with pytest.raises(InsightError, match="full") as told:
        write_half(cache, OSError(errno.ENOSPC, "No space left on device"))
    assert "Free some space" in told.value.fix
    assert [p.name for p in cache.root.iterdir() if p.is_dir()] == []


def test_oldest_captures_go_first_and_open_ones_stay(tmp_path):
    cache = Cache(tmp_path, limit_bytes=10**9)
    for i, key in enumerate("abcd"):
        put(cache, key)
        os.utime(cache.root / key / "manifest.json", ns=(i, i))
    cache.find("b")  # used last
    os.utime(cache.root / "b" / "manifest.json", ns=(9, 9))
    one = cache.size() // 4
    cache.limit_bytes = 2 * one + 10
    with cache.pin("a"):
        assert Cache(tmp_path).is_pinned("a")  # seen by another window
        assert cache.evict() == ["c", "d"]
    assert not cache.is_pinned("a")
    assert cache.keys() == ["a", "b"]
    assert list(cache.root.glob("*.pin")) == []
    cache.limit_bytes = one
    put(cache, "e")
    assert cache.keys() == ["e"]
    put(cache, "f")
    assert cache.keys() == ["e", "f"]  # over the limit, but somebody may be about to open "e"


def test_captures_are_not_counted_anew_for_each_one_while_there_is_room(tmp_path, monkeypatch):
    cache = Cache(tmp_path, limit_bytes=10**9)
    counted = []
    keys = Cache.keys
    monkeypatch.setattr(Cache, "keys", lambda self: counted.append(1) or keys(self))
    for key in "abcd":
        put(cache, key)
    assert len(counted) == 1
    for key in "abc":
        os.utime(cache.root / key / "manifest.json", ns=(1, 1))
    cache.limit_bytes = cache.size() // 4
    put(cache, "e")  # no room: counted at once
    assert cache.keys() == ["d", "e"]


def test_tables_that_pages_add_count_for_the_size(cache):
    put(cache, "k")
    before = cache.size()
    (cache.root / "k" / "kernel.parquet").write_bytes(bytes(500))
    assert cache.size() == before + 500


def test_dropped_capture_is_gone(cache):
    put(cache, "k")
    cache.drop("k")
    cache.drop("k")
    assert cache.find("k") is None
    assert cache.size() == 0


def child(code, root):
    return subprocess.Popen(
        [
            sys.executable,
            "-c",
            f"import sys; sys.path[:0] = [{str(ROOT / 'src')!r}]\nfrom pathlib import Path\nfrom insight_desktop.engine.cache import Cache\nfrom insight_desktop.engine.capture import Manifest\nimport time, os\ncache = Cache(Path({str(root)!r}))\n{code}",
        ]
    )


def wait_for(path):
    end = time.monotonic() + 20
    while not path.exists():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_what_a_killed_process_left_is_swept_and_its_lock_is_free(tmp_path):
    process = child(
        "with cache.create('k') as f:\n    (f / 'x.bin').write_bytes(b'half'); Path(cache.root / 'ready').touch(); time.sleep(60)",
        tmp_path,
    )
    pinned = child("pin = cache.pin('p'); Path(cache.root / 'pinned').touch(); time.sleep(60)", tmp_path)
    wait_for(tmp_path / "ready")
    wait_for(tmp_path / "pinned")
    cache = Cache(tmp_path)
    assert len(list(tmp_path.glob("tmp-k-*"))) == 1  # in work: not swept
    assert cache.is_pinned("p")
    for each in (process, pinned):
        each.kill()
        each.wait()
    assert not cache.is_pinned("p")
    cache.sweep()
    assert list(tmp_path.glob("tmp-*")) == []
    put(cache, "k")
    assert cache.find("k") is not None


@pytest.mark.row("system-timeline", 97)
def test_second_process_waits_and_finds_the_capture_of_the_first(tmp_path):
    process = child(
        "with cache.create('k') as f:\n    Path(cache.root / 'ready').touch(); time.sleep(0.5); Manifest(seconds=42.0).write(f)",
        tmp_path,
    )
    wait_for(tmp_path / "ready")
    asked = []
    with Cache(tmp_path).create("k", waiting=lambda: asked.append(1)) as folder:
        assert folder is None
    assert asked
    assert Manifest.read(tmp_path / "k").seconds == 42.0
    assert process.wait() == 0


def test_waiting_for_another_process_can_be_stopped(cache):
    def stop():
        raise Cancelled("stopped")

    with cache.create("k") as folder:
        with pytest.raises(Cancelled), Cache(cache.root).create("k", waiting=stop):
            pass
        fill(folder)
    assert cache.find("k") is not None


def test_the_mark_of_a_process_that_ended_is_swept_and_that_of_a_running_one_stays(tmp_path):
    cache = Cache(tmp_path)
    put(cache, "k")
    pin = cache.pin("k")
    code = f"from insight_desktop.engine.cache import Cache; import os; Cache({str(tmp_path)!r}).pin('k'); os._exit(0)"
    subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "PYTHONPATH": str(ROOT / "src")})
    owners = list(tmp_path.glob("*.owner"))
    assert len(owners) == 2
    for owner in owners:
        os.utime(owner, (1, 1))
    cache.sweep()
    assert [path.name.split("-")[0] for path in tmp_path.glob("*.owner")] == [str(os.getpid())]
    assert len(list(tmp_path.glob("*.pin"))) == 1
    assert cache.is_pinned("k")
    pin.release()

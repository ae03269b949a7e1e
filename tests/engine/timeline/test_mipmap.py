import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from insight_desktop.engine.timeline import mipmap


def plain_runs(lanes, shift):
    """Level of detail by the rule: [(start, end, name of the longest)] per lane, straight from the slices."""
    out = []
    for lane in lanes:
        runs = []
        for start, end, name in lane:
            short = end - start < 1 << shift
            if runs and short and runs[-1]["short"] and runs[-1]["bucket"] == start >> shift:
                run = runs[-1]
                run["end"] = end
                if end - start > run["longest"]:
                    run["longest"], run["name"] = end - start, name
            else:
                runs.append(
                    {
                        "start": start,
                        "end": end,
                        "name": name,
                        "longest": end - start,
                        "short": short,
                        "bucket": start >> shift,
                    }
                )
        out.append([(r["start"], r["end"], r["name"]) for r in runs])
    return out


def lane_of(steps):
    at, out = 0, []
    for i, (gap, length) in enumerate(steps):
        at += gap
        out.append((at, at + length, i))
        at += length
    return out


def built(lanes, monkeypatch, threads=1):
    monkeypatch.setattr(mipmap, "SMALL", 1)
    flat = [s for lane in lanes for s in lane]
    offset = np.cumsum([0, *(len(lane) for lane in lanes)])
    columns = [np.array([s[i] for s in flat], t) for i, t in enumerate((np.int64, np.int64, np.int32))]
    return list(mipmap.levels(*columns, offset.astype(np.int64), threads=threads))


def entries(level):
    return [
        [
            (int(level.start[i]), int(level.end[i]), int(level.name[i]))
            for i in range(level.offset[k], level.offset[k + 1])
        ]
        for k in range(len(level.offset) - 1)
    ]


STEPS = st.lists(
    st.tuples(st.sampled_from([0, 1, 40, 300, 2000, 90_000]), st.sampled_from([0, 1, 70, 900, 5000, 70_000])),
    min_size=20,
    max_size=150,
)


@pytest.mark.row("system-timeline", 94)
@settings(max_examples=60, deadline=None)
@given(st.lists(STEPS, min_size=1, max_size=4), st.integers(1, 3))
def test_every_level_is_what_the_rule_gives_from_the_slices(steps, threads):
    with pytest.MonkeyPatch.context() as monkeypatch:
        lanes = [lane_of(s) for s in steps]
        found = built(lanes, monkeypatch, threads)
        size = sum(len(lane) for lane in lanes)
        for level in found:
            assert entries(level) == plain_runs(lanes, level.shift)
            assert 2 * len(level.start) <= size
            size = len(level.start)


@pytest.mark.row("system-timeline", 94)
@settings(max_examples=60, deadline=None)
@given(STEPS)
def test_no_slice_of_a_pixel_or_more_is_lost_at_any_zoom(steps):
    with pytest.MonkeyPatch.context() as monkeypatch:
        lane = lane_of(steps)
        for level in built([lane], monkeypatch):
            found = set(entries(level)[0])
            # a level is used when a pixel is at least 2^shift ns wide: such slices stay alone, with their own extent
            assert {s for s in lane if s[1] - s[0] >= 1 << level.shift} <= found
            # and every shorter one lies inside an entry
            assert all(any(a <= s[0] and s[1] <= b for a, b, _ in found) for s in lane)


def test_a_run_takes_the_name_of_its_longest_slice_at_every_level(monkeypatch):
    lane = [(i * 10, i * 10 + (9 if i == 777 else 3), i) for i in range(4000)]
    names = [level.name.tolist() for level in built([lane], monkeypatch)]
    assert names[-1] == [777]
    assert all(777 in level for level in names)


def test_few_slices_get_no_levels():
    start = np.arange(100, dtype=np.int64)
    assert list(mipmap.levels(start, start + 1, np.zeros(100, np.int32), np.array([0, 100]))) == []


def test_peaks_keep_extremes_and_skip_gaps():
    nan = float("nan")
    value = np.array([1, nan, 5, nan, nan, nan, 7, -2], float)
    low, high = np.full(4, np.nan), np.full(4, np.nan)
    # series 0 has the first six values (blocks of three), series 1 two
    mipmap.peaks(value, np.array([0, 6, 8]), 3, np.array([0, 2, 3]), low, high)
    np.testing.assert_array_equal(low[:3], [1, nan, -2])
    np.testing.assert_array_equal(high[:3], [5, nan, 7])

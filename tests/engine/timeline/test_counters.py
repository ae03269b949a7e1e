"""Counter steps: extremes, values and statistics against hand computation."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.plain_build import build

from insight_desktop.engine.capture import Capture
from insight_desktop.engine.timeline import counters


def series(folder: Path, *points: tuple[int, float | None]) -> Capture:
    rows = [{"process": "p", "counter": "c", "series": "s", "ts_ns": t, "value": v} for t, v in points]
    return build(folder, slices=[], counters=rows)


@pytest.mark.row("system-timeline", 26)
def test_a_value_holds_until_the_next_one_and_nan_ends_it(tmp_path: Path) -> None:
    capture = series(tmp_path, (10, 3.0), (20, None), (30, -2.0))
    assert [counters.value_at(capture, 0, t) for t in (9, 10, 19, 20, 29, 30, 10**18)] == [
        None,
        3.0,
        3.0,
        None,
        None,
        -2.0,
        -2.0,
    ]


@pytest.mark.row("system-timeline", 26)
def test_pixels_show_smallest_largest_and_last_value(tmp_path: Path) -> None:
    capture = series(tmp_path, (10, 3.0), (12, 9.0), (14, 5.0), (20, None), (30, -2.0))
    low, high, last = counters.extremes(capture, 0, 0, 40, 4)
    assert np.array_equal(low, [np.nan, 3.0, np.nan, -2.0], equal_nan=True)
    assert np.array_equal(high, [np.nan, 9.0, np.nan, -2.0], equal_nan=True)
    assert np.array_equal(last, [np.nan, 5.0, np.nan, -2.0], equal_nan=True)


def test_a_pixel_narrower_than_a_nanosecond_shows_what_holds(tmp_path: Path) -> None:
    low, high, last = counters.extremes(series(tmp_path, (10, 3.0), (11, 4.0)), 0, 10, 12, 6)
    assert low.tolist() == high.tolist() == last.tolist() == [3.0, 3.0, 3.0, 4.0, 4.0, 4.0]


@pytest.mark.row("system-timeline", 26)
def test_one_peak_among_a_hundred_thousand_values_survives_every_zoom(tmp_path: Path) -> None:
    capture = build(tmp_path, slices=[])
    values = np.ones(100_000)
    values[77_777], values[12_345] = 500.0, -9.0
    _write(tmp_path, np.arange(100_000) * 10, values)
    capture = Capture(tmp_path)
    for px in (1, 3, 100, 1600):
        low, high, _ = counters.extremes(capture, 0, 0, 1_000_000, px)
        assert (low.min(), high.max()) == (-9.0, 500.0)
        assert high[777_770 * px // 1_000_000] == 500.0


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 60), st.one_of(st.none(), st.integers(-5, 5).map(float))),
        min_size=1,
        max_size=300,
        unique_by=lambda p: p[0],
    ).filter(lambda p: any(v is not None for _, v in p)),
    st.integers(-5, 60),
    st.integers(1, 70),
    st.integers(1, 9),
)
def test_extremes_equal_the_plain_answer(
    tmp_path_factory: pytest.TempPathFactory, points: list[tuple[int, float | None]], start: int, span: int, px: int
) -> None:
    folder = tmp_path_factory.mktemp("c")
    build(folder, slices=[])
    points = sorted(points)
    stamps, values = np.array([t for t, _ in points]), np.array([math.nan if v is None else v for _, v in points])
    _write(folder, stamps, values)
    low, high, last = counters.extremes(Capture(folder), 0, start, start + span, px)
    for x in range(px):
        a, b = start + span * x // px, start + span * (x + 1) // px
        held = [v for t, v in points if t <= a][-1:]
        inside = [v for t, v in points if a < t < b]
        shown = [v for v in held + inside if v is not None]
        assert (low[x], high[x]) == (min(shown), max(shown)) if shown else math.isnan(low[x])
        final = (held + inside)[-1] if held + inside else None
        assert last[x] == final or (final is None and math.isnan(last[x]))


@pytest.mark.row("system-timeline", 102)
def test_statistics_of_a_range_are_weighted_by_time(tmp_path: Path) -> None:
    # 2 during [1 s, 2 s), 8 during [2 s, 2.5 s), gap until 3 s, then 4. Range [1.5 s, 4 s]:
    # 0.5 s of 2, 0.5 s of 8, 1 s of 4 = 1 + 4 + 4 = 9 over 2 s.
    s = 10**9
    capture = series(tmp_path, (s, 2.0), (2 * s, 8.0), (5 * s // 2, None), (3 * s, 4.0))
    found = counters.statistics(capture, 0, 3 * s // 2, 4 * s)
    assert (found.min, found.max, found.mean, found.integral, found.count) == (2.0, 8.0, 4.5, 9.0, 2)


@pytest.mark.row("system-timeline", 102)
def test_statistics_without_a_value_are_empty(tmp_path: Path) -> None:
    capture = series(tmp_path, (10, 2.0), (20, None))
    before, gap = counters.statistics(capture, 0, 0, 5), counters.statistics(capture, 0, 25, 30)
    assert (before.mean, before.count, before.integral) == (None, 0, 0.0)
    assert (gap.mean, gap.count) == (None, 0)


def test_extreme_windows_do_not_break(tmp_path: Path) -> None:
    capture = series(tmp_path, (10, 2.0))
    for t0, t1 in ((-(2**63), 2**63 - 1), (5, 5), (2**63 - 1, 2**63 - 1), (1e30, 2e30)):
        low, high, _ = counters.extremes(capture, 0, t0, t1, 5)
        assert len(low) == len(high) == 5


def _write(folder: Path, stamps: np.ndarray, values: np.ndarray) -> None:
    """One series straight into the files, with block extremes computed block by block."""
    import pyarrow as pa

    from insight_desktop import schema
    from insight_desktop.engine.capture import PEAK_BLOCKS, SERIES_TOTALS, write_ipc

    for name, array, kind in (
        ("counter_ts", stamps, "<i8"),
        ("counter_value", values, "<f8"),
        ("series_offset", np.array([0, len(stamps)]), "<i8"),
    ):
        array.astype(kind).tofile(folder / f"{name}.bin")
    for size in PEAK_BLOCKS:
        blocks = [values[i : i + size] for i in range(0, len(values), size)]
        known = [b[~np.isnan(b)] for b in blocks]
        np.array([b.min() if len(b) else np.nan for b in known]).tofile(folder / f"peak_{size}_min.bin")
        np.array([b.max() if len(b) else np.nan for b in known]).tofile(folder / f"peak_{size}_max.bin")
        np.array([0, len(blocks)], "<i8").tofile(folder / f"peak_{size}_offset.bin")
    fields = [*schema.STREAM["series"].schema, *(pa.field(n, pa.int64()) for n in SERIES_TOTALS)]
    row = {f.name: 0 if pa.types.is_integer(f.type) or pa.types.is_floating(f.type) else "s" for f in fields}
    (folder / "series.arrow").unlink()
    write_ipc(folder, "series", pa.Table.from_pylist([row], pa.schema(fields)))

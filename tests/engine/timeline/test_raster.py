"""The painters against plain loops over small captures, with and without a pyramid."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.support.plain_build import build

from insight_desktop.engine.capture import Array, Capture, write_column
from insight_desktop.engine.timeline import levels, raster

GROUND = 0xFF101010
PALETTE = np.array([0xFF000000 | (i * 9 + 40) << 16 | (255 - i * 7) << 8 | i * 5 for i in range(24)], np.uint32)


def capture_of(folder: Path, *spans: tuple[str, int, int], instants: tuple[int, ...] = ()) -> Capture:
    rows = [{"pid": 1, "tid": 1, "name": n, "start_ns": a, "end_ns": b} for n, a, b in spans]
    return build(folder, slices=rows, instants=[{"pid": 1, "tid": 1, "name": "i", "ts_ns": t} for t in instants])


def add_levels(folder: Path, shifts: tuple[int, ...]) -> Capture:
    """Merge runs of slices shorter than 2^shift that begin in one bucket, straight from the definition."""
    c = Capture(folder)
    for shift in shifts:
        start, end, name, offset = [], [], [], [0]
        for lane in range(len(c.lane_track)):
            bucket, longest = None, -1
            for i in range(c.lane_offset[lane], c.lane_offset[lane + 1]):
                a, b = int(c.slice_start[i]), int(c.slice_end[i])
                short = b - a < 1 << shift
                if short and bucket == a >> shift:
                    end[-1] = b
                    if b - a > longest:
                        longest, name[-1] = b - a, int(c.slice_name[i])
                else:
                    start.append(a)
                    end.append(b)
                    name.append(int(c.slice_name[i]))
                    bucket, longest = (a >> shift if short else None), b - a
            offset.append(len(start))
        for part, values in (("start", start), ("end", end), ("name", name), ("offset", offset)):
            write_column(folder, f"mip_{shift}_{part}", np.array(values))
    manifest = json.loads((folder / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps({**manifest, "mip_shifts": list(shifts)}))
    return Capture(folder)


@pytest.fixture
def crowd(tmp_path: Path) -> Capture:
    """Some thousand slices of very different length on one row, with a pyramid."""
    dice = random.Random(3)
    spans, t = [], 1_761_000_000_000_000_000
    for i in range(4000):
        t += dice.choice([0, 1, 5, 40, 3000])
        length = dice.choice([0, 1, 3, 20, 200, 5000, 90_000])
        spans.append((f"name {'abcdefgh'[i % 8]}", t, t + length))
        t += length
    capture_of(tmp_path / "c", *spans)
    return add_levels(tmp_path / "c", (4, 6, 8, 10, 12, 14, 16))


def lanes_of(capture: Capture) -> Array:
    return np.arange(len(capture.lane_track), dtype=np.int32)


def colour(capture: Capture, name: int) -> int:
    return int(PALETTE[int(capture.string_hash[name]) % 24])


def is_mapped(array: Any) -> bool:
    while array is not None and not isinstance(array, np.memmap):
        array = getattr(array, "base", None)
    return array is not None


def zooms(capture: Capture) -> list[tuple[int, int]]:
    low, span = capture.manifest.view_start_ns, capture.manifest.view_span_ns
    return [
        (low, low + span),
        (low + span // 3, low + span // 2),
        (low + span // 7, low + span // 7 + 100_000),
        (low + 1000, low + 1900),
    ]


@pytest.mark.row("system-timeline", 23)
def test_a_slice_fills_its_pixels_in_the_colour_of_its_name(tmp_path: Path) -> None:
    capture = capture_of(tmp_path, ("a", 0, 30), ("b", 50, 90))
    image = raster.slice_image(capture, lanes_of(capture), 0, 100, 10, PALETTE, ground=GROUND)
    a, b = colour(capture, 0), colour(capture, 1)
    assert image.tolist() == [[a, a, a, GROUND, GROUND, b, b, b, b, GROUND]]


def test_shorter_slices_are_mixed_with_the_ground_by_their_part_of_the_pixel(tmp_path: Path) -> None:
    capture = capture_of(tmp_path, ("a", 0, 5), ("a", 25, 26))
    white = np.full(1, 0xFFFFFFFF, np.uint32)
    image = raster.slice_image(capture, lanes_of(capture), 0, 40, 4, white, ground=0xFF000000)
    # Half covered: 0.5 × 255; a tenth covered: not fainter than 0.35 × 255.
    assert [int(v) & 255 for v in image[0]] == [128, 0, 89, 0]


def test_touching_slices_leave_no_gap_and_do_not_overlap(tmp_path: Path) -> None:
    capture = capture_of(tmp_path, ("a", 0, 33), ("b", 33, 67), ("c", 67, 100))
    image = raster.slice_image(capture, lanes_of(capture), 0, 100, 10, PALETTE, ground=GROUND)
    a, b, c = (colour(capture, i) for i in range(3))
    assert image[0].tolist() == [a, a, a, b, b, b, c, c, c, c]


@pytest.mark.row("system-timeline", 94)
def test_every_slice_of_a_pixel_or_more_is_painted_exactly_at_every_zoom(crowd: Capture) -> None:
    px, wide = 640, 0
    for t0, t1 in zooms(crowd):
        row = raster.slice_image(crowd, lanes_of(crowd)[:1], t0, t1, px, PALETTE, ground=GROUND)[0]
        scale = px / (t1 - t0)
        for i in range(crowd.lane_offset[0], crowd.lane_offset[1]):
            a, b = int(crowd.slice_start[i]), int(crowd.slice_end[i])
            if a < t0 or b > t1 or (b - a) * scale < 1:
                continue
            wide += 1
            pixels = row[int((a - t0) * scale) : int((b - t0) * scale)]
            assert set(pixels.tolist()) == {colour(crowd, int(crowd.slice_name[i]))}
    assert wide > 500


@pytest.mark.row("system-timeline", 94)
def test_nothing_vanishes_however_far_one_zooms_out(crowd: Capture) -> None:
    for px in (1, 40, 640):
        for t0, t1 in zooms(crowd):
            row = raster.slice_image(crowd, lanes_of(crowd)[:1], t0, t1, px, PALETTE, ground=GROUND)[0]
            start = np.asarray(crowd.slice_start[crowd.lane_offset[0] : crowd.lane_offset[1]])
            inside = start[(start >= t0) & (start < t1)]
            pixels = ((inside - t0).astype(np.float64) * px / (t1 - t0)).astype(int)
            assert (row[pixels] != GROUND).all()


@pytest.mark.row("system-timeline", 94)
def test_spans_are_the_slices_that_are_wide_enough(crowd: Capture) -> None:
    px = 640
    for t0, t1 in zooms(crowd):
        found = raster.spans(crowd, lanes_of(crowd), t0, t1, px, min_px=5)
        length = np.asarray(crowd.slice_end) - np.asarray(crowd.slice_start)
        seen = (np.asarray(crowd.slice_end) > t0) & (np.asarray(crowd.slice_start) < t1)
        wanted = np.flatnonzero(seen & (length * (px / (t1 - t0)) >= 5))
        assert sorted(found.slice_id.tolist()) == wanted.tolist()
        assert found.name.tolist() == np.asarray(crowd.slice_name)[found.slice_id].tolist()
        assert np.allclose(found.x1 - found.x0, length[found.slice_id] * (px / (t1 - t0)), atol=1e-6)


def test_a_wide_slice_that_ends_with_a_mark_is_named_itself(tmp_path: Path) -> None:
    capture = capture_of(tmp_path, ("wide", 0, 1000), ("mark", 1000, 1000))
    found = raster.spans(capture, lanes_of(capture), 0, 2000, 100)
    assert [(int(i), capture.text(int(n))) for i, n in zip(found.slice_id, found.name, strict=True)] == [(0, "wide")]


def test_a_limit_cuts_the_spans(crowd: Capture) -> None:
    t0, t1 = zooms(crowd)[0]
    assert len(raster.spans(crowd, lanes_of(crowd), t0, t1, 100_000, min_px=1, limit=7).x0) == 7


def test_lane_colours_win_over_names_and_the_mask_dims_the_rest(tmp_path: Path) -> None:
    capture = capture_of(tmp_path, ("a", 0, 50), ("b", 50, 100))
    kept = np.array([True, False])
    fixed = np.array([0xFF808080], np.uint32)
    image = raster.slice_image(
        capture, lanes_of(capture), 0, 100, 2, PALETTE, fixed=fixed, highlight=kept, dim=0.25, ground=0xFF000000
    )
    assert image.tolist() == [[0xFF808080, 0xFF202020]]


def test_given_memory_is_used_again(tmp_path: Path) -> None:
    capture = capture_of(tmp_path, ("a", 0, 50))
    out = np.full((1, 4), 7, np.uint32)
    assert raster.slice_image(capture, lanes_of(capture), 60, 100, 4, PALETTE, ground=GROUND, out=out) is out
    assert out.tolist() == [[GROUND] * 4]


@pytest.mark.row("system-timeline", 25)
def test_zero_lengths_and_instants_are_marked_once_per_pixel_and_found_under_the_mouse(tmp_path: Path) -> None:
    capture = capture_of(tmp_path, ("box", 10, 30), ("z", 10, 10), ("z", 15, 15), ("z", 30, 30), instants=(50, 51, 90))
    lanes, x = raster.zero_marks(capture, lanes_of(capture), 0, 100, 20)
    assert sorted(zip(lanes.tolist(), x.tolist(), strict=True)) == [(0, 6.0), (0, 10.0), (0, 18.0), (1, 2.0), (1, 3.0)]
    assert raster.instant_marks(capture, 0, 0, 100, 20).tolist() == [10.0, 18.0]
    below = raster.slice_at(capture, 1, 16, 2)
    assert below is not None
    assert capture.slice_start[below] == 15
    assert raster.instant_at(capture, 0, 53, 5) == 1
    assert raster.instant_at(capture, 0, 70, 5) is None


def test_the_slice_under_the_mouse_is_the_one_that_covers_it_or_the_nearest(tmp_path: Path) -> None:
    capture = capture_of(tmp_path, ("a", 10, 20), ("b", 20, 30), ("c", 50, 60))
    at = [
        raster.slice_at(capture, 0, t, slack)
        for t, slack in ((10, 0), (19, 0), (20, 0), (29, 0), (30, 0), (38, 0), (38, 9), (45, 9), (9, 0))
    ]
    assert at == [0, 0, 1, 1, None, None, 1, 2, None]


@pytest.mark.row("system-timeline", 27)
def test_the_preview_is_the_union_of_the_top_rows(tmp_path: Path) -> None:
    rows = [
        {"pid": 1, "tid": 1, "name": "a", "start_ns": 0, "end_ns": 25},
        {"pid": 1, "tid": 1, "name": "b", "start_ns": 5, "end_ns": 15},
        {"pid": 1, "tid": 2, "name": "c", "start_ns": 20, "end_ns": 60},
        {"pid": 1, "tid": 3, "name": "d", "start_ns": 80, "end_ns": 82},
    ]
    capture = build(tmp_path, slices=rows)
    density = raster.busy_density(capture, np.arange(3), 0, 100, 10)
    assert np.allclose(density, [1, 1, 1, 1, 1, 1, 0, 0, 0.2, 0])


@pytest.mark.row("system-timeline", 98)
@pytest.mark.parametrize("px", [1, 7])
@pytest.mark.parametrize(
    "window",
    [(0, 0), (5, 4), (-(2**63), 2**63 - 1), (2**63 - 1, 2**63 - 1), (-(2**63), -(2**63)), (1.5, 2e30), (-1e30, 0.5)],
)
def test_odd_windows_and_extreme_times_do_not_break(tmp_path: Path, window: tuple[float, float], px: int) -> None:
    capture = capture_of(
        tmp_path, ("low", -(2**63), -(2**63)), ("all", 0, 2**63 - 1), ("z", 3, 3), instants=(-(2**63), 2**63 - 1)
    )
    lanes = np.append(lanes_of(capture), [-1, 99]).astype(np.int32)
    image = raster.slice_image(capture, lanes, *window, px, PALETTE, ground=GROUND)
    assert image.shape == (len(lanes), px)
    assert (image[-2:] == GROUND).all()
    raster.spans(capture, lanes, *window, px)
    raster.zero_marks(capture, lanes_of(capture), *window, px)
    raster.busy_density(capture, np.array([0, 5, -1]), *window, px)
    raster.frame(capture, lanes_of(capture), *window, px)
    raster.slice_at(capture, 0, 2**63, 1e30)


def test_a_capture_without_slices_is_empty_ground(tmp_path: Path) -> None:
    capture = build(tmp_path, slices=[], instants=[{"pid": 1, "tid": 1, "name": "i", "ts_ns": 5}])
    assert raster.slice_image(capture, np.zeros(1, np.int32), 0, 10, 2, PALETTE, ground=GROUND).tolist() == [
        [GROUND, GROUND]
    ]
    assert raster.busy_density(capture, np.zeros(1, np.int32), 0, 10, 2).tolist() == [0, 0]
    assert raster.instant_marks(capture, 0, 0, 10, 2).tolist() == [1.0]


@pytest.mark.row("system-timeline", 95)
def test_coarse_levels_are_kept_in_memory_up_to_a_limit(crowd: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "RESIDENT_BYTES", 60_000)
    found = levels.levels(crowd)
    held = sum(a.nbytes for level in found for a in (level.start, level.end, level.name) if not is_mapped(a))
    assert 0 < held <= 60_000
    assert is_mapped(found[0].start)
    assert not is_mapped(found[-1].start)


@pytest.mark.row("system-timeline", 94)
def test_a_frame_counts_every_slice_once(crowd: Capture) -> None:
    low, span = crowd.manifest.view_start_ns, crowd.manifest.view_span_ns
    for px in (1, 30, 900):
        found = raster.frame(crowd, lanes_of(crowd), low, low + span + 1, px)
        assert found["count"].sum() == len(crowd.slice_start)


@pytest.mark.row("system-timeline", 94)
def test_the_pyramid_of_the_builder_paints_the_same_wide_slices(real: Callable[[str], Path]) -> None:
    from insight_desktop.engine.load import import_paths

    _, imports = import_paths([real("text_level2")])
    assert imports[0].capture is not None
    capture = Capture(imports[0].capture)
    low, span = capture.manifest.view_start_ns, capture.manifest.view_span_ns
    found = raster.spans(capture, lanes_of(capture), low, low + span, 1600, min_px=1, limit=10_000)
    length = np.asarray(capture.slice_end) - np.asarray(capture.slice_start)
    wanted = np.flatnonzero(length * (1600 / span) >= 1)
    assert sorted(found.slice_id.tolist()) == wanted.tolist()

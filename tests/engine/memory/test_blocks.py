"""Geometry and raster of stacked blocks."""

from __future__ import annotations

import time

import numpy as np
import pytest

from insight_desktop.engine.memory import blocks as bl


def _blocks(*rows: tuple[int, int, int]) -> bl.Blocks:
    """From (size, start, end)."""
    size, start, end = (np.array(column, np.int64) for column in zip(*rows, strict=True))
    t, v = bl.curve_of(start, end, size)
    return bl.Blocks(start, end, size, np.arange(len(rows), dtype=np.uint32), t, v, int(start[0]), int(end.max()))


@pytest.mark.row("memory", 10)
@pytest.mark.example("memory", "W2b")
def test_blocks_slide_down_when_one_below_ends() -> None:
    chart = _blocks((100, 0, 60), (50, 10, 30), (20, 20, 80), (30, 40, 100))
    paths = [tuple(x.tolist() for x in bl.path_of(chart, row)) for row in range(4)]
    assert paths == [
        ([0], [0]),
        ([10], [100]),
        ([20, 30, 60], [150, 100, 0]),
        ([40, 60, 80], [120, 20, 0]),
    ]
    assert chart.peak == (20, 170)


@pytest.mark.example("memory", "W2b")
def test_an_end_comes_before_a_start_of_the_same_time() -> None:
    chart = _blocks((100, 0, 60), (50, 10, 30), (20, 30, 80))
    assert bl.path_of(chart, 2)[1].tolist() == [100, 0]
    assert chart.peak == (10, 150)


@pytest.mark.row("memory", 11)
@pytest.mark.example("memory", "W7")
def test_colours_come_from_the_padded_address() -> None:
    addresses = [0x12C080000000, 0x12C080610000, 0x12C080800000, 0x12C080C00000, 0x12C081210000, 0x12C081400000]
    hashes = bl.address_hash(np.array(addresses, np.uint64))
    assert hashes[0] == 99134083
    assert (hashes % 10).tolist() == [3, 2, 7, 6, 9, 4]


@pytest.mark.row("memory", 10)
def test_every_pixel_shows_the_block_that_lies_there() -> None:
    random = np.random.default_rng(3)
    start = np.sort(random.integers(0, 5000, 2000))
    end = start + 1 + random.integers(0, 900, 2000)
    size = random.integers(1, 5000, 2000)
    t, v = bl.curve_of(start, end, size)
    chart = bl.Blocks(start, end, size, np.zeros(2000, np.uint32), t, v, 0, int(end.max()))
    width, height, top = 200, 120, float(v.max())
    ids = bl.raster(chart, 700.0, 4100.0, width, height, top)
    when = bl.samples(chart, 700.0, 4100.0, width)
    for column in range(0, width, 7):
        for row in range(0, height, 5):
            level = top * (row + 0.5) / height
            live = [k for k in range(2000) if start[k] <= when[column] < end[k]]
            below, wanted = 0, bl.EMPTY
            for k in live:
                if below <= level < below + size[k]:
                    wanted = k
                below += size[k]
            assert ids[height - 1 - row, column] == wanted


def test_the_peak_stays_in_the_picture_at_every_zoom() -> None:
    chart = _blocks((10, 0, 1000), (500, 333, 334), (20, 600, 700))
    for width in (1, 3, 17, 400):
        ids = bl.raster(chart, 0.0, 1000.0, width, 51, 510.0)
        assert (ids[0] == 1).any()


def test_small_blocks_are_hidden_but_keep_their_place() -> None:
    chart = _blocks((10, 0, 100), (80, 0, 100), (10, 0, 100))
    assert bl.raster(chart, 0.0, 100.0, 1, 10, 100.0, min_size=20)[:, 0].tolist() == [-2, *[1] * 8, -2]


def test_a_chosen_block_keeps_its_colour_and_the_others_fade() -> None:
    ids = np.array([[-1, 0], [1, -2]], np.int64)
    palette, faint = np.array([0xFF0000FF, 0xFF00FF00], np.uint32), np.array([0xFF000011, 0xFF001100], np.uint32)
    image = bl.paint(ids, np.array([0, 1], np.uint32), palette, 0xFF777777, selected=1, dimmed=faint)
    assert image.tolist() == [[0, 0xFF000011], [0xFF00FF00, 0xFF777777]]


def test_a_place_in_the_stack_names_its_block() -> None:
    chart = _blocks((100, 0, 60), (50, 10, 30))
    assert [bl.block_at(chart, 15, y) for y in (0.0, 99.9, 100.0, 149.0, 150.0)] == [0, 0, 1, 1, bl.EMPTY]


def test_blocks_inside_a_row_are_stacked_from_its_lower_edge() -> None:
    chart = _blocks((20, 0, 100), (50, 0, 100), (10, 0, 100))
    inner = _blocks((10, 0, 100), (20, 0, 50))
    ids = bl.raster(chart, 0.0, 100.0, 2, 10, 100.0)
    bl.put_inside(ids, chart, 1, inner, 3, (0.0, 100.0), 100.0)
    assert ids[::-1, 0].tolist() == [0, 0, 3, 4, 4, 1, 1, 2, -1, -1]
    assert ids[::-1, 1].tolist() == [0, 0, 3, 1, 1, 1, 1, 2, -1, -1]


@pytest.mark.row("memory", 12)
def test_a_million_blocks_are_painted_in_a_moment() -> None:
    random = np.random.default_rng(7)
    count = 1_000_000
    start = np.sort(random.integers(0, 2 * count, count))
    end = start + 1 + (random.pareto(1.2, count) * 60).astype(np.int64)
    size = random.integers(512, 1 << 20, count)
    t, v = bl.curve_of(start, end, size)
    chart = bl.Blocks(start, end, size, bl.address_hash(start.astype(np.uint64)), t, v, 0, int(end.max()))
    palette = np.arange(24, dtype=np.uint32) + np.uint32(0xFF000000)

    def frame(low: float, high: float) -> float:
        began = time.process_time()
        bl.paint(bl.raster(chart, low, high, 1500, 530, float(v.max())), chart.hash, palette, 0)
        return time.process_time() - began

    frame(0.0, 10.0)  # the kernels are loaded
    assert frame(0.0, 2.0 * count) <= 0.2
    pans = [frame(count + k * 1e4, count + k * 1e4 + 4e5) for k in range(9)]
    assert sorted(pans)[4] <= 0.03

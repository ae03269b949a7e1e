"""Pixels of the painted lanes, worked out by hand: 1 px is 1,000 ns in the basic capture."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot
from tests.support import plain_build
from tests.support import timeline_page as tp

from insight_desktop.views.common import theme
from insight_desktop.views.system.timeline import TimelinePage
from insight_desktop.views.timeline.frames import Frame, FrameMaker, Request, render

GROUND = "#16181b"


def colour(image: QImage, x: int, y: int) -> str:
    return image.pixelColor(x, y).name()


def fill(name: str) -> str:
    """Colour of a name in the dark theme, by the plain hash."""
    return QColor.fromRgb(int(theme.slices()[plain_build._hash(name) % 24])).name()


@pytest.fixture
def page(qtbot: QtBot, tmp_path: Path) -> TimelinePage:
    return tp.basic_page(qtbot, tmp_path)


def test_slices_lie_where_their_times_say(page: TimelinePage) -> None:
    image = page.body.canvas.render_now()
    y = tp.Y["Stream 2"]
    assert [colour(image, x, y + 8) for x in (199, 200, 399, 400)] == [GROUND, fill("MatMul"), fill("MatMul"), GROUND]


def test_a_slice_is_18_pixels_high_in_a_row_of_20(page: TimelinePage) -> None:
    image = page.body.canvas.render_now()
    found = [colour(image, 380, y) == fill("MatMul") for y in range(126, 146)]
    assert found == [False] + [True] * 18 + [False]


@pytest.mark.row("system-timeline", 23)
def test_equal_names_have_equal_colours_on_all_lanes_and_cards(qtbot: QtBot, tmp_path: Path) -> None:
    for name in ("0", "1"):
        plain_build.build(tmp_path / name, slices=tp.basic() if name == "0" else tp.basic()[4:])
    page = tp.make(qtbot, [tp.card(tmp_path / "0"), tp.card(tmp_path / "1", "1")])
    page.state.set_open([page.state.cards["1"].unit], True)
    # Card 1 begins below card 0 (146): card row 146–168, Ascend Hardware –190, Stream 2 190–210; its own start is 200,000.
    image = page.body.canvas.render_now()
    assert colour(image, 700, 60) == colour(image, 700, 142) == colour(image, 700, 206) == fill("outer")


@pytest.mark.row("system-timeline", 23)
def test_anagrams_and_themes_have_their_own_colours(page: TimelinePage) -> None:
    assert len(set(theme.slices().tolist())) == 24
    assert fill("outer") != fill("route")
    dark = fill("outer")
    theme.set_theme("light", remember=False)
    assert fill("outer") != dark
    image = page.body.canvas.render_now()
    assert colour(image, 350, 143) == fill("MatMul")


def test_light_slices_have_an_edge_of_three_quarters_of_their_fill(page: TimelinePage) -> None:
    theme.set_theme("light", remember=False)
    image = page.body.canvas.render_now()
    full = QColor(fill("MatMul"))
    edge = QColor(full.red() * 192 // 256, full.green() * 192 // 256, full.blue() * 192 // 256).name()
    assert [colour(image, x, 136) for x in (200, 399)] == [edge, edge]
    assert [colour(image, 350, y) for y in (127, 128, 143, 144)] == [edge, full.name(), full.name(), edge]


@pytest.mark.row("system-timeline", 24)
def test_names_are_cut_at_the_right_and_left_out_below_26_pixels(page: TimelinePage) -> None:
    labels = page.body.canvas.labels
    assert labels.fitting("hcom_allReduce__214", 400) == "hcom_allReduce__214"
    cut = labels.fitting("hcom_allReduce__214", 60)
    assert cut.startswith("hcom")
    assert cut.endswith("…")
    assert labels.fitting("hcom_allReduce__214", 25.9) == ""


@pytest.mark.row("system-timeline", 24)
def test_the_name_stays_in_the_visible_part(page: TimelinePage) -> None:
    page.state.viewport.show(400_000, 410_000)
    image = page.body.canvas.render_now()
    inked = [x for x in range(60) if any(colour(image, x, y) != fill("outer") for y in range(48, 60))]
    assert inked
    assert 3 <= inked[0] <= 6


@pytest.mark.row("system-timeline", 25)
def test_a_slice_without_length_is_a_chevron_12_pixels_wide(page: TimelinePage) -> None:
    image = page.body.canvas.render_now()
    ink = QColor("#AEB5C0").name()
    reached = [x for x in range(230, 271) for y in range(85, 103) if colour(image, x, y) == ink]
    assert min(reached) in (244, 245)
    assert max(reached) in (254, 255)


@pytest.mark.row("system-timeline", 26)
def test_counters_are_stacked_steps_on_a_scale_of_1_2_times_their_maximum(qtbot: QtBot, tmp_path: Path) -> None:
    counters = [
        {"process": "HBM", "counter": "HBM", "series": s, "ts_ns": tp.T0 + t, "value": v}
        for s, t, v in (("read", 0, 10.0), ("read", 500_000, 20.0), ("write", 0, 20.0))
    ]
    page = tp.basic_page(qtbot, tmp_path, counters=counters)
    row = tp.row(page, "HBM") and next(r for r in page.state.rows.rows if r.kind == "counter")
    assert row is not None
    image = page.body.canvas.render_now()
    # Scale: 1.2 × (20 + 20) = 48 on 46 px. Left: 10 and 20 stacked are 30, that is 29 px; right: 40, that is 38 px.
    for x, total in ((250, 29), (750, 38)):
        filled = [y for y in range(row.y, row.y + 46) if colour(image, x, y) != GROUND]
        assert row.y + 47 - filled[0] == total


@pytest.mark.row("system-timeline", 27)
def test_a_closed_process_shows_the_grey_union_and_an_open_one_nothing(page: TimelinePage) -> None:
    def greys() -> list[bool]:
        image = page.body.canvas.render_now()
        return [colour(image, x, tp.Y["Ascend Hardware"]) != GROUND for x in (199, 200, 399, 400, 599, 600, 799, 800)]

    assert greys() == [False] * 8
    page.state.toggle(tp.unit(page, "Ascend Hardware (2)"))
    assert greys() == [False, True, True, False, False, True, True, False]
    image = page.body.canvas.render_now()
    assert colour(image, 300, tp.Y["Ascend Hardware"]) == "#6f7886"


@pytest.mark.row("system-timeline", 94)
def test_every_slice_of_a_pixel_or_more_is_painted_and_shorter_ones_leave_a_trace(qtbot: QtBot, tmp_path: Path) -> None:
    slices = [tp.at(0, 1_000_000, "frame", tp.T11)]
    slices += [tp.at(i * 5_000, i * 5_000 + 1_000, "one pixel", tp.S2) for i in range(100)]
    slices += [tp.at(600_000 + i * 5_000, 600_000 + i * 5_000 + 10, "short", tp.S2) for i in range(50)]
    page = tp.basic_page(qtbot, tmp_path, slices=slices)
    row = tp.row(page, "Stream 2")
    assert row is not None
    image = page.body.canvas.render_now()
    assert all(colour(image, i * 5, row.y + 10) == fill("one pixel") for i in range(100))
    assert all(colour(image, 600 + i * 5, row.y + 10) != GROUND for i in range(50))
    assert all(colour(image, i * 5 + 2, row.y + 10) == GROUND for i in range(100))
    page.state.viewport.show(600_000, 601_000)
    assert colour(page.body.canvas.render_now(), 5, row.y + 10) == fill("short")


@pytest.mark.row("system-timeline", 95)
def test_only_rows_near_the_window_are_asked_for(qtbot: QtBot, tmp_path: Path) -> None:
    slices = [tp.at(i, i + 10, "x", {**tp.HOST, "tid": f"{i:05}", "thread": f"T{i:05}"}) for i in range(2000)]
    page = tp.basic_page(qtbot, tmp_path, slices=slices)
    request = page.body.canvas.bands.request(page.body.area, 1000, 1.0, 120)
    assert len(page.state.rows.rows) == 2002
    assert len(request.bands) <= (700 + 240) // 20 + 2
    page.body.area.set_scroll(20_000)
    frame = render(page.body.canvas.bands.request(page.body.area, 1000, 1.0, 120))
    assert frame.array.nbytes <= (700 + 240) * 1001 * 4


@pytest.mark.row("system-timeline", 96)
def test_only_the_newest_of_many_requests_is_served(page: TimelinePage, qtbot: QtBot) -> None:
    begun, go = threading.Event(), threading.Event()
    served: list[float] = []

    def slow(request: Request) -> Frame:
        served.append(request.view.span_ns)
        begun.set()
        go.wait(5)
        return render(request)

    maker = FrameMaker(paint=slow)
    bands = page.body.canvas.bands
    spans = [1000, 2000, 3000, 4000, 5000]
    for span in spans:
        page.state.viewport.show(0, span)
        maker.ask(bands.request(page.body.area, 1000, 1.0, 0))
        if span == 1000:
            assert begun.wait(5)
    go.set()
    qtbot.waitUntil(lambda: maker.frame is not None and maker.frame.request.view.span_ns == 5000, timeout=5000)
    assert served == [1000, 5000]


def test_an_old_frame_is_shown_moved_and_stretched(page: TimelinePage) -> None:
    frame = render(page.body.canvas.bands.request(page.body.area, 1000, 1.0, 0))
    page.state.viewport.show(250_000, 750_000)
    assert frame.place(page.state.viewport.view, 1000) == (-500.0, 2000.0)


def test_other_names_fade_to_55_percent_while_one_is_hovered(page: TimelinePage) -> None:
    tp.move(page.body.canvas, 700, tp.Y["outer"])
    image = page.body.canvas.render_now()
    assert colour(image, 690, 142) == fill("outer")
    faded, ground = QColor(fill("MatMul")), QColor(GROUND)
    expected = [round(g + (f - g) * 0.55) for f, g in zip(faded.getRgb()[:3], ground.getRgb()[:3], strict=True)]
    found = image.pixelColor(350, 143).getRgb()[:3]
    assert all(abs(a - b) <= 1 for a, b in zip(found, expected, strict=True))


def test_names_that_a_search_did_not_find_fade_to_25_percent(page: TimelinePage) -> None:
    capture = page.state.capture("0")
    assert capture is not None
    wanted = capture.strings.to_pylist().index("outer")
    page.state.set_matches({"0": {wanted}})
    image = page.body.canvas.render_now()
    faded, ground = QColor(fill("MatMul")), QColor(GROUND)
    expected = [round(g + (f - g) * 0.25) for f, g in zip(faded.getRgb()[:3], ground.getRgb()[:3], strict=True)]
    found = image.pixelColor(350, 143).getRgb()[:3]
    assert all(abs(a - b) <= 1 for a, b in zip(found, expected, strict=True))
    assert colour(image, 690, 142) == fill("outer")


def test_overlap_lanes_have_their_fixed_colours(qtbot: QtBot, tmp_path: Path) -> None:
    lane = {"pid": 3, "process": "Overlap Analysis", "sort": 3, "role": "overlap"}
    slices = [
        tp.at(0, 1_000_000, n, {**lane, "tid": i, "thread": n})
        for i, n in enumerate(("Computing", "Communication(Not Overlapped)", "Free"))
    ]
    page = tp.basic_page(qtbot, tmp_path, slices=slices)
    image = page.body.canvas.render_now()
    rows = [tp.row(page, n) for n in ("Computing", "Communication(Not Overlapped)", "Free")]
    assert [colour(image, 500, r.y + 10) for r in rows if r] == ["#5aa7f0", "#f2a33c", "#5a616c"]


def test_one_nanosecond_zoom_paints_to_the_pixel_on_epoch_stamps(page: TimelinePage) -> None:
    page.state.viewport.show(399_995, 400_005)
    image = page.body.canvas.render_now()
    assert colour(image, 499, 143) == fill("MatMul")
    assert colour(image, 500, 143) == GROUND

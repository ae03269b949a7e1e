"""What the Memory page asks and where the answers go. Everything goes through askers: the newest question wins."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QComboBox

from insight_desktop.engine.store import StoreCard
from insight_desktop.engine.system import memory
from insight_desktop.errors import InsightError
from insight_desktop.views.common import number_text
from insight_desktop.views.common.ask import Asker
from insight_desktop.views.common.chart import Sample, Series
from insight_desktop.views.common.chart_data import colour_of
from insight_desktop.views.common.empty_page import FileLine, Offer
from insight_desktop.views.common.engine_text import say
from insight_desktop.views.common.language import tr
from insight_desktop.views.system import memory_curves, memory_marks, memory_texts
from insight_desktop.views.system.memory_peaks import Peak

if TYPE_CHECKING:
    from insight_desktop.views.system.memory import MemoryPage

_NO_INTERVAL = (None, None)


class Loader:
    """Keeps the page and its questions in step: card, grouping, graph, baseline, interval."""

    def __init__(self, page: MemoryPage) -> None:
        self.page = page
        context = page.context
        self._curve, self._static, self._rows = (Asker(context, page) for _ in range(3))
        self._whole: list[Series] = []
        self._whole_sample = Sample((), 0, 0)
        self._known: tuple[object, ...] = ()  # card, baseline and facts that are on the screen
        self._dirty = True
        self._turn = 0  # of the questions for rows; answers of older ones are dropped
        self._peaks: pa.Table | None = None
        self._pair: tuple[str, str] | None = None  # the cards that are compared on all pages
        self._wanted_graph: str | None = None  # of a state that came back
        self._static_state: dict[str, Any] | None = None

    # ---- cards and choices -------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """The cards changed, or a state came back."""
        page, state = self.page, self.page.pending or {}
        cards = page.context.store.cards_of("system")
        names = [c.name for c in cards]
        if state.get("card") in names:
            page.cards.choose(str(state["card"]))
        page.cards.set_cards(cards, str(state.get("card") or page.context.card or ""))
        if state.get("card") in names:
            page.cards.choose(str(state["card"]))
        self._fill_bases(cards, state.get("base") or page.base)
        self._take_compared()
        if state.get("group"):
            self._choose(page.group_box, state["group"])
        self._fit_groups()
        self._dirty = True
        if page.isVisible():
            self.shown()

    def compared(self) -> None:
        """Baseline and comparison were chosen in the data manager, or dropped there."""
        if self._take_compared():
            self.choose_base()

    def _take_compared(self) -> bool:
        """Take over the two cards that are compared everywhere, once; False when they are the same as before."""
        page, context = self.page, self.page.context
        base, card = context.baseline, context.comparison
        pair = (base, card) if base is not None and card is not None else None
        if pair == self._pair:
            return False
        self._pair = pair
        cards = context.store.cards_of("system")
        if card is not None and pair is not None:
            page.cards.set_cards(cards, card)
            page.cards.choose(card)
        self._fill_bases(cards, base if pair is not None else None)
        return True

    def shown(self) -> None:
        """The page is seen: ask what has become old."""
        if self._dirty:
            self._dirty = False
            self._ask_facts()

    def choose_card(self, _name: str) -> None:
        """Another card."""
        self._fill_bases(self.page.context.store.cards_of("system"), self.page.base)
        self._ask_facts()

    def choose_base(self) -> None:
        """A baseline was chosen or dropped."""
        page = self.page
        page.cards.lock(page.base is not None, tr("Two cards are compared; end the comparison to change the card."))
        self._fit_groups()
        self._ask_facts()

    def choose_group(self) -> None:
        """Another grouping."""
        if self.page.facts:
            self._ask_all()

    def choose_graph(self) -> None:
        """Another static graph."""
        self._ask_static()
        self._prefill()

    @staticmethod
    def _choose(box: QComboBox, key: object) -> None:
        at = box.findData(key)
        if at >= 0:
            with QSignalBlocker(box):
                box.setCurrentIndex(at)

    def _fill_bases(self, cards: list[StoreCard], wanted: object) -> None:
        page = self.page
        with QSignalBlocker(page.base_box):
            page.base_box.clear()
            page.base_box.addItem(tr("No comparison"), "")
            for card in cards:
                if card.name != page.card:
                    page.base_box.addItem(page.cards.label_of(card.name), card.name)
            page.base_box.setCurrentIndex(max(0, page.base_box.findData(wanted or "")))
        for widget in (page.base_box, page.base_label):
            widget.setVisible(page.base_box.count() > 1)
        page.cards.lock(page.base is not None, tr("Two cards are compared; end the comparison to change the card."))

    def _fit_groups(self) -> None:
        """Streams of two cards cannot be compared."""
        page, box = self.page, self.page.group_box
        current = page.group
        wanted = [g for g in ("overall", "stream", "component") if g != "stream" or page.base is None]
        if [box.itemData(i) for i in range(box.count())] == wanted:
            return
        with QSignalBlocker(box):
            box.clear()
            for group in wanted:
                box.addItem(memory_texts.group_title(group), group)
            box.setCurrentIndex(max(0, box.findData(current)))

    # ---- facts -------------------------------------------------------------------------------------------------------

    def _ask_facts(self) -> None:
        page = self.page
        if page.card is None:
            self._show_nothing()
            return
        if not page.isVisible():
            self._dirty = True
            return
        page.ask(memory.facts, card=page.card, then=self._take_facts, failed=self._show_failure)

    def _take_facts(self, found: pa.Table) -> None:
        page, facts = self.page, found.to_pylist()[0]
        known = (facts["card"], page.base, str(facts))
        if known == self._known and page.pending is None:
            return
        same_card = self._known[:2] == known[:2]
        self._known = known
        page.facts = facts
        page.details.all_operators = facts["operators"]
        if facts["message"]:
            self._show_missing(facts)
            return
        page.show_content(True)
        if facts["resource_type"] == "MindSpore" and not same_card and page.pending is None:
            self._choose(page.group_box, "overall")
        for widget in (page.graph_label, page.graph_box, page.static_chart):
            widget.setVisible(page.is_static)
        self._ask_all(keep_view=same_card)

    def _ask_all(self, *, keep_view: bool = False) -> None:
        page = self.page
        if page.stack.currentWidget() is not page.content:
            return
        self._show_titles()
        self._arrange()
        self._ask_curve(keep_view=keep_view)
        if page.base is None:
            page.ask(memory.peaks, card=page.card, group=page.group, then=self._take_peaks)
        else:
            self._take_peaks(None)

    def _arrange(self) -> None:
        """Which table is seen: that of the grouping, of static graphs, or of differences."""
        page, details = self.page, self.page.details
        has_two = page.is_static and page.group != "component"
        page.static_chart.setVisible(has_two)
        if page.chart.overview is not None:
            page.chart.overview.setVisible(not has_two)  # three panels need the room
        if page.base is not None:
            details.show_table(details.compared, searchable=page.group != "component")
        elif page.group == "component":
            details.show_table(details.components)
        elif page.is_static:
            details.show_table(details.static, searchable=True)
        else:
            details.show_table(details.operators)

    def retranslate(self) -> None:
        """Texts in the current language."""
        page, details = self.page, self.page.details
        self._show_titles()
        if page.base_box.count():
            page.base_box.setItemText(0, tr("No comparison"))
        self._show_interval()
        details.static.set_empty_text(tr("No operators of this static graph pass the filters."))
        details.components.set_empty_text(tr("No component reserves 100 MB or more."))
        details.compared.set_empty_text(tr("Nothing to compare."))
        if page.facts and page.facts["message"]:
            self._show_missing(page.facts)
        elif page.facts:
            self.ask_rows()  # captions of buttons and sources stand in the rows
        elif page.card is None:
            self._show_nothing()

    def _show_titles(self) -> None:
        page = self.page
        title = ""
        if self._peaks is not None and page.base is None:
            title = memory.peak_title(self._peaks, page.group)  # type: ignore[arg-type]
            title = title.replace("Peak Memory Usage", tr("Peak Memory Usage"), 1)
        if page.base is not None and page.card is not None:
            title = tr("{0} against baseline {1}").format(
                page.cards.label_of(page.card), page.cards.label_of(page.base)
            )
        page.chart.set_title(tr("Memory Analysis"), title)
        page.peak_help.setVisible(page.group != "stream" and page.base is None)
        page.static_chart.set_title(tr("Static graph {0}").format(page.graph or ""))

    # ---- curves ------------------------------------------------------------------------------------------------------

    def _ask_points(self, low: float | None, high: float | None, then: Callable[[pa.Table], None]) -> None:
        page = self.page
        assert page.card is not None
        if page.base is not None:
            self._curve.ask(
                memory.compare, card=page.card, base=page.base, what="curve", group=page.group,
                start=low, stop=high, points=memory_curves.POINTS, then=then, failed=self._curve_failed,
            )  # fmt: skip
            return
        base = page.facts["base_ns"]
        self._curve.ask(
            memory.curve, card=page.card, group=page.group, points=memory_curves.POINTS,
            from_ns=None if low is None else memory_curves.to_ns(base, low, up=False),
            to_ns=None if high is None else memory_curves.to_ns(base, high, up=True),
            then=then, failed=self._curve_failed,
        )  # fmt: skip

    def _ask_curve(self, *, keep_view: bool) -> None:
        self._ask_points(None, None, lambda found: self._take_curve(found, keep_view=keep_view))

    def _take_curve(self, found: pa.Table, *, keep_view: bool) -> None:
        page, notes = self.page, memory.notes(found)
        self._whole = memory_curves.series_of(found)
        self._whole_sample = Sample(tuple(self._whole), notes.rows, notes.shown)
        if not notes.rows:
            page.chart.set_series(self._whole)
            page.chart.set_empty(tr("No records for this grouping"), self._why_empty())
        else:
            page.chart.set_series(self._whole, sampler=self._sample, keep_view=keep_view)
        self.show_marks()
        state = page.pending or {}
        self._wanted_graph = state.get("graph")
        self._static_state = state.get("static")
        page.apply_pending()
        self._ask_rest()

    def _ask_rest(self) -> None:
        """What may wait until the curve is there, so that the curve is there soon."""
        if self.page.is_static:
            self.page.ask(memory.static_graphs, card=self.page.card, then=self._take_graphs)
        else:
            self._prefill()

    def _why_empty(self) -> str:
        if self.page.group == "stream":
            return tr("Streams are recorded when the file has the columns of active memory.")
        return tr("memory_record holds no rows of the components of this grouping.")

    def _sample(self, low: float, high: float, _width: int, answer: Callable[[Sample], None]) -> None:
        if self.page.chart.view is None:
            answer(self._whole_sample)
            return
        whole = self._whole
        first, last = memory_curves.window_ms(low, high)
        self._ask_points(first, last, lambda found: answer(memory_curves.sample_of(found, whole, low, high)))

    def _curve_failed(self, error: InsightError) -> None:
        self.page.chart.set_empty(say(error.message), say(error.fix))
        self._ask_rest()

    def _take_peaks(self, found: pa.Table | None) -> None:
        self._peaks = found
        self.show_peaks()
        self._show_titles()

    def show_peaks(self) -> None:
        """The figures above the curves, in the colours of the theme."""
        rows = self._peaks.to_pylist() if self._peaks is not None else []
        peaks = [
            Peak(r["series"], r["peak_mb"], r["t_ms"], colour_of(memory_texts.colour_of(r["series"]), i))
            for i, r in enumerate(rows)
        ]
        self.page.peaks.show_peaks(peaks)

    def show_marks(self) -> None:
        """Ranges that were flagged in the Timeline."""
        page = self.page
        base = page.facts.get("base_ns")
        marks = []
        if page.card is not None and base is not None and page.base is None:
            marks = memory_marks.marks_of(page.context, page.card, base)
        page.marks.set_marks(marks)
        page.mark_label.setVisible(bool(marks))
        held = [s.x for s in self._whole if len(s.x)]
        samples = np.unique(np.concatenate(held)) if marks and held else np.empty(0)
        page.chart.set_bands(memory_marks.bands_of(marks, page.marks.hidden, samples))

    # ---- static graphs -----------------------------------------------------------------------------------------------

    def _take_graphs(self, found: pa.Table) -> None:
        page, box = self.page, self.page.graph_box
        wanted, self._wanted_graph = self._wanted_graph or page.graph, None
        with QSignalBlocker(box):
            box.clear()
            for row in found.to_pylist():
                named = row["model"] not in ("", "0", None)
                box.addItem(f"{row['graph_id']} · {row['model']}" if named else str(row["graph_id"]), row["graph_id"])
            box.setCurrentIndex(max(0, box.findData(wanted)))
        self.choose_graph()

    def _ask_static(self) -> None:
        page = self.page
        self._show_titles()
        if page.card is None:
            return
        if page.base is not None:
            self._static.ask(
                memory.compare, card=page.card, base=page.base, what="static_graph", graph_id=page.graph,
                then=self._take_static, failed=self._static_failed,
            )  # fmt: skip
        else:
            self._static.ask(
                memory.static_graph, card=page.card, graph_id=page.graph,
                then=self._take_static, failed=self._static_failed,
            )  # fmt: skip

    def _take_static(self, found: pa.Table) -> None:
        chart, state = self.page.static_chart, self._static_state
        self._static_state = None
        chart.set_series(memory_curves.static_series(found))
        if isinstance(state, dict):
            chart.restore_state(state)

    def _static_failed(self, error: InsightError) -> None:
        self.page.static_chart.set_series(())
        self.page.static_chart.set_empty(say(error.message), say(error.fix))

    # ---- rows --------------------------------------------------------------------------------------------------------

    def _prefill(self) -> None:
        """Bounds of the search row, then the rows."""
        page = self.page
        if page.card is None:
            return
        if page.details.search.isHidden():
            self.ask_rows()
            return
        page.ask(
            memory.sizes, card=page.card, base=page.base, what="static" if page.is_static else "operators",
            graph_id=page.graph if page.is_static else None, then=self._take_sizes, failed=lambda _e: self.ask_rows(),
        )  # fmt: skip

    def _take_sizes(self, found: pa.Table) -> None:
        row = found.to_pylist()[0]
        self.page.details.search.prefill(row["prefill_min"], row["prefill_max"])
        self.ask_rows()

    def range_changed(self, chosen: tuple[float, float] | None) -> None:
        """Another interval: the table follows."""
        self._show_interval()
        if chosen is not None or self.page.facts:
            self.ask_rows()

    def _is_db(self) -> bool:
        """The card is read from a database."""
        cards = self.page.context.store.cards_of("system")
        return any(c.name == self.page.card and c.kind == "db" for c in cards)

    def _name_of(self, table: str) -> str:
        """What a table is called in the data of the card: a file, or a table of the database."""
        return memory_texts.DB_TABLES[table] if self._is_db() else memory_texts.FILES[table][0]

    def _show_interval(self) -> None:
        page = self.page
        chosen = page.chart.chosen
        page.details.operators.set_empty_text(
            tr("No allocations. They come with {0}.").format(self._name_of("operator_memory"))
            if chosen is None
            else tr("No allocation is alive in this range. Drag over the curves for another one.")
        )
        if chosen is None or page.details.table is page.details.components:
            page.details.show_interval("")
            return
        ends = " – ".join(number_text.number(v, 3) for v in chosen)
        inside = page.details.only_inside.isChecked()
        text = tr("allocated or released in {0} ms") if inside else tr("alive in {0} ms")
        page.details.show_interval(text.format(ends))

    def ask_rows(self) -> None:
        """The table for what is chosen now."""
        page, details = self.page, self.page.details
        if page.card is None or not page.facts or page.facts["message"]:
            return
        self._turn += 1
        self._show_interval()
        if page.base is not None:
            self._ask_pairs()
        elif details.table is details.components:
            self._ask(memory.components, details.components.show_table)
        elif details.table is details.static:
            self._ask_static_rows()
        else:
            low, high = page.chart.chosen or _NO_INTERVAL
            base = page.facts["base_ns"]
            self._ask(
                memory.operators, details.show_operators,
                group="stream" if page.group == "stream" else "overall",
                from_ns=None if low is None else memory_curves.to_ns(base, low, up=False),
                to_ns=None if high is None else memory_curves.to_ns(base, high, up=True),
                only_inside=details.only_inside.isChecked(),
            )  # fmt: skip

    def _ask(self, query: Callable[..., pa.Table], show: Callable[[pa.Table], None], **arguments: Any) -> None:
        """A question for rows; an answer to an older one is dropped, whatever it asked for."""
        turn = self._turn

        def then(found: pa.Table) -> None:
            if turn == self._turn:
                show(found)
                self.page.tell_status()

        self._rows.ask(query, card=self.page.card, then=then, **arguments)

    def _ask_static_rows(self) -> None:
        page, found = self.page, self.page.details.search.filters()
        low, high = page.static_chart.chosen or _NO_INTERVAL
        self._ask(
            memory.static_operators, page.details.static.show_table, graph_id=page.graph,
            name=found["name"], min_kb=found["low"], max_kb=found["high"],
            from_node=None if low is None else math.ceil(low), to_node=None if high is None else math.floor(high),
        )  # fmt: skip

    def _ask_pairs(self) -> None:
        page, details = self.page, self.page.details
        found = details.search.filters()
        if page.group == "component":
            self._ask(
                memory.compare, lambda t: details.show_pairs(t, memory_texts.COMPONENTS, memory_texts.TIMES),
                base=page.base, what="components",
            )  # fmt: skip
        elif page.is_static:
            low, high = page.static_chart.chosen or _NO_INTERVAL
            kb = {"min_size": found["low"], "max_size": found["high"]}
            self._ask(
                memory.compare, lambda t: details.show_pairs(t, _name_first(), ()),
                base=page.base, what="static", graph_id=page.graph, name=found["name"], start=low, stop=high,
                **{key: None if value is None else value / 1024 for key, value in kb.items()},
            )  # fmt: skip
        else:
            low, high = page.chart.chosen or _NO_INTERVAL
            self._ask(
                memory.compare, lambda t: details.show_pairs(t, memory_texts.COMPARED_OPERATORS, memory_texts.TIMES),
                base=page.base, what="operators", name=found["name"], min_size=found["low"], max_size=found["high"],
                start=low, stop=high, only_inside=details.only_inside.isChecked(),
            )  # fmt: skip

    def find_slice(self, row: int) -> None:
        """Show in Timeline: the slice that made an allocation."""
        page = self.page
        found = page.details.operators.row(row)
        page.ask(memory.find_slice, card=page.card, row=int(found["row"]), then=page.jump_to, failed=page.not_found)

    # ---- nothing to show ---------------------------------------------------------------------------------------------

    def _show_nothing(self) -> None:
        page = self.page
        self._known, page.facts = (), {}
        page.show_content(False)
        if page.context.reading:
            page.empty.show_content(
                tr("Memory has nothing to show yet"),
                tr("The cards are being read; this page fills itself when one is ready."),
            )
        else:
            page.empty.show_content(
                tr("No data"), tr("No card is open. Open profiling data or read a card of the project.")
            )
        page.context.status.emit([]) if page.isVisible() else None

    def _show_failure(self, error: InsightError) -> None:
        page = self.page
        self._known, page.facts = (), {}
        page.show_content(False)
        page.empty.show_content(tr("Memory cannot be shown"), f"{say(error.message)} {say(error.fix)}".strip())

    def _show_missing(self, facts: dict[str, Any]) -> None:
        page = self.page
        page.show_content(False)
        self._show_causes(facts, [])
        page.ask(memory.sources, card=page.card, then=lambda found: self._show_causes(facts, found.to_pylist()))

    def _show_causes(self, facts: dict[str, Any], sources: list[dict[str, Any]]) -> None:
        page, card = self.page, self.page.card or ""
        files = [line for row in sources if (line := file_line(row, is_db=self._is_db())) is not None]
        asks_switch = "profile_memory" in facts["fix"]
        page.empty.show_content(
            tr("Memory has nothing to show yet"),
            f"{say(facts['message'])} {say(facts['fix'])}".strip(),
            files=files,
            code=memory_texts.COLLECTOR if asks_switch else "",
            offers=(
                Offer(tr("Read this card again"), "arrow-clockwise", lambda: page.context.parse_requested.emit([card])),
            ),
        )
        if page.isVisible():
            count = sum(f.state == "missing" for f in files)
            page.context.status.emit([tr("Memory"), tr("{0} of {1} sources missing").format(count, len(files))])


def file_line(row: dict[str, Any], *, is_db: bool = False) -> FileLine | None:
    """A line of the empty page from a row of `system.memory.sources`; None for what the kind of data never has."""
    if row["table"] not in memory_texts.FILES or (is_db and row["table"] not in memory_texts.DB_TABLES):
        return None
    name, gives = memory_texts.FILES[row["table"]]
    name = memory_texts.DB_TABLES[row["table"]] if is_db else name
    missing = row["missing"] or []
    if row["read"]:
        status = tr("found, no usable rows") if not row["rows"] else tr("found")
        return FileLine(", ".join(row["read"]), tr(gives), "found" if row["rows"] else "missing", status)
    if row["table"] in memory_texts.NEEDED:
        return FileLine(", ".join(missing) or name, tr(gives), "missing", tr("missing"))
    return FileLine(", ".join(missing) or name, tr(gives), "unneeded", tr("not there, not needed"))


def _name_first() -> tuple[Any, ...]:
    _device, name, *rest = memory_texts.STATIC
    return (name, *rest)


def status_texts(page: MemoryPage) -> list[str]:
    """What is selected and how much it is."""
    if not page.facts or page.card is None or page.facts["message"]:
        return []
    details, chosen = page.details, page.chart.chosen
    rows = number_text.count(details.table.table.num_rows)
    texts = []
    if details.table is details.operators:
        if chosen is not None:
            texts += [tr("Range {0} ms").format(number_text.number(chosen[1] - chosen[0], 3))]
            texts += [tr("1 allocation alive") if rows == "1" else tr("{0} allocations alive").format(rows)]
        else:
            texts += [tr("Card {0}").format(page.cards.label_of(page.card)), tr("{0} allocations").format(rows)]
        texts.append(tr("sum {0}").format(number_text.bytes_text(details.sum_kb() * 1024, style="spec", decimals=3)))
    else:
        texts += [tr("Card {0}").format(page.cards.label_of(page.card))]
    if chosen is not None:
        texts += peak_in(page.chart.plot.shown.series, chosen)
    since = number_text.wall_clock(page.facts["base_ns"])
    if since:
        texts.append(tr("times since {0}").format(since))
    texts.append("1 MB = 1,048,576 B")
    return texts


def peak_in(series: tuple[Series, ...], chosen: tuple[float, float]) -> list[str]:
    """Largest value of the first curve inside an interval; the drawn points hold it, because they keep the peaks."""
    for s in series:
        inside = np.flatnonzero((s.x >= chosen[0]) & (s.x <= chosen[1]))
        if len(inside):
            at = inside[int(np.argmax(s.y[inside]))]
            value, ms = number_text.number(float(s.y[at]), 2), number_text.number(float(s.x[at]), 3)
            return [tr("peak in range {0} MB at {1} ms").format(value, ms)]
    return []

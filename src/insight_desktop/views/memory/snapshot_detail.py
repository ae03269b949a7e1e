"""What is selected: an event, a block or a segment with its facts, its call stack and, for an oom, the verdict.

Everything that was looked at stays as a tab; tabs can be moved and closed.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Literal

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtWidgets import QFrame, QMenu, QSplitter, QTabBar, QTextBrowser, QWidget

from insight_desktop.views.common import fonts, parts, theme
from insight_desktop.views.common.key_values import Fact, KeyValues
from insight_desktop.views.common.language import tr

Kind = Literal["event", "block", "segment"]
_MOST_TABS = 40


@dataclass(frozen=True)
class Item:
    """What a tab stands for; `number` is an event, a block, or the address of a segment (`ordered`)."""

    kind: Kind
    number: int


@dataclass(frozen=True)
class Line:
    """One frame of a call stack."""

    depth: int
    function: str
    place: str
    repeats: int = 1
    note: str = ""


@dataclass(frozen=True)
class Stack:
    """A call stack with its title; `hidden` frames of the interpreter are left out."""

    title: str
    lines: Sequence[Line] = ()
    hidden: int = 0


@dataclass(frozen=True)
class Content:
    """All of a selected thing."""

    item: Item
    title: str
    subtitle: str = ""
    facts: Sequence[Fact] = ()
    stacks: Sequence[Stack] = ()
    verdict: tuple[str, str] | None = None
    tab: str = ""


class Detail(QFrame):
    """The panel.

    Signals:
        wanted: an Item to be shown, because its tab was chosen.
        link: `event:<n>`, `block:<n>`, `segment:<n>` or `address:<n>` that was clicked.
        every_changed: show the frames of the interpreter or not.
    """

    wanted = Signal(object)
    link = Signal(str)
    every_changed = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("box")
        self.items: list[Item] = []
        self.content: Content | None = None
        self.every = False
        self._quiet = False
        self.tabs = QTabBar()
        self.tabs.setMovable(True)
        self.tabs.setExpanding(False)
        self.tabs.setUsesScrollButtons(True)
        self.tabs.setDrawBase(False)
        self.tabs.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.title = parts.ElidedLabel(mode=Qt.TextElideMode.ElideRight)
        self.title.setProperty("strong", "true")
        self.verdict = QFrame()
        self.verdict.setObjectName("verdict")
        self.verdict_icon = parts.IconLabel("warning-circle", "error")
        self.verdict_title, self.verdict_text = parts.label(strong=True), parts.label()
        self.verdict_text.setWordWrap(True)
        self.verdict_title.setWordWrap(True)
        self.facts = KeyValues()
        self.facts.link_clicked.connect(self.link)
        self.stack = QTextBrowser()
        self.stack.setFrameShape(QFrame.Shape.NoFrame)
        self.stack.setProperty("edge", "none")
        self.stack.setOpenLinks(False)
        self.stack.setLineWrapMode(QTextBrowser.LineWrapMode.NoWrap)
        self.stack.document().setDocumentMargin(6)
        self.stack.anchorClicked.connect(lambda _url: self.set_every(not self.every))
        self._build()
        self.tabs.currentChanged.connect(self._tab_chosen)
        self.tabs.tabMoved.connect(self._tab_moved)
        self.tabs.customContextMenuRequested.connect(self._menu)
        theme.notifier.changed.connect(self._draw)
        self.clear()

    def _build(self) -> None:
        inner = parts.columns(self.verdict, margins=(10, 8, 10, 8), gap=8)
        inner.addWidget(self.verdict_icon, 0, Qt.AlignmentFlag.AlignTop)
        words = parts.rows(gap=2)
        words.addWidget(self.verdict_title)
        words.addWidget(self.verdict_text)
        inner.addLayout(words, 1)
        splitter = QSplitter(Qt.Orientation.Vertical)
        splitter.addWidget(self.facts)
        splitter.addWidget(self.stack)
        splitter.setSizes([200, 220])
        splitter.setChildrenCollapsible(False)
        self.facts.setMinimumHeight(60)
        self.stack.setMinimumHeight(60)
        head = QWidget()
        head.setObjectName("surface")
        parts.keep_height(head, 30)
        parts.columns(head, margins=(10, 2, 10, 2)).addWidget(self.title, 1)
        column = parts.rows(self, margins=(1, 1, 1, 1))
        column.addWidget(self.tabs)
        column.addWidget(head)
        column.addWidget(parts.line())
        column.addWidget(self.verdict)
        column.addWidget(splitter, 1)

    # ---- what is shown -----------------------------------------------------------------------------------------------

    def clear(self) -> None:
        """Nothing is selected, and no tab is left."""
        self._quiet = True
        while self.tabs.count():
            self.tabs.removeTab(0)
        self._quiet = False
        self.items, self.content = [], None
        self.tabs.hide()
        self._draw()

    def show_content(self, content: Content) -> None:
        """Show something; it gets a tab when it has none."""
        self.content = content
        self._quiet = True
        if content.item not in self.items:
            if len(self.items) >= _MOST_TABS:
                self.tabs.removeTab(0)
                del self.items[0]
            self.items.append(content.item)
            at = self.tabs.addTab(content.tab or content.title)
            item = content.item
            close = parts.icon_button("x", click=lambda: self.close_tab(self.items.index(item)))
            parts.set_tip(close, tr("Close"))
            self.tabs.setTabButton(at, QTabBar.ButtonPosition.RightSide, close)
        at = self.items.index(content.item)
        self.tabs.setTabText(at, content.tab or content.title)
        self.tabs.setTabToolTip(at, content.title)
        self.tabs.setCurrentIndex(at)
        self._quiet = False
        self.tabs.setVisible(len(self.items) > 1)
        self._draw()

    def as_json(self) -> str:
        """What is shown, for a file."""
        content = self.content
        if content is None:
            return "{}"
        stacks = [
            {
                "title": s.title,
                "frames": [{"function": f.function, "place": f.place, "repeats": f.repeats} for f in s.lines],
            }
            for s in content.stacks
        ]
        facts = {fact.title: f"{fact.value} {fact.quiet}".strip() for fact in content.facts}
        found = {
            "title": content.title,
            "subtitle": content.subtitle,
            "facts": facts,
            "stacks": stacks,
            "verdict": content.verdict,
        }
        return json.dumps(found, ensure_ascii=False, indent=1)

    def set_every(self, every: bool) -> None:
        """Show the frames of the interpreter too."""
        self.every = every
        self.every_changed.emit(every)

    def close_tab(self, at: int) -> None:
        """Close a tab; its left neighbour is shown when it was the current one."""
        current = self.tabs.currentIndex()
        self._quiet = True
        self.tabs.removeTab(at)
        del self.items[at]
        self._quiet = False
        self.tabs.setVisible(len(self.items) > 1)
        if not self.items:
            self.clear()
        elif at == current:
            self.tabs.setCurrentIndex(max(0, at - 1))
            self.wanted.emit(self.items[max(0, at - 1)])

    def close_others(self, at: int, *, right_only: bool = False) -> None:
        """Close all tabs but one, or those to its right."""
        keep = self.items[: at + 1] if right_only else [self.items[at]]
        for place in range(len(self.items) - 1, -1, -1):
            if self.items[place] not in keep:
                self.close_tab(place)

    def _tab_chosen(self, at: int) -> None:
        if not self._quiet and 0 <= at < len(self.items):
            self.wanted.emit(self.items[at])

    def _tab_moved(self, source: int, target: int) -> None:
        self.items.insert(target, self.items.pop(source))

    def _menu(self, where: QPoint) -> None:
        at = self.tabs.tabAt(where)
        if at >= 0:
            self.tab_menu(at).exec(self.tabs.mapToGlobal(where))

    def tab_menu(self, at: int) -> QMenu:
        """Close, close others, close to the right, close all."""
        menu = QMenu(self)
        menu.addAction(tr("Close"), lambda: self.close_tab(at))
        menu.addAction(tr("Close others"), lambda: self.close_others(at))
        menu.addAction(tr("Close to the right"), lambda: self.close_others(at, right_only=True))
        menu.addAction(tr("Close all"), self.clear)
        return menu

    # ---- painting ----------------------------------------------------------------------------------------------------

    def _draw(self) -> None:
        content = self.content
        self.verdict.setStyleSheet(f"#verdict {{ background: {theme.hex_of('errbg')}; }}")
        self.verdict.setVisible(content is not None and content.verdict is not None)
        if content is None:
            self.title.set_text(tr("Nothing is selected"))
            self.facts.set_facts([])
            self.stack.setHtml(_quiet(tr("Click a block, a segment or an event.")))
            return
        self.title.set_text(f"{content.title}   {content.subtitle}".strip())
        if content.verdict is not None:
            self.verdict_title.setText(content.verdict[0])
            self.verdict_text.setText(content.verdict[1])
        self.facts.set_facts(content.facts)
        self.stack.setHtml("".join(self._stack(stack) for stack in content.stacks))
        self.setAccessibleName(f"{content.title} {content.subtitle}".strip())

    def _stack(self, stack: Stack) -> str:
        size, small = fonts.scaled(fonts.SMALL + 1), fonts.scaled(fonts.SMALL)
        link = ""
        if stack.hidden or self.every:
            words = (
                tr("hide frames of the interpreter") if self.every
                else tr("{0} frames of the interpreter hidden").format(stack.hidden)
            )  # fmt: skip
            link = f' · <a href="every" style="color:{theme.hex_of("accent")};text-decoration:none">{escape(words)}</a>'
        head = (
            f'<p style="margin:2px 4px 4px 4px;font-size:{small}px;color:{theme.hex_of("text2")}">'
            f"{escape(stack.title)}{link}</p>"
        )
        if not stack.lines:
            return head + _quiet(no_frames())
        rows = []
        for line in stack.lines:
            again = f' <i style="color:{theme.hex_of("warn")}">{escape(tr("<repeats {0} times>").format(line.repeats))}</i>' if line.repeats > 1 else ""  # fmt: skip
            note = f' <span style="color:{theme.hex_of("text3")}">{escape(line.note)}</span>' if line.note else ""
            rows.append(
                f'<tr><td align="right" style="color:{theme.hex_of("text3")};padding:1px 8px 1px 4px">{line.depth}</td>'
                f'<td style="white-space:nowrap;padding:1px 0"><b style="font-weight:normal;color:{theme.hex_of("text")}">{escape(line.function)}</b>'
                f' <span style="color:{theme.hex_of("text2")}">{escape(line.place)}</span>{again}{note}</td></tr>'
            )
        family = "JetBrains Mono"
        return f"{head}<table cellspacing='0' style='font-family:\"{family}\",monospace;font-size:{size}px'>{''.join(rows)}</table>"

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange and hasattr(self, "stack"):
            self._draw()
        super().changeEvent(event)


def no_frames() -> str:
    """Why there is no call stack."""
    return tr(
        "No call stack was recorded: the recording began later, its context or stacks argument left it out, "
        "or it is a backward pass without C++ frames (record with stacks='all')."
    )


def _quiet(text: str) -> str:
    return f'<p style="margin:6px;color:{theme.hex_of("text2")}">{escape(text)}</p>'

"""The main window: menu, rail, data panel, tabs, banners, import report, status bar."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray, QEvent, QSize, Qt, QTimer, QUrl
from PySide6.QtGui import QCloseEvent, QDesktopServices, QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QSplitter, QStackedWidget, QWidget

from insight_desktop.engine import places
from insight_desktop.views import import_news, recent_sessions, sessions, tabs, window_commands
from insight_desktop.views.banner import Banners, Remedy
from insight_desktop.views.cards import BUSY, FAILED, IDLE
from insight_desktop.views.common import fonts, language, parts, settings, theme
from insight_desktop.views.common.context import Context
from insight_desktop.views.common.engine_text import say
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.page import Page
from insight_desktop.views.common.worker import Door
from insight_desktop.views.data_panel import DataPanel
from insight_desktop.views.dialogs import AboutDialog, KeysDialog, SettingsDialog, fit_to_screen
from insight_desktop.views.opening import Opening
from insight_desktop.views.page_context import PLACES, PageContext
from insight_desktop.views.rail import Rail
from insight_desktop.views.report_place import ReportPlace
from insight_desktop.views.start_page import StartPage
from insight_desktop.views.status_bar import StatusBar
from insight_desktop.views.tab_row import TabRow
from insight_desktop.views.window_actions import Actions
from insight_desktop.views.workspace import Workspace

NARROW = 1300  # a narrower window begins without the data panel; Ctrl+B brings it


class MainWindow(QMainWindow):
    """One window with one workspace."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self.workspace = workspace
        self.context: Context = workspace.context
        self.pages: dict[str, Page] = {}
        self._states: dict[str, Any] = {}  # what pages were left like that were not shown again yet
        self._page_context = self._new_context()
        self._panel_wanted = True
        self._door = Door(self)
        self._build()
        self.sessions = sessions.Sessions(
            workspace, self.view_state, self.restore_state, lambda n, m: self.opening.relink_answers(n, m), self
        )
        self.actions_ = Actions(self, self._handlers())
        self._connect()
        self.setAcceptDrops(True)
        fit_to_screen(self, QSize(1600, 900))
        self._restore_geometry()
        self.retranslate()
        self._show_project("")
        self.refresh_cache()

    # ---- building ----------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        self.opening = Opening(self, self.workspace)
        central = QWidget()
        central.setObjectName("frame")
        self.setCentralWidget(central)
        outer = parts.columns(central, gap=0)
        self.rail = self._build_rail()
        outer.addWidget(self.rail)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setHandleWidth(1)
        self.splitter.setChildrenCollapsible(False)
        self.data_panel = DataPanel(self.workspace)
        self.splitter.addWidget(self.data_panel)
        self.splitter.addWidget(self._build_right())
        self.splitter.setStretchFactor(0, 0)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setSizes([fonts.scaled(244), 1300])
        outer.addWidget(self.splitter, 1)
        self.status = StatusBar(self.workspace)
        self.setStatusBar(self.status)

    def _build_rail(self) -> Rail:
        rail = Rail()
        rail.add("data", "tree-structure", checkable=True)
        rail.add("search", "magnifying-glass")
        rail.add("sessions", "bookmark-simple")
        rail.add("report", "shield-check", checkable=True)
        rail.add("keys", "question", bottom=True)
        rail.add("settings", "gear-six", bottom=True)
        return rail

    def _build_right(self) -> QWidget:
        right = QWidget()
        right.setObjectName("surface")
        layout = parts.rows(right)
        self.tab_row = TabRow()
        layout.addWidget(self.tab_row)
        self.banners = Banners()
        layout.addWidget(self.banners)
        self.upright = QSplitter(Qt.Orientation.Vertical)
        self.upright.setHandleWidth(1)
        self.upright.setChildrenCollapsible(False)
        self.stack = QStackedWidget()
        self.start_page = StartPage()
        self.stack.addWidget(self.start_page)
        self.upright.addWidget(self.stack)
        self.report_place = ReportPlace(self.workspace, self)
        self.report, self.report_box = self.report_place.report, self.report_place.box
        self.upright.addWidget(self.report_box)
        self.upright.setStretchFactor(0, 1)
        self.upright.setSizes([500, 340])
        layout.addWidget(self.upright, 1)
        return right

    def _handlers(self) -> dict[str, Any]:
        return {
            "open_folder": self.opening.ask_folder,
            "open_file": self.opening.ask_files,
            "import_data": self.opening.ask_import,
            "add_data": self.opening.ask_add,
            "open_session": self.opening.ask_session,
            "save_session": self.opening.save_session,
            "save_session_as": self.opening.ask_save_session,
            "close_project": self.workspace.close_project,
            "quit": self.close,
            "palette": lambda: window_commands.show_palette(self),
            "filter": lambda: window_commands.focus_filter(self),
            **window_commands.handlers(self),
            "find": self.find_text,
            "settings": self.show_settings,
            "data_panel": self.toggle_data_panel,
            "import_report": self.toggle_report,
            "start_page": self.show_start,
            "next_card": lambda: self._step_card(1),
            "previous_card": lambda: self._step_card(-1),
            "next_area": lambda: self._next_area(1),
            "previous_area": lambda: self._next_area(-1),
            "read_all": lambda: self.workspace.read(None),
            "read_again": self._read_again,
            "cancel_import": self.workspace.cancel,
            "full_screen": self._full_screen,
            "minimise": self.showMinimized,
            "keys": self.show_keys,
            "log_folder": self.open_log_folder,
            "about": self.show_about,
        }

    def _connect(self) -> None:
        context, workspace, start = self.context, self.workspace, self.start_page
        context.message.connect(self.show_message)
        theme.notifier.changed.connect(context.theme_changed)
        language.notifier.changed.connect(context.language_changed)
        context.parse_requested.connect(lambda names: workspace.read(list(names) or None))
        context.option_wanted.connect(workspace.read_as)
        workspace.project_opened.connect(self._show_project)
        workspace.projects_changed.connect(self._refresh)
        workspace.card_changed.connect(self._card_changed)
        workspace.import_ended.connect(self._import_ended)
        workspace.busy.connect(self._show_busy)
        context.store_changed.connect(self._refresh)
        self.rail.pressed.connect(self._rail_pressed)
        self.tab_row.chosen.connect(self._show_tab)
        start.folder_wanted.connect(self.opening.ask_folder)
        start.file_wanted.connect(self.opening.ask_files)
        start.paths_wanted.connect(self.opening.open_paths)
        start.recent_wanted.connect(self.opening.open_recent)
        start.recent_forgotten.connect(self.opening.forget)
        start.recent_cleared.connect(self.opening.clear_recent)
        self.data_panel.add_wanted.connect(self.opening.ask_import)
        self.data_panel.delete_wanted.connect(self.opening.ask_delete)
        self.data_panel.folder_wanted.connect(self.opening.show_in_folder)
        self.data_panel.report_wanted.connect(lambda: self.show_report(True))
        self.data_panel.relink_wanted.connect(self.opening.ask_relink)
        self.report_place.shown.connect(self._report_shown)
        self.report.folder_wanted.connect(self.opening.show_in_folder)
        self.report.log_wanted.connect(self.open_log_folder)
        self.status.notes_wanted.connect(lambda: self.show_report(True))
        self.status.language_wanted.connect(lambda: language.set_language("en" if language.current() == "zh" else "zh"))
        self.actions_.recent_menu.aboutToShow.connect(self._fill_recent_menu)
        self.splitter.splitterMoved.connect(lambda _at, _i: context.view_changed.emit())
        self.upright.splitterMoved.connect(lambda _at, _i: context.view_changed.emit())

    def retranslate(self) -> None:
        self.actions_.retranslate()
        for name, tip, keys in (
            ("data", tr("Data panel"), "Ctrl+B"),
            ("search", tr("Search"), "Ctrl+F"),
            ("sessions", tr("Sessions"), ""),
            ("report", tr("Import report"), "Ctrl+R"),
            ("keys", tr("Keyboard shortcuts"), "?"),
            ("settings", tr("Settings"), "Ctrl+,"),
        ):
            self.rail.set_tip(name, tip, keys)
        self.report_place.retranslate()
        self._refresh()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange and hasattr(self, "actions_"):
            self.retranslate()
        super().changeEvent(event)

    # ---- what is shown -----------------------------------------------------------------------------------------------

    def _show_project(self, name: str) -> None:
        """Another project is open, or none."""
        self.banners.clear()
        self._drop_pages()
        if not name:
            self.show_start()
        else:
            self._refresh_tabs()
            self._show_panel(self._panel_wanted and self.width() >= NARROW)
            self._show_tab(self.tab_row.current)
        self._refresh()

    def _refresh(self) -> None:
        project = self.workspace.current
        self.setWindowTitle(f"{project.name} — Insight Desktop" if project else "Insight Desktop")
        self.start_page.set_recent(self.opening.recent())
        cards = (project.cards or []) if project else []
        busy = any(c.status in BUSY for c in cards)
        self.actions_.enable(
            add_data=project is not None,
            save_session=project is not None,
            save_session_as=project is not None,
            close_project=project is not None,
            data_panel=bool(self.workspace.projects),
            import_report=project is not None,
            next_card=len(self.context.store.cards) > 1,
            previous_card=len(self.context.store.cards) > 1,
            read_all=any(c.status == IDLE for c in cards) and not busy,
            read_again=self.context.card is not None,
            cancel_import=busy,
            find=self._search_widget() is not None,
            filter=project is not None,
            **dict.fromkeys(window_commands.OF_THE_TIMELINE, project is not None),
        )
        self.rail.buttons["search"].setEnabled(self._search_widget() is not None)
        self.rail.buttons["data"].setEnabled(bool(self.workspace.projects))
        self.rail.buttons["report"].setEnabled(project is not None)
        if project is not None:
            self._refresh_tabs()
        elif self.stack.currentWidget() is not self.start_page:
            self.show_start()

    def _refresh_tabs(self) -> None:
        project = self.workspace.current
        if project is not None and project.found is not None:
            self.tab_row.set_tabs(tabs.tabs_for(project.found, self.context.store))

    def _drop_pages(self) -> None:
        """Pages live as long as their project is open: another project begins with fresh ones."""
        self.report_place.move_to(None)
        self.tab_row.set_search(None)
        for page in self.pages.values():
            self.stack.removeWidget(page)
            page.deleteLater()
        self.pages.clear()
        self._states.clear()
        self.context.choose_jobs(None)
        self._page_context.deleteLater()
        self._page_context = self._new_context()

    def _new_context(self) -> PageContext:
        """The context of the pages of a project; a jump of one of them brings the page that it goes to to the front."""
        made = PageContext(self.context, self)
        for name, tab_id in PLACES.items():
            getattr(made, name).connect(partial(self._bring, tab_id))
        made.tab_wanted.connect(lambda tab_id: self.tab_row.choose(tab_id))
        return made

    def _bring(self, tab_id: str, to: object) -> None:
        is_new = tab_id not in self.pages
        if self.tab_row.current != tab_id:
            self.tab_row.choose(tab_id)
        page = self.pages.get(tab_id)
        if is_new and page is not None:
            # It did not hear of the jump, because it was made for it; it needs its size first.
            QTimer.singleShot(0, page, lambda: page.jump(to))  # type: ignore[attr-defined]

    def _show_tab(self, tab_id: str) -> None:
        project = self.workspace.current
        found = tabs.tab(tab_id)
        if project is None:
            return
        if found is None:
            self.stack.setCurrentWidget(self.start_page)
            return
        if tab_id not in self.pages:
            page = found.page(self._page_context)
            self.pages[tab_id] = page
            self.stack.addWidget(page)
            self.report_place.move_to(page)
            page.refresh()
        page = self.pages[tab_id]
        self.tab_row.setVisible(True)
        if self.stack.currentWidget() is not page:
            self.context.status.emit([])  # of the page before; a page with a selection speaks for itself
        self.stack.setCurrentWidget(page)
        self.report_place.move_to(page)
        self.tab_row.set_search(self._search_widget() if hasattr(page, "search_widget") else None)
        waiting = self._states.pop(tab_id, None)
        if waiting is not None:
            page.restore_state(waiting)
        self.context.view_changed.emit()

    def show_start(self) -> None:
        """The start page; an open project stays open."""
        self.start_page.set_recent(self.opening.recent())
        self.stack.setCurrentWidget(self.start_page)
        self.report_place.move_to(None)
        self.tab_row.setVisible(self.workspace.current is not None)
        self._show_panel(self.workspace.current is not None and self._panel_wanted and self.width() >= NARROW)
        self.start_page.folder_button.setFocus()
        if self.workspace.current is None:
            self.show_report(False)
            self.context.status.emit([])

    def _search_widget(self) -> QWidget | None:
        page = self.stack.currentWidget() if hasattr(self, "stack") else None
        give = getattr(page, "search_widget", None)
        widget = (
            give() if callable(give) else getattr(page, "search", None)
        )  # a page may keep its box in its own toolbar
        return widget if isinstance(widget, QWidget) else None

    def find_text(self) -> None:
        """Put the cursor into the search box of the page."""
        widget, opens = self._search_widget(), getattr(self.stack.currentWidget(), "open_search", None)
        if callable(opens):  # the page shows its box when it is needed
            opens()
        elif widget is not None:
            field = widget.focusProxy() or widget  # a bar of several parts names the one that is typed into
            field.setFocus(Qt.FocusReason.ShortcutFocusReason)
            select = getattr(field, "selectAll", None)
            if callable(select):
                select()

    def toggle_data_panel(self) -> None:
        self._panel_wanted = not self.data_panel.isVisible()
        self._show_panel(self._panel_wanted)
        self.context.view_changed.emit()

    def _show_panel(self, on: bool) -> None:
        self.data_panel.setVisible(on)
        self.rail.buttons["data"].setChecked(on)
        self.actions_.by_id["data_panel"].setChecked(on)

    def toggle_report(self) -> None:
        self.show_report(not self.report_place.is_shown())

    def show_report(self, on: bool) -> None:
        """The import report below the page."""
        self.report_place.show(on)
        if on:
            self.report.show_worst()

    def _report_shown(self, on: bool) -> None:
        self.rail.buttons["report"].setChecked(on)
        self.actions_.by_id["import_report"].setChecked(on)

    def show_message(self, level: str, text: str, fix: str) -> None:
        """A banner; one about a lost project offers to relink it."""
        remedies: tuple[Remedy, ...] = ()
        lost = next(
            (
                p
                for p in self.workspace.projects
                if text.startswith(f"{p.name}: ") and any(not q.exists() for q in p.paths)
            ),
            None,
        )
        if lost is not None:
            name = lost.name
            remedies = (Remedy(tr("Relink…"), "link", lambda: self.opening.ask_relink(name)),)
        self.banners.show_message(level, text, fix, remedies)

    def _show_busy(self, busy: bool) -> None:
        if busy:
            self.status.show_selection([tr("Looking at the files")])
            self.setCursor(Qt.CursorShape.BusyCursor)
        else:
            self.status.show_selection([])
            self.unsetCursor()

    # ---- import ------------------------------------------------------------------------------------------------------

    def _card_changed(self, name: str) -> None:
        project = self.workspace.current
        card = project.card(name) if project else None
        if card is None or card.status != FAILED:
            return
        remedies = []
        for kind in card.other_kinds[:1]:
            remedies.append(
                Remedy(
                    tr("Use {kind} output").format(kind=kind),
                    "swap",
                    partial(self.workspace.set_kind, name, kind),
                )
            )
        remedies.append(Remedy(tr("Import report"), "list-bullets", lambda: self._show_card_report(name)))
        text = tr("Card {name}: {message}").format(name=name, message=say(card.message))
        self.banners.show_message("error", text, card.fix, tuple(remedies))

    def _show_card_report(self, name: str) -> None:
        self.show_report(True)
        self.report.show_card(name)

    def _import_ended(self) -> None:
        self._refresh()
        self.refresh_cache()
        import_news.tell_damage(self.workspace.current, self.banners, self._show_card_report)

    def refresh_cache(self) -> None:
        """Say anew how full the cache is."""
        cache = getattr(self.workspace.reader, "cache", None)
        if cache is not None:
            self._door.run(cache.size, lambda used: self.status.set_cache(used, cache.limit_bytes), lambda _error: None)

    def _read_again(self) -> None:
        if self.context.card is not None:
            self.workspace.reread(self.context.card)

    def _step_card(self, step: int) -> None:
        names = [card.name for card in self.context.store.cards]
        if names:
            at = names.index(self.context.card) if self.context.card in names else 0
            self.workspace.select_card(names[(at + step) % len(names)])

    # ---- drop --------------------------------------------------------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _dropped(event.mimeData().urls()):
            event.acceptProposedAction()
            self.start_page.set_over(True)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.start_page.set_over(False)
        super().dragLeaveEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        self.start_page.set_over(False)
        paths = _dropped(event.mimeData().urls())
        if paths:
            event.acceptProposedAction()
            self.opening.open_paths(paths)

    # ---- menus and rail ----------------------------------------------------------------------------------------------

    def _rail_pressed(self, name: str) -> None:
        acts: dict[str, Any] = {
            "data": self.toggle_data_panel,
            "search": self.find_text,
            "sessions": self._show_sessions,
            "report": self.toggle_report,
            "keys": self.show_keys,
            "settings": self.show_settings,
        }
        acts[name]()

    def _show_sessions(self) -> None:
        from PySide6.QtWidgets import QMenu

        menu = QMenu(self)
        for command in ("save_session", "save_session_as", "open_session"):
            menu.addAction(self.actions_.by_id[command])
        rows = recent_sessions.rows()
        if rows:
            menu.addSeparator()
        for row in rows:
            action = menu.addAction(row.name)
            action.setToolTip(str(row.path))
            action.triggered.connect(lambda _=False, row=row: self.opening.open_recent(row))
        button = self.rail.buttons["sessions"]
        menu.exec(button.mapToGlobal(button.rect().topRight()))

    def _fill_recent_menu(self) -> None:
        menu = self.actions_.recent_menu
        menu.clear()
        for row in self.opening.recent()[:15]:
            action = menu.addAction(row.name)
            action.triggered.connect(lambda _=False, row=row: self.opening.open_recent(row))
        menu.setEnabled(True)

    def show_keys(self) -> None:
        window_commands.show_keys(self, KeysDialog)

    def show_settings(self) -> None:
        window_commands.show_settings(self, SettingsDialog)

    def show_about(self) -> None:
        AboutDialog(self).exec()

    def open_log_folder(self) -> None:
        folder = places.log_dir()
        folder.mkdir(parents=True, exist_ok=True)
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))

    def _full_screen(self) -> None:
        self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)
        self.actions_.by_id["full_screen"].setChecked(bool(self.windowState() & Qt.WindowState.WindowFullScreen))

    def _next_area(self, step: int) -> None:
        areas = self._areas()
        if not areas:
            return
        focus = QApplication.focusWidget()
        at = next(
            (i for i, area in enumerate(areas) if focus is not None and (area is focus or area.isAncestorOf(focus))),
            -step if step > 0 else 0,
        )
        for offset in range(1, len(areas) + 1):
            area = areas[(at + step * offset) % len(areas)]
            target = window_commands.first_focus(area)
            if target is not None:
                target.setFocus(Qt.FocusReason.ShortcutFocusReason)
                return

    def _areas(self) -> list[QWidget]:
        search = self._search_widget()
        found: list[QWidget | None] = [
            search,
            self.rail,
            self.data_panel.tree,
            self.tab_row,
            self.stack.currentWidget(),
            self.report_box,
            self.status,
        ]
        return [area for area in found if area is not None and area.isVisible()]

    # ---- state -------------------------------------------------------------------------------------------------------

    def view_state(self) -> dict[str, Any]:
        """State of window and pages, JSON values only."""
        state: dict[str, Any] = {**self._states, **{tab_id: page.view_state() for tab_id, page in self.pages.items()}}
        state[sessions.WINDOW] = {
            "tab": self.tab_row.current,
            "card": self.context.card,
            "data_panel": self._panel_wanted,
            "widths": self.splitter.sizes() if self.data_panel.isVisible() else [],
            "heights": self.upright.sizes() if not self.report_box.isHidden() else [],
            "report": self.report_place.is_shown(),
            "geometry": bytes(self.saveGeometry().toBase64().data()).decode("ascii"),
        }
        return state

    def restore_state(self, state: dict[str, Any]) -> None:
        """Bring back what `view_state` gave."""
        window = state.get(sessions.WINDOW, {})
        card = window.get("card")
        if card in [c.name for c in self.context.store.cards]:
            self.workspace.select_card(card)  # first: pages show another card from its beginning
        if window.get("tab") and tabs.tab(window["tab"]) is not None:
            self.tab_row.choose(window["tab"])
        self._states = {tab_id: kept for tab_id, kept in state.items() if tab_id != sessions.WINDOW}
        for tab_id, page in self.pages.items():
            if tab_id in self._states:
                page.restore_state(self._states.pop(tab_id))
        self._panel_wanted = bool(window.get("data_panel", True))
        self._show_panel(self._panel_wanted and self.width() >= NARROW)
        if window.get("widths"):
            left = int(window["widths"][0])  # the window may have another width now
            self.splitter.setSizes([left, max(1, self.splitter.width() - left)])
        if window.get("report", False) != self.report_place.is_shown():
            self.show_report(bool(window.get("report", False)))
        if window.get("heights"):
            self.upright.setSizes(window["heights"])
        if card in [c.name for c in self.context.store.cards] and self.context.card != card:
            self.workspace.select_card(card)  # a page may have brought back a card of its own

    def _restore_geometry(self) -> None:
        kept = settings.read("geometry")
        if kept:
            self.restoreGeometry(QByteArray.fromBase64(kept.encode("ascii")))

    # ---- end ---------------------------------------------------------------------------------------------------------

    def closeEvent(self, event: QCloseEvent) -> None:
        self.sessions.autosave()
        settings.write("geometry", bytes(self.saveGeometry().toBase64().data()).decode("ascii"))
        project = self.workspace.current
        settings.write("last_project", project.entry.id if project is not None else "")
        self.workspace.reader.close()
        super().closeEvent(event)


def _dropped(urls: list[QUrl]) -> list[Path]:
    return [Path(url.toLocalFile()) for url in urls if url.isLocalFile()]

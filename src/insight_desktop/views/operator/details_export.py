"""Writes what the Details page shows into files."""

from __future__ import annotations

import html
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog

from insight_desktop.views.common.language import tr
from insight_desktop.views.operator import compute_panel, details_load, details_texts, memory_panel
from insight_desktop.views.operator.details_load import Loaded

if TYPE_CHECKING:
    from insight_desktop.views.operator.details import DetailsPage

Table = tuple[str, list[str], list[list[str | None]]]


def dialog(page: DetailsPage) -> None:
    """Ask for a file and write the report of the kernel to it."""
    if page.loaded is None:
        return
    name, _ = QFileDialog.getSaveFileName(
        page, tr("Export…"), f"{page.loaded.card}.html", "HTML (*.html);;Markdown (*.md)"
    )
    if name:
        page.ask(
            details_load.load, then=lambda whole: write(page, whole, Path(name)), card=page.loaded.card,
            baseline=page.loaded.baseline, every=True,
        )  # fmt: skip


def write(page: DetailsPage, loaded: Loaded, path: Path) -> None:
    """Write the report as HTML, or as Markdown for a name ending in .md."""
    sections = report(loaded, page.findings.texts())
    text = _markdown(loaded, sections) if path.suffix.lower() == ".md" else _html(loaded, sections)
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        page.context.message.emit("error", f"{path}: {error.strerror or error}", tr("Choose another folder."))


def report(loaded: Loaded, findings: list[str]) -> list[tuple[str, list[str], list[Table]]]:
    """(title, sentences, tables) of each section, all blocks."""
    compared = loaded.baseline is not None
    facts: Table = ("", [tr("Value"), *([tr("Baseline")] if compared else [])], [])
    for name, value, baseline in details_texts.facts(loaded):
        facts[2].append([name, value, *([baseline] if compared else [])])
    found = [(tr("Base Info"), [], [facts]), (tr("What bounds this kernel"), findings, [])]
    for block in loaded.blocks("compute"):
        rows = [row for row in loaded.of("compute", block_id=block) if row["kind"] == "table"]
        title = ", ".join((tr("Compute Workload Analysis"), tr("Block {0}").format(block)))
        found.append((title, [], compute_panel.tables_of(rows, compared=compared)))
    for block in loaded.blocks("memory_tables"):
        title = ", ".join((tr("Memory Workload Analysis"), tr("Block {0}").format(block)))
        advice = [row["text"] for row in loaded.of("advice", section="memory_table", block_id=block)]
        tables = memory_panel.tables_of(loaded.of("memory_tables", block_id=block), compared=compared)
        found.append((title, advice, tables))
    return found


def _markdown(loaded: Loaded, sections: list[tuple[str, list[str], list[Table]]]) -> str:
    lines = [f"# {loaded.card}", ""]
    for title, texts, tables in sections:
        lines += [f"## {title}", "", *(f"- {text}" for text in texts), ""]
        for head, columns, rows in tables:
            lines.append("| " + " | ".join(_cell(c) for c in (head, *columns)) + " |")
            lines.append("|" + "---|" * (len(columns) + 1))
            lines += ["| " + " | ".join(_cell(c) for c in row) + " |" for row in rows]
            lines.append("")
    return "\n".join(lines)


def _cell(text: str | None) -> str:
    return (text or "").replace("|", "\\|").replace("\n", " ")


def _html(loaded: Loaded, sections: list[tuple[str, list[str], list[Table]]]) -> str:
    parts = [
        f"<!doctype html><meta charset='utf-8'><title>{html.escape(loaded.card)}</title><style>body{{font:13px sans-serif;margin:24px}}"
        "table{border-collapse:collapse;margin:8px 0}td,th{border:1px solid #bbb;padding:2px 8px;text-align:left}</style>",
        f"<h1>{html.escape(loaded.card)}</h1>",
    ]
    for title, texts, tables in sections:
        parts.append(f"<h2>{html.escape(title)}</h2>")
        parts += [f"<p>{html.escape(text)}</p>" for text in texts]
        for head, columns, rows in tables:
            cells = "".join(f"<th>{html.escape(c)}</th>" for c in (head, *columns))
            lines = "".join("<tr>" + "".join(f"<td>{html.escape(c or '')}</td>" for c in row) + "</tr>" for row in rows)
            parts.append(f"<table><tr>{cells}</tr>{lines}</table>")
    return "\n".join(parts)

"""Renews the Chinese catalogue: `python -m tools.translations` collects the texts of all views and compiles them.

The collector knows one context per class; the program looks texts up in a single one (equal English texts have one
Chinese text), so the contexts are laid together here. Texts without a translation are listed and the exit code is 1.
"""

from __future__ import annotations

import ast
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from pathlib import Path

from insight_desktop.views.timeline.keys import KEYS, actions

ROOT = Path(__file__).resolve().parent.parent
VIEWS = ROOT / "src" / "insight_desktop" / "views"
CATALOGUE = VIEWS / "translations" / "zh_CN.ts"
CONTEXT = "insight"


# Calls whose arguments are English texts that the called one translates: positions and keywords.
_TAKES_TEXT: dict[str, tuple[tuple[int, ...], tuple[str, ...]]] = {
    "ColumnSpec": ((1,), ("title", "tooltip")),
    "add_panel": ((1,), ()),
    "add_lazy": ((1,), ()),
    "Fact": ((0,), ("title",)),
    "_bytes": ((1,), ()),
}


def texts_in_calls(source: str) -> set[str]:
    """Texts that are handed to columns, panels and facts as plain constants."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        positions, keywords = _TAKES_TEXT.get(name, ((), ()))
        values = [node.args[at] for at in positions if at < len(node.args)]
        values += [each.value for each in node.keywords if each.arg in keywords]
        found.update(v.value for v in values if isinstance(v, ast.Constant) and isinstance(v.value, str))
    return found


def collect() -> list[str]:
    """All source texts of the views, sorted."""
    files = sorted(str(path) for path in VIEWS.rglob("*.py"))
    with tempfile.TemporaryDirectory() as folder:
        found = Path(folder) / "found.ts"
        command = [str(Path(sys.executable).with_name("pyside6-lupdate")), *files, "-ts", str(found), "-silent"]
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
        root = ET.parse(found).getroot()
    texts = {message.findtext("source") or "" for message in root.iter("message")}
    # Key lists are plain data; the shortcut sheet translates what they say.
    texts.update(entry[1] for entry in KEYS)
    texts.update(action.text for action in actions())
    texts.update(entry[2] for entry in KEYS if len(entry) > 2)
    for file in files:
        texts |= texts_in_calls(Path(file).read_text(encoding="utf-8"))
    return sorted(texts - {""})


def read() -> dict[str, str]:
    """English → Chinese of the catalogue; only finished texts."""
    if not CATALOGUE.exists():
        return {}
    texts = {}
    for message in ET.parse(CATALOGUE).getroot().iter("message"):
        text = message.findtext("translation") or ""
        if text:
            texts[message.findtext("source") or ""] = text
    return texts


def write(sources: list[str], texts: dict[str, str]) -> None:
    """Write the catalogue: one context, texts in order."""
    root = ET.Element("TS", version="2.1", language="zh_CN", sourcelanguage="en")
    context = ET.SubElement(root, "context")
    ET.SubElement(context, "name").text = CONTEXT
    for source in sources:
        message = ET.SubElement(context, "message")
        ET.SubElement(message, "source").text = source
        translation = ET.SubElement(message, "translation")
        translation.text = texts.get(source, "")
        if not translation.text:
            translation.set("type", "unfinished")
    ET.indent(root, "    ")
    body = ET.tostring(root, encoding="unicode")
    CATALOGUE.write_text(f'<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n{body}\n', encoding="utf-8")


def compile_catalogue() -> None:
    """Write the .qm that the program loads."""
    made = CATALOGUE.with_suffix(".new")
    command = [str(Path(sys.executable).with_name("pyside6-lrelease")), str(CATALOGUE), "-silent", "-qm", str(made)]
    subprocess.run(command, check=True)
    made.replace(CATALOGUE.with_suffix(".qm"))  # a running window maps the old file: it must not change under it


def main() -> int:
    """Renew everything; 1 when texts lack a translation."""
    sources = collect()
    texts = read()
    write(sources, texts)
    compile_catalogue()
    missing = [source for source in sources if source not in texts]
    for source in missing:
        print(source)
    print(f"{len(sources)} texts, {len(missing)} without a translation", file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())

"""The catalogue is whole, and the language switches at once."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest
from PySide6.QtCore import QObject, QTranslator
from tools import translations

from insight_desktop.views.common import language


def messages() -> list[tuple[str, str, str]]:
    root = ET.parse(translations.CATALOGUE).getroot()
    found = []
    for message in root.iter("message"):
        translation = message.find("translation")
        assert translation is not None
        found.append((message.findtext("source") or "", translation.text or "", translation.get("type", "")))
    return found


@pytest.mark.row("system-timeline", 13)
def test_every_text_of_the_views_is_in_the_catalogue() -> None:
    known = {source for source, _, _ in messages()}
    assert [text for text in translations.collect() if text not in known] == []


@pytest.mark.row("system-timeline", 13)
def test_every_text_of_the_catalogue_has_a_chinese_one() -> None:
    assert [source for source, chinese, kind in messages() if not chinese or kind] == []


def test_fields_of_the_texts_are_kept() -> None:
    wrong = [s for s, zh, _ in messages() if sorted(re.findall(r"\{\w*\}", s)) != sorted(re.findall(r"\{\w*\}", zh))]
    assert wrong == []


def test_compiled_catalogue_is_the_written_one() -> None:
    compiled = QTranslator()
    assert compiled.load(str(language.CATALOGUE))
    assert [s for s, zh, _ in messages() if compiled.translate("insight", s) != zh] == []


@pytest.mark.usefixtures("look")
def test_texts_of_any_class_come_from_the_one_context() -> None:
    class Panel(QObject):
        def head(self) -> str:
            return self.tr("Data")

    language.set_language("zh", remember=False)
    assert (Panel().head(), language.tr("Data")) == ("数据", "数据")
    assert language.tr("aten::matmul") == "aten::matmul"  # names of the data stay
    language.set_language("en", remember=False)
    assert Panel().head() == "Data"


def test_texts_of_qt_itself_are_chinese_too(qapp):
    from PySide6.QtCore import QCoreApplication

    language.set_language("zh", remember=False)
    assert QCoreApplication.translate("QFileDialog", "Look in:") == "查找范围："
    language.set_language("en", remember=False)
    assert QCoreApplication.translate("QFileDialog", "Look in:") == "Look in:"

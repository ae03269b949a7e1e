from __future__ import annotations

import re

import pytest

from insight_desktop.views.common import language
from insight_desktop.views.common.engine_text import SENTENCES, say


@pytest.fixture
def chinese():
    language.set_language("zh", remember=False)
    yield
    language.set_language("en", remember=False)


def test_english_messages_stay_as_they_are():
    assert say("x.json is empty (0 bytes).") == "x.json is empty (0 bytes)."


def test_a_known_message_keeps_its_values(chinese):
    told = say(
        "trace_view.json ends inside an event (truncated at byte 1395688); the 5251 whole events before are kept."
    )
    assert told == "trace_view.json 在事件中间结束（截断于第 1395688 字节）；之前的 5251 个完整事件已保留。"


def test_one_and_many_are_the_same_sentence(chinese):
    assert say("1 link with an end where no slice is; not drawn.") == "1 条连线的一端没有切片；不绘制。"
    assert say("2 links with an end where no slice is; not drawn.") == "2 条连线的一端没有切片；不绘制。"


def test_a_message_inside_a_message_is_said_too(chinese):
    told = say("No profiling data could be read in /a. No permission to read /a: access denied.")
    assert told == "无法读取 /a 中的性能数据。没有读取 /a 的权限：访问被拒绝。"


def test_the_particular_sentence_wins_over_the_general_one(chinese):
    assert say("/a cannot be read: Permission denied. The rest is kept.") == "无法读取 /a：权限不足。其余数据保留。"


def test_unknown_messages_and_braces_in_values_survive(chinese):
    assert say("Nobody knows this sentence") == "Nobody knows this sentence"
    assert say("/a{0}/b does not exist.") == "/a{0}/b 不存在。"


@pytest.mark.parametrize("english", SENTENCES)
def test_every_sentence_keeps_all_its_values(english):
    wanted, kept = set(re.findall(r"\{\w+\}", english)), set(re.findall(r"\{\w+\}", SENTENCES[english]))
    assert kept == wanted

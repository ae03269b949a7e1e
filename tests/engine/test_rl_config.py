from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from insight_desktop.engine.rl_config import DEFAULTS, RlTask, config_file, configs, parse

GOOD = {"framework": "verl", "algorithm": "GRPO", "tasks": [{"roleName": "A", "taskName": "t", "microBatches": []}]}


def write(text: str) -> None:
    config_file().parent.mkdir(parents=True, exist_ok=True)
    config_file().write_text(text, encoding="utf-8")


@pytest.mark.row("system-memory-operator-rl", 40)
@pytest.mark.example("system-memory-operator-rl", "R8")
def test_a_valid_file_is_used(real: Callable[[str], Path]) -> None:
    write(real("upstream_unit/rl/RLConfig.json").read_text(encoding="utf-8"))
    found, note = configs()
    assert note == ""
    assert [(c.framework, c.algorithm, len(c.tasks)) for c in found] == [
        ("verl", "grpo", 2),
        ("mindspeed-RL", "grpo", 1),
    ]
    assert found[0].tasks == (
        RlTask("actor", "generator_sequence", (("actor_micro_batch1", "FP"), ("actor_micro_batch2", "BP"))),
        RlTask("ref", "update_ref"),
    )


@pytest.mark.row("system-memory-operator-rl", 40)
@pytest.mark.example("system-memory-operator-rl", "R9")
@pytest.mark.parametrize("text", ["", "[]", "{}", '{"config":[{"framework":"verl","algorithm":"x","tasks":[],}]}'])
def test_a_file_that_is_not_valid_gives_the_built_in_configurations_and_a_note(text: str) -> None:
    write(text)
    found, note = configs()
    assert [(c.framework, len(c.tasks)) for c in found] == [("verl", 4), ("MindSpeed-RL", 4)]
    assert note.startswith(f"{config_file()} is not valid (")
    assert note.endswith("); the built-in tasks are used.")


@pytest.mark.row("system-memory-operator-rl", 40)
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"framework": 3}, "framework is missing or no text"),
        ({"algorithm": None}, "algorithm is missing or no text"),
        ({"tasks": {}}, "tasks is missing or no list with entries"),
        ({"tasks": [{"taskName": "t", "microBatches": []}]}, "roleName is missing or no text"),
        ({"tasks": [{"roleName": "A", "taskName": "t"}]}, "microBatches is missing or no list"),
        (
            {"tasks": [{"roleName": "A", "taskName": "t", "microBatches": [{"name": "b", "type": "XP"}]}]},
            "type is 'XP', not FP or BP",
        ),
    ],
)
def test_one_wrong_field_is_named(change: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse(json.dumps({"config": [GOOD, {**GOOD, **change}]}))


def test_without_a_file_there_is_nothing_to_say() -> None:
    assert configs() == (DEFAULTS, "")

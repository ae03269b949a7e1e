"""Which marks of a reinforcement learning run are tasks: read from the user's file, else the built-in configurations.

The file is `RLMstxConfig.json` in the settings folder. One invalid field and the whole file is left aside, so that figures
never come from half a configuration.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from insight_desktop.engine import places

FILE = "RLMstxConfig.json"
FORWARD, BACKWARD = "FP", "BP"


@dataclass(frozen=True)
class RlTask:
    """A task: the name of its mark, the role that runs it, and its micro batches by the name of theirs (FP or BP)."""

    role: str
    name: str
    batches: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class RlConfig:
    """The tasks of one framework and algorithm."""

    framework: str
    algorithm: str
    tasks: tuple[RlTask, ...]

    @property
    def names(self) -> frozenset[str]:
        """Names of all its tasks."""
        return frozenset(task.name for task in self.tasks)


_LAYERS = (("TransformerBlock", FORWARD), ("TransformerLayer", BACKWARD))
DEFAULTS = (
    RlConfig(
        "verl",
        "GRPO",
        (
            RlTask("ActorRollout", "generate_sequences"),
            RlTask("Reward", "compute_log_prob", _LAYERS),
            RlTask("Actor", "update_actor", _LAYERS),
            RlTask("Reference", "compute_ref_log_prob", _LAYERS),
        ),
    ),
    RlConfig(
        "MindSpeed-RL",
        "GRPO",
        (
            RlTask("ActorRollout", "ActorHybridWorkerBase.generate_sequences", _LAYERS),
            RlTask("Reference", "IntegratedWorker.compute_ref_log_prob", _LAYERS),
            RlTask("Actor", "ActorRolloutHybrid.update_actor", _LAYERS),
            RlTask("Reward", "Reward.compute_rm_score", _LAYERS),
        ),
    ),
)


def config_file() -> Path:
    """Where the user's own configuration is looked for."""
    return places.config_dir() / FILE


def configs() -> tuple[tuple[RlConfig, ...], str]:
    """The configurations in force, and what is wrong with the user's file (empty when nothing is).

    Without a file, or with one that is not valid, these are DEFAULTS.
    """
    path = config_file()
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return DEFAULTS, ""
    except (OSError, UnicodeDecodeError) as error:
        return DEFAULTS, f"{path} cannot be read ({error}); the built-in tasks are used."
    try:
        found = parse(text)
    except ValueError as error:
        return DEFAULTS, f"{path} is not valid ({error}); the built-in tasks are used."
    return found, ""


def parse(text: str) -> tuple[RlConfig, ...]:
    """Configurations of a file's text; raises ValueError that names the first field that is missing or of a wrong type."""
    try:
        root = json.loads(text)
    except ValueError as error:
        raise ValueError(f"no JSON: {error}") from error
    return tuple(
        RlConfig(
            _text(config, "framework"),
            _text(config, "algorithm"),
            tuple(_task(task) for task in _list(config, "tasks", least=1)),
        )
        for config in _list(root, "config", least=1)
    )


def _task(task: Any) -> RlTask:
    batches = tuple((_text(b, "name"), _kind(b)) for b in _list(task, "microBatches"))
    return RlTask(_text(task, "roleName"), _text(task, "taskName"), batches)


def _kind(batch: Any) -> str:
    kind = _text(batch, "type")
    if kind not in (FORWARD, BACKWARD):
        raise ValueError(f"type is {kind!r}, not FP or BP")
    return kind


def _text(owner: Any, key: str) -> str:
    value = owner.get(key) if isinstance(owner, dict) else None
    if not isinstance(value, str) or not value:
        raise ValueError(f"{key} is missing or no text")
    return value


def _list(owner: Any, key: str, least: int = 0) -> list[Any]:
    value = owner.get(key) if isinstance(owner, dict) else None
    if not isinstance(value, list) or len(value) < least:
        raise ValueError(f"{key} is missing or no list{' with entries' if least else ''}")
    return value

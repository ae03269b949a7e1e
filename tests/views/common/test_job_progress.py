"""Progress of the analysis of a job: words, bar, stop, start again."""

from __future__ import annotations

import pytest

from insight_desktop.engine import cluster
from insight_desktop.engine.cluster_run import Status
from insight_desktop.engine.store import Store
from insight_desktop.views.common.context import Context
from insight_desktop.views.common.job_progress import JobProgress

pytestmark = pytest.mark.usefixtures("look")


@pytest.fixture
def watched(qtbot, monkeypatch):
    """A widget, the status that it sees, and what it did."""
    seen = {"status": Status("full", 3 << 20, 12 << 20, "Ranks 32 to 63")}
    done = []
    monkeypatch.setattr(cluster, "status", lambda _store, _name=None: seen["status"])
    monkeypatch.setattr(cluster, "cancel", lambda _store, name=None: done.append(("cancel", name)))
    monkeypatch.setattr(cluster, "start", lambda _store, name=None: done.append(("start", name)))
    widget = JobProgress(Context(Store()))
    qtbot.addWidget(widget)
    widget.show()
    widget.watch("after")
    return widget, seen, done


def test_bytes_and_share_are_told(watched):
    widget, _, _ = watched
    assert widget.text.text() == "Ranks 32 to 63 · 3.0 MiB of 12.0 MiB"
    assert widget.bar.value() == 250


def test_a_stopped_analysis_can_be_started_again(watched):
    widget, seen, done = watched
    widget.button.click()
    seen["status"] = Status("cancelled")
    widget.renew()
    assert widget.is_stopped
    assert widget.title.text() == "The analysis of the job was stopped"
    heard = []
    widget.started.connect(lambda: heard.append(True))
    widget.button.click()
    assert done == [("cancel", "after"), ("start", "after")]
    assert heard == [True]

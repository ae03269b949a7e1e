"""The selects of job and baseline job."""

from __future__ import annotations

import pytest
from tests.support.cluster_files import open_cluster, write_rank

from insight_desktop.views.common.context import Context
from insight_desktop.views.common.job_selector import JobSelector

STEPS = [("1", 1, 1, 0, 1, 1, 1, 0, 1, 0)]

pytestmark = pytest.mark.usefixtures("look")


@pytest.fixture
def two(tmp_path):
    for job in ("a", "b"):
        for rank in (0, 1):
            write_rank(tmp_path / job, rank, steps=STEPS)
    return open_cluster(tmp_path)


def test_one_job_needs_no_select(qtbot, tmp_path):
    write_rank(tmp_path, 0, steps=STEPS)
    found = JobSelector(Context(open_cluster(tmp_path)))
    qtbot.addWidget(found)
    assert found.isHidden()
    assert (found.job, found.base) == (None, None)


def test_choices_go_to_the_context_and_come_from_it(qtbot, two):
    context = Context(two)
    found = JobSelector(context)
    qtbot.addWidget(found)
    names = found.names()
    assert len(names) == 2
    assert not found.isHidden()
    found.base_box.setCurrentIndex(1)
    found.base_box.activated.emit(1)
    assert (context.job, context.base_job) == (names[0], names[1])
    context.choose_jobs(names[1])
    assert (found.job, found.base) == (names[1], None)
    assert found.job_box.currentData() == names[1]

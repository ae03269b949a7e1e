"""What the session file keeps of the Curve page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from insight_desktop.views.service import curve_series

if TYPE_CHECKING:
    from insight_desktop.views.service.curve import CurvePage


def as_dict(page: CurvePage) -> dict[str, Any]:
    """Run, curve, comparison, axis, options, generated curves, zoom, table and panels; JSON values only."""
    return {
        "card": page.bar.card, "curve": page.wanted_curve, "base": page.bar.base, "mode": page.wanted_mode,
        "generated": {card: list(names) for card, names in page.generated.items() if names},
        "options": [key for key in page.bar.options if page.bar.is_on(key)], "chart": page.chart.view_state(),
        "table": page.details.rows.view_state(), "collapsed": [page.chart.is_collapsed, page.details.is_collapsed],
        "sizes": page.splitter.sizes(), "right": {name: list(lines) for name, lines in page.right.items()},
    }  # fmt: skip


def take(page: CurvePage, state: dict[str, Any]) -> None:
    """Bring back what `as_dict` gave, once the runs are there; what has another form is passed over."""
    made = state.get("generated")
    if isinstance(made, dict):
        page.generated = {str(c): [str(n) for n in names] for c, names in made.items() if isinstance(names, list)}
    right = state.get("right")
    if isinstance(right, dict):
        page.right = {str(c): [str(n) for n in lines] for c, lines in right.items() if isinstance(lines, list)}
    if isinstance(state.get("card"), str):
        page.bar.choose(state["card"])
    page.bar.set_base(state["base"] if isinstance(state.get("base"), str) else None)
    if state.get("mode") in {mode for mode, _ in curve_series.MODES}:
        page.wanted_mode = state["mode"]
    if isinstance(state.get("options"), list):
        page.bar.set_options(state["options"])
    page.wanted_curve = str(state.get("curve") or "")
    page.chart_state = state["chart"] if isinstance(state.get("chart"), dict) else None
    if isinstance(state.get("table"), dict):
        page.details.rows.restore_state(state["table"])
    collapsed = state.get("collapsed")
    if isinstance(collapsed, list) and len(collapsed) == 2:
        page.chart.set_collapsed(bool(collapsed[0]))
        page.details.set_collapsed(bool(collapsed[1]))
    sizes = state.get("sizes")
    if isinstance(sizes, list) and len(sizes) == 2 and all(isinstance(n, int) for n in sizes):
        page.splitter.setSizes(sizes)

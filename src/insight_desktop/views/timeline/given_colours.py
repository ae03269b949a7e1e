"""Colours that a trace asks for by name: those that trace viewers reserve, toned so that they can be seen in both themes."""

from __future__ import annotations

import zlib

from PySide6.QtGui import QColor

from insight_desktop.views.common import theme

# The reserved names of the Chrome trace viewer with their RGB values.
RESERVED = {
    "thread_state_uninterruptible": "#B67D8F", "thread_state_iowait": "#FF8C00", "thread_state_running": "#7EC894",
    "thread_state_runnable": "#85A0D2", "thread_state_sleeping": "#F0F0F0", "thread_state_unknown": "#C79B7D",
    "background_memory_dump": "#00B4B4", "light_memory_dump": "#0000B4", "detailed_memory_dump": "#B400B4",
    "vsync_highlight_color": "#0000FF", "generic_work": "#7D7D7D", "good": "#007D00", "bad": "#B47D00",
    "terrible": "#B40000", "black": "#000000", "grey": "#DDDDDD", "white": "#FFFFFF", "yellow": "#FFFF00",
    "olive": "#646400", "rail_response": "#4387FD", "rail_animation": "#F44A3F", "rail_idle": "#EE8E00",
    "rail_load": "#0DA861", "startup": "#E6E600", "heap_dump_stack_frame": "#808080", "heap_dump_object_type": "#0000FF",
    "heap_dump_child_node_arrow": "#CC6600", "cq_build_running": "#FFFF77", "cq_build_passed": "#99EE66",
    "cq_build_failed": "#EE8888", "cq_build_abandoned": "#BBBBBB", "cq_build_attempt_runnig": "#DEDE4B",
    "cq_build_attempt_passed": "#6CDB23", "cq_build_attempt_failed": "#C55151",
}  # fmt: skip
# Least and greatest lightness and greatest saturation by theme: what is drawn differs from its ground.
_DARK, _LIGHT = (0.38, 0.70, 0.52), (0.34, 0.64, 0.60)


def colour(name: str) -> QColor:
    """The colour of a name: a reserved one in a tone of the theme, of others one of the palette that stays the same."""
    asked = RESERVED.get(name)
    if asked is None:
        palette = theme.slices()
        return QColor.fromRgb(int(palette[zlib.crc32(name.encode()) % len(palette)]))
    low, high, most = _DARK if theme.is_dark() else _LIGHT
    given = QColor(asked)
    hue = max(given.hslHueF(), 0.0)
    return QColor.fromHslF(hue, min(given.hslSaturationF(), most), min(max(given.lightnessF(), low), high))

"""The colours of both themes by name, chart series, fixed meanings, slice colours and the colour-blind safe set."""

from __future__ import annotations

DARK = {
    "window": "#1A1C20", "surface": "#202328", "raised": "#272B31", "field": "#17191D", "zebra": "#23272C",
    "hover": "#2E333A", "canvas": "#16181B", "grid": "#262A30", "border": "#363B44", "strong": "#6F7886",
    "text": "#E3E6EB", "text2": "#AEB5C0", "text3": "#98A0AC", "accent": "#5AA7F0", "accentfill": "#1F6FD0",
    "sel": "#234A77", "seltext": "#FFFFFF", "selinactive": "#343A44", "focus": "#6DB3F7", "ok": "#4DBB7A",
    "okbg": "#1B3527", "warn": "#E3AE43", "warnbg": "#3A2F16", "error": "#F2736B", "errbg": "#432524",
    "infobg": "#1C3148",
}  # fmt: skip
LIGHT = {
    "window": "#ECEEF1", "surface": "#FFFFFF", "raised": "#F5F6F8", "field": "#FFFFFF", "zebra": "#F8F9FA",
    "hover": "#E6EAF0", "canvas": "#FFFFFF", "grid": "#EDEFF2", "border": "#D3D8DF", "strong": "#7A8493",
    "text": "#1A1E25", "text2": "#4E5763", "text3": "#5C6572", "accent": "#1A66C9", "accentfill": "#1A66C9",
    "sel": "#CDE1FB", "seltext": "#0F1B2D", "selinactive": "#E1E5EB", "focus": "#1A66C9", "ok": "#17753C",
    "okbg": "#E3F4E9", "warn": "#8A5C00", "warnbg": "#FCF1D8", "error": "#BF2C25", "errbg": "#FCE6E4",
    "infobg": "#E3EFFC",
}  # fmt: skip

SERIES_DARK = (
    "#5AA7F0", "#F2A33C", "#5CC08A", "#E277B4", "#43C4CF", "#D9C34A", "#A68CF0", "#F0695E", "#C79A6B", "#9AA3AF",
)  # fmt: skip
SERIES_LIGHT = (
    "#1F6FD0", "#C46A00", "#1D8A4E", "#B8327F", "#0A8A97", "#8F7400", "#6A4BD0", "#C8372D", "#8A5A2B", "#6B7280",
)  # fmt: skip

# One colour for one meaning on every page; `free` is grey so that nobody takes it for computing.
MEANINGS: dict[str, tuple[str, str]] = {
    name: colours
    for names, colours in (
        (("computing", "prefill", "allocated"), ("#5AA7F0", "#1F6FD0")),
        (("communication", "queue", "reserved"), ("#F2A33C", "#C46A00")),
        (("overlapped",), ("#43C4CF", "#0A8A97")),
        (("decode", "active"), ("#5CC08A", "#1D8A4E")),
        (("free",), ("#5A616C", "#B9C0CA")),
        (("stalled", "oom", "slo"), ("#F0695E", "#C8372D")),
        (("preparing", "tail", "app_reserved"), ("#A68CF0", "#6A4BD0")),
        (("frontend",), ("#9AA3AF", "#8A93A0")),
        (("bubble",), ("#E277B4", "#B8327F")),
    )
    for name in names
}

SLICES_DARK = (
    "#396FB5", "#C57E44", "#8BBC80", "#9A5595", "#9C9030", "#52C0BC", "#AF5056", "#9C81CD",
    "#6E8DD5", "#EB9C86", "#1D7E44", "#C176A9", "#D2AA64", "#047A83", "#CF7569", "#A2ABF0",
    "#75B6E9", "#AA5726", "#3AA074", "#CE9FDC", "#856B03", "#059CB4", "#EA99AA", "#7162B4",
)  # fmt: skip
SLICES_LIGHT = (
    "#2867B6", "#C97C3A", "#92C187", "#974A92", "#9D9020", "#5FC5C1", "#AE434C", "#9E7FD2",
    "#6B8CDC", "#EEA38E", "#09773C", "#C573AB", "#D6AF6D", "#09727B", "#D47267", "#A8B1F3",
    "#7EBBEC", "#A94C08", "#2AA172", "#D2A6E0", "#7D6504", "#129CB3", "#EE9FAF", "#6B59B4",
)  # fmt: skip
SAFE_DARK = (
    "#708CFE", "#EBC408", "#187259", "#F7F49C", "#66C4FF", "#CD080B", "#B49FA3", "#A8F5FE", "#A418CE", "#8975AC",
)  # fmt: skip
SAFE_LIGHT = (
    "#495882", "#AE8406", "#0E8073", "#D2AA28", "#22BAFE", "#8D3E00", "#990AF6", "#20242B", "#4004A3", "#99A0AA",
)  # fmt: skip

INK_DARK = "#0E1013"
INK_WHITE = "#FFFFFF"


def luminance(colour: str) -> float:
    """Relative luminance (WCAG 2) of `#RRGGBB`, 0 to 1."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """WCAG contrast ratio of two colours, 1 to 21."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def ink_for(fill: str) -> str:
    """The ink with more contrast on a fill."""
    return max((INK_DARK, INK_WHITE), key=lambda ink: contrast(ink, fill))

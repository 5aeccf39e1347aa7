"""An accent colour of a club's own, so that it can be read by day and by night."""

import re
from itertools import count

from keizer.errors import KeizerError
from keizer.season.names import quoted

_READABLE = 4.5
"""The least contrast of text with its ground (WCAG 2.2, 1.4.3)."""
_OWN = {"light": ("#1f5c43", "#17583d"), "dark": ("#8fd3b0", "#9ad9b8")}
"""The accent and the links of style.css."""
_GROUND = {"light": "#f3f4ee", "dark": "#202823"}
"""The ground of both that is nearest to them: the bands of tables."""
_TOWARDS = {"light": "#000000", "dark": "#ffffff"}


_LINEAR = 0.04045
"""Up to here the brightness of a part of a colour is proportional to it (sRGB)."""


def painted(style: str, colour: str | None) -> str:
    """The style sheet with an accent colour, #rrggbb; None: its own.

    On paper the colour is darkened, in the dark lightened, as far as it takes to be read.
    Raises KeizerError for what is no colour.
    """
    if colour is None:
        return style
    if not re.fullmatch("#[0-9A-Fa-f]{6}", colour):
        raise KeizerError(f"{quoted(colour)} is no colour: type it as #rrggbb, such as #7a1f1f.")
    for ground, (accent, link) in _OWN.items():
        seen = _readable(colour.lower(), ground)
        for name, own in (("accent", accent), ("link", link)):
            style = style.replace(f"--{name}: {own};", f"--{name}: {seen};")
    return style


def _readable(colour: str, ground: str) -> str:
    """The colour, mixed with black or white until it can be read."""
    mixes = (_mixed(colour, _TOWARDS[ground], part / 20) for part in count())
    return next(mix for mix in mixes if _contrast(mix, _GROUND[ground]) >= _READABLE)


def _mixed(one: str, other: str, part: float) -> str:
    pairs = zip(_parts(one), _parts(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * min(part, 1)):02x}" for a, b in pairs)


def _parts(colour: str) -> list[int]:
    """Red, green and blue, 0 to 255."""
    return [int(colour[at : at + 2], 16) for at in (1, 3, 5)]


def _contrast(one: str, other: str) -> float:
    """From 1 to 21 (WCAG 2.2, contrast ratio)."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    red, green, blue = (
        part / 12.92 if part <= _LINEAR else ((part + 0.055) / 1.055) ** 2.4
        for part in (value / 255 for value in _parts(colour))
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue

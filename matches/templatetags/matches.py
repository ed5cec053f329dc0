"""Tags of the match pages: the mark of a seat, and links that keep what was asked."""

from __future__ import annotations

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from matches.shown import seat_css

register = template.Library()

SHAPES = {
    "a": '<circle r="46"/>',
    "b": '<rect x="-43" y="-43" width="86" height="86" rx="8"/>',
    "c": '<path d="M-44-46H44V2C44 28 22 44 0 52C-22 44-44 28-44 2Z"/>',
    "d": '<path d="M0-56L54 0L0 56L-54 0Z"/>',
    "e": '<path d="M-27-47H27L54 0L27 47H-27L-54 0Z"/>',
    "f": '<path d="M0-54L53-12L33 46H-33L-53-12Z"/>',
    "g": '<path d="M-24-52H24V-27H52V27H24V52H-24V27H-52V-27H-24Z"/>',
    "h": '<path d="M0-56L16-38L40-40L38-16L56 0L38 16L40 40L16 38L0 56L-16 38L-40 40L-38 16L-56 0L-38-16L-40-40L-16-38Z"/>',
}


@register.simple_tag
def seat_mark(letter: str) -> SafeString:
    """Return the mark of a seat: its letter in the shape and colour that its units have on the board."""
    css = seat_css(letter)
    return format_html(
        '<svg class="seat-mark seat-{}" viewBox="-60 -60 120 120" role="img" aria-label="{}" focusable="false">{}'
        '<text y="19">{}</text></svg>',
        css,
        _("Seat %(seat)s") % {"seat": letter},
        SafeString(SHAPES[css]),
        letter,
    )

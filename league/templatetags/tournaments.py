"""What the templates of tournaments need."""

from __future__ import annotations

from django import template

register = template.Library()


@register.filter
def letter(position: int) -> str:
    """Return the letter of a seat: 0 is A."""
    return chr(ord("A") + position)

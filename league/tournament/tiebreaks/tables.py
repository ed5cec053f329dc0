"""Tables 8.1.1 and 8.1.2 of FIDE's rating regulations: rating difference by score, and expected score by difference."""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction

DP = (
    800, 677, 589, 538, 501, 470, 444, 422, 401, 383, 366, 351, 336, 322, 309, 296, 284, 273, 262, 251, 240, 230, 220, 211, 202,
    193, 184, 175, 166, 158, 149, 141, 133, 125, 117, 110, 102, 95, 87, 80, 72, 65, 57, 50, 43, 36, 29, 21, 14, 7, 0,
)  # fmt: skip
"""Rating difference for a score of 1.00, 0.99 … 0.50; below a half it is the same, less than nothing."""
HIGHEST = (
    3, 10, 17, 25, 32, 39, 46, 53, 61, 68, 76, 83, 91, 98, 106, 113, 121, 129, 137, 145, 153, 162, 170, 179, 188, 197, 206, 215,
    225, 235, 245, 256, 267, 278, 290, 302, 315, 328, 344, 357, 374, 391, 411, 432, 456, 484, 517, 559, 619, 735,
)  # fmt: skip
"""The highest difference for an expected score of .50, .51 … .99; above the last it is 1.00."""


def half_up(value: Fraction) -> int:
    """Return the nearest whole number, a half upwards."""
    return (2 * value + 1).__floor__() // 2


def dp(score: Fraction) -> int:
    """Return the rating difference of a share of the points, between 0 and 1, rounded to hundredths half up.

    :raises ValueError: for a share outside of 0 to 1
    """
    if not 0 <= score <= 1:
        raise ValueError(f"a share of the points lies between 0 and 1, not {score}")
    percent = half_up(score * 100)
    return DP[100 - percent] if percent >= 50 else -DP[percent]


def expected(difference: int) -> Fraction:
    """Return the expected score against somebody whose rating is lower by `difference` (higher if it is negative)."""
    at = bisect_left(HIGHEST, abs(difference))
    share = Fraction(50 + at, 100) if at < len(HIGHEST) else Fraction(1)
    return share if difference >= 0 else 1 - share

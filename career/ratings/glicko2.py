"""Glicko-2 for matches of two, after Mark Glickman, "Example of the Glicko-2 system" (glicko.net, revision of 2022).

A rating period is a day on which the league played. Whoever plays nothing in a period keeps rating and volatility while the deviation grows.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import exp, log, pi, sqrt

from msgspec import Struct

from career.ratings.editions import Glicko2

SCALE = 173.7178


class Rating(Struct, frozen=True):
    """Rating and deviation on the scale of Glicko, and volatility."""

    rating: float
    deviation: float
    volatility: float


def new(figures: Glicko2) -> Rating:
    """Return the rating of somebody who has not played."""
    return Rating(figures.rating, figures.deviation, figures.volatility)


def idle(one: Rating) -> Rating:
    """Return a rating after a period without a match (step 6 of the paper)."""
    phi = one.deviation / SCALE
    return Rating(one.rating, SCALE * sqrt(phi * phi + one.volatility * one.volatility), one.volatility)


def _g(phi: float) -> float:
    return 1 / sqrt(1 + 3 * phi * phi / (pi * pi))


def after(one: Rating, results: Iterable[tuple[Rating, float]], figures: Glicko2) -> Rating:
    """Return a rating after a period (steps 2 to 8 of the paper).

    :param results: each opponent's rating before the period, and the score against them: 1, ½ or 0
    """
    played = [(other, score) for other, score in results]
    if not played:
        return idle(one)
    mu, phi = (one.rating - figures.rating) / SCALE, one.deviation / SCALE
    variance, improvement = 0.0, 0.0
    for other, score in played:
        g = _g(other.deviation / SCALE)
        expected = 1 / (1 + exp(-g * (mu - (other.rating - figures.rating) / SCALE)))
        variance += g * g * expected * (1 - expected)
        improvement += g * (score - expected)
    v = 1 / variance
    delta = v * improvement
    sigma = _volatility(phi, v, delta, one.volatility, figures)
    before = sqrt(phi * phi + sigma * sigma)
    narrowed = 1 / sqrt(1 / (before * before) + 1 / v)
    moved = mu + narrowed * narrowed * improvement
    return Rating(SCALE * moved + figures.rating, SCALE * narrowed, sigma)


def _volatility(phi: float, v: float, delta: float, sigma: float, figures: Glicko2) -> float:
    """Return the new volatility by the Illinois procedure (step 5)."""
    a = log(sigma * sigma)

    def f(x: float) -> float:
        ex = exp(x)
        above = ex * (delta * delta - phi * phi - v - ex)
        return above / (2 * (phi * phi + v + ex) ** 2) - (x - a) / (figures.tau * figures.tau)

    low = a
    if delta * delta > phi * phi + v:
        high = log(delta * delta - phi * phi - v)
    else:
        k = 1
        while f(a - k * figures.tau) < 0:
            k += 1
        high = a - k * figures.tau
    f_low, f_high = f(low), f(high)
    while abs(high - low) > figures.convergence:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = middle, f_middle
    return exp(low / 2)

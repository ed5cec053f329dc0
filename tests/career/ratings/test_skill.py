"""The two systems by themselves: the library's figures, the paper's example, and who may gain more than whom."""

from __future__ import annotations

from importlib.metadata import version

import pytest
from hypothesis import given
from hypothesis import strategies as st

from career.ratings import glicko2, skill
from career.ratings.editions import CURRENT

FIGURES = CURRENT.openskill


def test_the_installed_library_is_the_one_of_the_edition() -> None:
    assert (FIGURES.library, FIGURES.version) == ("openskill", version("openskill")), (
        "a new version takes a new edition"
    )


def test_the_figures_of_the_edition_are_the_models_own() -> None:
    model = skill._model(FIGURES)
    assert (model.mu, model.sigma, model.beta, model.kappa, model.tau) == (25, 25 / 3, 25 / 6, 0.0001, 25 / 300)


def test_two_first_and_a_third_from_equal_priors() -> None:
    one = skill.new(FIGURES)
    (first,), (second,), (third,) = skill.rate([[one], [one], [one]], [1, 1, 3], FIGURES)
    assert first == second
    assert (first.mu, first.sigma) == (pytest.approx(27.635389493140497), pytest.approx(7.788847304776425))
    assert third.mu == pytest.approx(19.729221013719005)


def test_a_king_and_a_general_are_rated_as_one_team() -> None:
    one = skill.new(FIGURES)
    (king, general), (other,) = skill.rate([[one, one], [one]], [1, 2], FIGURES)
    assert king == general
    assert king.mu == pytest.approx(25.746116583375226)
    assert other.mu == pytest.approx(24.253883416624774)


@given(st.lists(st.integers(1, 6), min_size=2, max_size=6))
def test_from_equal_priors_equal_places_gain_equally_and_nobody_lower_gains_more(places: list[int]) -> None:
    one = skill.new(FIGURES)
    told = skill.rate([[one] for _ in places], places, FIGURES)
    gains = [team[0].mu - one.mu for team in told]
    for place, gain in zip(places, gains, strict=True):
        for other, theirs in zip(places, gains, strict=True):
            if place == other:
                assert gain == pytest.approx(theirs, abs=1e-9)
            elif place < other:
                assert gain >= theirs - 1e-9
    assert all(team[0].sigma < one.sigma + 1e-9 for team in told)


# Glicko-2


def test_the_example_of_the_paper() -> None:
    figures = CURRENT.glicko2
    player = glicko2.Rating(1500, 200, 0.06)
    opponents = [
        (glicko2.Rating(1400, 30, 0.06), 1.0),
        (glicko2.Rating(1550, 100, 0.06), 0.0),
        (glicko2.Rating(1700, 300, 0.06), 0.0),
    ]
    told = glicko2.after(player, opponents, figures)
    assert told.rating == pytest.approx(1464.06, abs=0.01)
    assert told.deviation == pytest.approx(151.52, abs=0.01)
    assert told.volatility == pytest.approx(0.05999, abs=0.00001)


def test_who_plays_nothing_keeps_rating_and_volatility_while_the_deviation_grows() -> None:
    one = glicko2.Rating(1600, 60, 0.06)
    told = glicko2.after(one, [], CURRENT.glicko2)
    assert (told.rating, told.volatility) == (1600, 0.06)
    assert told.deviation == pytest.approx((60**2 + (0.06 * 173.7178) ** 2) ** 0.5)


def test_a_surprising_series_raises_the_volatility() -> None:
    strong = [(glicko2.Rating(2200, 30, 0.06), 1.0)] * 8
    assert glicko2.after(glicko2.Rating(1400, 50, 0.06), strong, CURRENT.glicko2).volatility > 0.06


@given(st.floats(1000, 2000), st.floats(30, 350), st.sampled_from([0.0, 0.5, 1.0]))
def test_a_win_never_lowers_and_a_loss_never_raises(rating: float, deviation: float, score: float) -> None:
    other = glicko2.Rating(1500, 80, 0.06)
    told = glicko2.after(glicko2.Rating(rating, deviation, 0.06), [(other, score)], CURRENT.glicko2)
    if score == 1:
        assert told.rating >= rating
    if score == 0:
        assert told.rating <= rating

"""A look ahead: bounds that hold, said before the start and between rounds."""

from __future__ import annotations

import pytest

from league.tournament.field import Entrant, Field
from league.tournament.pairing.feasible import outlook
from tests.league.tournament.build import stage


def codes(field: Field, rounds: int, seats: int = 2) -> list[str]:
    return [
        one.code for one in outlook(field, present=[one.id for one in field.entrants], rounds_left=rounds, seats=seats)
    ]


@pytest.mark.parametrize(
    ("size", "rounds", "seats", "told"),
    [
        (4, 3, 2, []), (4, 4, 2, ["too_many_rounds"]), (5, 5, 2, []), (5, 6, 2, ["too_many_rounds", "second_byes"]),
        (12, 3, 4, []), (12, 4, 4, ["too_many_rounds"]), (16, 5, 4, []), (1, 3, 2, []),
    ],
)  # fmt: skip
def test_how_many_rounds_there_can_be_is_said_before_the_start(
    size: int, rounds: int, seats: int, told: list[str]
) -> None:
    assert codes(Field(tuple(Entrant(str(at), at) for at in range(1, size + 1))), rounds, seats) == told


def test_six_players_cannot_play_a_legal_fourth_round_once_two_have_left() -> None:
    """lila#6689: who is left has met the others."""
    field = stage("ABCD", "A1B C1D", "A1C B1D")
    notes = outlook(field, present="ABC", rounds_left=2)
    assert [(one.code, one.entrants) for one in notes] == [("must_meet_again", ("A",)), ("second_byes", ())]
    notes = outlook(stage("ABCD", "A1B C1D", "A1C B1D", "A1D B1C"), present="ABCD", rounds_left=1)
    assert [(one.code, one.entrants) for one in notes] == [("must_meet_again", tuple("ABCD"))]


def test_three_who_need_one_table_are_said() -> None:
    field = Field(tuple(Entrant(one, at, table=2) for at, one in enumerate("ABC", 1)))
    assert [one.entrants for one in outlook(field, present="ABC", rounds_left=1)] == [("A", "B", "C")]

"""Every format from the first round to the placements, through the services, with sizes that do not fit."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError

from league.directing import engines, services, tables
from league.tournament import events as e
from tests.league.directing.conftest import Day

NAMES = [f"{first}{second}" for first in "ABCD" for second in "abcdefghij"]

FORMATS = {
    "swiss": (e.Stage(format="swiss", rounds=3), 7),
    "dutch": (e.Stage(format="dutch", rounds=3), 6),
    "pods of four, filled with threes": (e.Stage(format="pods", rounds=2, pod_size=4, points="places"), 13),
    "pods of four, filled with fives": (e.Stage(format="pods", rounds=2, pod_size=4, filler=5, points="two-n"), 9),
    "round robin": (e.Stage(format="round_robin"), 5),
    "round robin in groups": (e.Stage(format="round_robin", groups=2), 7),
    "double round robin": (e.Stage(format="double_round_robin"), 3),
    "single elimination": (e.Stage(format="single_elimination", third_place=True), 6),
    "double elimination": (e.Stage(format="double_elimination"), 5),
    "elimination in pods": (e.Stage(format="pod_elimination", pod_size=4), 10),
}


def everybody_once(told: Day) -> None:
    round_ = told.round
    seated = [one for table in round_.tables.values() for one in table.seats]
    named = [*seated, *round_.byes]
    assert len(named) == len(set(named))
    assert all(len(table.seats) > 1 for table in round_.tables.values())


@pytest.mark.parametrize("name", FORMATS)
def test_a_tournament_of_every_format_is_played_to_its_end(day: type[Day], name: str) -> None:
    stage, size = FORMATS[name]
    told = day(NAMES[:size], [stage])
    for _round in range(12):
        try:
            told.play()
        except ValidationError as over:
            assert any(word in " ".join(over.messages) for word in ("close", "over", "nothing")), over.messages
            break
        everybody_once(told)
    told.does(services.stage_close)
    told.does(services.tournament_close)
    state = told.state
    assert state.status == "closed"
    assert len({row["person"] for row in state.placements}) == size
    assert state.placements[0]["place"] == 1
    assert [row["place"] for row in state.placements] == sorted(row["place"] for row in state.placements)
    assert not state.misfits


def test_pods_of_37_are_sized_by_the_rule_and_their_results_are_points_by_place(day: type[Day]) -> None:
    told = day(NAMES[:37], [e.Stage(format="pods", rounds=2, pod_size=4, points="places")], game="kingsburg")
    told.pair()
    sizes = sorted(len(table.seats) for table in told.round.tables.values())
    assert sizes == [3, 3, 3, 4, 4, 4, 4, 4, 4, 4]
    four = next(number for number, table in told.round.tables.items() if len(table.seats) == 4)
    told.result(four, 1, 2, 2, 4, scores=(44, 40, 40, 12))
    rows = told.round.tables[four].rows or []
    assert [(row.place, row.points, row.score) for row in rows] == [
        (1, "5", "44"),
        (2, "5/2", "40"),
        (2, "5/2", "40"),
        (4, "1", "12"),
    ]
    for number, table in told.round.tables.items():
        if table.rows is None:
            told.result(number, *range(1, len(table.seats) + 1))
    told.pair()
    assert not [one for one in told.round.notes if one["code"] == "rematch"]


def test_groups_are_dealt_like_a_snake_and_the_first_of_each_go_on(day: type[Day]) -> None:
    stages = [e.Stage(format="round_robin", groups=2, cut=2), e.Stage(format="single_elimination")]
    told = day(NAMES[:8], stages)
    for _round in range(3):
        told.play()
    groups = [[told.name(one) for one in group] for group in told.state.stages[0].groups]
    assert groups == [["Aa", "Ad", "Ae", "Ah"], ["Ab", "Ac", "Af", "Ag"]]
    told.does(services.stage_close)
    state = told.state
    first = [[row.entrant for row in one.standings.rows[:2]] for one in tables.of_stage(state, state.stages[0])]
    assert state.stages[0].cut == [first[0][0], first[1][0], first[0][1], first[1][1]]
    told.pair()
    assert len(told.round.tables) == 2


def test_a_tie_across_the_cut_is_the_organizers_to_decide(day: type[Day]) -> None:
    told = day(
        NAMES[:4], [e.Stage(format="swiss", rounds=1, cut=1, tiebreaks=[]), e.Stage(format="single_elimination")]
    )
    told.play()
    with pytest.raises(ValidationError, match="shared across the cut"):
        told.does(services.stage_close)
    two = [row.entrant for row in tables.of_stage(told.state, told.state.stages[0])[0].standings.rows[:2]]
    told.does(services.stage_close, cut=two)
    told.pair()
    assert set(told.round.tables[1].seats) == set(two)


def test_a_later_drop_does_not_touch_a_finished_stage(day: type[Day]) -> None:
    told = day(
        NAMES[:4], [e.Stage(format="swiss", rounds=1, cut=2, tiebreaks=["RND"]), e.Stage(format="swiss", rounds=1)]
    )
    told.play()
    told.does(services.stage_close)
    before = tables.of_stage(told.state, told.state.stages[0])[0].standings.digest
    told.pair(publish=False)
    going = told.people[told.name(told.state.stages[0].cut[0])]
    told.does(services.drop, person=going)
    assert tables.of_stage(told.state, told.state.stages[0])[0].standings.digest == before
    assert not told.state.stages[0].dropped


def test_an_unknown_entrant_is_no_bye(day: type[Day]) -> None:
    """brackets-manager#233: whoever waits for an opponent who is not known yet has neither a result nor an advance."""
    told = day(NAMES[:3], [e.Stage(format="single_elimination")])
    told.pair()
    assert len(told.round.tables) == 1
    bracket = engines.bracket_of(told.state, told.state.stages[0])
    final = next(node for node in bracket.bracket.nodes if node.label == "final")
    assert final.id not in bracket.outcomes
    with pytest.raises(ValidationError, match="Round 1 waits"):
        told.does(services.round_pair)


def test_half_of_a_win_is_given_once_for_an_absence_where_the_stage_says_so(day: type[Day]) -> None:
    told = day(NAMES[:4], [e.Stage(format="swiss", rounds=3, absence="half")])
    absent = told.people["Ad"]
    for number in (1, 2):
        if number == 1:
            told.does(services.round_pair)
            told.does(services.round_unpair, stage=0, round_=1)
        told.does(services.bye_request, person=absent, round_=number, kind="absent")
        told.play()
    stage = told.state.stages[0]
    assert [stage.rounds[at].byes[str(absent.pk)].points for at in (1, 2)] == ["1/2", "0"]

"""Rules that refuse nothing of their own: what they say is so all the same."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

from msgspec.structs import replace

import rulesengine.kingsquare
from rulesengine import replay
from rulesengine.kingsquare.acts import ACTS
from rulesengine.kingsquare.rulings import CONTRADICTIONS
from rulesengine.log import Log, Official
from tests.rulesengine.given import Given, entry
from tests.rulesengine.kingsquare.realm import build, empty, founded, start, table, to_act, turn, turns


def _with_header(log: Log, **header: Any) -> Log:
    return replace(log, header=replace(log.header, **header))


def test_ks_01_there_is_no_chance_in_the_engine_and_a_log_gives_one_state_for_ever() -> None:
    for path in Path(rulesengine.kingsquare.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not {"random", "secrets", "uuid", "time"} & {name.split(".")[0] for name in names}, path.name
    log = table().after(*turns(*"ABAB")).log
    assert replay.run(log).state == replay.run(log).state


def test_ks_20_there_are_seven_actions_and_all_of_them_have_a_price() -> None:
    priced = {payload.TYPE for payload, act in ACTS.items() if act.cost is not None}
    assert priced == {
        "building_built", "castle_founded", "district_founded", "road_laid", "rail_laid", "ship_built", "plane_built",
        "king_upgraded", "castle_upgraded", "building_upgraded",
        "structure_repaired",
        "attack_made", "sortie_flown",
        "beast_engaged",
        "unit_forwarded",
        "discovery_made",
    }  # fmt: skip


def test_ks_27_a_city_is_what_stands_in_a_castles_territory_and_no_piece_of_its_own() -> None:
    then = table().when(*to_act("A"), build("A", "mA", "lumber_mill")).then_clean()
    assert "cities" not in then.told.ruleset.view(then.told.state)
    assert [id_ for id_, one in then.get("buildings").items() if one["castle"] == "CA"] == ["fA", "mA"]


def test_ks_16_whoever_plays_a_king_a_match_goes_into_their_career_and_takes_nothing_from_it() -> None:
    given = _match()
    other = tuple(replace(seat, name="Somebody Else", player=f"x-{seat.seat}") for seat in given.log.header.seats)
    ours, theirs = replay.run(given.log), replay.run(_with_header(given.log, seats=other))
    assert ours.ruleset.view(ours.state) == theirs.ruleset.view(theirs.state)
    assert (ours.result, ours.placements) == (theirs.result, theirs.placements)


def test_ks_35_every_king_starts_with_the_same_figures_whoever_plays_him() -> None:
    then = empty("ABC").after(*founded(*"ABC")).when(start())
    assert [then.get(f"kingdoms.{seat}.king.level") for seat in "ABC"] == [1, 1, 1]


def test_ksh_24_the_level_of_one_match_is_not_taken_into_the_next() -> None:
    confirmed = _match().after(entry(None, "draw_agreed", seats=["A", "B"]))
    then = confirmed.when(entry(None, "placements_confirmed", "referee")).then_clean()
    assert then.get("kingdoms.A.king.level") == 1
    assert table().when(*to_act("A")).get("kingdoms.A.king.level") == 1


def test_ksh_05_without_a_recorded_handicap_no_king_starts_higher() -> None:
    assert [one.rule for one in empty(king_level=3).report.findings] == ["KS-32"]
    handicapped = empty(king_level=3, **{"setup.handicap": "recorded"})
    assert handicapped.when(*founded("A")).get("kingdoms.A.king.level") == 3


def test_ksh_06_an_action_with_header_a_stated_price_costs_one_point() -> None:
    for act in (
        build("A", "mA", "lumber_mill"),
        entry("A", "king_upgraded", to_level=2),
        entry("A", "discovery_made", unit="king:A", at={"castle": "CA"}, result="nothing"),
        entry("A", "unit_forwarded", units=["king:A"], to={"field": "hill"}, off_ft10=5, on_ft10=0, mode="land"),
        entry("A", "attack_made", attackers=["king:A"], target={"kind": "building", "id": "fB"}, distances_ft10={"king:A": 3}),
    ):  # fmt: skip
        assert table().when(*to_act("A"), act).then_clean().get("ap_spent") == 1


def test_ksh_87_what_contradicts_is_settled_by_the_later_date() -> None:
    first = CONTRADICTIONS[0]
    assert "2026-07-12" in first.handling
    assert "KSH-24" in first.rules


def test_ksh_90_outside_tournaments_players_may_hold_any_office() -> None:
    log = _match().log
    kings = tuple(Official(role, "King of A", "king-A") for role in ("mapmaster", "scribe", "referee"))
    assert replay.report(_with_header(log, officials=kings)).findings == ()
    assert replay.report(_with_header(log, officials=())).findings == ()


def test_param_seats_max_is_eight_unless_the_options_say_otherwise() -> None:
    def rules(seats: str, **options: Any) -> list[str | None]:
        return [one.rule for one in empty(seats, **options).report.findings]

    assert rules("ABCDEFGH") == []
    assert rules("ABCDEFGHI") == ["KSH-01"]
    assert rules("ABCDEFGHI", **{"seats.max": 9}) == []
    assert rules("ABC", **{"seats.max": 2}) == ["KSH-01"]


def _match() -> Given:
    """Return a match of some turns in which both Kings rose and built."""
    up = [entry(seat, "king_upgraded", to_level=2) for seat in "AB"]
    built = [build(seat, f"m{seat}", "lumber_mill") for seat in "AB"]
    return table().after(*turn("A", up[0], built[0]), *turn("B", up[1], built[1]))

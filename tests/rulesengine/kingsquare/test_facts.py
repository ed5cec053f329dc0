"""What careers count: every fact where it is earned and where it just is not, as the steps of the engine tell it."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from rulesengine.game import Carried, Event, Office
from rulesengine.kingsquare import facts
from rulesengine.kingsquare.state import Beast, Plane, Ship, Site
from tests.rulesengine.kingsquare.tables import Table, in_castle, in_field


class Watched(Table):
    """A table whose events are kept as a replay keeps them."""

    def __init__(self, edition: str = "KS-V5", /, seats: str = "AB", **options: Any) -> None:
        super().__init__(edition, seats, **options)
        self.carried: list[Carried] = []

    def _follow(self, one: Event) -> Table:
        before = self.state
        super()._follow(one)
        self.carried.append(Carried(self.seq, one, before, self.last))
        return self

    def told_of(self, key: str, seat: str = "A") -> list[int]:
        """Return the figures of a fact in order."""
        return [fact.value for fact in facts.facts(self.carried) if (fact.key, fact.seat) == (key, seat)]

    def evidence(self, key: str, seat: str = "A") -> list[str]:
        """Return the types of the events that are the evidence of a fact."""
        types = {one.seq: one.event.type for one in self.carried if one.event is not None}
        return [types[fact.seq] for fact in facts.facts(self.carried) if (fact.key, fact.seat) == (key, seat)]

    def ships(self, *ids: str, seat: str = "A", at: str = "C1") -> Watched:
        ships = {id_: Ship(seat, "harbor1", in_castle(at)) for id_ in ids}
        self.set(ships={**self.state.ships, **ships}, taken=self.state.taken | set(ids))
        return self

    def planes(self, *ids: str, at: str = "C1") -> Watched:
        planes = {id_: Plane("A", "hangar1", in_castle(at)) for id_ in ids}
        self.set(planes={**self.state.planes, **planes}, taken=self.state.taken | set(ids))
        return self

    def beast(self, id_: str, cls: str, strength: int, attack: int = 0, defence: int = 0) -> Watched:
        one = Beast(cls, None, strength, attack, defence, 10, in_field("ford"))
        self.set(beasts={**self.state.beasts, id_: one}, taken=self.state.taken | {id_})
        return self

    def king_at(self, seat: str, place: Any) -> Watched:
        self.state = self.state.with_king(seat, at=place)
        return self

    def turn_of(self, seat: str) -> Watched:
        self.set(turn_kingdom=seat, phase="act", ap_total=50, ap_spent=0)
        return self


@pytest.fixture
def table() -> Watched:
    """A has a grown Capital, B the one it began with."""
    made = Watched()
    made.levels(king=10, castle=10, farm=10)
    return made


def target(kind: str, id_: str) -> dict[str, str]:
    return {"kind": kind, "id": id_}


# Growing -------------------------------------------------------------------------------------------------------------


def test_castles_at_level_ten_at_the_same_time_are_counted_and_those_at_nine_are_not() -> None:
    table = Watched()
    table.levels(king=10, castle=9, farm=9).castle("C9", level=8)
    table.do("A", "castle_upgraded", castle="C9", to_level=9)
    assert table.told_of("KS-F1") == []
    table.do("A", "castle_upgraded", castle="C9", to_level=10)
    table.do("A", "castle_upgraded", castle="C1", to_level=10)
    assert table.told_of("KS-F1") == [1, 2]
    assert table.evidence("KS-F1") == ["castle_upgraded", "castle_upgraded"]


def test_kinds_of_districts_are_counted_once_each(table: Watched) -> None:
    for number, kind in enumerate(("Harbor", "Harbor", "Religious")):
        table.do("A", "district_founded", castle=f"D{number}", district_kind=kind, parent_castle="C1")
    assert table.told_of("KS-F2") == [1, 1, 2]


def test_the_level_of_the_king_is_told_with_each_of_his_upgrades(table: Watched) -> None:
    table.do("A", "king_upgraded", to_level=11).do("A", "king_upgraded", to_level=12)
    assert table.told_of("KS-F3") == [11, 12]
    assert table.told_of("KS-F3", "B") == []


def test_connected_buildings_count_while_none_is_isolated(table: Watched) -> None:
    table.do("A", "building_built", building="m", kind="lumber_mill", castle="C1", direct=True)
    table.do("A", "building_built", building="b", kind="barracks", castle="C1", direct=False)
    assert table.told_of("KS-F4") == [2]
    table.do("A", "road_laid", link="r", kind="road", a="C1", b="b", length_ft10=5)
    assert table.told_of("KS-F4") == [2, 3]
    assert table.evidence("KS-F4") == ["building_built", "road_laid"]


@pytest.mark.parametrize(("embassies", "points"), [((2,), 4), ((3,), 5), ((3, 4), 7)])
def test_action_points_of_a_turn_are_told_on_entering_the_act_phase(embassies: tuple[int, ...], points: int) -> None:
    """Badge vector 4: two Embassies, 3 and 4, give 7."""
    table = Watched()
    for number, level in enumerate(embassies, 1):
        if number > 1:
            table.castle(f"C{number + 7}")
        table.building(f"e{number}", "embassy", "C1" if number == 1 else f"C{number + 7}", level=level)
    table.set(phase="move", ap_total=0)
    table.do("A", "phase_advanced", to="act")
    assert table.told_of("KS-F6") == [points]


def test_an_isolated_embassy_gives_nothing() -> None:
    """Badge vector 4: an isolated Embassy of level 5 leaves 2 Action Points."""
    table = Watched()
    table.building("e", "embassy", level=5, direct=False).set(phase="move")
    table.do("A", "phase_advanced", to="act")
    assert table.told_of("KS-F6") == [2]


def test_ships_are_counted_as_they_lie_there(table: Watched) -> None:
    table.buildings("harbor", level=3)
    for number in (1, 2, 3):
        table.do("A", "ship_built", ship=f"s{number}", harbor="harbor1")
    assert table.told_of("KS-F14") == [1, 2, 3]


def test_own_ruins_that_are_repaired_are_counted_and_damage_is_not(table: Watched) -> None:
    table.buildings("barracks", "quarry", level=2).ruin("barracks1").building("quarry2", damage=5)
    table.do("A", "structure_repaired", target=target("building", "barracks1"))
    table.do("A", "structure_repaired", target=target("building", "quarry2"))
    assert table.told_of("KS-F16") == [1]


# War -----------------------------------------------------------------------------------------------------------------


def siege(**options: Any) -> Watched:
    """A's King of level 10 stands in B's Territory, where two Barracks hang on one road."""
    table = Watched(**options)
    table.levels(king=10).king_at("A", in_castle("C2"))
    table.building("b1", "barracks", "C2", direct=False).building("b2", "barracks", "C2", direct=False)
    table.link("r1", "C2", "b1", kingdom="B").link("r2", "b1", "b2", kingdom="B")
    return table


@pytest.mark.parametrize(("link", "isolated"), [("r1", [2]), ("r2", [1])])
def test_enemy_buildings_isolated_by_one_cut_are_counted(link: str, isolated: list[int]) -> None:
    table = siege()
    table.do("A", "attack_made", attackers=["king:A"], target=target("link", link))
    assert table.told_of("KS-F5") == isolated
    assert table.evidence("KS-F5") == ["attack_made"]


def test_a_cut_that_isolates_nothing_counts_for_nothing() -> None:
    table = siege()
    table.link("r3", "C2", "b1", kingdom="B")
    table.do("A", "attack_made", attackers=["king:A"], target=target("link", "r1"))
    assert table.told_of("KS-F5") == []


def test_the_power_of_an_attack_is_that_of_the_whole_army_with_king_and_buff() -> None:
    """Badge vector 1: 100 soldiers of level 5, a King of level 10 and a buff of 10 attack with 530."""
    table = Watched()
    table.levels(king=10).beast("worm", "dangerous", 0).army("a1", in_castle("C2"), level_5=100)
    table.set(armies={"a1": replace(table.state.armies["a1"], buffs=("worm",))})
    table.do("A", "attack_made", attackers=["a1"], target=target("building", "C2-farm"), king_distance_ft10=100)
    assert table.told_of("KS-F7") == [530]


@pytest.mark.parametrize(("level", "told"), [(5, [75]), (4, [])])
def test_an_attack_that_did_no_damage_is_the_defenders_fact(level: int, told: list[int]) -> None:
    """Badge vector 2: 75 against a defence of 75 does nothing and counts; against 74 it does, and does not count."""
    table = Watched(pressure__mode="advisory")
    table.levels(king=30, castle=10, farm=10, seat="B").building("m", "lumber_mill", "C2", level=level)
    table.army("a1", in_castle("C2"), level_0=75)
    table.do("A", "attack_made", attackers=["a1"], target=target("castle", "C2"))
    assert table.told_of("KS-F8", "B") == told
    assert table.told_of("KS-F8") == []


def test_an_unconnected_building_withstands_for_nobodys_career() -> None:
    table = Watched()
    table.levels(king=30, seat="B").building("q", "quarry", "C2", direct=False)
    table.army("a1", in_castle("C2"), level_0=30)
    table.do("A", "attack_made", attackers=["a1"], target=target("building", "q"))
    assert table.told_of("KS-F8", "B") == []


def test_a_defeated_king_is_told_of_whoever_attacked_him() -> None:
    table = Watched(seats="ABC")
    table.levels(king=10).king_at("B", in_field("moor")).king_at("A", in_field("moor"))
    table.do("A", "attack_made", attackers=["king:A"], target=target("king", "king:B"))
    assert table.told_of("KS-F17") == [1]
    assert table.told_of("KS-F17", "B") == []


def test_a_king_who_falls_to_what_came_back_is_told_of_the_defender() -> None:
    table = Watched(seats="ABC")
    table.levels(king=2).king_at("A", in_field("moor")).army("b1", in_field("moor"), kingdom="B", level_5=20)
    table.do("A", "attack_made", attackers=["king:A"], target=target("army", "b1"))
    assert table.told("king_defeated") == ["A"]
    assert table.told_of("KS-F17", "B") == [1]
    assert table.told_of("KS-F17") == []


def test_a_sortie_counts_its_target_once_and_only_if_it_is_gone(table: Watched) -> None:
    table.buildings("hangar", level=10).planes(*(f"p{n}" for n in range(4)))
    table.ships("s1", seat="B", at="C9").army("b1", in_field("moor"), "B", level_0=30)
    table.castle("C9", kingdom="B")
    planes = [f"p{n}" for n in range(4)]
    table.do("A", "sortie_flown", planes=planes, target=target("army", "b1"))
    assert table.told_of("KS-F15") == []
    table.army("b1", in_field("moor"), "B", level_0=3).army("b2", in_field("moor"), "B", level_0=1)
    table.planes(*planes)
    table.do("A", "sortie_flown", planes=planes, target=target("army", "b1"))
    assert table.told_of("KS-F15") == [1]


def test_a_sortie_that_ruins_cuts_or_sinks_counts(table: Watched) -> None:
    table.buildings("hangar", level=10).planes("p1", "p2", "p3", "p4").king_at("B", in_field("far"))
    table.link("r", "C2", "K", kingdom="B")
    table.castle("C9", kingdom="B", at=in_field("cape")).ships("s1", seat="B", at="C9")
    for kind, id_ in (("link", "r"), ("building", "C2-farm"), ("ship", "s1")):
        table.do("A", "sortie_flown", planes=["p1", "p2", "p3", "p4"], target=target(kind, id_))
    assert table.told_of("KS-F15") == [1, 1, 1]


def test_soldiers_of_the_second_fire_are_told_once_the_first_is_ruined(table: Watched) -> None:
    table.building("g1", "war_forge", level=5).building("g2", "war_forge", level=4).buildings("barracks", level=1)
    table.set(phase="produce")
    table.do("A", "troops_produced", building="barracks1", count=1, soldier_level=5, army="a1")
    assert table.told_of("KS-F12") == []
    table.ruin("g1").set(produced=frozenset())
    table.do("A", "troops_produced", building="barracks1", count=1, soldier_level=4, army="a1")
    assert table.told_of("KS-F12") == [4]
    assert table.evidence("KS-F12") == ["troops_produced"]


# Land, sea, rail and beasts -------------------------------------------------------------------------------------------


def test_every_unit_that_travels_by_rail_counts(table: Watched) -> None:
    table.castle("C9").building("t1", "trainyard").building("t2", "trainyard", "C9")
    table.link("l", "t1", "t2", kind="rail")
    table.army("a1", in_castle("C1")).set(phase="move")
    table.do("A", "rail_travelled", units=["a1", "king:A"], from_building="t1", to_building="t2")
    assert table.told_of("KS-F13") == [2]


@pytest.mark.parametrize(("cls", "key"), [("dangerous", "KS-F9"), ("epic", "KS-F10"), ("legendary", "KS-F11")])
def test_a_defeated_beast_is_told_by_its_class_of_whoever_took_the_last_of_it(cls: str, key: str) -> None:
    """Badge vector 3: wounded by A to 2 points and finished by B, it is B's alone."""
    table = Watched()
    table.levels(king=10).levels(king=10, seat="B").beast("worm", cls, 22)
    table.do("A", "beast_engaged", attackers=["king:A"], beast="worm", distances_ft10={"king:A": 5})
    assert table.get("beasts.worm.strength_left") == 2
    table.turn_of("B")
    table.do("B", "beast_engaged", attackers=["king:B"], beast="worm", distances_ft10={"king:B": 5})
    assert table.told_of(key) == []
    assert table.told_of(key, "B") == [1]


def test_the_most_damage_may_have_the_defeat() -> None:
    table = Watched(beast__credit="most_damage")
    table.levels(king=10).levels(king=10, seat="B").beast("worm", "epic", 22)
    table.do("A", "beast_engaged", attackers=["king:A"], beast="worm", distances_ft10={"king:A": 5})
    table.turn_of("B")
    table.do("B", "beast_engaged", attackers=["king:B"], beast="worm", distances_ft10={"king:B": 5})
    assert table.told_of("KS-F10") == [1]
    assert table.told_of("KS-F10", "B") == []


def test_a_discovery_of_nothing_is_no_discovery(table: Watched) -> None:
    table.set(sites={"s": Site(in_castle("C1"), "landmark")}, taken=table.state.taken | {"s"})
    table.do("A", "discovery_made", unit="king:A", at={"castle": "C1"}, result="nothing")
    table.do("A", "discovery_made", unit="king:A", site="s", result="landmark")
    assert table.told_of("KS-F21") == [1]


# The end -------------------------------------------------------------------------------------------------------------


def test_a_first_place_after_the_own_capital_was_ruined_is_told_at_the_end() -> None:
    table = Watched(pressure__mode="advisory")
    table.castle("C9").king_at("A", in_field("moor")).levels(king=10, seat="B").king_at("B", in_castle("C1"))
    table.turn_of("B")
    table.do("B", "attack_made", attackers=["king:B"], target=target("castle", "C1"))
    assert table.get("castles.C9.is_capital")
    table.do("B", "player_resigned")
    assert table.told_of("KS-F20") == [1]
    assert table.told_of("KS-F18") == [1]
    assert table.told_of("KS-F18", "B") == []
    table.do(None, "match_ended")
    assert table.evidence("KS-F20") == ["match_ended"]


def test_a_first_place_with_the_capital_whole_is_no_ashes() -> None:
    table = Watched()
    table.do("B", "player_resigned")
    assert table.told_of("KS-F18") == [1]
    assert table.told_of("KS-F20") == []


def test_rounds_of_an_alliance_are_counted_if_it_holds_to_the_end() -> None:
    table = Watched(seats="ABC")
    table.do("A", "alliance_proposed", alliance="al", to_kingdom="B").do("B", "alliance_accepted", alliance="al")
    table.set(round=5)
    table.do(None, "draw_agreed", seats=["A", "B", "C"])
    assert [table.told_of("KS-F19", seat) for seat in "ABC"] == [[5], [5], []]


def test_an_alliance_that_was_ended_counts_for_nothing() -> None:
    table = Watched(seats="ABC")
    table.do("A", "alliance_proposed", alliance="al", to_kingdom="B").do("B", "alliance_accepted", alliance="al")
    table.set(round=5)
    table.do("B", "alliance_ended", alliance="al").do(None, "draw_agreed", seats=["A", "B", "C"])
    assert table.told_of("KS-F19") == []


def test_a_forfeit_is_told_and_a_surrender_is_not() -> None:
    table = Watched(seats="ABC")
    table.do(None, "kingdom_forfeited", kingdom="B", reason="left").do("C", "player_resigned")
    assert [table.told_of("forfeited", seat) for seat in "ABC"] == [[], [1], []]


def test_a_disqualified_kingdom_forfeits() -> None:
    table = Watched(seats="ABC")
    table.do(None, "penalty_given", seat="B", kind="disqualification")
    assert table.told_of("forfeited", "B") == [1]


def test_facts_come_in_order_of_seq() -> None:
    table = Watched(seats="ABC")
    table.do("A", "king_upgraded", to_level=2).do("C", "player_resigned").do("B", "player_resigned")
    seqs = [fact.seq for fact in facts.facts(table.carried)]
    assert seqs == sorted(seqs)


# The General ----------------------------------------------------------------------------------------------------------


def test_a_general_is_in_office_from_the_appointment_to_the_dismissal() -> None:
    table = Watched()
    table.do("A", "general_appointed", person="gil")
    table.do("A", "king_upgraded", to_level=2)
    table.do("A", "general_dismissed")
    table.do("B", "general_appointed", person="Rex Iro")
    assert facts.offices(table.carried) == [Office("A", "gil", 101, 103), Office("B", "Rex Iro", 104, None)]


def test_a_general_who_resigns_is_out_of_office() -> None:
    table = Watched()
    table.do("A", "general_appointed", person="gil").do("A", "general_resigned", "general")
    assert facts.offices(table.carried) == [Office("A", "gil", 101, 102)]

"""Discovery: who is near enough, what is found, and what a discovery may claim."""

from __future__ import annotations

from typing import Any

from tests.rulesengine.kingsquare.battlefield import Battlefield


def discover(match: Battlefield, unit: str = "a", **more: Any) -> Battlefield:
    """Discover something."""
    return match.do("A", "discovery_made", unit=unit, **more)


def test_a_site_is_found_by_whoever_scouts_it() -> None:
    match = Battlefield().site("s", "hill").army("a", "A", {0: 1}, "hill")
    discover(match, site="s", result="nothing")
    site = match.state.sites["s"]
    assert (site.found_by, site.hidden) == ("A", False)
    assert match.state.ap_spent == 1


def test_a_resource_adds_five_to_its_tally() -> None:
    match = Battlefield().site("s", "hill", "resource").army("a", "A", {0: 1}, "hill")
    discover(match, site="s", result="resource", resource="stone")
    tally = match.state.kingdoms["A"].resources
    assert (tally.wood, tally.stone, tally.food) == (0, 5, 0)


def test_a_beast_reveals_all_hidden_beasts_at_its_place() -> None:
    match = Battlefield().site("s", "hill", "beast").army("a", "A", {0: 1}, "hill")
    match.beast("y", "hill", hidden=True).beast("z", "hill", hidden=True).beast("far", "moor", hidden=True)
    discover(match, site="s", result="beast")
    assert {id_: beast.hidden for id_, beast in match.state.beasts.items()} == {"y": False, "z": False, "far": True}


def test_a_landmark_is_recorded() -> None:
    match = Battlefield().site("s", "hill", "landmark").army("a", "A", {0: 1}, "hill")
    assert discover(match, site="s", result="landmark").state.sites["s"].found_by == "A"


def test_nothing_is_found_where_no_site_is() -> None:
    match = Battlefield().army("a", "A", {0: 1}, "hill")
    before = match.state
    discover(match, at={"field": "hill"}, result="nothing")
    assert match.state.sites == before.sites
    assert match.state.ap_spent == 1


def test_ksh_71_a_scout_is_near_enough() -> None:
    match = Battlefield().site("s", "hill").army("a", "A", {0: 1}, "moor").ship("ship", "A", "bay").plane("p", "A", "h")

    def near(unit: str, far: int | None) -> bool:
        distance = {} if far is None else {"distance_ft10": far}
        return match.allowed("A", "discovery_made", unit=unit, site="s", result="nothing", **distance)

    assert (near("a", None), near("a", 10), near("a", 11)) == (False, True, False)
    assert (near("king:A", None), near("king:A", 10), near("king:A", 11)) == (False, True, False)
    assert (near("ship", None), near("ship", 20), near("ship", 21)) == (False, True, False)
    assert near("p", None)
    match.refused("KSH-71", "A", "discovery_made", unit="a", at={"field": "hill"}, result="nothing")
    match.refused("KSH-71", "A", "discovery_made", unit="a", site="s", result="nothing", distance_ft10=11)


def test_ksh_71_a_discovery_tells_what_was_placed_and_only_once() -> None:
    match = Battlefield().site("s", "hill", "landmark").site("old", "hill", "landmark", hidden=False, found_by="B")
    match.army("a", "A", {0: 1}, "hill")
    match.refused("KSH-71", "A", "discovery_made", unit="a", site="s", result="nothing")
    match.refused("KSH-71", "A", "discovery_made", unit="a", site="old", result="landmark")
    match.refused("KSH-71", "A", "discovery_made", unit="a", at={"field": "hill"}, result="landmark")
    match.accepted("A", "discovery_made", unit="a", site="s", result="resource", resource="wood")
    assert match.state.kingdoms["A"].resources.wood == 5
    assert match.state.sites["s"].found_by == "A"
    match.accepted("A", "discovery_made", unit="a", at={"field": "hill"}, result="landmark")


def test_u_7_the_pieces_of_a_discovery() -> None:
    match = Battlefield().site("s", "hill").army("b", "B", {0: 1}, "hill")
    match.refused("U-7", "A", "discovery_made", unit="b", site="s", result="nothing")
    match.refused("U-7", "A", "discovery_made", unit="nobody", site="s", result="nothing")
    match.refused("U-7", "A", "discovery_made", unit="king:A", site="t", result="nothing")
    match.refused("U-7", "A", "discovery_made", unit="king:A", at={"castle": "nowhere"}, result="nothing")


def test_param_discover_reach_ft10_is_one_foot() -> None:
    def near(far: int, *options: int) -> bool:
        match = Battlefield({"discover.reach_ft10": options[0]} if options else {}).army("a", "A", {0: 1}, "moor")
        return match.allowed("A", "discovery_made", unit="a", at={"field": "hill"}, result="nothing", distance_ft10=far)

    assert (near(10), near(11)) == (True, False)
    assert (near(70, 70), near(71, 70)) == (True, False)


def test_param_cost_discover_is_one() -> None:
    def spent(*options: int) -> int:
        match = Battlefield({"cost.discover": options[0]} if options else {}).army("a", "A", {0: 1}, "hill")
        return discover(match, at={"field": "hill"}, result="nothing").state.ap_spent

    assert (spent(), spent(3)) == (1, 3)

"""What follows from events in unusual company: each test names the sentence of the rule page that it holds the engine to."""

from __future__ import annotations

from tests.rulesengine.given import entry
from tests.rulesengine.kingsquare.realm import ruin, table, to_act, turn


def test_time_called_after_the_first_turn_of_a_round_ends_with_the_round() -> None:
    """8.6 End: it ends at once only in phase produce of the first turn of a round; here A had that turn and fell in it."""
    at = table("ABC").after(*to_act("A"), entry("A", "player_resigned"))
    then = at.when(entry(None, "time_called", agreed=["B", "C"])).then_clean()
    assert (then.told.standing, then.get("time_called"), then.get("turn_kingdom")) == ("running", True, "B")
    then = at.after(entry(None, "time_called", agreed=["B", "C"]), *turn("B")).when(*turn("C")).then_clean()
    assert then.told.standing == "ended"


def test_the_first_turn_of_a_round_is_that_of_the_first_who_still_plays() -> None:
    """8.6 End: in the round after A fell, B has the first turn."""
    at = table("ABC").after(*to_act("A"), entry("A", "player_resigned"), *turn("B"), *turn("C"))
    then = at.when(entry(None, "time_called", agreed=["B", "C"])).then_clean()
    assert (then.told.standing, then.told.result["round"]) == ("ended", 2)


def test_notice_for_the_round_is_over_where_the_last_of_the_round_can_no_longer_govern() -> None:
    """8.6 Turn: a round ends when no playing Kingdom later in the order is left; KSH-72 notice round."""
    pact = [
        entry("A", "alliance_proposed", alliance="ab", to_kingdom="B"),
        entry("B", "alliance_accepted", alliance="ab"),
        entry("A", "alliance_ended", alliance="ab"),
    ]
    at = table("ABC", **{"alliance.notice": "round"}).after(*to_act("A"), *pact, entry("A", "turn_ended"))
    then = at.when(*to_act("B"), ruin("CC"), entry("B", "turn_ended")).then_clean()
    assert (then.get("kingdoms.C.status"), then.get("round")) == ("eliminated", 2)
    assert then.get("alliances.ab.status") == "ended"


def test_a_consequence_spelled_out_after_a_voided_decision_belongs_to_the_one_before() -> None:
    """8.2: looked for among the consequences of the latest recorded decision that was carried out."""
    at = table().after(*to_act("A"))
    act = len(at.log.lines)
    void = entry(None, "event_voided", "referee", target_seq=act + 1)
    raised = entry("A", "king_upgraded", to_level=2)
    at.when(raised, entry(None, "ap_granted", id="A"), void).then_clean()

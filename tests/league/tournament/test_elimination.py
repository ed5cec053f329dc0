"""Brackets: every size, byes, the second final, places, corrections, and pairing from the rows of a stage."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from fractions import Fraction
from itertools import product

import pytest

from league.tournament.field import Entrant, Field, Kind, Row
from league.tournament.pairing import elimination
from league.tournament.pairing.base import Bye, Note, Pairing, PairingImpossible, Table, lot
from league.tournament.pairing.elimination import Bracket, Options, State, bracket, pair

SIZES = range(2, 65)
WINS, LOSS = Fraction(1), Fraction(0)


def names(count: int) -> tuple[str, ...]:
    return tuple(f"p{number:02}" for number in range(1, count + 1))


def favourites(players: Sequence[str]) -> tuple[str, ...]:
    return tuple(sorted(players))


def upsets(players: Sequence[str]) -> tuple[str, ...]:
    return tuple(sorted(players, reverse=True))


def by_lot(seed: str) -> Callable[[Sequence[str]], tuple[str, ...]]:
    return lambda players: tuple(sorted(players, key=lambda one: lot(seed, one, *sorted(players))))


def played(
    drawn: Bracket, decide: Callable[[Sequence[str]], tuple[str, ...]] = favourites, results: dict | None = None
) -> tuple[State, dict[str, tuple[str, ...]]]:
    told = dict(results or {})
    while ready := (state := drawn.after(told)).ready():
        told |= {node.id: decide(state.players(node.id)) for node in ready}
    return state, told


def losses(results: dict[str, tuple[str, ...]]) -> Counter[str]:
    return Counter(result[1] for result in results.values())


# Every size


@pytest.mark.parametrize("decide", [favourites, upsets, by_lot("a")], ids=["favourites", "upsets", "lot"])
def test_in_a_single_elimination_everybody_but_the_champion_loses_exactly_once(decide: Callable) -> None:
    for count in SIZES:
        state, results = played(bracket("single", names(count)), decide)
        assert len(results) == len(state.bracket.nodes) == count - 1
        assert losses(results) == Counter(set(names(count)) - {state.champion})


@pytest.mark.parametrize("decide", [favourites, upsets, by_lot("b")], ids=["favourites", "upsets", "lot"])
def test_in_a_double_elimination_everybody_but_the_champion_loses_exactly_twice(decide: Callable) -> None:
    for count in SIZES:
        state, results = played(bracket("double", names(count)), decide)
        lost = losses(results)
        assert len(results) == 2 * count - 2 + (0 if state.idle else 1)
        assert {one for one in names(count) if lost[one] == 2} == set(names(count)) - {state.champion}
        assert lost[state.champion or ""] == (0 if state.idle else 1)


def test_with_a_match_for_third_place_there_is_one_match_more_where_two_lose_a_semifinal() -> None:
    for count in SIZES:
        state, results = played(bracket("single", names(count), Options(third_place=True)), upsets)
        assert len(results) == count - 1 + (count > 3)
        assert [(one.rank, one.shared) for one in state.places()[:4]] == [
            (n, False) for n in range(1, min(count, 4) + 1)
        ]


def test_with_placement_matches_no_place_is_shared() -> None:
    for count in SIZES:
        state, _results = played(bracket("single", names(count), Options(placement=True)), by_lot("c"))
        assert [one.rank for one in state.places()] == list(range(1, count + 1))
        assert not any(one.shared for one in state.places())


@pytest.mark.parametrize("kind", ["single", "double", "pods"])
def test_everybody_gets_one_final_place_and_ranks_are_shared_by_as_many_as_they_say(kind: str) -> None:
    for count in SIZES:
        state, _results = played(bracket(kind, names(count)), by_lot("d"))
        places = state.places()
        assert sorted(one.entrant for one in places) == list(names(count))
        assert [one.order for one in places] == list(range(1, count + 1))
        assert all(sum(other.rank == one.rank for other in places) == one.last - one.rank + 1 for one in places)
        assert state.is_over and state.left() == ()


@pytest.mark.parametrize("kind", ["single", "double"])
def test_byes_go_to_the_first_seeds_and_to_nobody_else(kind: str) -> None:
    for count in SIZES:
        size = 1 << (count - 1).bit_length()
        assert bracket(kind, names(count)).byes == tuple(range(1, size - count + 1))


@pytest.mark.parametrize("reseed", [False, True])
def test_if_favourites_win_the_places_are_those_of_the_seeds(reseed: bool) -> None:
    for count in SIZES:
        state, _results = played(bracket("single", names(count), Options(reseed=reseed)))
        assert [one.entrant for one in state.places()] == list(names(count))


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_pods_are_never_over_full_and_bring_every_size_down_to_one_final(seats: int) -> None:
    for count in SIZES:
        drawn = bracket("pods", names(count), Options(seats=seats))
        state, _results = played(drawn, by_lot("e"))
        assert all(2 <= len(node.slots) <= seats for node in drawn.nodes)
        assert all(len(node.slots) >= max(2, seats - 1) for node in drawn.nodes if node.side != "final")
        assert [node.id for node in drawn.nodes if node.side == "final"] == ["F"]
        assert state.champion == state.outcomes["F"][0]


# The draw


def test_the_order_of_seeds_is_the_published_one() -> None:
    assert elimination.seed_order(8) == [1, 8, 4, 5, 2, 7, 3, 6]


def test_of_six_the_first_two_wait_for_the_winners_of_the_others() -> None:
    drawn = bracket("single", names(6))
    state = drawn.after({})
    assert [(node.id, state.players(node.id)) for node in state.ready()] == [
        ("W1.2", ("p04", "p05")),
        ("W1.4", ("p03", "p06")),
    ]
    assert state.seated["W2.1"] == ("p01", None)


def test_matches_say_where_their_players_go_and_what_they_are_called() -> None:
    drawn = bracket("double", names(4))
    assert drawn.leads_to("W1.1", 1) == ("W2.1",)
    assert drawn.leads_to("W1.1", 2) == ("L1.1",)
    assert drawn.leads_to("W2.1", 2) == ("L2.1",)
    assert drawn.leads_to("R", 2) == ()
    assert [node.label for node in bracket("single", names(8), Options(third_place=True)).nodes] == [
        *["quarterfinal"] * 4,
        *["semifinal"] * 2,
        "final",
        "third_place",
    ]


def test_in_a_reseeded_bracket_the_best_left_meets_the_worst_left() -> None:
    drawn = bracket("single", names(8), Options(reseed=True))
    first = {"W1.1": ("p08", "p01"), "W1.2": ("p04", "p05"), "W1.3": ("p02", "p07"), "W1.4": ("p03", "p06")}
    state = drawn.after(first)
    assert [state.players(node.id) for node in state.ready()] == [("p02", "p08"), ("p03", "p04")]
    assert drawn.leads_to("W1.1", 1) == ("W2.1", "W2.2")


def test_a_reseeded_round_waits_for_the_whole_round_before() -> None:
    drawn = bracket("single", names(4), Options(reseed=True))
    state = drawn.after({"W1.1": ("p01", "p04")})
    assert [node.id for node in state.ready()] == ["W1.2"]
    assert state.seated["W2.1"] == (None, None) and state.champion is None


def ways_to_meet_again(drawn: Bracket) -> list[int]:
    """Count, for each round of the losers' bracket, the matches in which two may meet who have met before."""
    fell: dict[str, set[str]] = {}
    met = Counter[int]()

    def leads(low: str, high: str) -> bool:
        return low != high and (drawn.leads_to(low, 1) == (high,) or leads_on(low, high))

    def leads_on(low: str, high: str) -> bool:
        further = drawn.leads_to(low, 1)
        return bool(further) and further[0] in upper and leads(further[0], high)

    upper = {node.id for node in drawn.nodes if node.side == "winners"}
    for node in (node for node in drawn.nodes if node.side == "losers"):
        one, other = ({slot.node} if slot.node in upper else fell[slot.node] for slot in node.slots)
        met[node.round] += any(leads(low, high) or leads(high, low) for low, high in product(one, other))
        fell[node.id] = one | other
    return [met[number] for number in range(1, max(met) + 1)]


@pytest.mark.parametrize("count", [4, 8, 16])
def test_no_other_choice_of_orderings_puts_off_second_meetings_longer(count: int) -> None:
    rounds = count.bit_length() - 1
    ours = ways_to_meet_again(bracket("double", names(count)))
    others = product(elimination.ORDERINGS, repeat=rounds - 1)
    assert ours == min(
        ways_to_meet_again(bracket("double", names(count), Options(drops=("natural", *drops)))) for drops in others
    )


@pytest.mark.parametrize(("count", "first"), [(8, 3), (16, 4), (32, 5), (64, 7)])
def test_nobody_meets_again_in_the_first_rounds_of_the_losers_bracket(count: int, first: int) -> None:
    ways = ways_to_meet_again(bracket("double", names(count)))
    assert ways[: first - 1] == [0] * (first - 1)


def test_an_ordering_that_does_not_exist_or_one_too_few_is_refused() -> None:
    with pytest.raises(ValueError, match="no ordering sideways, only natural"):
        bracket("double", names(4), Options(drops=("natural", "sideways")))
    with pytest.raises(ValueError, match="2 rounds of losers need as many orderings, not 1"):
        bracket("double", names(4), Options(drops=("natural",)))


@pytest.mark.parametrize(
    ("kind", "entrants", "why"),
    [
        ("single", ("a",), "at least 2 entrants, not 1"),
        ("single", ("a", "a"), "an id of its own"),
        ("single", ("a", ""), "an id of its own"),
        ("triple", ("a", "b"), "no elimination triple, only single, double, pods"),
    ],
)
def test_a_draw_that_makes_no_sense_is_refused(kind: str, entrants: tuple[str, ...], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        bracket(kind, entrants)


# Unknown is not a bye


@pytest.mark.parametrize("kind", ["single", "double"])
def test_who_is_drawn_against_somebody_not_known_yet_waits(kind: str) -> None:
    state = bracket(kind, ("A", "B", "C", None)).after({})
    assert [node.id for node in state.ready()] == ["W1.2"]
    assert state.seated["W1.1"] == ("A", None)
    assert state.seated["W2.1"] == (None, None)
    assert state.walkovers == () and state.champion is None and not state.is_over


def test_whoever_is_drawn_against_somebody_not_known_yet_is_paired_with_nobody_and_has_no_bye() -> None:
    field = Field(entrants("A", "B", "C"), system="elimination")
    told = pair(field, round=1, present={"A", "B", "C"}, order=("A", "B", "C", None))
    assert told.tables == (Table(1, ("B", "C")),)
    assert told.byes == ()
    assert told.notes == (Note("waits", ("A",)),)


def test_a_match_waits_while_a_match_before_it_has_no_confirmed_result() -> None:
    state = bracket("single", names(4)).after({"W1.1": ("p01", "p04")})
    assert [node.id for node in state.ready()] == ["W1.2"]
    assert state.seated["W2.1"] == ("p01", None)


# The second final


def finals(*results: str, final: str = "reset") -> State:
    """Play a double elimination of A and B, of which A wins the first match; each result is the winner of a final."""
    told = {"W1.1": ("A", "B")}
    for node, winner in zip("FR", results, strict=False):
        told[node] = (winner, "B" if winner == "A" else "A")
    return bracket("double", ("A", "B"), Options(final=final)).after(told)


def test_the_second_final_is_played_exactly_if_the_losers_bracket_wins_the_first() -> None:
    assert finals("A").champion == "A" and finals("A").idle == ("R",) and finals("A").is_over
    assert finals("B").champion is None and [node.id for node in finals("B").ready()] == ["R"]
    assert finals("B", "A").champion == "A"
    assert finals("B", "B").champion == "B"


def test_seats_are_changed_for_the_second_final() -> None:
    assert finals().seated["F"] == ("A", "B")
    assert finals("B").seated["R"] == ("B", "A")


@pytest.mark.parametrize("final", ["single", "advantage"])
def test_with_one_final_there_is_no_second(final: str) -> None:
    state = finals("B", final=final)
    assert state.champion == "B" and state.is_over and len(state.bracket.nodes) == 2


# Places


def test_losers_of_one_round_share_their_rank_and_are_listed_by_seed() -> None:
    state, _results = played(bracket("single", names(6)), upsets)
    assert [(one.entrant, one.rank, one.last, one.shared) for one in state.places()] == [
        ("p06", 1, 1, False),
        ("p05", 2, 2, False),
        ("p01", 3, 4, True),
        ("p02", 3, 4, True),
        ("p03", 5, 6, True),
        ("p04", 5, 6, True),
    ]


def test_places_are_final_as_soon_as_somebody_is_out() -> None:
    state = bracket("single", names(4)).after({"W1.1": ("p04", "p01")})
    assert [(one.entrant, one.rank, one.last) for one in state.places()] == [("p01", 3, 4)]
    assert state.left() == ("p02", "p03", "p04")


def test_in_pods_who_came_second_is_listed_before_who_came_third() -> None:
    state, _results = played(bracket("pods", names(7)), upsets)
    assert [(one.entrant, one.rank) for one in state.places()] == [
        ("p07", 1),
        ("p03", 2),
        ("p02", 3),
        ("p01", 4),
        ("p06", 5),
        ("p05", 5),
        ("p04", 5),
    ]


def test_below_a_disqualified_player_everybody_moves_up() -> None:
    state, _results = played(bracket("single", names(4)))
    assert [(one.entrant, one.rank, one.last, one.order) for one in state.places(without={"p02"})] == [
        ("p01", 1, 1, 1),
        ("p03", 2, 3, 2),
        ("p04", 2, 3, 3),
    ]
    assert [(one.rank, one.shared) for one in state.places(without={"p03"})] == [(1, False), (2, False), (3, False)]


@pytest.mark.parametrize("count", range(2, 17))
@pytest.mark.parametrize("kind", ["single", "double"])
def test_a_win_never_makes_sure_of_a_worse_place_than_a_loss(kind: str, count: int) -> None:
    drawn = bracket(kind, names(count))
    _state, results = played(drawn, by_lot("f"))

    def worst(one: str, result: tuple[str, ...], node: str) -> int:
        """Return the place of somebody after one result, losing everything that follows."""
        order = [other.id for other in drawn.nodes]
        kept = {id: told for id, told in results.items() if order.index(id) < order.index(node)}
        ended, _told = played(
            drawn, lambda players: tuple(sorted(players, key=lambda p: p == one)), kept | {node: result}
        )
        return next(place.rank for place in ended.places() if place.entrant == one)

    for node, (winner, loser) in results.items():
        assert worst(winner, (winner, loser), node) <= worst(winner, (loser, winner), node)


# Pods


@pytest.mark.parametrize(
    ("count", "tables", "byes"),
    [
        (4, [4], 0),
        (5, [3, 3], 2),
        (7, [4, 4], 3),
        (10, [4, 4, 4], 2),
        (13, [4, 4, 4, 4], 1),
        (16, [4, 4, 4, 4, 4], 0),
        (64, [4] * 21, 0),
    ],
)
def test_of_seven_ten_thirteen_or_sixteen_three_two_one_or_none_are_through(
    count: int, tables: list[int], byes: int
) -> None:
    drawn = bracket("pods", names(count))
    assert [len(node.slots) for node in drawn.nodes] == tables
    assert len(drawn.byes) == (byes if count > 4 else 0)


def test_sixteen_are_dealt_as_a_snake_and_the_winners_play_the_final() -> None:
    drawn = bracket("pods", names(16))
    assert drawn.after({}).players("T1.1") == ("p01", "p08", "p09", "p16")
    state, _results = played(drawn, upsets)
    assert state.players("F") == ("p16", "p15", "p14", "p13")


@pytest.mark.parametrize("count", [16, 24, 32, 64])
def test_two_of_one_table_do_not_meet_at_the_next_where_two_of_each_go_on(count: int) -> None:
    drawn = bracket("pods", names(count), Options(advance=2))
    second = [node for node in drawn.nodes if node.round == 2 and node.side != "final"]
    assert second
    origins = [[slot.node for slot in node.slots if slot.node] for node in second]
    assert all(len(set(told)) == len(told) for told in origins)


def test_whatever_number_of_each_table_goes_on_the_field_shrinks_to_one_final_and_nobody_is_lost() -> None:
    for seats, count in product(range(2, 7), range(2, 41)):
        for advance in range(1, seats):
            state, _results = played(bracket("pods", names(count), Options(seats=seats, advance=advance)), by_lot("i"))
            assert max(len(node.slots) for node in state.bracket.nodes) <= seats
            assert [one.order for one in state.places()] == list(range(1, count + 1))


def test_pods_of_two_are_a_single_elimination() -> None:
    for count in SIZES:
        state, results = played(bracket("pods", names(count), Options(seats=2)))
        assert len(results) == count - 1
        assert state.bracket.byes == bracket("single", names(count)).byes


def test_a_table_cannot_send_everybody_on() -> None:
    with pytest.raises(ValueError, match="4 cannot go on from a table of 4"):
        bracket("pods", names(8), Options(advance=4))
    with pytest.raises(ValueError, match="at least 5 do not fit at a table of 4"):
        bracket("pods", names(8), Options(least=5))


# Corrections


def test_a_corrected_result_names_the_later_results_that_it_undoes() -> None:
    drawn = bracket("single", names(8))
    _state, results = played(drawn)
    assert drawn.lost_by(results, "W2.2", ("p03", "p02")) == ("W3.1",)
    assert drawn.lost_by(results, "W1.1", ("p08", "p01")) == ("W2.1", "W3.1")
    assert drawn.lost_by(results, "W1.1", None) == ("W2.1", "W3.1")
    assert drawn.lost_by(results, "W3.1", ("p02", "p01")) == ()


def test_after_a_correction_a_stale_result_does_not_count_and_its_match_can_be_played_again() -> None:
    drawn = bracket("single", names(4))
    _state, results = played(drawn)
    state = drawn.after(results | {"W1.1": ("p04", "p01")})
    assert state.stale == ("W2.1",)
    assert [(node.id, state.players(node.id)) for node in state.ready()] == [("W2.1", ("p04", "p02"))]
    assert state.champion is None


def test_a_later_result_counts_again_if_the_same_two_come_to_it_after_all() -> None:
    drawn = bracket("single", names(8))
    _state, results = played(drawn)
    corrected = results | {"W1.2": ("p05", "p04")}
    assert drawn.after(corrected).stale == ("W2.1", "W3.1")
    again = drawn.after(corrected | {"W2.1": ("p01", "p05")})
    assert again.stale == () and again.champion == "p01"


def test_a_correction_back_brings_every_later_result_back() -> None:
    drawn = bracket("double", names(8))
    state, results = played(drawn, by_lot("g"))
    wrong = results | {"W1.1": results["W1.1"][::-1]}
    assert drawn.after(wrong).stale
    assert drawn.after(wrong | {"W1.1": results["W1.1"]}) == state


def test_a_correction_of_the_first_final_takes_the_second_away() -> None:
    drawn = bracket("double", ("A", "B"))
    results = {"W1.1": ("A", "B"), "F": ("B", "A"), "R": ("B", "A")}
    assert drawn.lost_by(results, "F", ("A", "B")) == ("R",)
    assert drawn.after(results | {"F": ("A", "B")}).champion == "A"


def test_a_result_of_no_match_or_with_a_name_twice_is_refused() -> None:
    drawn = bracket("single", names(2))
    with pytest.raises(ValueError, match=r"no match W9.1 in this bracket, only W1.1"):
        drawn.after({"W9.1": ("p01", "p02")})
    with pytest.raises(ValueError, match=r"result of W1.1 twice: p01, p01"):
        drawn.after({"W1.1": ("p01", "p01")})


# Who leaves


def test_after_a_double_forfeit_nobody_goes_on_and_the_next_opponent_needs_no_match() -> None:
    drawn = bracket("single", names(4))
    state = drawn.after({"W1.1": (), "W1.2": ("p02", "p03")})
    assert state.champion == "p02" and state.walkovers == ("W2.1",)
    assert [(one.entrant, one.rank, one.last) for one in state.places()] == [
        ("p02", 1, 1),
        ("p03", 3, 4),
        ("p01", 3, 4),
        ("p04", 3, 4),
    ]


def test_after_a_double_forfeit_in_the_winners_bracket_neither_drops_into_the_losers_bracket() -> None:
    state = bracket("double", names(4)).after({"W1.1": (), "W1.2": ("p02", "p03")})
    assert state.seated["L1.1"] == ("", "p03")
    assert [(node.id, state.players(node.id)) for node in state.ready()] == [("F", ("p02", "p03"))]
    assert {one.entrant for one in state.places()} == {"p01", "p04"}


def test_who_has_left_loses_what_is_still_open_and_keeps_what_was_played() -> None:
    drawn = bracket("double", names(4))
    first = {"W1.1": ("p01", "p04"), "W1.2": ("p02", "p03")}
    state = drawn.after(first, out={"p01"})
    assert state.outcomes["W1.1"] == ("p01", "p04")
    assert state.outcomes["W2.1"] == ("p02", "p01")
    assert state.walkovers == ("W2.1",)
    ended = drawn.after(first | {"L1.1": ("p04", "p03")}, out={"p01"})
    assert ended.players("F") == ("p02", "p04")
    assert [one.entrant for one in ended.places()] == ["p01", "p03"]


def test_who_leaves_after_the_end_changes_nothing() -> None:
    drawn = bracket("double", names(5))
    state, results = played(drawn)
    assert drawn.after(results, out={"p01", "p02"}).places() == state.places()


# From rows to pairings


def entrants(*ids: str) -> tuple[Entrant, ...]:
    return tuple(Entrant(one, number) for number, one in enumerate(ids, 1))


def game(round_: int, *ranked: str, draw: bool = False) -> list[Row]:
    outcome = ["draw"] * len(ranked) if draw else ["win", *["loss"] * (len(ranked) - 1)]
    return [
        Row(
            one,
            round_,
            Kind.PLAYED,
            WINS if told == "win" else LOSS,
            tuple(other for other in ranked if other != one),
            outcome=told,
            place=1 if draw else place,
            size=len(ranked),
        )
        for place, (one, told) in enumerate(zip(ranked, outcome, strict=True), 1)
    ]


def day(
    ids: Sequence[str], kind: str, decide: Callable[[Sequence[str]], tuple[str, ...]], options: Options
) -> tuple[list[Pairing], State]:
    """Play a whole elimination through pairings and rows."""
    rows: list[Row] = []
    rounds: list[Pairing] = []
    drawn = bracket(kind, ids, options)
    while True:
        field = Field(entrants(*ids), tuple(rows), rounds=len(rounds), system="elimination")
        try:
            told = pair(field, round=len(rounds) + 1, present=set(ids), kind=kind, options=options)
        except PairingImpossible:
            return rounds, drawn.after(elimination.results(drawn, field))
        rounds.append(told)
        for table in told.tables:
            rows += game(len(rounds), *decide(table.seats))
        rows += [Row(bye.entrant, len(rounds), bye.kind, WINS) for bye in told.byes]


@pytest.mark.parametrize("count", [2, 3, 5, 8, 11, 16])
@pytest.mark.parametrize("kind", ["single", "double", "pods"])
def test_a_whole_day_by_pairings_gives_the_same_places_as_the_bracket(kind: str, count: int) -> None:
    ids = names(count)
    options = Options(third_place=True)
    rounds, state = day(ids, kind, by_lot("h"), options)
    same, results = played(bracket(kind, ids, options), by_lot("h"))
    assert state.places() == same.places()
    assert sum(len(told.tables) for told in rounds) == len(results)
    for told in rounds:
        busy = [one for table in told.tables for one in table.seats] + [bye.entrant for bye in told.byes]
        assert len(busy) == len(set(busy))


def test_the_first_seeds_have_a_bye_in_the_first_round_only() -> None:
    rounds, _state = day(names(6), "single", favourites, Options())
    assert [told.byes for told in rounds] == [
        (Bye("p01", Kind.ALLOCATED_BYE), Bye("p02", Kind.ALLOCATED_BYE)),
        (),
        (),
    ]


def paired(
    rows: Iterable[Row], round_: int, present: Collection[str] | None = None, count: int = 4, **more: object
) -> Pairing:
    field = Field(entrants(*names(count)), tuple(rows), rounds=round_ - 1, system="elimination")
    return pair(field, round=round_, present=set(names(count)) if present is None else present, **more)


def test_the_same_input_gives_the_same_pairing_and_the_same_digest() -> None:
    assert paired([], 1) == paired([], 1)
    assert paired([], 1).input_digest != paired([], 1, present=set(names(3))).input_digest


def test_a_drawn_match_is_played_again_or_goes_to_the_higher_seed() -> None:
    rows = [*game(1, "p01", "p04", draw=True), *game(1, "p02", "p03")]
    assert paired(rows, 2).tables == (Table(1, ("p01", "p04")),)
    assert paired(rows, 2, options=Options(draws="higher_seed")).tables == (Table(1, ("p01", "p02")),)


def test_a_match_that_was_played_again_counts_by_the_last_game() -> None:
    rows = [*game(1, "p01", "p04", draw=True), *game(1, "p02", "p03"), *game(2, "p04", "p01")]
    assert paired(rows, 3).tables == (Table(1, ("p04", "p02")),)


def test_a_row_without_place_or_outcome_decides_nothing() -> None:
    rows = [Row(one, 1, Kind.PLAYED, LOSS, (other,)) for one, other in (("p01", "p04"), ("p04", "p01"))]
    assert paired(rows, 2, options=Options(draws="higher_seed")).tables[0].seats == ("p01", "p04")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Kind.FORFEIT_WIN, Kind.FORFEIT_WIN),
        (Kind.HALF_BYE, Kind.ABSENT),
        (Kind.PLAYED, Kind.FORFEIT_WIN),
        (Kind.ABSENT, None),
    ],
)
def test_rows_that_do_not_say_who_goes_on_decide_nothing(one: Kind, other: Kind | None) -> None:
    rows = [Row("p01", 1, one, LOSS, ("p04",) if one is Kind.PLAYED else (), outcome="win"), *game(1, "p02", "p03")]
    rows += [Row("p04", 1, other, LOSS)] if other else []
    assert paired(rows, 2).tables == (Table(1, ("p01", "p04")),)


def test_a_tie_for_the_title_is_played_again_and_one_behind_it_is_not_even_where_two_went_on_before() -> None:
    def final(*places: int) -> Iterable[Row]:
        return [
            Row(one, 1, Kind.PLAYED, LOSS, tuple(other for other in names(4) if other != one), place=place, size=4)
            for one, place in zip(names(4), places, strict=True)
        ]

    options = Options(advance=2)
    assert len(paired(final(1, 1, 3, 4), 2, kind="pods", options=options).tables) == 1
    with pytest.raises(PairingImpossible, match="the elimination is over"):
        paired(final(1, 2, 2, 4), 2, kind="pods", options=options)


def test_a_tie_among_those_who_are_out_anyway_does_not_repeat_a_pod() -> None:
    tied = {"p04": 1, "p05": 2, "p06": 2, "p07": 4}
    rows = [
        Row(one, 1, Kind.PLAYED, LOSS, tuple(other for other in tied if other != one), place=place, size=4)
        for one, place in tied.items()
    ]
    assert paired(rows, 2, count=7, kind="pods").tables == (Table(1, ("p01", "p02", "p03", "p04")),)


def test_the_opponent_of_somebody_absent_goes_through_without_a_game_and_it_is_no_allocated_bye() -> None:
    told = paired([], 1, present={"p01", "p02", "p03"})
    assert told.tables == (Table(1, ("p02", "p03")),)
    assert told.byes == (Bye("p01", Kind.FORFEIT_WIN),)
    assert told.notes == (Note("walkover", ("p01", "p04")),)
    rows = [
        Row("p01", 1, Kind.FORFEIT_WIN, WINS),
        Row("p04", 1, Kind.ABSENT, LOSS),
        *game(1, "p02", "p03"),
    ]
    assert paired(rows, 2).tables == (Table(1, ("p01", "p02")),)


def test_a_forfeit_at_the_table_counts_like_one_without() -> None:
    rows = [
        Row("p01", 1, Kind.FORFEIT_LOSS, LOSS, ("p04",)),
        Row("p04", 1, Kind.FORFEIT_WIN, WINS, ("p01",)),
        *game(1, "p02", "p03"),
    ]
    assert paired(rows, 2).tables == (Table(1, ("p04", "p02")),)


@pytest.mark.parametrize("kind", [Kind.DOUBLE_LOSS, Kind.DOUBLE_FORFEIT, Kind.ABSENT])
def test_of_two_who_both_lose_nobody_goes_on(kind: Kind) -> None:
    opponents = kind is not Kind.ABSENT
    rows = [
        Row("p01", 1, kind, LOSS, ("p04",) if opponents else ()),
        Row("p04", 1, kind, LOSS, ("p01",) if opponents else ()),
        *game(1, "p02", "p03"),
    ]
    with pytest.raises(PairingImpossible, match="the elimination is over"):
        paired(rows, 2)


def test_absence_in_a_round_without_a_match_costs_nothing() -> None:
    rows = [
        Row("p01", 1, Kind.ABSENT, LOSS),
        *game(1, "p02", "p03"),
    ]
    assert paired(rows, 2, count=3).tables == (Table(1, ("p01", "p02")),)


def test_a_pod_plays_without_those_who_are_absent() -> None:
    told = paired([], 1, count=7, kind="pods", present=set(names(7)) - {"p05"})
    assert told.tables == (Table(1, ("p04", "p06", "p07")),)
    assert Note("short_table", ("p04", "p06", "p07"), {"seats": 3}) in told.notes
    rows = [*game(1, "p06", "p04", "p07"), Row("p05", 1, Kind.ABSENT, LOSS)]
    assert paired(rows, 2, count=7, kind="pods").tables[0].seats == ("p01", "p02", "p03", "p06")


def test_who_dropped_out_is_passed_over_from_that_round_on() -> None:
    ids = names(4)
    rows = (*game(1, "p01", "p04"), *game(1, "p02", "p03"))
    field = Field(entrants(*ids), rows, rounds=1, system="elimination", dropped={"p04": 2})
    told = pair(field, round=2, present={"p01", "p02", "p03"}, kind="double")
    assert told.tables == (Table(1, ("p01", "p02")),)
    assert told.notes == (Note("waits", ("p03",)),)


def test_a_game_of_two_who_should_not_have_met_after_a_correction_is_named_and_its_match_is_paired_again() -> None:
    played_on = [*game(1, "p02", "p03"), *game(2, "p01", "p02")]
    told = paired([*game(1, "p04", "p01"), *played_on], 3)
    assert told.tables == (Table(1, ("p04", "p02")),)
    assert told.notes == (Note("stale", ("p01", "p02"), {"round": 2}),)
    with pytest.raises(PairingImpossible, match="the elimination is over"):
        paired([*game(1, "p01", "p04"), *played_on], 3)


def test_where_nobody_is_present_nobody_goes_on() -> None:
    told = paired([], 1, present={"p02", "p03"})
    assert told.byes == () and told.notes == (Note("nobody_present", ("p01", "p04")),)


def test_a_bye_of_a_pod_elimination_is_the_bye_of_pods() -> None:
    assert paired([], 1, count=5, kind="pods").byes == (Bye("p01", Kind.POD_BYE), Bye("p02", Kind.POD_BYE))


def test_tables_of_an_earlier_round_are_not_read_from_later_ones() -> None:
    rows = [*game(1, "p01", "p04"), *game(1, "p02", "p03"), *game(2, "p02", "p01")]
    assert paired(rows, 2) == paired(rows[:4], 2)

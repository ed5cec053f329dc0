"""The tie-breaks themselves, by code. Each takes the book of a stage and an entrant and returns the value with its parts.

Formulas: FIDE C.07 for the chess family, the rules of card games for percentages, league-facts 4.2 for the others. Direct encounter
parts a group, not an entrant: it stands in :mod:`league.tournament.standings`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import partial

from msgspec import structs

from league.tournament.field import Kind, Row
from league.tournament.pairing.base import lot
from league.tournament.tiebreaks.book import ZERO, Addend, Book, Value, exact, summed
from league.tournament.tiebreaks.tables import dp, expected, half_up

type Code = Callable[[Book, str], Value]
PLAYED = (Kind.PLAYED, Kind.DOUBLE_LOSS)
FORFEITS = (Kind.FORFEIT_WIN, Kind.FORFEIT_LOSS, Kind.DOUBLE_FORFEIT)


def value_of(book: Book, code: str, entrant: str) -> Value:
    """Return a tie-break of an entrant; asked once for each.

    :raises KeyError: for a code that is not known, with those that are
    """
    if code not in CODES:
        raise KeyError(f"no tie-break {code!r}; there are {', '.join(sorted(CODES))}")
    key = (code, entrant)
    if key not in book.kept:
        book.kept[key] = CODES[code](book, entrant)
    return book.kept[key]


def _number(value: Fraction | int, addends: Iterable[Addend] = ()) -> Value:
    return Value(value, exact(value), tuple(addends))


# Own results ---------------------------------------------------------------------------------------------------------


def _count(of: Callable[[Row], bool], rule: str) -> Code:
    def counted(book: Book, entrant: str) -> Value:
        return _or_zero(
            [Addend(row.round, ", ".join(row.opponents), Fraction(1), rule) for row in book.rows[entrant] if of(row)]
        )

    return counted


def _wins(row: Row) -> bool:
    if row.kind in PLAYED:
        return row.outcome == "win"
    return row.facts.worth == "win"


def _won(row: Row) -> bool:
    return row.kind == Kind.PLAYED and row.outcome == "win"


def _second(row: Row) -> bool:
    return row.kind in PLAYED and row.size == 2 and row.seat == 1


def _second_won(row: Row) -> bool:
    return _second(row) and row.outcome == "win"


def _elected(row: Row) -> bool:
    return not row.facts.voluntary


def _standard(book: Book, entrant: str) -> Value:
    worth = {"win": Fraction(1), "draw": Fraction(1, 2), "loss": ZERO}

    def of(row: Row) -> Fraction:
        return worth[row.outcome or "loss"] if row.facts.worth == "result" else worth[row.facts.worth]

    return summed(Addend(row.round, ", ".join(row.opponents), of(row), "own") for row in book.rows[entrant])


def _progressive(cut: int, book: Book, entrant: str) -> Value:
    total, parts = ZERO, []
    for number, row in enumerate(book.rows[entrant], 1):
        total += row.points
        parts.append(Addend(row.round, "", total, "running", number <= cut))
    return summed(parts)


def _path(book: Book, entrant: str) -> Value:
    wins = tuple(int(_wins(row)) for row in book.rows[entrant])
    return Value(
        wins, exact(wins), tuple(Addend(row.round, "", Fraction(won), "path") for row, won in zip(book.rows[entrant], wins, strict=True))
    )  # fmt: skip


# Sums over opponents -------------------------------------------------------------------------------------------------


def _buchholz_parts(book: Book, entrant: str) -> list[tuple[Addend, bool]]:
    """Return the parts of Buchholz, and whether each is of a round that was not played at the own wish."""
    parts: list[tuple[Addend, bool]] = []
    for row in book.rows[entrant]:
        if row.facts.encounter:
            for opponent in row.opponents:
                parts.append((Addend(row.round, opponent, book.adjusted[opponent]), False))
        elif book.has_dummies:
            value, rule = book.dummy(row)
            parts.append((Addend(row.round, "", value, rule), row.facts.voluntary))
    return parts


def _cut(parts: list[tuple[Addend, bool]], lowest: int, highest: int = 0) -> list[Addend]:
    """Return the parts with the lowest ones cut, voluntarily unplayed rounds first, and the highest ones."""
    order = sorted(range(len(parts)), key=lambda at: (not parts[at][1], parts[at][0].value, at))
    gone = set(order[:lowest])
    if highest:
        rest = sorted((at for at in range(len(parts)) if at not in gone), key=lambda at: (-parts[at][0].value, at))
        gone |= set(rest[:highest])
    return [structs.replace(one, cut=at in gone) for at, (one, _voluntary) in enumerate(parts)]


def _buchholz(lowest: int, highest: int, book: Book, entrant: str) -> Value:
    if book.field.system == "round_robin":
        return Value(None, "–")
    return summed(_cut(_buchholz_parts(book, entrant), lowest, highest))


def _fore(book: Book, entrant: str) -> Value:
    """Buchholz as if every game of the last round had been drawn."""
    return _buchholz(0, 0, _drawn(book), entrant)


def _drawn(book: Book) -> Book:
    if book.drawn is None:
        rows = tuple(
            structs.replace(row, points=book.field.draw, outcome="draw")
            if row.round == book.field.rounds and row.kind in PLAYED
            else row
            for row in book.field.rows
        )
        book.drawn = Book(structs.replace(book.field, rows=rows), book.ruleset)
    return book.drawn


def _mean(parts: list[Addend], *, whole: bool = False, places: int | None = None) -> Value:
    kept = [one.value for one in parts if not one.cut]
    if not kept:
        return Value(None, "–", tuple(parts))
    mean = Fraction(sum(kept, ZERO), len(kept))
    if whole:
        mean = Fraction(half_up(mean))
    if places is not None:
        mean = Fraction(half_up(mean * 10**places), 10**places)
    return Value(mean, exact(mean), tuple(parts))


def _average_buchholz(book: Book, entrant: str) -> Value:
    parts = []
    for row, opponent in book.met(entrant):
        value = value_of(book, "BH", opponent).value
        if isinstance(value, Fraction | int):
            parts.append(Addend(row.round, opponent, Fraction(value), "buchholz"))
    return _mean(parts, places=2)


def _berger_parts(book: Book, entrant: str) -> list[tuple[Addend, bool, Fraction]]:
    """Return the parts of Sonneborn-Berger, whether each is voluntary, and the points of the opponent in it."""
    parts: list[tuple[Addend, bool, Fraction]] = []
    for row in book.rows[entrant]:
        if row.facts.encounter:
            for opponent in row.opponents:
                theirs = book.adjusted[opponent]
                parts.append(
                    (Addend(row.round, opponent, theirs * book.against(row, opponent), "times_result"), False, theirs)
                )
        elif book.has_dummies:
            value, rule = book.dummy(row)
            parts.append(
                (Addend(row.round, "", value * row.points, f"{rule}_times_result"), row.facts.voluntary, value)
            )
    return parts


def _berger(book: Book, entrant: str) -> Value:
    return summed(one for one, _voluntary, _theirs in _berger_parts(book, entrant))


def _berger_cut(book: Book, entrant: str) -> Value:
    """Leave out the larger of the least voluntary part and the part of the opponent with the least points."""
    parts = _berger_parts(book, entrant)
    if not parts:
        return summed(())
    lowest = min(range(len(parts)), key=lambda at: (parts[at][2], parts[at][0].value, at))
    voluntary = [at for at in range(len(parts)) if parts[at][1]]
    gone = lowest
    if voluntary:
        least = min(voluntary, key=lambda at: (parts[at][0].value, at))
        gone = max(lowest, least, key=lambda at: (parts[at][0].value, parts[at][1]))
    return summed(structs.replace(one[0], cut=at == gone) for at, one in enumerate(parts))


def _koya(book: Book, entrant: str) -> Value:
    limit = book.ruleset.figure("koya") * book.field.win * book.field.rounds
    return _or_zero(
        [
            Addend(row.round, opponent, book.against(row, opponent), "koya")
            for row, opponent in book.met(entrant)
            if book.points[opponent] >= limit
        ]
    )


def _or_zero(parts: list[Addend]) -> Value:
    return summed(parts) if parts else _number(ZERO)


def _sos(book: Book, entrant: str) -> Value:
    return _or_zero([Addend(row.round, opponent, book.points[opponent]) for row, opponent in book.met(entrant)])


def _sos_mean(book: Book, entrant: str) -> Value:
    parts = []
    for row, opponent in book.met(entrant):
        played = sum(one.facts.encounter for one in book.rows[opponent])
        if played:
            parts.append(Addend(row.round, opponent, book.points[opponent] / played, "per_round"))
    return _mean(parts)


def _opponents_mean(book: Book, entrant: str) -> Value:
    return _mean([Addend(row.round, opponent, book.points[opponent]) for row, opponent in book.met(entrant)])


# Ratings -------------------------------------------------------------------------------------------------------------


def _rated(book: Book, entrant: str) -> list[Addend]:
    return [
        Addend(row.round, opponent, Fraction(book.entrants[opponent].rating), "rating")
        for row, opponent in book.met(entrant)
        if book.entrants[opponent].rating
    ]


def _average_rating(lowest: int, book: Book, entrant: str) -> Value:
    parts = _rated(book, entrant)
    return _mean(_cut([(one, False) for one in parts], lowest), whole=True)


def _score(book: Book, entrant: str) -> tuple[Fraction, int]:
    """Return the score at the board against rated opponents, a win counting 1, and against how many."""
    told = [(book.beat(row, opponent)) for row, opponent in book.met(entrant) if book.entrants[opponent].rating]
    return sum(told, ZERO), len(told)


def _performance(book: Book, entrant: str) -> Value:
    score, games = _score(book, entrant)
    parts = _rated(book, entrant)
    if not games:
        return Value(None, "–")
    average = half_up(Fraction(sum((one.value for one in parts), ZERO), games))
    figure = average + dp(score / games)
    return _number(figure, [*parts, Addend(0, "", Fraction(dp(score / games)), "table_811")])


def _perfect(book: Book, entrant: str) -> Value:
    """The least whole rating whose expected sum reaches the score; for no points the least opponent's rating less 800."""
    score, games = _score(book, entrant)
    ratings = [int(one.value) for one in _rated(book, entrant)]
    if not games:
        return Value(None, "–")
    if score == 0:
        return _number(min(ratings) - 800, _rated(book, entrant))
    low, high = min(ratings) - 800, max(ratings) + 800
    while low < high:
        middle = (low + high) // 2
        if sum((expected(middle - one) for one in ratings), ZERO) >= score:
            high = middle
        else:
            low = middle + 1
    return _number(low, _rated(book, entrant))


def _average_of(code: str, book: Book, entrant: str) -> Value:
    parts = []
    for row, opponent in book.met(entrant):
        value = value_of(book, code, opponent).value
        if isinstance(value, Fraction | int):
            parts.append(Addend(row.round, opponent, Fraction(value), "performance"))
    return _mean(parts, whole=True)


def _rating(book: Book, entrant: str) -> Value:
    return _number(book.entrants[entrant].rating)


def _number_of(book: Book, entrant: str) -> Value:
    """The lower pairing number is above."""
    number = book.entrants[entrant].number
    return Value(-number, str(number))


# Percentages of card games -------------------------------------------------------------------------------------------


def _match_points(row: Row) -> int:
    if row.facts.worth == "result":
        return {"win": 3, "draw": 1}.get(row.outcome or "", 0)
    return {"win": 3, "draw": 1}.get(row.facts.worth, 0)


def _match_win(book: Book, entrant: str) -> Value:
    """Match points by three times the rounds played, at least the floor; the own byes count in it."""
    rows = [row for row in book.rows[entrant] if row.kind not in (Kind.ABSENT, Kind.LATE)]
    parts = [Addend(row.round, ", ".join(row.opponents), Fraction(_match_points(row)), "match_points") for row in rows]
    floor = book.ruleset.figure("mwp_floor")
    if not rows:
        return _number(floor, parts)
    return _number(max(floor, sum((one.value for one in parts), ZERO) / (3 * len(rows))), parts)


def _games(row: Row) -> tuple[int, int, int]:
    if row.games is not None:
        return row.games
    if row.facts.worth == "win":
        return (2, 0, 0)  # a bye is won 2–0, a match that the other forfeited as well
    if row.kind in FORFEITS:
        return (0, 0, 2)
    outcome = row.outcome if row.facts.worth == "result" else row.facts.worth
    return (int(outcome == "win"), int(outcome == "draw"), int(outcome not in ("win", "draw")))


def _game_win(book: Book, entrant: str) -> Value:
    floor, points, games, parts = book.ruleset.figure("mwp_floor"), 0, 0, []
    for row in book.rows[entrant]:
        if row.kind in (Kind.ABSENT, Kind.LATE):
            continue
        won, drawn, lost = _games(row)
        points, games = points + 3 * won + drawn, games + won + drawn + lost
        parts.append(Addend(row.round, ", ".join(row.opponents), Fraction(3 * won + drawn), "game_points"))
    return _number(max(floor, Fraction(points, 3 * games)) if games else floor, parts)


def _mean_of(code: str, book: Book, entrant: str) -> Value:
    """Return the mean over opponents, those of a forfeit included: in card games it is a match like another. Byes have none."""
    parts = []
    for row in book.rows[entrant]:
        for opponent in row.opponents:
            value = value_of(book, code, opponent).value
            if isinstance(value, Fraction | int):
                parts.append(Addend(row.round, opponent, Fraction(value), "percentage"))
    return _mean(parts)


def _game_points(book: Book, entrant: str) -> Value:
    return _or_zero(
        [
            Addend(row.round, ", ".join(row.opponents), Fraction(3 * _games(row)[0] + _games(row)[1]), "game_points")
            for row in book.rows[entrant]
        ]
    )


# What the game counted -----------------------------------------------------------------------------------------------


def _scored(book: Book, entrant: str) -> list[Row]:
    return [row for row in book.rows[entrant] if row.facts.encounter and row.score is not None]


def _victory(book: Book, entrant: str) -> Value:
    return _or_zero(
        [Addend(row.round, ", ".join(row.opponents), row.score or ZERO, "score") for row in _scored(book, entrant)]
    )


def _battle(book: Book, entrant: str) -> Value:
    cap = book.ruleset.figure("bp_cap")
    return _or_zero(
        [
            Addend(row.round, ", ".join(row.opponents), min(row.score or ZERO, cap), "score" if (row.score or ZERO) <= cap else "capped")
            for row in _scored(book, entrant)
        ]
    )  # fmt: skip


def _margin(book: Book, entrant: str) -> Value:
    cap = book.ruleset.figure("mov_cap")
    parts = []
    for row in _scored(book, entrant):
        for opponent in row.opponents:
            other = book.at.get((opponent, row.round))
            if other is not None and other.score is not None:
                margin = (row.score or ZERO) - other.score
                parts.append(Addend(row.round, opponent, max(-cap, min(cap, margin)), "margin"))
    return _or_zero(parts)


def _table_scores(book: Book, row: Row) -> list[Fraction]:
    told = [book.at.get((one, row.round)) for one in (row.entrant, *row.opponents)]
    return [one.score for one in told if one is not None and one.score is not None]


def _share(book: Book, entrant: str) -> Value:
    parts = []
    for row in _scored(book, entrant):
        total = sum(_table_scores(book, row), ZERO)
        if total > 0:
            parts.append(Addend(row.round, ", ".join(row.opponents), (row.score or ZERO) / total, "share"))
    return _or_zero(parts)


def _relative(book: Book, entrant: str) -> Value:
    """Points by the mean of the table; a table of three has a fourth player with the mean of the three, which leaves the mean as it is."""
    parts = []
    for row in _scored(book, entrant):
        scores = _table_scores(book, row)
        mean = sum(scores, ZERO) / len(scores)
        if mean > 0:
            parts.append(Addend(row.round, ", ".join(row.opponents), (row.score or ZERO) / mean, "relative"))
    return _or_zero(parts)


def _lot(book: Book, entrant: str) -> Value:
    drawn = lot(book.field.seed, "tie", entrant)
    return Value(drawn, f"{drawn % 1_000_000:06}")


CODES: Mapping[str, Code] = {
    "WIN": _count(_wins, "win"),
    "WON": _count(_won, "win"),
    "BPG": _count(_second, "second"),
    "BWG": _count(_second_won, "second"),
    "REP": _count(_elected, "elected"),
    "BH": partial(_buchholz, 0, 0),
    "BH-C1": partial(_buchholz, 1, 0),
    "BH-C2": partial(_buchholz, 2, 0),
    "BH-M1": partial(_buchholz, 1, 1),
    "BH-M2": partial(_buchholz, 2, 2),
    "FB": _fore,
    "AOB": _average_buchholz,
    "SB": _berger,
    "SB-C1": _berger_cut,
    "PS": partial(_progressive, 0),
    "PS-C1": partial(_progressive, 1),
    "PS-C2": partial(_progressive, 2),
    "CTB": partial(_progressive, 0),
    "KS": _koya,
    "ARO": partial(_average_rating, 0),
    "ARO-C1": partial(_average_rating, 1),
    "ARO-C2": partial(_average_rating, 2),
    "TPR": _performance,
    "PTP": _perfect,
    "APRO": partial(_average_of, "TPR"),
    "APPO": partial(_average_of, "PTP"),
    "STD": _standard,
    "TPN": _number_of,
    "RTNG": _rating,
    "MWP": _match_win,
    "OMW": partial(_mean_of, "MWP"),
    "OWP": partial(_mean_of, "MWP"),
    "GW": _game_win,
    "OGW": partial(_mean_of, "GW"),
    "GP": _game_points,
    "OOWP": partial(_mean_of, "OMW"),
    "SOS": _sos,
    "SOS-M": _sos_mean,
    "SOS-W": partial(_mean_of, "MWP"),
    "PATH": _path,
    "VP": _victory,
    "BP": _battle,
    "MOV": _margin,
    "VPS": _share,
    "RPTS": _relative,
    "OPP-MP": _opponents_mean,
    "RND": _lot,
}
GROUPED = frozenset({"DE", "EDE"})
"""Codes that part a group of tied entrants, not entrants one by one."""

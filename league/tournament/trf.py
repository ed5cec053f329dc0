"""FIDE's report files, TRF16 and TRF26: a Swiss or round robin for two seats, in and out. Columns are counted from 1, as FIDE does.

A player line has code 001, starting number (5-8), sex, title, name (15-47), rating (49-52), federation, FIDE id, birth, points (81-84),
rank (86-89), and from column 92 on ten columns a round: opponent (4), colour (w, b, -), result. Sources: FIDE's C.04 annexes for
report files; codes of 2026 beside those of 2016 where they say the same.

What the format cannot hold comes back by its nearest kind, and :data:`LOST` says so: an awarded bye is a full-point bye, a round before
a late entry is an absence, a game lost by both is a double forfeit; scores of the game, tables and groups to keep apart have no column.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Literal

from msgspec import Struct
from msgspec import field as default

from league.tournament.field import Entrant, Field, Kind, Outcome, Row

MOST_BYTES = 4 * 1024 * 1024
MOST_PLAYERS = 9_999
MOST_ROUNDS = 99
FIRST_RESULT = 91
WIDTH = 10
LOST: Mapping[Kind, Kind] = {
    Kind.AWARDED_BYE: Kind.FULL_BYE, Kind.LATE: Kind.ABSENT, Kind.DOUBLE_LOSS: Kind.DOUBLE_FORFEIT, Kind.POD_BYE: Kind.ALLOCATED_BYE,
}  # fmt: skip
"""Kinds of rows that a report file cannot tell apart from others, and what each becomes."""
_BYES = {"U": Kind.ALLOCATED_BYE, "H": Kind.HALF_BYE, "F": Kind.FULL_BYE, "Z": Kind.ABSENT}
_GAMES: Mapping[str, Outcome] = {"1": "win", "=": "draw", "0": "loss", "W": "win", "D": "draw", "L": "loss"}
_HEADS = {
    "012": "name", "022": "city", "032": "federation", "042": "starts_on", "052": "ends_on", "062": "players", "092": "type",
    "102": "arbiter", "112": "deputies", "122": "pace",
}  # fmt: skip


class Malformed(ValueError):
    """The file is no report file, or says what cannot be: the line and column, what was there, what was expected."""

    def __init__(self, message: str, line: int | None = None, column: int | None = None) -> None:
        where = "" if line is None else f"line {line}: " if column is None else f"line {line}, column {column}: "
        super().__init__(where + message)
        self.line, self.column = line, column


class Report(Struct, frozen=True):
    """A report file as it was read: the stage, and what stands beside it.

    :ivar head: what the file says of the tournament, by name (`name`, `city`, `starts_on` …)
    :ivar kept: lines whose codes are not read here, as they stand
    :ivar notes: what was put right or could not be read exactly, in words
    :ivar edition: `2026` if the file has codes of that year, else `2016`
    :ivar absent: starting numbers of those who will not play the next round
    :ivar banned: pairs of starting numbers that must not meet
    """

    field: Field
    head: Mapping[str, str] = default(default_factory=dict)
    kept: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    edition: Literal["2016", "2026"] = "2016"
    absent: frozenset[int] = frozenset()
    banned: frozenset[frozenset[int]] = frozenset()


def read(raw: bytes, *, seed: str = "") -> Report:
    """Return what a report file says. Lines may end in LF, CR LF or CR alone; UTF-8 with or without a mark, else Latin-1, which is noted.

    Ids of entrants are their starting numbers as text.

    :raises Malformed: with line and column
    """
    if len(raw) > MOST_BYTES:
        raise Malformed(f"the file has {len(raw)} bytes; at most {MOST_BYTES} are read")
    notes: list[str] = []
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        text = raw.decode("latin-1")
        notes.append(f"not UTF-8 (byte {error.start}); read as Latin-1")
    if "\0" in text:
        raise Malformed("the file holds zero bytes; a report file is text")
    reader = _Reader(notes, seed)
    for number, line in enumerate(re.split(r"\r\n|\n|\r", text), 1):
        if line.strip():
            reader.line(number, line)
    return reader.report()


class _Player(Struct):
    number: int
    line: int
    name: str
    rating: int
    points: Fraction | None
    results: list[tuple[int, str, str, int]]


class _Reader:
    def __init__(self, notes: list[str], seed: str) -> None:
        self.notes, self.seed = notes, seed
        self.players: dict[int, _Player] = {}
        self.head: dict[str, str] = {}
        self.kept: list[str] = []
        self.rounds = 0
        self.edition: Literal["2016", "2026"] = "2016"
        self.absent: set[int] = set()
        self.banned: set[frozenset[int]] = set()
        self.points = {"win": Fraction(1), "draw": Fraction(1, 2), "loss": Fraction(0)}

    def line(self, number: int, line: str) -> None:
        """Read one line by its code."""
        code = line[:3]
        said = line[4:].strip()
        if code == "001":
            self.player(number, line)
        elif code in _HEADS:
            self.head[_HEADS[code]] = said[:200]
        elif code in ("XXR", "142"):
            self.rounds = self.whole(said, number, 5, "the number of rounds", MOST_ROUNDS)
            self.edition = "2026" if code == "142" else self.edition
        elif code in ("XXZ", "240"):
            parts = said.split()
            if code == "240":  # type of bye, round, then the players
                self.edition = "2026"
                self.kept.append(line)
                parts = []
            self.absent |= {self.whole(one, number, 5, "a starting number", MOST_PLAYERS) for one in parts}
        elif code in ("XXP", "260"):
            self.edition = "2026" if code == "260" else self.edition
            parts = said.split()[2 if code == "260" else 0 :]
            ids = [self.whole(one, number, 5, "a starting number", MOST_PLAYERS) for one in parts]
            self.banned |= {frozenset((one, other)) for at, one in enumerate(ids) for other in ids[at + 1 :]}
        elif code == "XXS":
            self.score_system(number, said)
        elif code == "162":  # points of 2026: pairs of a letter and a figure
            self.edition = "2026"
            parts = said.split()
            self.score_system(
                number, " ".join(f"{key}={value}" for key, value in zip(parts[::2], parts[1::2], strict=False))
            )
        else:
            if code in ("152", "162", "172", "192", "202", "212", "222", "240", "250"):
                self.edition = "2026"
            self.kept.append(line[:500])

    def score_system(self, number: int, said: str) -> None:
        """Read points such as `W=3 D=1`."""
        for part in said.split():
            key, _sign, value = part.partition("=")
            names = {"W": "win", "WW": "win", "BW": "win", "D": "draw", "WD": "draw", "BD": "draw"}
            if key in names:
                self.points[names[key]] = self.fraction(value, number, 5)
            else:
                self.notes.append(f"line {number}: the points {part} are not read")

    def player(self, number: int, line: str) -> None:
        """Read the line of a player."""
        if len(line) < 84:
            raise Malformed(f"a player's line has at least 84 columns, this one {len(line)}", number, len(line))
        start = self.whole(line[4:8].strip(), number, 5, "the starting number", MOST_PLAYERS)
        if start < 1:
            raise Malformed("the starting number is 0; it counts from 1", number, 5)
        if start in self.players:
            raise Malformed(
                f"the starting number {start} is there twice, first in line {self.players[start].line}", number, 5
            )
        rating = line[48:52].strip()
        points = line[80:84].strip()
        results = []
        at = FIRST_RESULT
        while at < len(line.rstrip()):
            cell = line[at : at + 8].ljust(8)
            results.append(self.cell(number, at, cell, line))
            at += WIDTH
        if len(results) > MOST_ROUNDS:
            raise Malformed(f"{len(results)} rounds; at most {MOST_ROUNDS} are read", number, FIRST_RESULT + 1)
        self.players[start] = _Player(
            start, number, line[14:47].strip(), self.whole(rating, number, 49, "the rating", 9999) if rating else 0,
            self.fraction(points, number, 81) if points else None, results,
        )  # fmt: skip
        if len(self.players) > MOST_PLAYERS:
            raise Malformed(f"more than {MOST_PLAYERS} players", number)

    def cell(self, number: int, at: int, cell: str, line: str) -> tuple[int, str, str, int]:
        """Return opponent, colour and result of a round, and the column."""
        opponent = cell[:4].strip()
        colour, result = cell[5], cell[7].upper()
        if not cell.strip():
            return 0, "-", " ", at + 1
        if cell[4] != " " or cell[6] != " ":
            raise Malformed(
                f"{cell!r} is no result: opponent in four columns, then colour, then result, a blank between",
                number,
                at + 1,
            )
        if colour not in "wb- WB":
            raise Malformed(f"the colour {colour!r} is none of w, b, -", number, at + 6)
        if result not in "10=+-WDLHFUZ ":
            raise Malformed(f"the result {result!r} is none of 1 = 0 + - W D L H F U Z", number, at + 8)
        return (
            self.whole(opponent, number, at + 1, "the opponent", MOST_PLAYERS) if opponent else 0,
            colour.lower(),
            result,
            at + 1,
        )

    def whole(self, text: str, line: int, column: int, what: str, most: int) -> int:
        """Return a whole number between 0 and the most."""
        if not re.fullmatch(r"[0-9]{1,6}", text):
            raise Malformed(f"{what} is {text!r}; a whole number is expected", line, column)
        if int(text) > most:
            raise Malformed(f"{what} is {text}; at most {most} can be", line, column)
        return int(text)

    def fraction(self, text: str, line: int, column: int) -> Fraction:
        """Return points as a fraction: `2.5`, `2,5`, `2½`."""
        plain = text.replace(",", ".").replace("½", ".5")
        if not re.fullmatch(r"-?[0-9]{0,4}(\.[0-9]{1,3})?", plain) or plain in ("", "-"):
            raise Malformed(f"{text!r} are no points; a number such as 2.5 is expected", line, column)
        return Fraction(plain)

    def report(self) -> Report:
        """Return the whole, checked across lines."""
        if not self.players:
            raise Malformed("no line with code 001: a report file has one for each player")
        order = sorted(self.players)
        rounds = self.played()
        if self.rounds and rounds > self.rounds:
            self.notes.append(f"results of {rounds} rounds, where {self.rounds} are announced")
        entrants = tuple(Entrant(str(at), at, self.players[at].name, self.players[at].rating) for at in order)
        rows: list[Row] = []
        for at in order:
            rows += self.rows(self.players[at])
        for pair in self.banned | {frozenset({one}) for one in self.absent}:
            for one in pair:
                if one not in self.players:
                    raise Malformed(f"the starting number {one} is named, and there is no such player")
        field = Field(
            entrants, tuple(rows), rounds, max(self.rounds, rounds), "swiss", self.points["win"], self.points["draw"],
            self.points["loss"], seed=self.seed,
        )  # fmt: skip
        for entrant, told in field.points().items():
            said = self.players[int(entrant)].points
            if said is not None and said != told:
                self.notes.append(f"player {entrant}: the file says {said} points, the results make {told}")
        return Report(
            field,
            self.head,
            tuple(self.kept),
            tuple(self.notes),
            self.edition,
            frozenset(self.absent),
            frozenset(self.banned),
        )

    def played(self) -> int:
        """Return how many rounds were played. A last column without any game is the coming round: who stands in it will be away."""
        rounds = max(len(one.results) for one in self.players.values())
        if rounds:
            last = [(one, one.results[rounds - 1]) for one in self.players.values() if len(one.results) == rounds]
            if all(not opponent and result in "HFZ- " for _one, (opponent, _colour, result, _at) in last):
                self.absent |= {one.number for one, (_opponent, _colour, result, _at) in last if result in "HFZ-"}
                for one, _said in last:
                    one.results.pop()
                return rounds - 1
        return rounds

    def rows(self, player: _Player) -> list[Row]:
        """Return the rows of a player, each checked against the opponent's."""
        made = []
        for number, (opponent, colour, result, column) in enumerate(player.results, 1):
            name = str(player.number)
            if opponent == 0:
                if result in _BYES or result in " -+":
                    kind = {"+": Kind.FULL_BYE, "-": Kind.ABSENT}.get(result, _BYES.get(result, Kind.ABSENT))
                    made.append(Row(name, number, kind, self.worth(kind)))
                    continue
                raise Malformed(f"the result {result!r} needs an opponent", player.line, column)
            other = self.players.get(opponent)
            if other is None:
                raise Malformed(f"the opponent {opponent} is no player of the file", player.line, column)
            if opponent == player.number:
                raise Malformed("a player does not meet themselves", player.line, column)
            theirs = other.results[number - 1] if number <= len(other.results) else (0, "-", " ", 0)
            if theirs[0] != player.number:
                raise Malformed(
                    f"round {number} names the opponent {opponent}, whose line {other.line} does not name {player.number}",
                    player.line,
                    column,
                )
            made.append(self.game(player, number, opponent, colour, result, theirs[2], column))
        return made

    def game(
        self, player: _Player, number: int, opponent: int, colour: str, result: str, theirs: str, column: int
    ) -> Row:
        """Return the row of a game, played or forfeited."""
        fits = {"1": "0", "0": "1", "=": "=", "W": "L", "L": "W", "D": "D", "+": "-", "-": "+-"}
        if result not in fits or theirs not in fits[result]:
            raise Malformed(
                f"the results {result!r} and {theirs!r} of the game with {opponent} in round {number} do not fit together",
                player.line,
                column,
            )
        seat = {"w": 0, "b": 1}.get(colour)
        name, other = str(player.number), (str(opponent),)
        if result in "+-":
            kind = Kind.FORFEIT_WIN if result == "+" else Kind.FORFEIT_LOSS if theirs == "+" else Kind.DOUBLE_FORFEIT
            outcome: Outcome = "win" if result == "+" else "loss"
            return Row(name, number, kind, self.worth(kind), other, outcome, None, None, seat, 2)
        outcome = _GAMES[result]
        return Row(
            name,
            number,
            Kind.PLAYED,
            self.points[outcome],
            other,
            outcome,
            2 if outcome == "loss" else 1,
            None,
            seat,
            2,
        )

    def worth(self, kind: Kind) -> Fraction:
        """Return the points of a round without a game."""
        from league.tournament.field import KINDS

        return self.points.get(KINDS[kind].worth, Fraction(0))


# Out -----------------------------------------------------------------------------------------------------------------


def write(
    field: Field, *, names: Mapping[str, str] | None = None, head: Mapping[str, str] | None = None, ranks: Mapping[str, int] | None = None,
    edition: Literal["2016", "2026"] = "2016", ends: str = "\r\n",
) -> bytes:  # fmt: skip
    """Return a stage as a report file. Starting numbers are the pairing numbers in their order, from 1.

    :param names: by entrant, as they may be shown; without it those of the entrants
    :param ranks: by entrant; without it they stand in order of points and number
    :raises ValueError: for a stage with more than two seats at a table, or with more players than the format has numbers
    """
    if any(row.size > 2 for row in field.rows):
        raise ValueError("a report file holds games of two; this stage has tables of more")
    if len(field.entrants) > MOST_PLAYERS:
        raise ValueError(f"a report file has at most {MOST_PLAYERS} players")
    order = sorted(field.entrants, key=lambda one: one.number)
    number = {one.id: at for at, one in enumerate(order, 1)}
    points = field.points()
    placed = sorted(order, key=lambda one: (-points[one.id], one.number))
    ranked = ranks or {one.id: at for at, one in enumerate(placed, 1)}
    lines = [f"{code} {(head or {})[name]}" for code, name in _HEADS.items() if (head or {}).get(name)]
    if not any(line.startswith("062") for line in lines):
        lines.append(f"062 {len(order)}")
    if field.planned:
        lines.append(f"{'142' if edition == '2026' else 'XXR'} {field.planned}")
    if (field.win, field.draw) != (Fraction(1), Fraction(1, 2)):
        lines.append(f"XXS W={_decimal(field.win)} D={_decimal(field.draw)}")
    rows = field.rows_of()
    for one in order:
        by_round = {row.round: row for row in rows[one.id]}
        cells = "".join("  " + _cell(by_round.get(at), number) for at in range(1, field.rounds + 1))
        name = _plain((names or {}).get(one.id, one.name))[:33]
        rating = f"{min(one.rating, 9999):>4}" if one.rating else "    "
        front = f"001 {number[one.id]:>4}      {name:<33} {rating}"
        lines.append(f"{front:<80}{_decimal(points[one.id]):>4} {ranked.get(one.id, 0):>4}{cells}".rstrip())
    return (ends.join(lines) + ends).encode()


def _plain(text: str) -> str:
    return " ".join("".join(" " if not sign.isprintable() else sign for sign in text).split())


def _decimal(points: Fraction) -> str:
    return f"{float(points):.1f}"


def _cell(row: Row | None, number: Mapping[str, int]) -> str:
    if row is None:
        return "        "
    if row.opponents:
        colour = {0: "w", 1: "b"}.get(row.seat if row.seat is not None else -1, "-")
        signs = {Kind.FORFEIT_WIN: "+", Kind.FORFEIT_LOSS: "-", Kind.DOUBLE_FORFEIT: "-", Kind.DOUBLE_LOSS: "-"}
        sign = signs.get(row.kind) or {"win": "1", "draw": "=", "loss": "0"}[row.outcome or "loss"]
        return f"{number[row.opponents[0]]:>4} {colour} {sign}"
    kind = LOST.get(row.kind, row.kind)
    if kind == Kind.FORFEIT_WIN:
        kind = Kind.FULL_BYE
    sign = next((sign for sign, known in _BYES.items() if known == kind), "Z")
    return f"0000 - {sign}"

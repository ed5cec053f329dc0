"""The FIDE (Dutch) system through py4swiss, labelled with the year of its rules. For two seats; no wishes but those of FIDE."""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction
from importlib.metadata import version

from py4swiss.engines import DutchEngine
from py4swiss.engines.common.exceptions import PairingError
from py4swiss.trf import ParsedTrf
from py4swiss.trf.codes import PlayerCode
from py4swiss.trf.results import ColorToken, ResultToken, RoundResult
from py4swiss.trf.sections import PlayerSection, XSection

from league.tournament.field import Field, Kind, Row
from league.tournament.pairing import tables
from league.tournament.pairing.base import Bye, Note, Pairing, PairingImpossible, digest

ENGINE = "fide-dutch"
VERSION = f"py4swiss {version('py4swiss')}, rules of 2025 (C.04.3, in force until 31 January 2026)"
_BYES = {
    Kind.ALLOCATED_BYE: ResultToken.PAIRING_ALLOCATED_BYE, Kind.POD_BYE: ResultToken.PAIRING_ALLOCATED_BYE,
    Kind.AWARDED_BYE: ResultToken.FULL_POINT_BYE, Kind.FULL_BYE: ResultToken.FULL_POINT_BYE, Kind.HALF_BYE: ResultToken.HALF_POINT_BYE,
    Kind.ABSENT: ResultToken.ZERO_POINT_BYE, Kind.LATE: ResultToken.ZERO_POINT_BYE,
}  # fmt: skip
_GAMES = {"win": ResultToken.WIN, "draw": ResultToken.DRAW, "loss": ResultToken.LOSS, None: ResultToken.LOSS}
_FORFEITS = {
    Kind.FORFEIT_WIN: ResultToken.FORFEIT_WIN, Kind.FORFEIT_LOSS: ResultToken.FORFEIT_LOSS, Kind.DOUBLE_FORFEIT: ResultToken.FORFEIT_LOSS,
}  # fmt: skip
_POINTS = {
    "1": Fraction(1), "=": Fraction(1, 2), "0": Fraction(0), "+": Fraction(1), "-": Fraction(0), "H": Fraction(1, 2), "F": Fraction(1),
    "U": Fraction(1), "Z": Fraction(0),
}  # fmt: skip


def pair(
    field: Field,
    *,
    round: int,
    present: Collection[str],
    seed: str = "",
    banned: Collection[frozenset[str]] = frozenset(),
    repeats_matter: bool = True,
) -> Pairing:
    """Return a round under the FIDE (Dutch) rules: who has white sits first. Results count 1, ½ and 0, whatever the stage gives.

    :raises PairingImpossible: if the rules leave no pairing
    """
    ordered = sorted(field.entrants, key=lambda one: one.number)
    number = {one.id: at for at, one in enumerate(ordered, 1)}
    rows = {(row.entrant, row.round): row for row in field.rows if row.round < round}
    sections = [_section(number[one.id], [rows.get((one.id, at)) for at in range(1, round)], number) for one in ordered]
    away = {number[one.id] for one in ordered if one.id not in set(present)}
    # The format has no game that both lose: it is written as a forfeit, and that the two have met is said beside it.
    lost = {frozenset((row.entrant, *row.opponents)) for row in field.rows if row.kind == Kind.DOUBLE_LOSS}
    forbidden = {(min(two), max(two)) for two in ([number[one] for one in pair_] for pair_ in lost.union(banned))}
    trf = ParsedTrf(
        player_sections=sections,
        x_section=XSection(number_of_rounds=max(field.planned, round), zeroed_ids=away, forbidden_pairs=forbidden),
    )
    try:
        trf.validate_contents()
        made = DutchEngine.generate_pairings(trf)
    except (PairingError, ValueError) as error:
        raise PairingImpossible(
            f"round {round} has no pairing under the FIDE (Dutch) rules: {error}", present
        ) from error
    ids = {at: one.id for at, one in enumerate(ordered, 1)}
    groups = [(ids[one.white], ids[one.black]) for one in made if one.black]
    byes = [ids[one.white] for one in made if not one.black]
    placed, wishes = tables.assign(field, groups, repeats_matter=repeats_matter)
    notes = [Note("kept_apart", two) for two in groups if _same_group(field, two)]
    return Pairing(
        tuple(placed), tuple(Bye(one, Kind.ALLOCATED_BYE) for one in byes), ENGINE, VERSION,
        digest(ENGINE, VERSION, field, round, sorted(present), sorted(map(sorted, banned)), seed, repeats_matter), (*notes, *wishes),
    )  # fmt: skip


def _same_group(field: Field, two: tuple[str, str]) -> bool:
    groups = {one.group for one in field.entrants if one.id in two}
    return len(groups) == 1 and groups != {""}


def _section(number: int, rows: list[Row | None], numbers: dict[str, int]) -> PlayerSection:
    results = [_result(row, numbers) for row in rows]
    points = sum((_POINTS[one.result.value] for one in results), Fraction(0))
    return PlayerSection(
        code=PlayerCode.PLAYER, starting_number=number, points_times_ten=int(points * 10), rank=number, results=results
    )


def _result(row: Row | None, numbers: dict[str, int]) -> RoundResult:
    if row is None or not row.opponents:
        token = _BYES.get(row.kind, ResultToken.ZERO_POINT_BYE) if row is not None else ResultToken.ZERO_POINT_BYE
        if row is not None and row.kind == Kind.FORFEIT_WIN:
            token = ResultToken.FULL_POINT_BYE
        return RoundResult(id=0, color=ColorToken.BYE_OR_NOT_PAIRED, result=token)
    color = ColorToken.WHITE if row.seat == 0 else ColorToken.BLACK
    if row.kind in _FORFEITS:
        return RoundResult(id=numbers[row.opponents[0]], color=color, result=_FORFEITS[row.kind])
    if row.kind == Kind.DOUBLE_LOSS:
        return RoundResult(id=numbers[row.opponents[0]], color=color, result=ResultToken.FORFEIT_LOSS)
    return RoundResult(id=numbers[row.opponents[0]], color=color, result=_GAMES[row.outcome])

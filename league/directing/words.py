"""Tournaments in words: kinds of rows, formats, rules behind a figure, what an entry of the stream did."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.tournament import events as e
from league.tournament.field import Kind
from league.tournament.reducer import State
from league.tournament.tiebreaks.book import exact

type Words = str | Promise
FORMATS: Mapping[str, Words] = {
    "swiss": gettext_lazy("Swiss, two at a table"),
    "dutch": gettext_lazy("Swiss, FIDE Dutch"),
    "pods": gettext_lazy("Swiss in pods"),
    "round_robin": gettext_lazy("Round robin"),
    "double_round_robin": gettext_lazy("Double round robin"),
    "single_elimination": gettext_lazy("Single elimination"),
    "double_elimination": gettext_lazy("Double elimination"),
    "pod_elimination": gettext_lazy("Elimination in pods"),
}
KINDS: Mapping[str, Words] = {
    Kind.PLAYED: gettext_lazy("played"),
    Kind.DOUBLE_LOSS: gettext_lazy("lost by both"),
    Kind.ALLOCATED_BYE: gettext_lazy("bye"),
    Kind.HALF_BYE: gettext_lazy("half-point bye"),
    Kind.FULL_BYE: gettext_lazy("full-point bye"),
    Kind.ABSENT: gettext_lazy("absent"),
    Kind.LATE: gettext_lazy("not there yet"),
    Kind.FORFEIT_WIN: gettext_lazy("won by forfeit"),
    Kind.FORFEIT_LOSS: gettext_lazy("lost by forfeit"),
    Kind.DOUBLE_FORFEIT: gettext_lazy("forfeited by both"),
    Kind.AWARDED_BYE: gettext_lazy("awarded bye"),
    Kind.POD_BYE: gettext_lazy("bye"),
}
RULES: Mapping[str, Words] = {
    **KINDS,
    "penalty": gettext_lazy("penalty"),
    "opponent": gettext_lazy("points of the opponent"),
    "dummy": gettext_lazy("round not played: the own points stand in"),
    "dummy_capped": gettext_lazy("round not played: capped (edition of 2026)"),
    "times_result": gettext_lazy("points of the opponent × result"),
    "dummy_times_result": gettext_lazy("round not played: own points × what the round gave"),
    "dummy_capped_times_result": gettext_lazy("round not played: capped × what the round gave"),
    "running": gettext_lazy("total after the round"),
    "win": gettext_lazy("a win"),
    "second": gettext_lazy("did not begin"),
    "elected": gettext_lazy("was available"),
    "own": gettext_lazy("1, ½ or 0 for the result"),
    "path": gettext_lazy("1 for a win"),
    "buchholz": gettext_lazy("Buchholz of the opponent"),
    "koya": gettext_lazy("against somebody with half of the points or more"),
    "per_round": gettext_lazy("opponent's points by rounds played"),
    "rating": gettext_lazy("rating of the opponent"),
    "performance": gettext_lazy("performance of the opponent"),
    "table_811": gettext_lazy("FIDE table 8.1.1 for the score"),
    "match_points": gettext_lazy("match points"),
    "game_points": gettext_lazy("game points"),
    "percentage": gettext_lazy("percentage of the opponent"),
    "score": gettext_lazy("points of the game"),
    "capped": gettext_lazy("points of the game, capped"),
    "margin": gettext_lazy("difference to the opponent"),
    "share": gettext_lazy("share of the points at the table"),
    "relative": gettext_lazy("points by the mean of the table"),
    "encounter": gettext_lazy("result against somebody in the tie"),
}
TIEBREAKS: Mapping[str, Words] = {
    "DE": gettext_lazy("Direct encounter"),
    "EDE": gettext_lazy("Extended direct encounter"),
    "WIN": gettext_lazy("Wins"),
    "WON": gettext_lazy("Games won at the board"),
    "BPG": gettext_lazy("Games played as second"),
    "BWG": gettext_lazy("Games won as second"),
    "REP": gettext_lazy("Rounds one elected to play"),
    "BH": gettext_lazy("Buchholz"),
    "BH-C1": gettext_lazy("Buchholz, cut 1"),
    "BH-C2": gettext_lazy("Buchholz, cut 2"),
    "BH-M1": gettext_lazy("Median Buchholz"),
    "BH-M2": gettext_lazy("Median Buchholz 2"),
    "FB": gettext_lazy("Fore-Buchholz"),
    "AOB": gettext_lazy("Average of opponents' Buchholz"),
    "SB": gettext_lazy("Sonneborn-Berger"),
    "SB-C1": gettext_lazy("Sonneborn-Berger, cut 1"),
    "PS": gettext_lazy("Progressive score"),
    "PS-C1": gettext_lazy("Progressive score, cut 1"),
    "PS-C2": gettext_lazy("Progressive score, cut 2"),
    "CTB": gettext_lazy("Cumulative score"),
    "KS": gettext_lazy("Koya"),
    "ARO": gettext_lazy("Average rating of opponents"),
    "ARO-C1": gettext_lazy("Average rating of opponents, cut 1"),
    "ARO-C2": gettext_lazy("Average rating of opponents, cut 2"),
    "TPR": gettext_lazy("Performance rating"),
    "PTP": gettext_lazy("Perfect performance"),
    "APRO": gettext_lazy("Average performance of opponents"),
    "APPO": gettext_lazy("Average perfect performance of opponents"),
    "STD": gettext_lazy("Standard points"),
    "TPN": gettext_lazy("Pairing number"),
    "RTNG": gettext_lazy("Rating"),
    "MWP": gettext_lazy("Match-win percentage"),
    "OMW": gettext_lazy("Opponents' match-win percentage"),
    "OWP": gettext_lazy("Opponents' match-win percentage"),
    "GW": gettext_lazy("Game-win percentage"),
    "OGW": gettext_lazy("Opponents' game-win percentage"),
    "GP": gettext_lazy("Game points"),
    "OOWP": gettext_lazy("Opponents' opponents' percentage"),
    "SOS": gettext_lazy("Strength of schedule"),
    "SOS-M": gettext_lazy("Strength of schedule by rounds"),
    "SOS-W": gettext_lazy("Strength of schedule by win rate"),
    "PATH": gettext_lazy("Path to victory"),
    "VP": gettext_lazy("Victory points"),
    "BP": gettext_lazy("Battle points"),
    "MOV": gettext_lazy("Margin of victory"),
    "VPS": gettext_lazy("Share of victory points"),
    "RPTS": gettext_lazy("Relative points"),
    "OPP-MP": gettext_lazy("Mean points of opponents"),
    "RND": gettext_lazy("Lot"),
}
POINTS: Mapping[str, Words] = {
    "classic": gettext_lazy("1 for a win, ½ for a draw"),
    "three": gettext_lazy("3 for a win, 1 for a draw"),
    "two": gettext_lazy("2 for a win, 1 for a draw"),
    "pod-win": gettext_lazy("5 for a win, 1 for a draw"),
    "two-n": gettext_lazy("2n − 1 for a win at a table of n, 1 for a draw"),
    "places": gettext_lazy("5, 3, 2, 1 by place"),
    "beaten": gettext_lazy("n for the first of n, one less for each place"),
    "score": gettext_lazy("the points of the game"),
}
EDITIONS: Mapping[str, Words] = {
    "fide-2024-08": gettext_lazy("FIDE, from August 2024"),
    "fide-2026-03": gettext_lazy("FIDE, from March 2026 (how a dummy is capped: as understood on 2026-11-30)"),
    "mtr-2026-02": gettext_lazy("Card games, from February 2026"),
    "wargame-2026": gettext_lazy("Wargames, 2026"),
    "house-2026": gettext_lazy("House rules, 2026"),
}
SEEDINGS: Mapping[str, Words] = {
    "rating": gettext_lazy("by rating"),
    "registered": gettext_lazy("in order of registration"),
    "lot": gettext_lazy("by lot"),
    "previous": gettext_lazy("by the stage before"),
}
ROLE: Words = gettext_lazy("as %(role)s")


def rule(code: str) -> str:
    """Return what a rule behind a figure is called."""
    return str(RULES.get(code, code))


def kind(code: str) -> str:
    """Return what a kind of row is called."""
    return str(KINDS.get(code, code))


def points(value: str | Fraction) -> str:
    """Return points as people write them: ½ for a half, decimals where they end, else a fraction."""
    number = Fraction(value)
    whole, rest = divmod(abs(number), 1)
    sign = "−" if number < 0 else ""
    if rest == Fraction(1, 2):
        return f"{sign}{whole or ''}½"
    return exact(number).replace("-", "−")


def format_name(stage: e.Stage) -> str:
    """Return the format of a stage with what matters of it: "Swiss in pods of 4, 5 rounds"."""
    name = str(FORMATS[stage.format])
    if stage.format in ("pods", "pod_elimination"):
        name = _("%(format)s of %(size)s") % {"format": name, "size": stage.pod_size}
    if stage.rounds:
        rounds = ngettext("%(n)s round", "%(n)s rounds", stage.rounds) % {"n": stage.rounds}
        name = f"{name}, {rounds}"
    if stage.groups > 1:
        groups = ngettext("%(n)s group", "%(n)s groups", stage.groups) % {"n": stage.groups}
        name = f"{name}, {groups}"
    return name


def notes(said: list[dict[str, Any]], name: Callable[[str], str]) -> list[str]:
    """Return what an organizer should see before publishing, in sentences."""
    return [note(one, name) for one in said]


def note(said: Mapping[str, Any], name: Callable[[str], str]) -> str:
    """Return one note of a pairing in words."""
    who = ", ".join(name(one) for one in said.get("entrants", ()))
    words = {"who": who, **{key: value for key, value in said.items() if key not in ("code", "entrants")}}
    known: dict[str, str] = {
        "rematch": _("%(who)s meet again."),
        "second_bye": _("%(who)s: a second bye."),
        "kept_apart": _("%(who)s are of one group and meet."),
        "table_again": _("%(who)s: at table %(table)s again."),
        "fixed_table": _("%(who)s: the fixed table is taken."),
        "free_round": _("%(who)s: free by the schedule."),
        "waits": _("%(who)s: waits for an opponent who is not known yet."),
        "walkover": _("%(who)s: goes on without playing."),
        "short_table": _("%(who)s: a smaller table."),
        "too_few": _("%(present)s are there; a table needs %(needed)s."),
        "bans_block": _("The pairs that must not meet leave %(who)s without an opponent."),
        "rematch_next": _("The next round cannot be paired without a rematch or a second bye; left over: %(who)s."),
        "rematch_sure": _(
            "Of the %(wanted)s rounds that are left %(rounds)s at most can be played without meeting again. %(who)s"
        ),
        "rematch_possible": _(
            "%(rounds)s of the %(wanted)s rounds that are left are sure to be possible without meeting again."
        ),
        "bye_again": _("%(entrants_left)s have had no bye, for %(wanted)s rounds of an odd number."),
        "group_large": _("%(members)s of one group cannot be kept apart at %(tables)s tables: %(who)s"),
        "table_wanted": _("%(who)s all need table %(table)s."),
        "nobody_present": _("%(who)s: nobody of them is there."),
    }
    text = known.get(str(said["code"]), _("%(who)s: %(code)s."))
    return text % {"code": said["code"], "table": "", "rounds": "", "wanted": "", **words}


# The director's log --------------------------------------------------------------------------------------------------


def entry(event: e.Payload, before: State, name: Callable[[str], str]) -> str:
    """Return what an entry did, in a sentence; `before` is the state that it found."""
    match event:
        case e.TournamentOpened():
            return _("Tournament opened: %(stages)s.") % {"stages": "; ".join(format_name(one) for one in event.stages)}
        case e.TournamentChanged():
            return _("Settings changed.")
        case e.RegistrationOpened():
            if event.cap is not None:
                return _("Registration opened, %(cap)s places.") % {"cap": event.cap}
            return _("Registration opened.")
        case e.RegistrationClosed():
            return _("Registration closed.")
        case e.TournamentClosed():
            return _("Tournament closed; computed from entry #%(seq)s.") % {"seq": event.at_seq}
        case e.TournamentReopened():
            return _("Tournament reopened.")
        case e.TournamentCancelled():
            return _("Tournament cancelled.")
        case e.EntryWithdrawn():
            return _("Entry #%(seq)s taken back.") % {"seq": event.target_seq}
        case e.RoleGranted():
            return _("%(who)s was given the role %(role)s.") % {"who": name(event.person), "role": event.role}
        case e.RoleRevoked():
            return _("%(who)s lost the role %(role)s.") % {"who": name(event.person), "role": event.role}
    if hasattr(event, "person"):
        return _of_person(event, before, name(event.person))
    return _of_round(event, before, name)


def _of_person(event: e.Payload, before: State, who: str) -> str:
    words: dict[str, Any] = {"who": who}
    match event:
        case e.PersonRegistered():
            if event.missed_as:
                words |= {"kind": kind(event.missed_as), "n": len(event.missed)}
                return _("%(who)s entered late; %(n)s rounds before count as: %(kind)s.") % words
            return _("%(who)s registered.") % words
        case e.PersonWaitlisted():
            return _("%(who)s is on the waiting list.") % words
        case e.PersonPromoted():
            return _("%(who)s has a place now.") % words
        case e.PersonCheckedIn():
            ways = {"desk": _("at the desk"), "self": _("by themselves"), "qr": _("with the code of the hall")}
            return _("%(who)s checked in %(way)s.") % {**words, "way": ways[event.way]}
        case e.PersonWithdrawn():
            return _("%(who)s gave the place back.") % words
        case e.PersonDropped():
            return _("%(who)s drops from round %(round)s on.") % {**words, "round": event.round}
        case e.PersonReturned():
            words |= {"round": event.round, "kind": kind(event.missed_as)}
            return _("%(who)s is back from round %(round)s on; rounds missed count as: %(kind)s.") % words
        case e.PersonDisqualified():
            return _("%(who)s disqualified from round %(round)s on.") % {**words, "round": event.round}
        case e.EntrantChanged():
            old = before.entries.get(event.person)
            words |= {
                "old": old.rating if old else 0,
                "new": event.seed_rating or 0,
                "group": event.group or "–",
                "table": event.table or "–",
            }
            return _("%(who)s: rating %(old)s → %(new)s, group %(group)s, fixed table %(table)s.") % words
        case e.ByeRequested():
            words |= {"round": event.round}
            if event.kind is None:
                return _("%(who)s plays round %(round)s after all.") % words
            return _("%(who)s will not play round %(round)s: %(kind)s.") % {**words, "kind": kind(event.kind)}
        case e.PenaltyGiven():
            return _("%(who)s: penalty of %(points)s points.") % {**words, "points": points(event.value)}
        case e.JudgeCalled():
            return _("%(who)s called a judge to table %(table)s.") % {**words, "table": event.table}
    return type(event).__name__


def _of_round(event: e.Payload, before: State, name: Callable[[str], str]) -> str:
    words: dict[str, Any] = {"stage": getattr(event, "stage", 0) + 1, "round": getattr(event, "round", 0)}
    match event:
        case e.StageBegun():
            n = sum(map(len, event.entrants))
            words |= {"n": n, "seeding": SEEDINGS.get(event.seeding, event.seeding)}
            return _("Stage %(stage)s began with %(n)s entrants, seeded %(seeding)s.") % words
        case e.RoundPaired():
            words |= {"n": len(event.tables), "engine": event.engine, "version": event.version}
            return _("Round %(round)s prepared: %(n)s tables (%(engine)s %(version)s).") % words
        case e.SeatsSwapped():
            return _("Round %(round)s: %(one)s and %(other)s change places.") % {
                **words, "one": name(event.first), "other": name(event.second),
            }  # fmt: skip
        case e.TableMoved():
            return _("Round %(round)s: table %(table)s → %(to)s.") % {**words, "table": event.table, "to": event.to}
        case e.RoundUnpaired():
            return _("Round %(round)s taken back.") % words
        case e.RoundPublished():
            return _("Round %(round)s published.") % words
        case e.ClockSet():
            return _("Clock of round %(round)s set.") % words
        case e.TableExtended():
            words |= {"table": event.table, "minutes": event.seconds // 60}
            return _("Table %(table)s of round %(round)s: %(minutes)s minutes more.") % words
        case e.JudgeAnswered():
            return _("Judge at table %(table)s.") % {**words, "table": event.table}
        case e.ResultSettled() | e.ResultRuled():
            table = before.table(event.stage, event.round, event.table)
            words |= {
                "table": event.table,
                "old": result(table.rows, name) if table and table.rows else _("none"),
                "new": result(event.rows, name) if event.rows else _("none"),
            }
            if isinstance(event, e.ResultRuled):
                return _("Round %(round)s, table %(table)s ruled: %(old)s → %(new)s.") % words
            return _("Round %(round)s, table %(table)s: %(old)s → %(new)s.") % words
        case e.StageClosed():
            words |= {"seq": event.at_seq}
            if event.cut:
                who = ", ".join(name(one) for one in event.cut[:16]) + (" …" if len(event.cut) > 16 else "")
                return _("Stage %(stage)s closed, computed from entry #%(seq)s; on go %(who)s.") % {**words, "who": who}
            return _("Stage %(stage)s closed, computed from entry #%(seq)s.") % words
    return type(event).__name__


def result(rows: list[e.ResultRow] | None, name: Callable[[str], str]) -> str:
    """Return the result of a table in words: "Ada 1 – 0 Bo", or places with points."""
    if not rows:
        return "–"
    if len(rows) == 2:
        first, second = rows
        text = f"{name(first.person)} {points(first.points)} – {points(second.points)} {name(second.person)}"
    else:
        order = sorted(rows, key=lambda one: one.place or 99)
        text = ", ".join(f"{one.place or '–'}. {name(one.person)} ({points(one.points)})" for one in order)
    odd = {one.kind for one in rows} - {Kind.PLAYED}
    return f"{text} ({', '.join(sorted(kind(one) for one in odd))})" if odd else text


def short_result(rows: list[e.ResultRow] | None, person: str) -> str:
    """Return what one at a table has of it: "1", "½", "0 F" …"""
    row = next((one for one in rows or () if one.person == person), None)
    if row is None:
        return ""
    text = points(row.points)
    return text if row.kind == Kind.PLAYED else f"{text} ({kind(row.kind)})"


def reason_of(event: e.Payload) -> str:
    """Return why something was done, as it was said."""
    return str(getattr(event, "reason", "") or "")

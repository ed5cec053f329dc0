"""``python -m rulesengine``: check, replay, convert and play match logs at a terminal.

Exit codes: 0 nothing found, 1 findings, 2 the file or the request could not be read.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn, get_args

import msgspec

from rulesengine import canonical, codec, notation, registry, replay
from rulesengine.log import MAX_BYTES, Log, Unreadable
from rulesengine.notation.values import write_pairs
from rulesengine.play import PLAYERS, play
from rulesengine.replay import Finding, Report

CLEAN, FOUND, UNREADABLE = 0, 1, 2
KINDS = {
    "form": "not written as a log must be: correct the file",
    "impossible": "cannot have happened like this: correct the file, nothing of it can be recorded before",
    "irregular": "a rule forbids it: correct the file, or have the referee accept it (illegal_state_accepted)",
    "observed": "differs from what the table wrote down: the computed value holds, look whether an entry is missing",
}
WIDTH = 160
MANY = 12


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    try:
        request = _parser().parse_args(arguments)
        code: int = request.run(request)
        sys.stdout.flush()
    except Unreadable as error:
        return _fail(str(error))
    except (KeyError, ValueError) as error:
        return _fail(str(error.args[0]) if error.args else str(error))
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            sys.stderr.close()
            return UNREADABLE
        return _fail(f"{error.filename or 'the file'}: {error.strerror or error}")
    except KeyboardInterrupt:
        return 130
    return code


def _fail(message: str) -> int:
    print(f"rulesengine: {message}", file=sys.stderr)
    return UNREADABLE


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        raise ValueError(f"{message}; see python -m rulesengine --help")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="python -m rulesengine", description="Check, replay, convert and play match logs.")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    def command(name: str, run: Any, text: str, *, file: bool = True) -> argparse.ArgumentParser:
        one = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        one.set_defaults(run=run)
        if file:
            one.add_argument(
                "file", metavar="FILE", help="a log as JSON Lines, scribe text or CSV; - reads standard input"
            )
        return one

    one = command("check", _check, "report whether a log holds under the rules of its day")
    one.add_argument("--json", action="store_true", help="the report as one JSON object")
    one = command("replay", _replay, "show the position, what followed from each event, and the placements")
    one.add_argument("--at", type=int, metavar="SEQ", help="after this event (0: after the set-up; default: the last)")
    one.add_argument("--json", action="store_true", help="the same as one JSON object")
    one = command("legal", _legal, "list what may be recorded next")
    one.add_argument("--at", type=int, metavar="SEQ", help="after this event (0: after the set-up; default: the last)")
    one.add_argument("--json", action="store_true", help="the same as one JSON object")
    one = command("convert", _convert, "write a log in another form to standard output")
    one.add_argument("--to", required=True, choices=get_args(notation.Form), help="the form")
    one = command("play", _play, "play a whole legal match and write it as JSON Lines to standard output", file=False)
    one.add_argument("game", metavar="GAME", help=f"one of {', '.join(registry.games())}")
    one.add_argument("--edition", metavar="E", help="key of the rules (default: the latest)")
    one.add_argument("--seats", type=int, metavar="N", help="how many sit (default: the seed decides)")
    one.add_argument("--seed", type=int, default=0, metavar="S", help="the same seed gives the same match (default: 0)")
    one.add_argument("--player", default="random", choices=PLAYERS, help="how it is played (default: random)")
    one.add_argument("--max-events", type=int, metavar="N", help="stop after so many events")
    one.add_argument(
        "--option", action="append", default=[], metavar="KEY=VALUE", help="a set-up option, its value as JSON or text"
    )
    return parser


def _read(name: str) -> Log:
    if name == "-":
        return notation.parse(sys.stdin.buffer.read(MAX_BYTES + 1))
    path = Path(name)
    with path.open("rb") as file:
        raw = file.read(MAX_BYTES + 1)
    return notation.parse(raw, name=path.name)


def _put(value: Any) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(value) + b"\n")


# check ----------------------------------------------------------------------------------------------------------------


def _check(request: argparse.Namespace) -> int:
    report = replay.report(_read(request.file))
    if request.json:
        _put(report.as_json())
    else:
        for row in check_text(report):
            print(row)
    return FOUND if report.findings else CLEAN


def check_text(report: Report) -> list[str]:
    """Return a report in lines for people: how the match stands, then the findings by what is to be done about each kind."""
    told = report.replay
    header = told.header
    title = f" · {_clean(header.title)}" if header.title else ""
    rows = [f"{header.game} {told.ruleset.edition.key}".strip() + f" · {header.played_on}{title}"]
    names = ", ".join(f"{seat.seat} {_clean(seat.name)}".strip() for seat in header.seats)
    rows.append(f"{_count(report.events, 'event')}, {report.accepted} accepted · {names}")
    if told.status is not None:
        rows.append(_standing(report))
    follow_ups: dict[int, list[Finding]] = {}
    for one in report.findings:
        if one.follows is not None:
            follow_ups.setdefault(one.follows, []).append(one)
    roots = [one for one in report.findings if one.follows is None]
    if len(roots) > MANY:
        rows.append(f"Begin with {_where(roots[0])}, and check again: what stands behind it may only follow from it.")
    for kind in dict.fromkeys(one.kind for one in roots):  # that of the first line first
        found = [one for one in roots if one.kind == kind]
        rows += ["", f"{_count(len(found), 'entry' if kind != 'observed' else 'figure')}: {KINDS[kind]}"]
        for one in found:
            rows += _finding(told.ruleset.rules, one, follow_ups.get(one.seq or 0, []))
    if not report.findings:
        rows += ["", "Nothing found. The log holds."]
    return rows


def _finding(rules: Any, one: Finding, follow_ups: list[Finding]) -> list[str]:
    where = _where(one)
    what = " ".join(part for part in (one.seat, one.type) if part)
    seq = f" (seq {one.seq})" if one.line is not None and one.seq is not None else ""
    rows = [f"  {where}{seq}  {what}".rstrip()]
    said = _clean(one.message) + (f" — possible: {_clean(one.nearest)}" if one.nearest else "")
    rows.append(f"      {one.rule}: {said}" if one.rule else f"      {said}")
    text = next((rule.text for rule in rules if rule.id == one.rule), None)
    if text and one.kind in ("irregular", "impossible"):
        rows.append(f"      {one.rule} says: {text}")
    if follow_ups:
        others = f" and {len(follow_ups) - MANY} more" if len(follow_ups) > MANY else ""
        rows.append(f"      settled with it: {', '.join(map(_where, follow_ups[:MANY]))}{others}")
    return rows


def _where(one: Finding) -> str:
    return f"line {one.line}" if one.line is not None else f"seq {one.seq}"


def _standing(report: Report) -> str:
    told = report.replay
    if told.status == "void":
        return "The match is void and counts for nothing."
    if told.status == "running":
        turn = told.ruleset.turn(told.state)
        return "The match is still running" + (f", {turn} to play." if turn else ".")
    ranking = ", ".join(f"{one.place}. {one.seat}" for one in told.placements)
    disputes = f" Open disputes: seq {', '.join(map(str, told.disputes))}." if told.disputes else ""
    return f"The match has ended{' and is confirmed' if told.status == 'confirmed' else ''}: {ranking}.{disputes}"


def _count(number: int, what: str) -> str:
    return (
        f"{number} {what}"
        if number == 1
        else f"{number} {what.removesuffix('y') + 'ies' if what == 'entry' else what + 's'}"
    )


def _clean(text: str) -> str:
    shown = "".join(sign if sign.isprintable() else "�" for sign in text)
    return shown if len(shown) <= WIDTH * 2 else shown[: WIDTH * 2 - 1] + "…"


# replay, legal --------------------------------------------------------------------------------------------------------


def _position(request: argparse.Namespace) -> replay.Replay:
    log = _read(request.file)
    told = replay.run(log, at=request.at)
    if told.state is None:
        raise Unreadable(f"{told.findings[0].rule}: {told.findings[0].message}", 1)
    return told


def _replay(request: argparse.Namespace) -> int:
    told = _position(request)
    state = told.ruleset.view(told.state)
    if request.json:
        placements = told.placed
        _put({"at": told.at, "state": state, "consequences": replay.consequences(told), "placements": placements})
        return FOUND if _found(told) else CLEAN
    for one in replay.consequences(told):
        print(f"{one['after']:>6}  {one['type']} {_json(one['data'])}")
    print(f"\nState after seq {told.at}:")
    for key, value in state.items():
        if isinstance(value, dict):
            print(f"  {key}")
            for name, row in value.items():
                print(f"    {name}  {_json(row)}")
        else:
            print(f"  {key}  {_json(value)}")
    if told.placements:
        print("Placements: " + ", ".join(f"{one.place}. {one.seat}" for one in told.placements))
    if _found(told):
        print(f"\n{_count(_found(told), 'finding')} on the way; python -m rulesengine check lists them.")
    return FOUND if _found(told) else CLEAN


def _found(told: replay.Replay) -> int:
    broken = [one for one in told.log.form if one.seq is None or one.seq <= told.at or told.at == _last(told.log)]
    return len(told.findings) + len(broken)


def _last(log: Log) -> int:
    return log.lines[-1].seq if log.lines else 0


def _legal(request: argparse.Namespace) -> int:
    told = _position(request)
    events = list(told.ruleset.legal(told.state))
    if request.json:
        rows = [{"type": one.type, "seat": one.seat, "data": msgspec.Raw(codec.encode(one))} for one in events]
        _put({"at": told.at, "events": rows})
    else:
        for one in events:
            print(f"{one.seat or '-'} {one.type} {write_pairs(msgspec.to_builtins(one.data))}".rstrip())
        if not events:
            print(f"Nothing: {_standing(Report(told, 0, 0, ()))}")
    return CLEAN


# convert, play --------------------------------------------------------------------------------------------------------


def _convert(request: argparse.Namespace) -> int:
    log = _read(request.file)
    for one in log.form:
        print(f"rulesengine: line {one.number}: {_clean(one.message)}", file=sys.stderr)
    if log.form:
        print("rulesengine: nothing is written; correct these lines first", file=sys.stderr)
        return FOUND
    sys.stdout.buffer.write(notation.write(log, request.to))
    return CLEAN


def _play(request: argparse.Namespace) -> int:
    options: dict[str, Any] = {}
    for given in request.option:
        key, equals, text = given.partition("=")
        if not equals:
            raise ValueError(f"--option {given!r} has no =; write KEY=VALUE, such as max_rounds=12")
        try:
            options[key] = msgspec.json.decode(text)
        except msgspec.DecodeError:
            options[key] = text
    canonical.dumps(options)
    log = play(
        request.game,
        edition=request.edition,
        seats=request.seats,
        seed=request.seed,
        player=request.player,
        max_events=request.max_events,
        options=options,
    )
    sys.stdout.buffer.write(notation.write(log, "jsonl"))
    return CLEAN


def _json(value: Any) -> str:
    return _clean(msgspec.json.encode(value).decode())


if __name__ == "__main__":
    sys.exit(main())

"""What a person reads when a file is not as it must be: each sentence, and the line it speaks of."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rulesengine.log import Unreadable
from rulesengine.notation import parse

HEADER = (
    b'{"log": "annals/1", "game": "hexwar", "rules": "hexwar-1", "played_on": "2026-11-28", "seats": [{"seat": "A"}]}\n'
)
EVENT = b'{"seq": 1, "type": "turn_ended", "seat": "A"}\n'
TEXT = b'[Game hexwar]\n[Played 2026-11-28]\n[Seat A "Ada"]\n'
CSV = b"#Game,hexwar\n#Played,2026-11-28\n#Seat,A,Ada\nseq,at,seat,as,type,data,note,id\n"
UUID = b"0193b2f0-5c0e-7a31-9c55-0d7c2b1f4a10"


def header(without: str = "", **changed: Any) -> bytes:
    """Return a header with some keys changed."""
    value = {**json.loads(HEADER), **changed}
    value.pop(without, None)
    return json.dumps(value, ensure_ascii=False).encode() + b"\n"


def event(more: bytes) -> bytes:
    """Return a log with one event that has something more, on line 2."""
    return HEADER + b'{"seq": 1, "type": "turn_ended", "seat": "A", ' + more + b"}\n"


def data(value: bytes) -> bytes:
    """Return a log with one detail x."""
    return event(b'"data": {"x": ' + value + b"}")


NO_LOG: dict[str, tuple[bytes, int | None, str]] = {
    "an empty file": (
        b"",
        None,
        'the file is empty; a log begins with its header, such as {"log": "annals/1", …}',
    ),
    "a file of blank lines": (
        b" \n\n",
        None,
        'the file is empty; a log begins with its header, such as {"log": "annals/1", …}',
    ),
    "a byte order mark alone": (
        b"\xef\xbb\xbf",
        None,
        'the file is empty; a log begins with its header, such as {"log": "annals/1", …}',
    ),
    "a letter": (
        b"Dear organizer,\n",
        None,
        'this is no match log; a log begins with {"log": …} (JSON Lines), with [Game …] (scribe text) or with #Game,… (CSV)',
    ),
    "a zip": (
        b"PK\x03\x04\x00\x00",
        None,
        "this is no text file, or UTF-16 without its mark; a log is saved as plain text in UTF-8",
    ),
    "a list of events": (
        b'[{"log": "annals/1"}]',
        None,
        'this is no match log; a log begins with {"log": …} (JSON Lines), with [Game …] (scribe text) or with #Game,… (CSV)',
    ),
    "JSON Lines in UTF-16": (
        (HEADER + EVENT).decode().encode("utf-16"),
        None,
        "the file is UTF-16; save it as UTF-8 (only CSV from a spreadsheet may be UTF-16)",
    ),
    "UTF-16 without its mark": (
        (HEADER + EVENT).decode().encode("utf-16-le"),
        None,
        "this is no text file, or UTF-16 without its mark; a log is saved as plain text in UTF-8",
    ),
    "scribe text in UTF-16": (
        TEXT.decode().encode("utf-16"),
        None,
        "the file is UTF-16; save it as UTF-8 (only CSV from a spreadsheet may be UTF-16)",
    ),
    "carriage returns alone": (
        (HEADER + EVENT).replace(b"\n", b"\r"),
        None,
        "the lines end with a carriage return alone, as on very old computers; save the file with the line ends of Unix (LF) or Windows (CRLF)",
    ),
    "scribe text with carriage returns alone": (
        TEXT.replace(b"\n", b"\r"),
        None,
        "the lines end with a carriage return alone, as on very old computers; save the file with the line ends of Unix (LF) or Windows (CRLF)",
    ),
    "65 MiB": (
        b"x" * (65 << 20),
        None,
        "the file is larger than 64 MiB; a log never is, upload one match per file",
    ),
    "a header that breaks off": (
        HEADER[:-20],
        1,
        "this is not JSON at column 87: the text that begins here has no closing quote; the log seems to be cut in the middle, take the whole file",
    ),
    "a header over several lines": (
        b'{\n  "log": "annals/1",\n',
        1,
        "this is not JSON at column 2: a key in double quotes was expected; the whole header stands on this one line",
    ),
    "no version": (
        header(without="log"),
        1,
        'this is no header of a match log: the key "log" is missing; the first line begins {"log": "annals/1", …',
    ),
    "another version": (
        header(log="annals/2"),
        1,
        '"log" is "annals/2"; this site reads "annals/1", export the log in that version',
    ),
    "an unknown game": (
        header(game="chess"),
        1,
        '"game" is "chess"; moves are read of kingsquare, kingsburg, hexwar, robberknights. A result of any other game is recorded with "depth": "score"',
    ),
    "no game": (
        header(without="game"),
        1,
        'the key "game" is missing; it must be one of kingsquare, kingsburg, hexwar, robberknights',
    ),
    "a game that is a number": (
        header(game=4),
        1,
        '"game" is 4; it must be a text in double quotes',
    ),
    "a game of scores that is no short name": (
        header(without="rules", game="Chess!", depth="score"),
        1,
        '"game" is "Chess!"; it must be a short name of at most 60 lower-case letters, digits, - and _',
    ),
    "an unknown depth": (
        header(depth="deep"),
        1,
        '"depth" is "deep"; it must be "log", "score" or "import"',
    ),
    "a score under rules": (
        header(depth="score"),
        1,
        'a match of depth "score" has no moves, so it names no rules; leave "rules" out',
    ),
    "a date as it is written elsewhere": (
        header(played_on="28.11.2026"),
        1,
        '"played_on" is "28.11.2026"; it must be a date such as "2026-11-28"',
    ),
    "a day that does not exist": (
        header(played_on="2026-02-30"),
        1,
        '"played_on" is "2026-02-30"; it must be a date such as "2026-11-28"',
    ),
    "no day": (
        header(without="played_on"),
        1,
        'the key "played_on" is missing; it must be the local date of the table such as "2026-11-28"',
    ),
    "an unknown zone": (
        header(timezone="Mars/Olympus"),
        1,
        '"timezone" is "Mars/Olympus"; it must be an IANA zone such as "America/Chicago" or "UTC"',
    ),
    "a path for a zone": (
        header(timezone="../../etc/passwd"),
        1,
        '"timezone" is "../../etc/passwd"; it must be an IANA zone such as "America/Chicago" or "UTC"',
    ),
    "an id that is no UUID": (
        header(id="42"),
        1,
        '"id" is "42"; it must be a UUID such as 0193b2f0-5c0e-7a31-9c55-0d7c2b1f4a10',
    ),
    "an unknown key in the header": (
        header(weather="rain"),
        1,
        'the header has the unknown key "weather"; known are log, depth, id, game, rules, played_on, timezone, title, seats, officials, options, context',
    ),
    "no seats": (
        header(without="seats"),
        1,
        'the key "seats" is missing; it lists the seats in turn order',
    ),
    "seats that are no list": (
        header(seats={}),
        1,
        '"seats" is {}; it must be a list in brackets',
    ),
    "a seat that is no object": (
        header(seats=[1]),
        1,
        'a seat must be an object such as {"seat": "A", "name": "…"}, not 1',
    ),
    "a seat in lower case": (
        header(seats=[{"seat": "a"}]),
        1,
        '"seat" of a seat is "a"; it must be one capital letter from A to Z',
    ),
    "an unknown key of a seat": (
        header(seats=[{"seat": "A", "nick": "x"}]),
        1,
        'a seat has the unknown key "nick"; known are seat, name, player, kingdom, colour, custom_pieces, '
        "general, king_level",
    ),
    "pieces that are neither own nor not": (
        header(seats=[{"seat": "A", "custom_pieces": "yes"}]),
        1,
        '"custom_pieces" of seat A is "yes"; true or false was expected',
    ),
    "a King of level 0": (
        header(seats=[{"seat": "A", "king_level": 0}]),
        1,
        '"king_level" of seat A is 0; a whole number from 1 was expected',
    ),
    "an unknown office": (
        header(officials=[{"role": "judge"}]),
        1,
        '"role" of an official is "judge"; it must be one of mapmaster, referee, scribe, organizer',
    ),
    "a general among the officials": (
        header(officials=[{"role": "general"}]),
        1,
        '"role" of an official is "general"; it must be one of mapmaster, referee, scribe, organizer',
    ),
    "options that are a list": (
        header(options=[]),
        1,
        '"options" is []; it must be an object in braces',
    ),
    "a title that is a number": (
        header(title=4),
        1,
        '"title" is 4; it must be a text in double quotes',
    ),
    "a header of 66 KiB": (
        header(title="x" * 66_000),
        1,
        "the line is longer than 64 KiB; an event is never that long, look whether line breaks are lost",
    ),
    "a control character in the title": (
        header(title="\u0001"),
        1,
        'the text "\\u0001" holds the control character U+0001; only tab and line breaks are allowed, remove it',
    ),
    "a deep option": (
        header(options={"x": json.loads("[" * 15 + "]" * 15)}),
        1,
        "objects and lists are nested more than 16 deep; a log never needs that, look whether the line is damaged",
    ),
    "a key of the header twice": (
        b'{"log": "annals/1", "log": "annals/1"}\n',
        1,
        'the key "log" stands twice in one object; keep one of them',
    ),
    "an unknown tag": (
        b"[Game hexwar]\n[Colour red]\n",
        2,
        '"Colour" is no header tag; known are Log, Id, Game, Rules, Played, Timezone, Title, Depth, Seat, Official, Option, Context',
    ),
    "a tag twice": (
        b"[Game hexwar]\n[Game hexwar]\n",
        2,
        "Game stands twice in the header; keep one of them",
    ),
    "a title without quotes": (
        b"[Game hexwar]\n[Title a b]\n",
        2,
        "Title has 2 values; one was expected, put a text with spaces in double quotes",
    ),
    "a tag without its bracket": (
        b'[Game hexwar]\n[Title "a"\n',
        2,
        "the tag has no closing bracket ] on its line",
    ),
    "a tag with more after it": (
        b"[Game hexwar] x\n",
        1,
        'nothing but a comment may follow the tag, not "x"',
    ),
    "a bad date in a tag": (
        b"[Game hexwar]\n[Played 28.11.2026]\n[Seat A]\n",
        2,
        'Played is "28.11.2026"; it must be a date such as "2026-11-28"',
    ),
    "no tag for the game": (
        b"[Played 2026-11-28]\n",
        1,
        "the key Game is missing; it must be one of kingsquare, kingsburg, hexwar, robberknights",
    ),
    "a bad seat in a tag": (
        b"[Game hexwar]\n[Seat a]\n",
        2,
        '"seat" of a seat is "a"; it must be one capital letter from A to Z',
    ),
    "too much in a seat": (
        b'[Game hexwar]\n[Seat A "Ada" ada 4]\n',
        2,
        "Seat has 4 values; expected are the letter, the name and the handle",
    ),
    "a name after a key": (
        b'[Game hexwar]\n[Seat A colour=red "Ada"]\n',
        2,
        '"Ada" stands after key=value; the name and the handle come first',
    ),
    "an option without value": (
        b"[Game hexwar]\n[Option x ]\n",
        2,
        'a value was expected at column 11, not "]"; a text with other signs than letters, digits and _ . : / + - stands in double quotes',
    ),
    "an option with two values": (
        b"[Game hexwar]\n[Option x 1 2]\n",
        2,
        "the tag was expected to end with ] at column 13; put a text with spaces in double quotes",
    ),
    "an option twice": (
        b"[Game hexwar]\n[Option x 1]\n[Option x 2]\n",
        3,
        'the option "x" stands twice; keep one of them',
    ),
    "a quote that is not closed": (
        CSV + b'1,,A,,turn_ended,"x=""a,,\n',
        5,
        "a double quote that opens in this row is not closed; the log seems to be cut in the middle, take the whole file",
    ),
    "a quote in a row that is not doubled": (
        CSV + b'1,,A,,turn_ended,"a"b,,\n',
        5,
        "the cells of this row cannot be told apart; put a cell with separators in double quotes and double each quote in it",
    ),
    "a date that a spreadsheet rewrote": (
        b"#Game,hexwar\n#Played,28/11/2026\nseq,type\n",
        2,
        'Played is "28/11/2026"; it must be a date such as "2026-11-28"',
    ),
    "an unknown row of the header": (
        b"#Game,hexwar\n#Colour,red\n",
        2,
        '"Colour" is no header row; known are Log, Id, Game, Rules, Played, Timezone, Title, Depth, Seat, Official, Option, Context',
    ),
    "an unknown column": (
        b"#Game,hexwar\n#Played,2026-11-28\nseq,kind\n",
        3,
        '"kind" is no column; the columns are seq, at, seat, as, type, data, note, id',
    ),
    "a column twice": (
        b"#Game,hexwar\n#Played,2026-11-28\nseq,seq\n",
        3,
        "the column seq stands twice; keep one of them",
    ),
    "no column for the type": (
        b"#Game,hexwar\n#Played,2026-11-28\nseq,seat\n",
        3,
        "the column type is missing; the columns are seq, at, seat, as, type, data, note, id",
    ),
    "CSV in the code page of an old computer": (
        CSV.replace(b"Ada", b"Zo\xe9"),
        3,
        "the file is not UTF-8 (byte 0xE9); save it as CSV UTF-8",
    ),
    "an option with three cells": (
        b"#Game,hexwar\n#Option,a,1,2\n",
        2,
        "Option has 3 cells; a key and a value were expected",
    ),
}

ONE_LINE: dict[str, tuple[bytes, tuple[int, int | None, str | None, str | None], str]] = {
    "a line that breaks off": (
        HEADER + b'{"seq": 1, "type": "turn_ended"\n' + EVENT.replace(b"1", b"2"),
        (2, 1, None, None),
        "this is not JSON at column 32: a comma or the end of the object or list was expected",
    ),
    "a log cut in the middle": (
        HEADER + EVENT + b'{"seq": 2, "type": "turn_en',
        (3, 2, None, None),
        "this is not JSON at column 20: the text that begins here has no closing quote; the log seems to be cut in the middle, take the whole file",
    ),
    "a line that is no JSON": (
        HEADER + b"nonsense\n" + EVENT,
        (2, None, None, None),
        "this is not JSON at column 1: a value was expected",
    ),
    "an event that is a list": (
        HEADER + b"[1]\n",
        (2, None, None, None),
        "an event must be an object in braces, not [1]",
    ),
    "single quotes": (
        HEADER + b"{'seq': 1}\n",
        (2, None, None, None),
        "this is not JSON at column 2: a key in double quotes was expected",
    ),
    "a comma too many": (
        event(b'"data": {"x": 1,}'),
        (2, 1, "turn_ended", "A"),
        "this is not JSON at column 63: a key in double quotes was expected",
    ),
    "no type": (
        HEADER + b'{"seq": 1}\n',
        (2, 1, None, None),
        'the key "type" is missing; it says what happened, such as "turn_ended"',
    ),
    "a type with a space": (
        HEADER + b'{"seq": 1, "type": "Turn Ended"}\n',
        (2, 1, None, None),
        '"type" is "Turn Ended"; it must be the name of an event in lower-case letters, digits and _, such as "turn_ended"',
    ),
    "a missing event": (
        HEADER + EVENT + EVENT.replace(b"1", b"3"),
        (3, 3, "turn_ended", "A"),
        "seq 3 stands where seq 2 was expected; seq 2 is missing, add what is missing or number the lines 1, 2, 3 …",
    ),
    "several missing events": (
        HEADER + EVENT.replace(b"1", b"4"),
        (2, 4, "turn_ended", "A"),
        "seq 4 stands where seq 1 was expected; seqs 1 to 3 are missing, add what is missing or number the lines 1, 2, 3 …",
    ),
    "a seq twice": (
        HEADER + EVENT + EVENT,
        (3, 1, "turn_ended", "A"),
        "seq 1 stands after seq 1; put the lines in order and number them 1, 2, 3 …",
    ),
    "seq 0": (
        HEADER + b'{"seq": 0, "type": "turn_ended"}\n',
        (2, None, "turn_ended", None),
        '"seq" is 0; it must be the number of the event: 1, 2, 3 …',
    ),
    "a seq as text": (
        HEADER + b'{"seq": "1", "type": "turn_ended"}\n',
        (2, None, "turn_ended", None),
        '"seq" is "1"; it must be the number of the event: 1, 2, 3 …',
    ),
    "a seq beyond the limit": (
        HEADER + b'{"seq": 200001, "type": "turn_ended"}\n',
        (2, 200001, "turn_ended", None),
        "seq 200001 is more than a log may hold (200000 events); number the lines 1, 2, 3 …",
    ),
    "two letters for a seat": (
        HEADER + b'{"seq": 1, "type": "turn_ended", "seat": "AB"}\n',
        (2, 1, "turn_ended", None),
        '"seat" is "AB"; it must be one capital letter from A to Z, or be left out',
    ),
    "an unknown role": (
        event(b'"as": "The King"'),
        (2, 1, "turn_ended", "A"),
        '"as" is "The King"; it must be a role, one of general, mapmaster, referee, scribe, organizer',
    ),
    "an unknown key": (
        event(b'"acting_as": "referee"'),
        (2, 1, "turn_ended", "A"),
        'the event has the unknown key "acting_as"; known are seq, type, seat, as, at, id, note, data, by, recorded_at, hash, salts',
    ),
    "a time in words": (
        event(b'"at": "yesterday"'),
        (2, 1, "turn_ended", "A"),
        '"at" is "yesterday"; it must be a date and time such as "2026-11-28T14:03:22-06:00", the offset may be left out',
    ),
    "an hour that does not exist": (
        event(b'"at": "2026-11-28T25:00:00"'),
        (2, 1, "turn_ended", "A"),
        '"at" is "2026-11-28T25:00:00"; it must be a date and time such as "2026-11-28T14:03:22-06:00", the offset may be left out',
    ),
    "an event id that is no UUID": (
        event(b'"id": "7"'),
        (2, 1, "turn_ended", "A"),
        '"id" is "7"; it must be a UUID such as 0193b2f0-5c0e-7a31-9c55-0d7c2b1f4a10',
    ),
    "a note of 501 characters": (
        event(b'"note": "' + b"x" * 501 + b'"'),
        (2, 1, "turn_ended", "A"),
        '"note" has 501 characters; at most 500 are kept, shorten it',
    ),
    "details that are a list": (
        event(b'"data": []'),
        (2, 1, "turn_ended", "A"),
        '"data" is []; it must be an object in braces, or be left out',
    ),
    "details that are null": (
        event(b'"data": null'),
        (2, 1, "turn_ended", "A"),
        '"data" is null; it must be an object in braces, or be left out',
    ),
    "NaN": (
        data(b"NaN"),
        (2, 1, "turn_ended", "A"),
        "NaN is no JSON value; leave the key out or write null",
    ),
    "infinity": (
        data(b"-Infinity"),
        (2, 1, "turn_ended", "A"),
        "-Infinity is no JSON value; leave the key out or write null",
    ),
    "10 to the 400th": (
        data(b"1e400"),
        (2, 1, "turn_ended", "A"),
        "1e400 is not a whole number; a log holds whole numbers only, write it without . or e",
    ),
    "400 digits": (
        data(b"1" + b"0" * 400),
        (2, 1, "turn_ended", "A"),
        "the number 10000000000000000000000000000… is too large; whole numbers from -9007199254740991 to 9007199254740991 are read",
    ),
    "54 bits": (
        data(b"9007199254740992"),
        (2, 1, "turn_ended", "A"),
        "the number 9007199254740992 is too large; whole numbers from -9007199254740991 to 9007199254740991 are read",
    ),
    "a fraction": (
        data(b"1.5"),
        (2, 1, "turn_ended", "A"),
        "1.5 is not a whole number; a log holds whole numbers only, write it without . or e",
    ),
    "a detail twice": (
        event(b'"data": {"x": 1, "x": 2}'),
        (2, 1, "turn_ended", "A"),
        'the key "x" stands twice in one object; keep one of them',
    ),
    "a detail twice with spaces": (
        event(b'"data": {"x" : 1, "x" : 2}'),
        (2, 1, "turn_ended", "A"),
        'the key "x" stands twice in one object; keep one of them',
    ),
    "a key of the event twice": (
        event(b'"seat": "B"'),
        (2, 1, "turn_ended", "A"),
        'the key "seat" stands twice in one object; keep one of them',
    ),
    "a lone surrogate": (
        data(b'"\\ud800"'),
        (2, 1, "turn_ended", "A"),
        'the text "�" holds half a character (a lone surrogate); write the whole character',
    ),
    "a raw surrogate": (
        data(b'"\xed\xa0\x80"'),
        (2, 1, "turn_ended", "A"),
        "the line is not UTF-8 (byte 0xED at position 62); save the file as UTF-8",
    ),
    "another code page": (
        data(b'"\xe9"'),
        (2, 1, "turn_ended", "A"),
        "the line is not UTF-8 (byte 0xE9 at position 62); save the file as UTF-8",
    ),
    "an escaped control character": (
        data(b'"\\u0000"'),
        (2, 1, "turn_ended", "A"),
        'the text "\\u0000" holds the control character U+0000; only tab and line breaks are allowed, remove it',
    ),
    "a raw control character": (
        data(b'"\x01"'),
        (2, 1, "turn_ended", "A"),
        "this is not JSON at column 62: a tab or control character stands in a text, write \\t",
    ),
    "a control character beyond ASCII": (
        data(b'"\xc2\x85"'),
        (2, 1, "turn_ended", "A"),
        'the text "�" holds the control character U+0085; only tab and line breaks are allowed, remove it',
    ),
    "depth 10,000": (
        data(b"[" * 10_000 + b"]" * 10_000),
        (2, 1, "turn_ended", "A"),
        "objects and lists are nested more than 16 deep; a log never needs that, look whether the line is damaged",
    ),
    "depth 17": (
        data(b"[" * 15 + b"]" * 15),
        (2, 1, "turn_ended", "A"),
        "objects and lists are nested more than 16 deep; a log never needs that, look whether the line is damaged",
    ),
    "a line of 1 MiB": (
        data(b'"' + b"x" * (1 << 20) + b'"'),
        (2, 1, "turn_ended", "A"),
        "the line is longer than 64 KiB; an event is never that long, look whether line breaks are lost",
    ),
    "a bad hash": (
        event(b'"hash": "x"'),
        (2, 1, "turn_ended", "A"),
        '"hash" is "x"; it must be 64 hexadecimal digits in lower case',
    ),
    "a salt that is a number": (
        event(b'"salts": {"note": 1}'),
        (2, 1, "turn_ended", "A"),
        '"salts" holds 1 under "note"; every salt must be a text',
    ),
    "an id on two different events": (
        event(b'"id": "' + UUID + b'"') + b'{"seq": 2, "type": "turn_begun", "id": "' + UUID.upper() + b'"}\n',
        (3, 2, "turn_begun", None),
        "the id 0193b2f0-5c0e-7a31-9c55-0d7c2b1f4a10 stands on seq 1 too, with other content; an id belongs to one event, give this one its own or leave it out",
    ),
    "a key without value": (
        TEXT + b"1. A turn_ended x=\n",
        (4, 1, "turn_ended", "A"),
        "a value was expected at column 19, not the end of the line; a text with other signs than letters, digits and _ . : / + - stands in double quotes",
    ),
    "a text without quotes": (
        TEXT + b"1. A turn_ended x=a b\n",
        (4, 1, "turn_ended", "A"),
        '= and a value were expected after "b"; details are written key=value',
    ),
    "a text without its second quote": (
        TEXT + b'1. A turn_ended x="a\n',
        (4, 1, "turn_ended", "A"),
        "this is not JSON at column 19: the text that begins here has no closing quote",
    ),
    "a letter beyond ASCII without quotes": (
        TEXT + b"1. A turn_ended x=\xc3\xa4\n",
        (4, 1, "turn_ended", "A"),
        'a value was expected at column 19, not "ä"; a text with other signs than letters, digits and _ . : / + - stands in double quotes',
    ),
    "an event without number": (
        TEXT + b"A turn_ended\n",
        (4, None, None, None),
        "this is no event; an event is written SEQ. SEAT TYPE key=value …, with - where nobody's seat acts",
    ),
    "a key twice on a line": (
        TEXT + b"1. A turn_ended x=1 x=2\n",
        (4, 1, "turn_ended", "A"),
        "x stands twice on this line; keep one of them",
    ),
    "an unknown mark": (
        TEXT + b"1. A turn_ended @who=x\n",
        (4, 1, "turn_ended", "A"),
        "@who is unknown; known are @as, @at, @id, @note, @by, @recorded_at, @hash, @salts",
    ),
    "a fraction by hand": (
        TEXT + b"1. A turn_ended x=1.5\n",
        (4, 1, "turn_ended", "A"),
        "1.5 is not a whole number; a log holds whole numbers only, write it without . or e",
    ),
    "a tag after the events": (
        TEXT + b"1. A turn_ended\n[Title x]\n",
        (5, None, None, None),
        "a header tag stands after the first event; move it to the head of the file",
    ),
    "a value without a space after it": (
        TEXT + b'1. A turn_ended x=1"2"\n',
        (4, 1, "turn_ended", "A"),
        'a space was expected at column 20, not "\\""; put a text with such signs in double quotes',
    ),
    "a scribe text cut in the middle": (
        TEXT + b"1. A turn_ended\n2. A",
        (5, None, None, None),
        "this is no event; an event is written SEQ. SEAT TYPE key=value …, with - where nobody's seat acts; the log seems to be cut in the middle, take the whole file",
    ),
    "a scribe text cut in a value": (
        TEXT + b'1. A turn_ended x="abc',
        (4, 1, "turn_ended", "A"),
        "this is not JSON at column 19: the text that begins here has no closing quote; the log seems to be cut in the middle, take the whole file",
    ),
    "a number of twenty digits": (
        TEXT + b"12345678901234567890. A turn_ended\n",
        (4, None, None, None),
        "the number 12345678901234567890… is too large; number the lines 1, 2, 3 …",
    ),
    "a seat in small letters by hand": (
        TEXT + b"1. a turn_ended\n",
        (4, 1, "turn_ended", None),
        '"seat" is "a"; it must be one capital letter from A to Z, or be left out',
    ),
    "a line of 300 KiB by hand": (
        TEXT + b"1. A turn_ended x=" + b"x" * 300_000 + b"\n",
        (4, None, None, None),
        "the line is longer than 256 KiB; look whether line breaks are lost",
    ),
    "an event of 70 KiB by hand": (
        TEXT + b"1. A turn_ended x=" + b"x" * 70_000 + b"\n",
        (4, 1, "turn_ended", "A"),
        "the event is longer than 64 KiB as a line of JSON; split it or shorten it",
    ),
    "a cell too many": (
        CSV + b"1,,A,,turn_ended,,,,,extra\n",
        (5, None, None, None),
        "the row has 10 cells for 8 columns; put a cell with separators in double quotes",
    ),
    "a number in words": (
        CSV + b"one,,A,,turn_ended,,,\n",
        (5, None, "turn_ended", "A"),
        '"seq" is "one"; it must be the number of the event: 1, 2, 3 …',
    ),
    "a comment in a cell": (
        CSV + b"1,,A,,turn_ended,# x,,\n",
        (5, 1, "turn_ended", "A"),
        'a value was expected at column 1, not "#"; a text with other signs than letters, digits and _ . : / + - stands in double quotes',
    ),
    "a row of 300,000 signs": (
        CSV + b'1,,A,,turn_ended,"' + b"x" * 300_000 + b'",,\n',
        (5, None, None, None),
        "the line is longer than 256 KiB; look whether line breaks are lost",
    ),
}


@pytest.mark.parametrize("name", NO_LOG)
def test_a_file_that_is_no_log_is_refused_with_a_sentence(name: str) -> None:
    raw, number, message = NO_LOG[name]
    with pytest.raises(Unreadable) as refused:
        parse(raw)
    assert (refused.value.number, refused.value.message) == (number, message)


@pytest.mark.parametrize("name", ONE_LINE)
def test_a_line_that_is_not_as_it_must_be_is_left_out_with_a_sentence(name: str) -> None:
    raw, where, message = ONE_LINE[name]
    log = parse(raw)
    found = [(finding.number, finding.seq, finding.type, finding.seat) for finding in log.form]
    assert (found, [finding.message for finding in log.form]) == ([where], [message])
    assert where[0] not in [line.number for line in log.lines]


def test_more_than_200_000_events_are_refused() -> None:
    with pytest.raises(Unreadable) as refused:
        parse(HEADER + b'{"type": "turn_ended"}\n' * 200_001)
    assert refused.value.message == "the log has more than 200000 events; a match never needs that many, split the file"
    assert len(parse(HEADER + b'{"type": "turn_ended"}\n' * 200_000).lines) == 200_000


@pytest.mark.parametrize("start", [HEADER, TEXT, CSV])
def test_blank_lines_without_end_are_refused(start: bytes) -> None:
    with pytest.raises(Unreadable) as refused:
        parse(start + b"\n" * (60 << 20))
    assert refused.value.message == (
        "the file has more than 400000 lines; a log has one line for each event, upload one match per file"
    )


def test_a_line_that_cannot_be_read_keeps_its_number() -> None:
    log = parse(HEADER + EVENT + b"nonsense\n" + EVENT.replace(b"1", b"3") + b'{"type": "turn_ended"}\n')
    assert [line.seq for line in log.lines] == [1, 3, 4]
    assert [finding.number for finding in log.form] == [3]


def test_a_line_that_was_no_event_takes_no_number_from_those_after_it() -> None:
    log = parse(HEADER + EVENT + b"nonsense\n" + EVENT.replace(b"1", b"2"))
    assert [line.seq for line in log.lines] == [1, 2]


def test_one_missing_event_is_found_once() -> None:
    log = parse(HEADER + b"".join(EVENT.replace(b"1", str(seq).encode()) for seq in (1, 2, 4, 5, 6)))
    assert [finding.seq for finding in log.form] == [4]
    assert [line.seq for line in log.lines] == [1, 2, 5, 6]


def test_an_entry_sent_twice_is_one_event() -> None:
    once = b'{"seq": 1, "type": "turn_ended", "id": "' + UUID + b'"}\n'
    assert len(parse(HEADER + once + once).lines) == 1
    again = parse(HEADER + once + once.replace(b'"seq": 1, ', b"") + EVENT.replace(b"1", b"2"))
    assert ([line.seq for line in again.lines], again.form) == ([1, 2], ())


def test_seats_that_occur_twice_are_a_matter_of_the_game() -> None:
    assert [seat.seat for seat in parse(header(seats=[{"seat": "A"}, {"seat": "A"}])).header.seats] == ["A", "A"]


def test_a_log_may_have_no_event_yet() -> None:
    assert parse(HEADER).lines == ()


def test_a_role_in_a_file_is_only_read() -> None:
    line = parse(event(b'"as": "referee"')).lines[0]
    assert (line.acting_as, line.by) == ("referee", None)

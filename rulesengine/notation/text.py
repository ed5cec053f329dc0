from __future__ import annotations
from rulesengine.log import Log, Unreadable


def looks_like(start: str) -> bool:
    return False


def parse(raw: bytes) -> Log:
    raise Unreadable("")


def write(log: Log) -> bytes:
    raise NotImplementedError

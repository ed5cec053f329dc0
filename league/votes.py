"""Secret votes: a voter is a code under a key of that vote, and with the key goes the way back to any name.

Different voters can be counted, nobody can be named: not from the log, and once the vote is closed not by who owns the database either.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets

from league.models import VoteKey
from people.models import Person


def code(purpose: str, person: Person) -> str:
    """Return the code of a person in a vote (`season:LEAGUE:KEY`, `nomination:ID`), the same each time while it is open.

    :raises VoteKey.DoesNotExist: once the vote was closed: there are no codes any more
    """
    key, _made = VoteKey.objects.get_or_create(purpose=purpose, defaults={"key": secrets.token_bytes(32)})
    if not key.key:
        raise VoteKey.DoesNotExist(f"the vote {purpose} is closed and its key destroyed")
    return hmac.new(bytes(key.key), str(person.head.pk).encode(), hashlib.sha256).hexdigest()[:32]


def is_open(purpose: str) -> bool:
    """Return whether codes can still be made in a vote; one that nobody has voted in yet is open."""
    return not VoteKey.objects.filter(purpose=purpose, key=b"").exists()


def destroy(purpose: str) -> None:
    """Destroy the key of a vote for good. The row stays, so that no new key is made in its place."""
    VoteKey.objects.update_or_create(purpose=purpose, defaults={"key": b""})

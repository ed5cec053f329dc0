"""Signed checkpoints of the log: whoever notes one down sees later whether anything before it was changed.

A chain shows that nothing *inside* it was changed; who owns the database could write a whole chain anew. So the site now and then puts
the last hash of every stream into one Merkle tree (RFC 9162, section 2.1) and signs its root with an Ed25519 key that is not in the
database (`SIGNING_KEY_FILE`). Each checkpoint names the one before it. A leaf is ``nonce ‖ stream ‖ seq ‖ hash``; the nonce keeps
others from guessing a leaf beside their own, for an entry of a running match may still be hidden.

Leaves are kept by intervals: the head of a stream is one row for all checkpoints `since … until` in which it did not change.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import secrets
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any, Literal
from uuid import UUID

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from django.conf import settings
from django.db import connection, transaction
from django.db.models import Q
from django.utils import timezone
from msgspec import Struct

from matches.models import CheckpointLeaf, LogCheckpoint
from people.locks import lock
from rulesengine import canonical

FORMAT = "annals-checkpoint/1"
EVERY = timedelta(hours=24)
BEGINNING = "0" * 64
type Side = Literal["left", "right"]


class Proof(Struct, frozen=True):
    """That a stream's head is under a checkpoint: the leaf, and the hashes on its way up to the root with their sides."""

    checkpoint: LogCheckpoint
    leaf: CheckpointLeaf
    path: tuple[tuple[Side, bytes], ...]

    def as_json(self) -> dict[str, Any]:
        """Return the proof as the program that checks it reads it."""
        return {
            "statement": self.checkpoint.statement,
            "signature": base64.b64encode(self.checkpoint.signature).decode(),
            "public_key": raw(known) if (known := public_keys().get(self.checkpoint.key)) else None,
            "leaf": {
                "stream": str(self.leaf.stream),
                "seq": self.leaf.seq,
                "hash": bytes(self.leaf.hash).hex(),
                "nonce": bytes(self.leaf.nonce).hex(),
            },
            "path": [{"side": side, "hash": one.hex()} for side, one in self.path],
        }


class Problem(Struct, frozen=True):
    """What does not hold of a checkpoint, or of a stream under it."""

    number: int
    why: str
    stream: UUID | None = None

    def __str__(self) -> str:
        about = f", stream {self.stream}" if self.stream else ""
        return f"checkpoint {self.number}{about}: {self.why}"


# The tree


def leaf_hash(*, nonce: bytes, stream: UUID, seq: int, head: bytes) -> bytes:
    """Return the hash of a leaf: SHA-256 of a zero byte, then nonce (16 bytes), stream (16), seq (8, big-endian), head (32)."""
    return hashlib.sha256(b"\0" + nonce + stream.bytes + seq.to_bytes(8) + head).digest()


def _node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\1" + left + right).digest()


def root_of(leaves: Sequence[bytes]) -> bytes:
    """Return the root over leaf hashes: SHA-256 of nothing for none, else after RFC 9162, section 2.1.1."""
    return _levels(leaves)[-1][0] if leaves else hashlib.sha256(b"").digest()


def _levels(leaves: Sequence[bytes]) -> list[list[bytes]]:
    """Return the tree level by level, leaves first. A node without a neighbour goes up as it is, which gives the tree of RFC 9162."""
    levels = [list(leaves)]
    while len(levels[-1]) > 1:
        row = levels[-1]
        levels.append([_node(*row[at : at + 2]) if at + 1 < len(row) else row[at] for at in range(0, len(row), 2)])
    return levels


def path_of(leaves: Sequence[bytes], index: int) -> tuple[tuple[Side, bytes], ...]:
    """Return the hashes that lead from a leaf to the root, lowest first, and on which side each is put.

    :param index: the place of the leaf, from 0
    """
    path: list[tuple[Side, bytes]] = []
    for row in _levels(leaves)[:-1]:
        beside = index ^ 1
        if beside < len(row):
            path.append(("left" if beside < index else "right", row[beside]))
        index //= 2
    return tuple(path)


def climb(leaf: bytes, path: Sequence[tuple[Side, bytes]]) -> bytes:
    """Return the root that a leaf's path leads to."""
    for side, beside in path:
        leaf = _node(beside, leaf) if side == "left" else _node(leaf, beside)
    return leaf


# The key


def signing_key() -> Ed25519PrivateKey:
    """Return the key that signs, from `SIGNING_KEY_FILE`; it is made if the file is not there yet.

    :raises ValueError: for a file that holds no Ed25519 private key
    """
    path = settings.SIGNING_KEY_FILE
    if not path.exists():
        _make(path)
    key = serialization.load_pem_private_key(path.read_bytes(), password=None)
    if not isinstance(key, Ed25519PrivateKey):
        raise ValueError(f"{path} holds no Ed25519 private key; make one with: openssl genpkey -algorithm ed25519")
    return key


def _make(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    new.touch(mode=0o600)
    new.write_bytes(
        Ed25519PrivateKey.generate().private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    try:
        os.link(new, path)  # fails where another process was quicker
    except FileExistsError:
        pass
    finally:
        new.unlink()


def key_id(key: Ed25519PublicKey) -> str:
    """Return the short name of a key: the first 16 hexadecimal digits of the SHA-256 of its 32 bytes."""
    return hashlib.sha256(base64.b64decode(raw(key))).hexdigest()[:16]


def raw(key: Ed25519PublicKey) -> str:
    """Return the 32 bytes of a public key in base64."""
    told = key.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
    return base64.b64encode(told).decode()


def public_keys() -> dict[str, Ed25519PublicKey]:
    """Return the keys that are trusted, by their short names: the one in use, and those kept beside it as `NAME-*.pem`.

    None of them comes from the database: who owns that could put a key there.
    """
    path = settings.SIGNING_KEY_FILE
    found = {}
    for one in (path, *sorted(path.parent.glob(f"{path.stem}-*{path.suffix}"))):
        if one.exists():
            key = _public(one, one.stat().st_mtime_ns)
            found[key_id(key)] = key
    return found


@cache
def _public(path: Path, _changed: int) -> Ed25519PublicKey:
    pem = path.read_bytes()
    key = (
        serialization.load_pem_public_key(pem)
        if b"PUBLIC KEY" in pem
        else serialization.load_pem_private_key(pem, None).public_key()
    )
    if not isinstance(key, Ed25519PublicKey):
        raise ValueError(f"{path} holds no Ed25519 key; take it out of this folder, or put the right one there")
    return key


# Making one


def due(*, at: datetime) -> bool:
    """Return whether it is time for a checkpoint: none for a day, and the log has grown since."""
    last = LogCheckpoint.objects.order_by("-number").first()
    if last is not None and at - last.at < EVERY:
        return False
    return bool(_changed(1))


def _changed(limit: int | None = None) -> list[tuple[UUID, int, bytes]]:
    """Return the heads (stream, seq, hash) that are not the leaves of the last checkpoint."""
    with connection.cursor() as cursor:
        cursor.execute(
            "select e.stream, e.seq, e.hash from (select stream, max(seq) as seq from matches_event group by stream) head"
            " join matches_event e using (stream, seq)"
            " left join matches_checkpointleaf leaf on leaf.stream = e.stream and leaf.until is null"
            " where leaf.seq is distinct from e.seq order by e.stream limit %s",
            [limit],
        )
        return [(stream, seq, bytes(head)) for stream, seq, head in cursor.fetchall()]


@transaction.atomic
def make(*, at: datetime | None = None) -> LogCheckpoint:
    """Make a checkpoint over the heads of all streams, sign it and return it."""
    lock("log checkpoint")
    last = LogCheckpoint.objects.order_by("-number").first()
    at = at or timezone.now()
    number = last.number + 1 if last else 1
    changed = _changed()
    CheckpointLeaf.objects.filter(until=None, stream__in=[stream for stream, _seq, _hash in changed]).update(
        until=number - 1
    )
    CheckpointLeaf.objects.bulk_create(
        [
            CheckpointLeaf(stream=stream, seq=seq, hash=head, nonce=secrets.token_bytes(16), since=number)
            for stream, seq, head in changed
        ],
        batch_size=2000,
    )
    key = signing_key()
    leaves = _leaf_hashes(number)
    statement = canonical.dumps(
        {
            "at": at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
            "kind": FORMAT,
            "key": key_id(key.public_key()),
            "number": number,
            "previous": statement_hash(last.statement) if last else BEGINNING,
            "root": root_of([one for _stream, one in leaves]).hex(),
            "size": len(leaves),
        }
    )
    return LogCheckpoint.objects.create(
        number=number,
        at=at,
        size=len(leaves),
        root=root_of([one for _stream, one in leaves]),
        key=key_id(key.public_key()),
        statement=statement.decode(),
        signature=key.sign(statement),
    )


def statement_hash(statement: str) -> str:
    """Return by which hash the next checkpoint names this one's statement."""
    return hashlib.sha256(statement.encode()).hexdigest()


def _leaf_hashes(number: int) -> list[tuple[UUID, bytes]]:
    """Return the leaves of a checkpoint in order of their streams' ids, each with its hash."""
    rows = (
        CheckpointLeaf.objects.filter(Q(until=None) | Q(until__gte=number), since__lte=number)
        .order_by("stream")
        .values_list("stream", "seq", "hash", "nonce")
    )
    return [
        (stream, leaf_hash(nonce=bytes(nonce), stream=stream, seq=seq, head=bytes(head)))
        for stream, seq, head, nonce in rows.iterator(chunk_size=5000)
    ]


# Reading them


def covering(stream: UUID, seq: int) -> CheckpointLeaf | None:
    """Return the first leaf that an entry of a stream lies under, None if no checkpoint has been made since."""
    return CheckpointLeaf.objects.filter(stream=stream, seq__gte=seq).order_by("since").first()


def proof(number: int, stream: UUID) -> Proof | None:
    """Return the proof that a stream's head is under a checkpoint, None if it is not."""
    checkpoint = LogCheckpoint.objects.filter(pk=number).first()
    leaf = CheckpointLeaf.objects.filter(Q(until=None) | Q(until__gte=number), since__lte=number, stream=stream).first()
    if checkpoint is None or leaf is None:
        return None
    leaves = _leaf_hashes(number)
    index = next(at for at, (one, _hash) in enumerate(leaves) if one == stream)
    return Proof(checkpoint, leaf, path_of([one for _stream, one in leaves], index))


def is_signed(checkpoint: LogCheckpoint) -> bool:
    """Return whether a key that is trusted has signed what the checkpoint says."""
    key = public_keys().get(checkpoint.key)
    if key is None:
        return False
    try:
        key.verify(bytes(checkpoint.signature), checkpoint.statement.encode())
    except InvalidSignature:
        return False
    return True


def verify(stream: UUID | None = None) -> list[Problem]:
    """Check all checkpoints, or those leaves alone that a stream has, and return what does not hold; nothing if all does.

    A leaf must be the entry that the log has there, the leaves must give the signed root, each checkpoint must name the one before it, and a
    trusted key must have signed it.
    """
    return [*_statements(stream), *verify_leaves(stream)]


def _statements(stream: UUID | None) -> list[Problem]:
    found = []
    before = BEGINNING
    named: set[int] | None = None
    if stream is not None:
        spans = CheckpointLeaf.objects.filter(stream=stream).values_list("since", "until")
        named = {number for span in spans for number in span if number is not None}
    expected = 1
    for one in LogCheckpoint.objects.order_by("number").iterator():
        try:
            said = json.loads(one.statement)
        except ValueError:
            said = {}
        if one.number != expected:
            found.append(Problem(expected, "it is missing"))
        if one.key not in public_keys():
            found.append(
                Problem(one.number, f"its key {one.key} is not among the trusted ones beside SIGNING_KEY_FILE")
            )
        elif not is_signed(one):
            found.append(Problem(one.number, "the signature does not fit what it says"))
        if said.get("previous") != before:
            found.append(Problem(one.number, "it does not name the one before it"))
        if (
            said.get("number") != one.number
            or said.get("root") != bytes(one.root).hex()
            or said.get("size") != one.size
        ):
            found.append(Problem(one.number, "its row is not what was signed"))
        elif named is None or one.number in named:
            leaves = [leaf for _stream, leaf in _leaf_hashes(one.number)]
            if root_of(leaves).hex() != said["root"] or len(leaves) != said["size"]:
                found.append(Problem(one.number, "its leaves do not give the root that was signed"))
        before, expected = statement_hash(one.statement), one.number + 1
    return found


def verify_leaves(stream: UUID | None = None) -> list[Problem]:
    """Compare the leaves, those of one stream or all, with the log and return those that it does not have so."""
    with connection.cursor() as cursor:
        cursor.execute(
            "select leaf.since, leaf.stream, leaf.seq, e.seq is null from matches_checkpointleaf leaf"
            " left join matches_event e on e.stream = leaf.stream and e.seq = leaf.seq"
            " where e.hash is distinct from leaf.hash and (%s::uuid is null or leaf.stream = %s) order by leaf.since, leaf.stream",
            [stream, stream],
        )
        rows = cursor.fetchall()
    return [
        Problem(
            number,
            f"entry {seq} is missing from the log"
            if missing
            else f"entry {seq} has another hash in the log: the stream was written anew after it had been signed",
            one,
        )
        for number, one, seq, missing in rows
    ]

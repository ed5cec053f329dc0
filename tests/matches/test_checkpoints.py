"""Signed checkpoints: the tree, the key, what they prove, and what they find of a log that was written anew."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from config.views import verify_program
from matches import checkpoints, log, sight
from matches.log import Entry
from matches.models import CheckpointLeaf, LogCheckpoint, Match
from people.models import Person
from tests.matches.test_commands import run as command
from tests.matches.test_uploads import file, lines, record, sample

AT = datetime(2026, 12, 1, 3, tzinfo=UTC)


@pytest.fixture(autouse=True)
def key_file(settings: Any, tmp_path: Path) -> Path:
    settings.SIGNING_KEY_FILE = tmp_path / "keys" / "signing.pem"
    return settings.SIGNING_KEY_FILE


def add(stream: UUID, *types: str) -> None:
    head = log.head(stream)
    entries = [Entry(one) for one in types]
    expected = head.seq if head else -1
    log.append(stream=stream, stream_kind="league", entries=entries, expected_seq=expected, by=None, at=AT)


# The tree


def by_the_book(leaves: list[bytes]) -> bytes:
    """RFC 9162, 2.1.1, as it stands there: split at the largest power of two below the number of leaves."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    split = 1 << (len(leaves) - 1).bit_length() - 1
    return hashlib.sha256(b"\1" + by_the_book(leaves[:split]) + by_the_book(leaves[split:])).digest()


@given(st.lists(st.binary(min_size=32, max_size=32), max_size=40))
def test_the_tree_is_that_of_the_rfc_and_every_path_leads_to_its_root(leaves: list[bytes]) -> None:
    root = checkpoints.root_of(leaves)
    assert root == by_the_book(leaves)
    for index, leaf in enumerate(leaves):
        assert checkpoints.climb(leaf, checkpoints.path_of(leaves, index)) == root


# The key


def test_the_key_is_made_once_and_only_its_owner_reads_it(key_file: Path) -> None:
    first = checkpoints.signing_key().public_key()
    assert key_file.stat().st_mode & 0o777 == 0o600
    assert checkpoints.key_id(checkpoints.signing_key().public_key()) == checkpoints.key_id(first)
    assert [one.name for one in key_file.parent.iterdir()] == ["signing.pem"]


def test_another_kind_of_key_is_refused_with_what_to_do(key_file: Path) -> None:
    from cryptography.hazmat.primitives.asymmetric import x25519

    key_file.parent.mkdir()
    key_file.write_bytes(
        x25519.X25519PrivateKey.generate().private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    with pytest.raises(ValueError, match="openssl genpkey"):
        checkpoints.signing_key()


# Making and checking


@pytest.mark.django_db
def test_a_checkpoint_holds_the_last_hash_of_every_stream_and_names_the_one_before() -> None:
    one, two = uuid4(), uuid4()
    add(one, "said", "said")
    first = checkpoints.make(at=AT)
    add(two, "said")
    add(one, "said")
    second = checkpoints.make(at=AT + timedelta(days=1))
    said = json.loads(second.statement)
    assert (first.size, second.size) == (1, 2)
    assert said["previous"] == hashlib.sha256(first.statement.encode()).hexdigest()
    assert (said["at"], said["number"], said["size"]) == ("2026-12-02T03:00:00Z", 2, 2)
    spans = CheckpointLeaf.objects.values_list("stream", "seq", "since", "until")
    assert set(spans) == {(one, 1, 1, 1), (one, 2, 2, None), (two, 0, 2, None)}
    assert checkpoints.verify() == []
    for number, stream in ((1, one), (2, one), (2, two)):
        proof = checkpoints.proof(number, stream)
        assert proof is not None
        leaf = proof.leaf
        start = checkpoints.leaf_hash(nonce=bytes(leaf.nonce), stream=stream, seq=leaf.seq, head=bytes(leaf.hash))
        assert checkpoints.climb(start, proof.path) == bytes(proof.checkpoint.root)
    assert checkpoints.proof(1, two) is None


@pytest.mark.django_db
def test_it_is_due_once_a_day_and_only_if_the_log_has_grown() -> None:
    assert not checkpoints.due(at=AT)
    stream = uuid4()
    add(stream, "said")
    assert checkpoints.due(at=AT)
    checkpoints.make(at=AT)
    assert not checkpoints.due(at=AT + timedelta(days=3))
    add(stream, "said")
    assert not checkpoints.due(at=AT + timedelta(hours=23))
    assert checkpoints.due(at=AT + timedelta(hours=24))


@pytest.mark.django_db
def test_an_entry_lies_under_the_first_checkpoint_that_was_made_after_it() -> None:
    stream = uuid4()
    add(stream, "said")
    checkpoints.make(at=AT)
    add(stream, "said", "said")
    assert checkpoints.covering(stream, 2) is None
    checkpoints.make(at=AT)
    assert [checkpoints.covering(stream, seq).since for seq in (0, 1, 2)] == [1, 2, 2]  # type: ignore[union-attr]


def test_a_stream_that_was_written_anew_with_a_right_chain_is_found(as_superuser: psycopg.Connection) -> None:
    honest, forged = uuid4(), uuid4()
    add(honest, "said", "said")
    add(forged, "said", "said")
    checkpoints.make(at=AT)
    as_superuser.execute("alter table matches_event disable trigger all")
    as_superuser.execute("delete from matches_event where stream = %s", [forged])
    as_superuser.execute("alter table matches_event enable always trigger matches_event_no_change")
    as_superuser.execute("alter table matches_event enable always trigger matches_event_no_truncate")
    add(forged, "said", "never_said")
    assert log.verify(forged) is None
    (found,) = checkpoints.verify()
    assert str(found) == (
        f"checkpoint 1, stream {forged}: entry 1 has another hash in the log: the stream was written anew after it had been signed"
    )
    assert checkpoints.verify(honest) == []
    code, told = command("verify_log", "--all")
    assert code == 1
    assert f"does not hold: checkpoint 1, stream {forged}" in told
    assert "2 of 2 chains are whole." in told
    # The forger brings the leaf up to what he wrote: now the leaves do not give what was signed.
    CheckpointLeaf.objects.filter(stream=forged).update(hash=log.head(forged).hash)  # type: ignore[union-attr]
    assert [one.why for one in checkpoints.verify()] == ["its leaves do not give the root that was signed"]
    # He writes the root anew too: the signature does not fit.
    leaves = [leaf for _stream, leaf in checkpoints._leaf_hashes(1)]
    found_ = LogCheckpoint.objects.get()
    said = {**json.loads(found_.statement), "root": checkpoints.root_of(leaves).hex()}
    text = json.dumps(said, separators=(",", ":"), sort_keys=True)
    LogCheckpoint.objects.update(root=checkpoints.root_of(leaves), statement=text)
    assert [one.why for one in checkpoints.verify()] == ["the signature does not fit what it says"]
    # He signs it with a key of his own.
    other = Ed25519PrivateKey.generate()
    said["key"] = checkpoints.key_id(other.public_key())
    text = json.dumps(said, separators=(",", ":"), sort_keys=True)
    LogCheckpoint.objects.update(statement=text, key=said["key"], signature=other.sign(text.encode()))
    assert [one.why for one in checkpoints.verify()] == [
        f"its key {said['key']} is not among the trusted ones beside SIGNING_KEY_FILE"
    ]


@pytest.mark.django_db
def test_a_checkpoint_that_was_taken_away_is_missed() -> None:
    stream = uuid4()
    for _day in range(3):
        add(stream, "said")
        checkpoints.make(at=AT)
    LogCheckpoint.objects.filter(pk=2).delete()
    assert {(one.number, one.why) for one in checkpoints.verify()} >= {
        (2, "it is missing"),
        (3, "it does not name the one before it"),
    }


@pytest.mark.django_db
def test_after_a_change_of_keys_the_old_one_is_trusted_as_long_as_it_lies_beside_the_new(key_file: Path) -> None:
    stream = uuid4()
    add(stream, "said")
    checkpoints.make(at=AT)
    old = key_file.with_name("signing-2026.pem")
    public = checkpoints.signing_key().public_key()
    old.write_bytes(public.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo))
    key_file.unlink()
    add(stream, "said")
    checkpoints.make(at=AT)
    assert checkpoints.verify() == []
    assert len({*LogCheckpoint.objects.values_list("key", flat=True)}) == 2
    old.unlink()
    (found,) = checkpoints.verify()
    assert (found.number, "not among the trusted ones" in found.why) == (1, True)


# The program


@pytest.fixture
def match(owner: Person) -> Match:
    return record(owner, file(lines(sample("legal_three_capes"))), confirm=True)


def verify_py(folder: Path, raw: bytes, proof: dict[str, Any]) -> subprocess.CompletedProcess[str]:
    (folder / "verify.py").write_text(verify_program())
    (folder / "match.full.jsonl").write_bytes(raw)
    (folder / "match.proof.json").write_text(json.dumps(proof))
    names = ("verify.py", "match.full.jsonl", "match.proof.json")
    return subprocess.run(
        [sys.executable, "-I", *(str(folder / name) for name in names)], capture_output=True, text=True, check=False
    )


def flipped(text: str) -> str:
    return ("1" if text[0] != "1" else "2") + text[1:]


@pytest.mark.django_db
def test_the_program_proves_a_match_and_names_what_does_not_fit(match: Match, tmp_path: Path) -> None:
    for _other in range(5):
        add(uuid4(), "said")
    checkpoints.make(at=AT)
    found = checkpoints.proof(1, match.pk)
    assert found is not None
    told, raw = found.as_json(), sight.match_export(match, "full", None)
    done = verify_py(tmp_path, raw, told)
    assert done.stdout.splitlines()[1] == (
        f"proved: entry {match.seq} is under checkpoint 1 of 2026-12-01T03:00:00Z, signed by key {found.checkpoint.key}"
    ), done.stderr
    other_statement = told["statement"].replace("2026-12-01T03", "2026-11-01T03")
    for changed, why in (
        ({"leaf": {**told["leaf"], "hash": flipped(told["leaf"]["hash"])}}, "another log"),
        ({"leaf": {**told["leaf"], "stream": str(uuid4())}}, "another log"),
        ({"leaf": {**told["leaf"], "nonce": flipped(told["leaf"]["nonce"])}}, "does not lead to the root"),
        ({"path": told["path"][:-1]}, "does not lead to the root"),
        ({"statement": other_statement}, "not signed by the key"),
        ({"public_key": checkpoints.raw(Ed25519PrivateKey.generate().public_key())}, "not signed by the key"),
        ({"public_key": None}, "this is no proof"),
    ):
        done = verify_py(tmp_path, raw, {**told, **changed})
        assert done.returncode == 1 and why in done.stderr, (changed, done.stderr)


# The pages


@pytest.mark.django_db
def test_the_pages_lead_from_an_entry_to_the_signature(client: Client, match: Match) -> None:
    empty = client.get(reverse("log-checkpoint-list")).content.decode()
    assert "There is no checkpoint yet" in empty
    early = client.get(reverse("log-prove", args=[match.pk, 3])).content.decode()
    assert "No checkpoint covers this entry yet" in early
    checkpoints.make(at=AT)
    page = client.get(reverse("log-prove", args=[match.pk, 3])).content.decode()
    assert log.read(match.pk, after=2, limit=1)[0].hash.hex() in page
    assert "Signature holds" in page and "Chain verified" in page
    proof = client.get(reverse("log-proof", args=[1, match.pk])).json()
    assert proof["leaf"]["seq"] == match.seq
    told = client.get(reverse("log-checkpoint-json", args=[1])).json()
    assert told["statement"] == LogCheckpoint.objects.get().statement
    assert client.get(reverse("log-keys")).json()["keys"][0]["id"] == told["key"]
    assert "Holds" in client.get(reverse("log-checkpoint", args=[1])).content.decode()
    assert "Holds" in client.get(reverse("log-checkpoint-list")).content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("what", ["entry", "stream", "checkpoint", "number"])
def test_what_is_not_there_is_not_found(client: Client, match: Match, what: str) -> None:
    checkpoints.make(at=AT)
    url = {
        "entry": reverse("log-prove", args=[match.pk, 999_999_999]),
        "stream": reverse("log-prove", args=[uuid4(), 0]),
        "checkpoint": reverse("log-proof", args=[2, match.pk]),
        "number": reverse("log-checkpoint", args=[999_999_999]),
    }[what]
    assert client.get(url).status_code == 404


@pytest.mark.django_db
def test_the_stream_of_somebody_hidden_is_not_proved_to_a_stranger(client: Client, ada: Person) -> None:
    from matches.persons import person_hide

    person_hide(person=ada, privacy="members", by=ada)
    assert client.get(reverse("log-prove", args=[ada.pk, 0])).status_code == 404
    person_hide(person=ada, privacy="public", by=ada)
    assert client.get(reverse("log-prove", args=[ada.pk, 0])).status_code == 200

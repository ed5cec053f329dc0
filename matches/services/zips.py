"""Archives of logs: unpacked in memory, within limits that hold whatever the archive says of itself."""

from __future__ import annotations

import io
import lzma
import zipfile
import zlib
from uuid import UUID

from django.db.models import BigIntegerField, Func, Sum
from django.utils.translation import gettext as _

from matches.models import Upload
from matches.services.checking import clean_name, upload_check
from people.models import Person
from rulesengine.log import MAX_BYTES

MOST_FILES = 50
MOST_UNPACKED = 64 * 1024 * 1024
MOST_WAITING = 512 * 1024 * 1024
_CHUNK = 1024 * 1024
_DAMAGED = (zipfile.BadZipFile, zlib.error, lzma.LZMAError)


class BadArchive(Exception):
    """The archive cannot be read, or is larger than may be; the message says which, and what to do."""


class TooMuch(BadArchive):
    """Whoever sends has sent so much already that was never recorded or dropped."""


def is_archive(raw: bytes) -> bool:
    """Return whether a file is a zip archive."""
    return raw[:4] in (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")


def uploads_check(
    *, by: Person, name: str, raw: bytes, wait: bool = True, league: UUID | None = None, table: UUID | None = None
) -> list[Upload]:
    """Look at a file, or at every log in an archive, and return the uploads with their reports.

    :param table: the match of the table that a single file was played at

    :raises BadArchive: if an archive cannot be read; then nothing of it was looked at
    :raises TooMuch: if files that are neither recorded nor dropped take too much room; then nothing was looked at either
    """
    _make_sure_of_room(by, len(raw))
    return (
        uploads_from_zip(by=by, name=name, raw=raw, wait=wait, league=league)
        if is_archive(raw)
        else [upload_check(by=by, name=name, raw=raw, wait=wait, league=league, table=table)]
    )


def _make_sure_of_room(by: Person, more: int) -> None:
    waiting = Upload.objects.filter(by=by, state__in=(Upload.State.CHECKED, Upload.State.HELD))
    used = (
        waiting.aggregate(used=Sum(Func("raw", function="octet_length", output_field=BigIntegerField())))["used"] or 0
    )
    if used + more > MOST_WAITING:
        raise TooMuch(
            _(
                "Your files that are neither recorded nor dropped would take more than %(most)s MiB; drop some of them first."
            )
            % {"most": MOST_WAITING // 2**20}
        )


def uploads_from_zip(
    *, by: Person, name: str, raw: bytes, wait: bool = True, league: UUID | None = None
) -> list[Upload]:
    """Look at every log in an archive.

    :raises BadArchive: as :func:`uploads_check`
    """
    return [upload_check(by=by, name=inner, raw=content, wait=wait, league=league) for inner, content in unpacked(raw)]


def unpacked(raw: bytes) -> list[tuple[str, bytes]]:
    """Return the files of an archive by name; folders and hidden files are left out.

    :raises BadArchive: for what is damaged, encrypted, nested, or too large once unpacked
    """
    if len(raw) > MAX_BYTES:
        raise BadArchive(
            _("The archive is larger than %(most)s MiB; send fewer files at once.") % {"most": MAX_BYTES // 2**20}
        )
    try:
        archive = zipfile.ZipFile(io.BytesIO(raw))
        members = [one for one in archive.infolist() if not one.is_dir() and not _hidden(one.filename)]
    except (zipfile.BadZipFile, ValueError, NotImplementedError, EOFError, OverflowError) as error:
        raise BadArchive(_("The archive is damaged (%(error)s); pack it again.") % {"error": error}) from error
    if len(members) > MOST_FILES:
        raise BadArchive(
            _("The archive holds %(files)s files; at most %(most)s are read at once.")
            % {"files": len(members), "most": MOST_FILES}
        )
    if not members:
        raise BadArchive(_("The archive holds no file."))
    left = MOST_UNPACKED
    files = []
    for one in members:
        name = clean_name(one.filename)
        if one.flag_bits & 1:
            raise BadArchive(_("“%(name)s” in the archive is encrypted; pack it without a password.") % {"name": name})
        content = _content(archive, one, name, left)
        if is_archive(content):
            raise BadArchive(_("“%(name)s” is an archive in the archive; pack the logs themselves.") % {"name": name})
        left -= len(content)
        files.append((name, content))
    return files


def _content(archive: zipfile.ZipFile, one: zipfile.ZipInfo, name: str, left: int) -> bytes:
    """Return the content of a file in an archive, read no further than may be: what the archive says of its size is not believed."""
    content = bytearray()
    try:
        with archive.open(one) as file:
            while chunk := file.read(_CHUNK):
                content += chunk
                if len(content) > left:
                    raise BadArchive(
                        _("The archive unpacks to more than %(most)s MiB; send fewer files at once.")
                        % {"most": MOST_UNPACKED // 2**20}
                    )
    except (*_DAMAGED, EOFError, NotImplementedError, RuntimeError, OSError, ValueError) as error:
        raise BadArchive(
            _("“%(name)s” in the archive is damaged (%(error)s); pack it again.") % {"name": name, "error": error}
        ) from error
    return bytes(content)


def _hidden(name: str) -> bool:
    parts = name.replace("\\", "/").split("/")
    return parts[0] == "__MACOSX" or parts[-1].startswith(".")

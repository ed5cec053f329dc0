"""Writes of the matches room: files checked and recorded, entries at the table, confirmations, corrections.

Everything here takes keyword arguments, checks the rights of whoever acts, and appends by :mod:`matches.log`.
"""

from matches.services.checking import upload_check, upload_recheck
from matches.services.errors import DifferentVersion, NotRecordable, Refused, StaleMatch
from matches.services.live import (
    Preview,
    correction_preview,
    event_amend,
    event_record,
    event_void,
    match_abandon,
    match_annul,
    match_confirm,
    penalty_give,
    result_dispute,
    result_override,
    result_sign,
    ruling_give,
    state_adjust,
)
from matches.services.recording import upload_drop, upload_hold, upload_record, uploads_expire
from matches.services.restoring import match_restore
from matches.services.zips import BadArchive, uploads_check, uploads_from_zip
from people.services import Forbidden

__all__ = [
    "BadArchive",
    "DifferentVersion",
    "Forbidden",
    "NotRecordable",
    "Preview",
    "Refused",
    "StaleMatch",
    "correction_preview",
    "event_amend",
    "event_record",
    "event_void",
    "match_abandon",
    "match_annul",
    "match_confirm",
    "match_restore",
    "penalty_give",
    "result_dispute",
    "result_override",
    "result_sign",
    "ruling_give",
    "state_adjust",
    "upload_check",
    "upload_drop",
    "upload_hold",
    "upload_recheck",
    "upload_record",
    "uploads_check",
    "uploads_expire",
    "uploads_from_zip",
]

"""Matches and uploads in the API: files in, entries in, logs, states and reports out. Names as the reader may know them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, cast
from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.urls import re_path, reverse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import (
    OpenApiParameter,
    OpenApiResponse,
    extend_schema,
    extend_schema_field,
    extend_schema_view,
)
from rest_framework import serializers, status
from rest_framework.exceptions import PermissionDenied, ValidationError
from rest_framework.generics import ListAPIView
from rest_framework.parsers import BaseParser, MultiPartParser
from rest_framework.permissions import IsAuthenticated, IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.settings import api_settings
from rest_framework.views import APIView

from matches import selectors, services, sight
from matches.models import Match, Seat, Upload
from matches.services import checking
from matches.services.recording import may_judge
from people.models import Person
from people.paging import Pages
from people.selectors import viewer_of, visible_names
from rulesengine import replay as engine
from rulesengine.log import MAX_BYTES, Line
from rulesengine.notation import envelope
from rulesengine.notation.values import Malformed, load

_TYPES = {"jsonl": "application/x-ndjson", "full": "application/x-ndjson", "text": "text/plain", "csv": "text/csv"}
_ENDINGS = {"jsonl": "jsonl", "full": "full.jsonl", "text": "log.txt", "csv": "csv"}


def acting(request: Request) -> Person:
    """Return the person who asks; the permission class has seen to it that there is one."""
    person = viewer_of(request)
    if person is None:
        raise Http404
    return person


# What is shown ------------------------------------------------------------------------------------------------------


class SeatSerializer(serializers.Serializer[Seat]):
    """A seat as the reader may know it. `person` and `handle` only where the seat is linked and its person is known to the reader."""

    seat = serializers.CharField()
    name = serializers.SerializerMethodField()
    person = serializers.SerializerMethodField()
    handle = serializers.SerializerMethodField()
    place = serializers.IntegerField(allow_null=True)
    signed = serializers.SerializerMethodField()

    def _known(self, seat: Seat) -> Person | None:
        names: dict[UUID, str] = self.context["names"]
        if seat.person is None or not seat.linked:
            return None
        head = seat.person.head
        return head if names.get(seat.person.pk) == head.display_name else None

    def get_name(self, seat: Seat) -> str:
        names: dict[UUID, str] = self.context["names"]
        if seat.person is None:
            return seat.sheet_name
        name = names[seat.person.pk]
        return (
            seat.sheet_name if not seat.linked and seat.sheet_name and name == seat.person.head.display_name else name
        )

    def get_person(self, seat: Seat) -> str | None:
        known = self._known(seat)
        return str(known.pk) if known else None

    def get_handle(self, seat: Seat) -> str | None:
        known = self._known(seat)
        return known.handle if known else None

    def get_signed(self, seat: Seat) -> bool:
        return seat.signed_at is not None


class MatchSerializer(serializers.ModelSerializer[Match]):
    """A match as lists show it."""

    title = serializers.CharField(allow_null=True, read_only=True)
    seats = serializers.SerializerMethodField()
    url = serializers.SerializerMethodField()
    is_friendly = serializers.BooleanField()

    class Meta:
        model = Match
        fields = [
            "id", "url", "game", "edition", "depth", "status", "disputed", "title", "played_on", "timezone", "league", "is_friendly",
            "is_demo", "seq", "ended_at", "confirmed_at", "seats", "result",
        ]  # fmt: skip

    @extend_schema_field(SeatSerializer(many=True))
    def get_seats(self, match: Match) -> list[Any]:
        return list(SeatSerializer(match.seats.all(), many=True, context=self.context).data)  # type: ignore[arg-type]

    def get_url(self, match: Match) -> str:
        return reverse("match-detail", args=[match.pk])


class UploadSerializer(serializers.ModelSerializer[Upload]):
    """A file that was sent: `report` is that of `check --json`, with what the site adds to it (null while a worker looks at the file)."""

    progress = serializers.SerializerMethodField()

    class Meta:
        model = Upload
        fields = [
            "id",
            "name",
            "state",
            "sha256",
            "match_id",
            "report",
            "reason",
            "progress",
            "created_at",
            "expires_at",
        ]

    def get_progress(self, upload: Upload) -> float | None:
        if upload.report is not None or upload.job is None:
            return None
        return upload.job.progress / upload.job.total if upload.job.total else 0.0


class NewUploadSerializer(serializers.Serializer[dict[str, Any]]):
    """A log in any of its three forms, or a zip of them."""

    file = serializers.FileField()


class RecordSerializer(serializers.Serializer[dict[str, Any]]):
    """How to record a checked file. `links` says who sits where, where the file has no handle: seat → id of a person, or `guest`."""

    accept_irregular = serializers.BooleanField(default=False)
    reason = serializers.CharField(default="", allow_blank=True, max_length=500)
    confirm = serializers.BooleanField(default=False)
    links = serializers.DictField(child=serializers.CharField(), default=dict)


class HoldSerializer(serializers.Serializer[dict[str, Any]]):
    """Why a file is to be held for the referees."""

    reason = serializers.CharField(default="", allow_blank=True, max_length=500)


class EventSerializer(serializers.Serializer[dict[str, Any]]):
    """An entry of a match, as in a log file."""

    seq = serializers.IntegerField(read_only=True)
    type = serializers.CharField()
    seat = serializers.CharField(required=False, allow_null=True)
    data = serializers.JSONField(required=False)  # type: ignore[assignment]
    at = serializers.CharField(required=False, allow_null=True)
    id = serializers.CharField(required=False, allow_null=True)
    note = serializers.CharField(required=False, allow_null=True)
    recorded_at = serializers.CharField(read_only=True)


class NewEventSerializer(EventSerializer):
    """An entry to be recorded. `expected_seq` is the last entry that the writer knows; `as` may stand beside it, as in a file."""

    expected_seq = serializers.IntegerField(min_value=0)
    accept_irregular = serializers.BooleanField(default=False)
    reason = serializers.CharField(default="", allow_blank=True)


class RefusalSerializer(serializers.Serializer[dict[str, Any]]):
    """A refusal by a rule of the game."""

    rule = serializers.CharField(allow_null=True)
    text = serializers.CharField()
    because = serializers.CharField()
    breach = serializers.CharField()
    nearest = serializers.CharField(allow_null=True)


class StaleSerializer(serializers.Serializer[dict[str, Any]]):
    """The match has moved on: how it stands."""

    detail = serializers.CharField()
    seq = serializers.IntegerField()
    status = serializers.CharField()
    state = serializers.JSONField()


# What declines ------------------------------------------------------------------------------------------------------


def answered(work: Callable[[], Response], viewer: Person | None = None) -> Response:
    """Return what some work answers, or in the API's form why it was declined: the state of a match as the viewer may see it."""
    try:
        return work()
    except services.Refused as error:
        refusal = error.refusal
        body: dict[str, Any] = {
            "rule": refusal.rule.id or None, "text": refusal.rule.text, "because": refusal.because, "breach": refusal.breach,
            "nearest": refusal.nearest,
        }  # fmt: skip
        return Response(body, status.HTTP_422_UNPROCESSABLE_ENTITY)
    except services.StaleMatch as error:
        told = sight.of(error.match, viewer).replay()
        state = told.ruleset.view(told.state) if told.state is not None else None
        body = {"detail": str(error), "seq": error.match.seq, "status": error.match.status, "state": state}
        return Response(body, status.HTTP_409_CONFLICT)
    except services.DifferentVersion as error:
        body = {"detail": str(error), "match": str(error.match_id), "difference": error.difference}
        return Response(body, status.HTTP_409_CONFLICT)
    except services.NotRecordable as error:
        return Response({"detail": str(error)}, status.HTTP_422_UNPROCESSABLE_ENTITY)


# Uploads ------------------------------------------------------------------------------------------------------------


class UploadListView(ListAPIView[Upload]):
    """One's own uploads; POST a log, or a zip of logs, to have it looked at. Nothing of it is stored in the log."""

    permission_classes = [IsAuthenticated]
    parser_classes = [MultiPartParser]
    serializer_class = UploadSerializer
    pagination_class = Pages
    queryset = Upload.objects.none()

    def get_queryset(self) -> QuerySet[Upload]:
        return selectors.uploads_of(acting(self.request))

    @extend_schema(request={"multipart/form-data": NewUploadSerializer}, responses={201: UploadSerializer(many=True)})
    def post(self, request: Request) -> Response:
        """Look at a file and answer its report; at most 64 MiB, or a zip of 50 files."""
        file = request.FILES.get("file")
        if file is None:
            raise ValidationError({"file": [_("Send the log as `file` of a multipart form.")]})
        try:
            uploads = services.uploads_check(
                by=acting(request), name=file.name or "", raw=file.read(MAX_BYTES + 1), wait=False
            )
        except services.BadArchive as error:
            raise ValidationError({"file": [str(error)]}) from error
        return Response(UploadSerializer(uploads, many=True).data, status.HTTP_201_CREATED)


def _upload(request: Request, upload_id: UUID) -> Upload:
    """Return an upload that whoever asks may see: their own, or one on their desk."""
    upload = Upload.objects.select_related("by", "job").defer("raw").filter(pk=upload_id).first()
    person = acting(request)
    if upload is None or (
        upload.by_id != person.pk and not (upload.state == Upload.State.HELD and may_judge(upload, person))
    ):
        raise Http404
    upload.report = checking.report_for(upload, person)
    return upload


class UploadView(APIView):
    """One upload."""

    permission_classes = [IsAuthenticated]

    @extend_schema(responses=UploadSerializer)
    def get(self, request: Request, upload_id: UUID) -> Response:
        """Answer an upload with its report."""
        return Response(UploadSerializer(_upload(request, upload_id)).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, upload_id: UUID) -> Response:
        """Drop a checked or held file."""

        def work() -> Response:
            services.upload_drop(upload=_upload(request, upload_id), by=acting(request))
            return Response(status=status.HTTP_204_NO_CONTENT)

        return answered(work)


class UploadRecordView(APIView):
    """Recording a checked file."""

    permission_classes = [IsAuthenticated]

    @extend_schema(
        request=RecordSerializer, responses={201: MatchSerializer, 409: OpenApiResponse(), 422: OpenApiResponse()}
    )
    def post(self, request: Request, upload_id: UUID) -> Response:
        """Record a checked or held file as a match."""
        asked = RecordSerializer(data=request.data)
        asked.is_valid(raise_exception=True)

        def work() -> Response:
            match = services.upload_record(
                upload=_upload(request, upload_id), by=acting(request), **asked.validated_data
            )
            return Response(_match_data(match, request), status.HTTP_201_CREATED)

        return answered(work)


class UploadHoldView(APIView):
    """Holding a checked file."""

    permission_classes = [IsAuthenticated]

    @extend_schema(request=HoldSerializer, responses={200: UploadSerializer, 422: OpenApiResponse()})
    def post(self, request: Request, upload_id: UUID) -> Response:
        """Lay a checked file on the desk of the referees."""
        asked = HoldSerializer(data=request.data)
        asked.is_valid(raise_exception=True)

        def work() -> Response:
            held = services.upload_hold(upload=_upload(request, upload_id), by=acting(request), **asked.validated_data)
            return Response(UploadSerializer(held).data)

        return answered(work)


# Matches ------------------------------------------------------------------------------------------------------------


def _names(matches: list[Match], viewer: Person | None) -> dict[UUID, str]:
    persons = [seat.person for match in matches for seat in match.seats.all() if seat.person is not None]
    return visible_names(persons, viewer)


def _match(match_id: UUID) -> Match:
    match = selectors.match_list({}, None).filter(pk=match_id).first()
    if match is None:
        raise Http404
    return match


def _match_data(match: Match, request: Request) -> Any:
    found = _match(match.pk)
    return MatchSerializer(found, context={"names": _names([found], viewer_of(request))}).data


@extend_schema_view(
    get=extend_schema(
        operation_id="matches_list",
        parameters=[
            OpenApiParameter("game", str),
            OpenApiParameter("status", str, description="A state, or `disputed`"),
            OpenApiParameter("league", str, description="Its id, or `friendly`"),
            OpenApiParameter("person", str, description="A handle, or the id of a person"),
            OpenApiParameter("year", int),
            OpenApiParameter("text", str, description="In titles and names"),
        ],
    )
)
class MatchListView(ListAPIView[Match]):
    """Matches, the latest first."""

    serializer_class = MatchSerializer
    pagination_class = Pages
    filter_backends = ()
    queryset = Match.objects.none()

    def get_queryset(self) -> QuerySet[Match]:
        return selectors.match_list(self.request.query_params, viewer_of(self.request))

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        page = self.paginate_queryset(self.get_queryset()) or []
        context = {"names": _names(list(page), viewer_of(request))}
        return self.get_paginated_response(MatchSerializer(page, many=True, context=context).data)


class MatchView(APIView):
    """One match."""

    permission_classes = [IsAuthenticatedOrReadOnly]

    @extend_schema(operation_id="matches_retrieve", responses=MatchSerializer)
    def get(self, request: Request, match_id: UUID) -> Response:
        """Answer a match as it stands."""
        found = _match(match_id)
        return Response(MatchSerializer(found, context={"names": _names([found], viewer_of(request))}).data)


class EventListView(APIView):
    """The entries of a match."""

    permission_classes = [IsAuthenticatedOrReadOnly]
    # JSON. The stubs have names there, the settings hold classes by now.
    parser_classes = cast("Sequence[type[BaseParser]]", api_settings.DEFAULT_PARSER_CLASSES)[:1]

    @extend_schema(
        operation_id="matches_events_list",
        parameters=[OpenApiParameter("limit", int), OpenApiParameter("offset", int)],
        responses=EventSerializer(many=True),
    )
    def get(self, request: Request, match_id: UUID) -> Response:
        """Answer the entries in order, at most 200 at once.

        While a match runs, what is hidden at the table is hidden here: such an entry has its number and the type `entry_hidden`.
        """
        lines = sight.of(_match(match_id), viewer_of(request)).log().lines
        pages = Pages()
        page = pages.paginate_queryset(lines, request) or []
        return pages.get_paginated_response([envelope.event_values(line) for line in page])

    @extend_schema(
        operation_id="matches_events_create",
        request=NewEventSerializer,
        responses={201: MatchSerializer, 409: StaleSerializer, 422: RefusalSerializer},
    )
    def post(self, request: Request, match_id: UUID) -> Response:
        """Record an entry; 409 with the present state if the match has moved on, 422 with the rule that refuses it."""
        body = dict(request.data) if isinstance(request.data, dict) else {}
        control = {key: body.pop(key) for key in ("expected_seq", "accept_irregular", "reason") if key in body}
        asked = NewEventSerializer(data={"type": "x", **control})
        asked.is_valid(raise_exception=True)
        body.pop("seq", None)
        for key in envelope.EXPORT_KEYS:
            body.pop(key, None)
        try:
            line: Line = envelope.event(load(json.dumps(body)), None)
        except (Malformed, RecursionError) as error:
            raise ValidationError({"detail": str(error)}) from error
        _match(match_id)

        def work() -> Response:
            match = services.event_record(
                match_id=match_id,
                line=line,
                expected_seq=asked.validated_data["expected_seq"],
                by=acting(request),
                accept_irregular=asked.validated_data["accept_irregular"],
                reason=asked.validated_data["reason"],
            )
            return Response(_match_data(match, request), status.HTTP_201_CREATED)

        return answered(work, acting(request))


class StateView(APIView):
    """The position of a match."""

    @extend_schema(
        parameters=[OpenApiParameter("at", int, description="After which entry; default: the last")],
        responses=OpenApiTypes.OBJECT,
    )
    def get(self, request: Request, match_id: UUID) -> Response:
        """Answer what `replay --json` says: the state, what followed, the placements."""
        match = _match(match_id)
        asked = request.query_params.get("at")
        try:
            if asked and not (asked.isascii() and asked.isdecimal() and len(asked) < 10):
                raise ValueError(_("%(at)s is no number of an entry.") % {"at": asked[:20]})
            told = sight.of(match, viewer_of(request)).replay(int(asked) if asked else None)
        except ValueError as error:
            raise ValidationError({"at": [str(error)]}) from error
        return Response(
            {
                "at": told.at,
                "state": told.ruleset.view(told.state) if told.state is not None else None,
                "consequences": engine.consequences(told),
                "placements": engine.places(told.placements),
                "status": told.status,
                "result": told.result,
            }
        )


class ReportView(APIView):
    """What a check of a match says."""

    @extend_schema(responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, match_id: UUID) -> Response:
        """Answer what `check --json` says of the recorded log."""
        return Response(sight.of(_match(match_id), viewer_of(request)).report())


class LogView(APIView):
    """The log of a match as a file."""

    @extend_schema(
        parameters=[OpenApiParameter("to", str, enum=list(_TYPES), description="Form of the file; default: jsonl")],
        responses={(200, "application/x-ndjson"): OpenApiTypes.BINARY},
    )
    def get(self, request: Request, match_id: UUID) -> HttpResponse:
        """Answer the log as a file; `full` has everything that its chain of hashes is made of.

        While a match runs, what is hidden at the table is hidden here; `full` is then answered with 403.
        """
        form = request.query_params.get("to", "jsonl")
        if form not in _TYPES:
            raise ValidationError({"to": [_("The forms are %(forms)s.") % {"forms": ", ".join(_TYPES)}]})
        match = _match(match_id)
        try:
            body = sight.match_export(match, cast("selectors.Form", form), viewer_of(request))
        except sight.Sealed as sealed:
            raise PermissionDenied(str(sealed)) from sealed
        response = HttpResponse(body, content_type=f"{_TYPES[form]}; charset=utf-8")
        response["Content-Disposition"] = f'attachment; filename="{match.pk}.{_ENDINGS[form]}"'
        return response


class ChainView(APIView):
    """Whether the chain of a match is whole."""

    @extend_schema(responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, match_id: UUID) -> Response:
        """Answer the state of the chain, computed anew. `head` is null while an entry is hidden from the reader."""
        return Response(sight.of(_match(match_id), viewer_of(request)).chain())


_ID = "(?P<{}>[0-9a-f]{{8}}-[0-9a-f]{{4}}-[0-9a-f]{{4}}-[0-9a-f]{{4}}-[0-9a-f]{{12}})"
_UPLOAD, _MATCH = rf"^uploads/{_ID.format('upload_id')}", rf"^matches/{_ID.format('match_id')}"
urlpatterns = [
    re_path(r"^uploads/?$", UploadListView.as_view(), name="api-uploads"),
    re_path(rf"{_UPLOAD}/?$", UploadView.as_view(), name="api-upload"),
    re_path(rf"{_UPLOAD}/record/?$", UploadRecordView.as_view(), name="api-upload-record"),
    re_path(rf"{_UPLOAD}/hold/?$", UploadHoldView.as_view(), name="api-upload-hold"),
    re_path(r"^matches/?$", MatchListView.as_view(), name="api-matches"),
    re_path(rf"{_MATCH}/?$", MatchView.as_view(), name="api-match"),
    re_path(rf"{_MATCH}/events/?$", EventListView.as_view(), name="api-match-events"),
    re_path(rf"{_MATCH}/state/?$", StateView.as_view(), name="api-match-state"),
    re_path(rf"{_MATCH}/report/?$", ReportView.as_view(), name="api-match-report"),
    re_path(rf"{_MATCH}/log/?$", LogView.as_view(), name="api-match-log"),
    re_path(rf"{_MATCH}/chain/?$", ChainView.as_view(), name="api-match-chain"),
]

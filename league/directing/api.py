"""Tournaments in the API: the list, one of them, its rounds, its standings as of any entry, and the director's log."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django.urls import re_path
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.generics import GenericAPIView, ListAPIView
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from league.directing import report, words
from league.directing.hall import page_of
from league.directing.selectors import tournament_of
from league.directing.shown import Shown, log_lines
from league.models import Tournament
from league.tournament import events as e
from people.paging import Pages
from people.selectors import viewer_of

KEY = r"(?P<key>[a-z0-9][a-z0-9-]{1,59})"
MOST_ROWS = 500


class TournamentSerializer(serializers.ModelSerializer[Tournament]):
    """A tournament as lists show it."""

    league = serializers.CharField(source="league.slug")
    stage = serializers.SerializerMethodField(help_text="The latest stage that has begun, from 1")
    url = serializers.SerializerMethodField()

    class Meta:
        model = Tournament
        fields = [
            "id", "slug", "url", "title", "game", "league", "season", "status", "timezone", "registration_is_open",
            "players", "stage", "round", "is_demo", "seq", "opened_at",
        ]  # fmt: skip

    def get_stage(self, row: Tournament) -> int:
        return row.stage + 1

    def get_url(self, row: Tournament) -> str:
        return page_of(row)


class StageSerializer(serializers.Serializer[dict[str, Any]]):
    """A stage: how it is played and how far it is."""

    stage = serializers.IntegerField()
    title = serializers.CharField()
    format = serializers.CharField()
    words = serializers.CharField(help_text="The format in words")
    rounds = serializers.IntegerField(help_text="0 where the format says it")
    rounds_published = serializers.IntegerField()
    pod_size = serializers.IntegerField()
    groups = serializers.IntegerField()
    points = serializers.CharField()
    edition = serializers.CharField(help_text="The dated edition of the tie-breaks")
    tiebreaks = serializers.ListField(child=serializers.CharField(), allow_null=True)
    cut = serializers.IntegerField(allow_null=True)
    entrants = serializers.IntegerField()
    begun = serializers.BooleanField()
    closed = serializers.BooleanField()


class TournamentDetailSerializer(TournamentSerializer):
    """A tournament with its stages and the entry that this was read as of."""

    at_seq = serializers.IntegerField()
    stages = StageSerializer(many=True)

    class Meta(TournamentSerializer.Meta):
        fields = [*TournamentSerializer.Meta.fields, "at_seq", "stages"]


class KnownSerializer(serializers.Serializer[dict[str, Any]]):
    """Somebody; id and handle only where the reader may know the person."""

    person = serializers.UUIDField(allow_null=True)
    handle = serializers.CharField(allow_null=True)
    name = serializers.CharField()


class TournamentSeatSerializer(KnownSerializer):
    """Somebody at a table, with what they have of it once it is settled."""

    seat = serializers.IntegerField(help_text="1 begins")
    points_before = serializers.CharField()
    kind = serializers.CharField(allow_null=True)
    place = serializers.IntegerField(allow_null=True)
    outcome = serializers.CharField(allow_null=True)
    points = serializers.CharField(allow_null=True)
    score = serializers.CharField(allow_null=True)


class TableSerializer(serializers.Serializer[dict[str, Any]]):
    """A table of a round."""

    table = serializers.IntegerField()
    group = serializers.IntegerField(allow_null=True)
    match = serializers.UUIDField()
    state = serializers.ChoiceField(["open", "running", "entered", "disputed", "settling", "settled"])
    ruled = serializers.BooleanField()
    extension = serializers.IntegerField(help_text="Seconds more than the clock of the round")
    seats = TournamentSeatSerializer(many=True)


class ByeSerializer(KnownSerializer):
    """Somebody without a table, and why."""

    kind = serializers.CharField()
    points = serializers.CharField()


class RoundSerializer(serializers.Serializer[dict[str, Any]]):
    """A round of a stage."""

    stage = serializers.IntegerField()
    round = serializers.IntegerField()
    at_seq = serializers.IntegerField()
    published = serializers.BooleanField()
    engine = serializers.CharField()
    version = serializers.CharField()
    input_digest = serializers.CharField()
    ends_at = serializers.DateTimeField(allow_null=True)
    seconds_left = serializers.IntegerField(allow_null=True, help_text="Of a clock that is stopped")
    tables = TableSerializer(many=True)
    byes = ByeSerializer(many=True)


class AddendSerializer(serializers.Serializer[dict[str, Any]]):
    """A part of a figure: of which round, against whom (by number), how much, by which rule, and whether it was cut."""

    round = serializers.IntegerField()
    opponents = serializers.ListField(child=serializers.IntegerField())
    value = serializers.CharField()
    rule = serializers.CharField()
    cut = serializers.BooleanField()


class FigureSerializer(serializers.Serializer[dict[str, Any]]):
    """A figure with what it is made of."""

    value = serializers.CharField()
    addends = AddendSerializer(many=True)


class StandingSerializer(KnownSerializer):
    """A row of standings. Figures are exact and written as text."""

    rank = serializers.IntegerField()
    place = serializers.CharField(help_text="The rank as it is shown: `3=` if it is shared")
    number = serializers.IntegerField(help_text="The pairing number")
    dropped_from = serializers.IntegerField(allow_null=True)
    points = serializers.CharField()
    addends = AddendSerializer(many=True)
    tiebreaks = serializers.DictField(child=FigureSerializer())


class StandingsSerializer(serializers.Serializer[dict[str, Any]]):
    """The standings of a stage or of one of its groups. The same tournament has the same digest on page, paper and file."""

    stage = serializers.IntegerField()
    group = serializers.IntegerField(allow_null=True)
    at_seq = serializers.IntegerField()
    view = serializers.ChoiceField(["settled", "live"])
    edition = serializers.CharField()
    order = serializers.ListField(child=serializers.CharField())
    digest = serializers.CharField()
    count = serializers.IntegerField(help_text="Rows of the whole table")
    rows = StandingSerializer(many=True)
    disqualified = KnownSerializer(many=True)


class PlaceSerializer(KnownSerializer):
    """A final place of an elimination."""

    rank = serializers.IntegerField()


class StandingsAnswerSerializer(serializers.Serializer[dict[str, Any]]):
    """Standings as of an entry of the tournament's stream."""

    at_seq = serializers.IntegerField()
    view = serializers.ChoiceField(["settled", "live"])
    standings = StandingsSerializer(many=True)
    places = PlaceSerializer(many=True)


class WriterSerializer(serializers.Serializer[dict[str, Any]]):
    """Who wrote an entry, as far as the reader may know."""

    handle = serializers.CharField(allow_null=True)
    name = serializers.CharField()


class LogLineSerializer(serializers.Serializer[dict[str, Any]]):
    """An entry of the director's log."""

    seq = serializers.IntegerField()
    type = serializers.CharField()
    text = serializers.CharField()
    reason = serializers.CharField()
    at = serializers.DateTimeField()
    by = WriterSerializer(allow_null=True)
    role = serializers.CharField()
    taken_back_by = serializers.IntegerField(allow_null=True)


def _number(request: Request, key: str, *, least: int = 0, most: int = 10_000_000) -> int | None:
    said = request.query_params.get(key)
    if said in (None, ""):
        return None
    if not said.isascii() or not said.isdecimal() or not least <= int(said[:9]) <= most:
        raise ValidationError(
            {key: [_("A whole number from %(least)s to %(most)s is expected.") % {"least": least, "most": most}]}
        )
    return int(said)


def _shown(request: Request, key: str) -> Shown:
    tournament = tournament_of(key)
    at = _number(request, "at", most=tournament.seq)
    return Shown(tournament, viewer_of(request), at=at)


STAGE = OpenApiParameter("stage", int, description="From 1; without it all stages (standings: the latest)")
AT = OpenApiParameter("at", int, description="As of this entry of the stream")


@extend_schema_view(
    get=extend_schema(
        operation_id="tournaments_list",
        parameters=[
            OpenApiParameter("league", str, description="The short name of a league"),
            OpenApiParameter("game", str),
            OpenApiParameter("status", str, enum=["open", "running", "closed", "cancelled"]),
        ],
    )
)
class TournamentListView(ListAPIView[Tournament]):
    """The tournaments, newest first."""

    permission_classes = [AllowAny]
    pagination_class = Pages
    serializer_class = TournamentSerializer
    queryset = Tournament.objects.select_related("league").order_by("-opened_at", "id")

    def get_queryset(self) -> QuerySet[Tournament]:
        rows = super().get_queryset()
        names = {"league": "league__slug", "game": "game", "status": "status"}
        wanted = {names[key]: value for key, value in self.request.query_params.items() if key in names and value}
        return rows.filter(**wanted)


class TournamentView(APIView):
    """One tournament with its stages."""

    permission_classes = [AllowAny]

    @extend_schema(operation_id="tournaments_retrieve", responses=TournamentDetailSerializer)
    def get(self, request: Request, key: str) -> Response:
        tournament = tournament_of(key)
        shown = Shown(tournament, viewer_of(request))
        tournament.at_seq = shown.state.seq  # type: ignore[attr-defined]
        tournament.stages = [_stage(one) for one in shown.state.stages]  # type: ignore[attr-defined]
        return Response(TournamentDetailSerializer(tournament).data)


def _stage(stage: Any) -> dict[str, Any]:
    settings: e.Stage = stage.settings
    return {
        "stage": stage.number + 1, "title": settings.title, "format": settings.format,
        "words": words.format_name(settings), "rounds": settings.rounds,
        "rounds_published": sum(one.is_published for one in stage.rounds.values()), "pod_size": settings.pod_size,
        "groups": settings.groups, "points": settings.points, "edition": settings.ruleset,
        "tiebreaks": settings.tiebreaks, "cut": settings.cut, "entrants": len(stage.entrants),
        "begun": stage.has_begun, "closed": stage.is_closed,
    }  # fmt: skip


class RoundPages(Pages):
    """`limit` and `offset`, at most 20 rounds at once."""

    default_limit = 5
    max_limit = 20


class RoundsView(GenericAPIView[Any]):
    """The published rounds, first round first; whoever may pair sees prepared ones as well."""

    permission_classes = [AllowAny]
    pagination_class = RoundPages
    queryset = Tournament.objects.none()
    serializer_class = RoundSerializer

    @extend_schema(
        operation_id="tournaments_rounds",
        parameters=[STAGE, OpenApiParameter("round", int, description="Only this round"), AT],
        responses=RoundSerializer(many=True),
    )
    def get(self, request: Request, key: str) -> Response:
        shown = _shown(request, key)
        stage, wanted = _number(request, "stage", least=1), _number(request, "round", least=1)
        told = [
            (one, round_)
            for one in shown.state.stages
            for round_ in report.rounds(shown, one)
            if stage in (None, one.number + 1) and wanted in (None, round_.number)
        ]
        page = self.paginate_queryset(told) or []
        return self.get_paginated_response([report.round_(shown, one, round_) for one, round_ in page])


class StandingsView(APIView):
    """The standings of a stage, settled or live, as of an entry: the same that pages, paper and files show."""

    permission_classes = [AllowAny]

    @extend_schema(
        operation_id="tournaments_standings",
        parameters=[
            STAGE, AT,
            OpenApiParameter("view", str, enum=["settled", "live"], description="`live` counts results not confirmed yet"),
            OpenApiParameter("limit", int, description=f"Rows of each table, 100 without it, at most {MOST_ROWS}"),
            OpenApiParameter("offset", int),
        ],
        responses=StandingsAnswerSerializer,
    )  # fmt: skip
    def get(self, request: Request, key: str) -> Response:
        shown = _shown(request, key)
        view = request.query_params.get("view") or "settled"
        if view not in ("settled", "live"):
            raise ValidationError({"view": [_("There are the views settled and live.")]})
        if view == "live" and shown.at is not None:
            raise ValidationError({"view": [_("As of an entry there are settled standings only.")]})
        number = _number(request, "stage", least=1)
        stage = shown.stage(number)
        if number is not None and stage is None:
            raise Http404(_("There is no stage %(stage)s.") % {"stage": number})
        limit = _number(request, "limit", least=1, most=MOST_ROWS) or 100
        offset = _number(request, "offset") or 0
        told = stage if stage is not None and stage.has_begun else None
        standings = (
            report.standings(shown, told, live=view == "live", limit=limit, offset=offset) if told is not None else []
        )
        places = report.places(shown, told)[offset : offset + limit] if told is not None else []
        return Response({"at_seq": shown.state.seq, "view": view, "standings": standings, "places": places})


class _Lines:
    """The director's log as a list of which only the part that is asked for is made."""

    def __init__(self, shown: Shown) -> None:
        self.shown = shown
        self.entries = shown.entries

    def __len__(self) -> int:
        return len(self.entries)

    def __getitem__(self, part: slice) -> list[dict[str, Any]]:
        start, stop = part.start or 0, part.stop or 0
        made = []
        for line in log_lines(self.shown, limit=stop - start, offset=start):
            by = line["by"]
            made.append(
                {
                    "seq": line["seq"],
                    "type": line["type"],
                    "text": line["text"],
                    "reason": line["reason"],
                    "at": line["at"],
                    "by": {"handle": by.handle or None, "name": by.name} if by is not None else None,
                    "role": line["role"],
                    "taken_back_by": line["taken_back"],
                }
            )
        return made


class DirectorLogView(GenericAPIView[Any]):
    """The director's log, newest first: who did what, when, in which role and why, and what was taken back."""

    permission_classes = [AllowAny]
    pagination_class = Pages
    queryset = Tournament.objects.none()
    serializer_class = LogLineSerializer

    @extend_schema(operation_id="tournaments_director_log", responses=LogLineSerializer(many=True))
    def get(self, request: Request, key: str) -> Response:
        shown = Shown(tournament_of(key), viewer_of(request))
        page = self.paginate_queryset(_Lines(shown)) or []  # type: ignore[arg-type]
        return self.get_paginated_response(page)


urlpatterns = [
    re_path(r"^tournaments/?$", TournamentListView.as_view(), name="api-tournaments"),
    re_path(rf"^tournaments/{KEY}/?$", TournamentView.as_view(), name="api-tournament"),
    re_path(rf"^tournaments/{KEY}/rounds/?$", RoundsView.as_view(), name="api-tournament-rounds"),
    re_path(rf"^tournaments/{KEY}/standings/?$", StandingsView.as_view(), name="api-tournament-standings"),
    re_path(rf"^tournaments/{KEY}/director-log/?$", DirectorLogView.as_view(), name="api-tournament-director-log"),
]

"""Leagues in the API."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError as Refused
from django.http import Http404
from django.urls import re_path
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.generics import ListAPIView
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from league import selectors, services
from league.models import League, Member
from league.urls import SLUG
from people.selectors import person_by_handle, viewer_of


class LeagueSerializer(serializers.ModelSerializer[League]):
    """A league as lists show it."""

    member_count = serializers.IntegerField(read_only=True)
    match_count = serializers.IntegerField(read_only=True)

    class Meta:
        model = League
        fields = ["id", "slug", "name", "is_open", "timezone", "appeal_hours", "member_count", "match_count"]
        read_only_fields = ["id", "is_open"]


class MemberSerializer(serializers.ModelSerializer[Member]):
    """A present member whom the reader may find."""

    person = serializers.UUIDField(source="person_id")
    handle = serializers.CharField(source="person.handle", allow_null=True)
    name = serializers.CharField(source="person.display_name")

    class Meta:
        model = Member
        fields = ["person", "handle", "name", "since"]


class NewMemberSerializer(serializers.Serializer[dict[str, Any]]):
    """Who is to become a member: a person by handle, or a new guest by the name on the score sheet."""

    handle = serializers.CharField(required=False)
    guest = serializers.CharField(required=False, max_length=120)
    is_minor = serializers.BooleanField(default=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Check that it is one of the two."""
        if ("handle" in attrs) == ("guest" in attrs):
            raise serializers.ValidationError(_("Give either a handle or the name of a guest."))
        return attrs


class OfficialSerializer(serializers.Serializer[dict[str, Any]]):
    """Who holds a role in the league."""

    person = serializers.UUIDField(source="person.pk")
    handle = serializers.SerializerMethodField()
    name = serializers.CharField()
    role = serializers.CharField()

    def get_handle(self, row: dict[str, Any]) -> str | None:
        """Return the handle of whoever is not hidden."""
        return row["person"].handle if row["person"].display_name == row["name"] else None


class LeagueDetailSerializer(LeagueSerializer):
    """A league with who holds which role in it."""

    officials = OfficialSerializer(many=True)

    class Meta(LeagueSerializer.Meta):
        fields = [*LeagueSerializer.Meta.fields, "officials"]


def _league(slug: str) -> League:
    league = selectors.league_list().filter(slug=slug).first()
    if league is None:
        raise Http404(_("There is no league “%(slug)s”.") % {"slug": slug})
    return league


def _refusal(refused: Refused) -> ValidationError:
    return ValidationError(getattr(refused, "message_dict", None) or refused.messages)


class LeagueListView(ListAPIView[League]):
    """The leagues, open ones first."""

    permission_classes = [IsAuthenticatedOrReadOnly]
    serializer_class = LeagueSerializer
    queryset = selectors.league_list()

    @extend_schema(operation_id="leagues_create", request=LeagueSerializer, responses={201: LeagueSerializer})
    def post(self, request: Request) -> Response:
        """Open a league."""
        by = viewer_of(request)
        assert by is not None  # noqa: S101 – the permission class has seen to it
        asked = LeagueSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        try:
            league = services.league_open(by=by, at=timezone.now(), **asked.validated_data)
        except Refused as refused:
            raise _refusal(refused) from refused
        return Response(LeagueSerializer(_league(league.slug)).data, status=201)


class LeagueView(APIView):
    """One league with who holds which role in it."""

    @extend_schema(operation_id="leagues_retrieve", responses=LeagueDetailSerializer)
    def get(self, request: Request, slug: str) -> Response:
        league = _league(slug)
        officials = selectors.officials_of(league, viewer_of(request))
        league.officials = officials  # type: ignore[attr-defined]
        return Response(LeagueDetailSerializer(league).data)


class LeagueMembersView(ListAPIView[Member]):
    """The present members whom the reader may find, by sort name."""

    permission_classes = [IsAuthenticatedOrReadOnly]
    serializer_class = MemberSerializer
    queryset = Member.objects.none()

    def get_queryset(self):  # type: ignore[no-untyped-def]
        if "slug" not in self.kwargs:  # the schema is made without a league
            return self.queryset
        return selectors.members_of(_league(self.kwargs["slug"]), viewer_of(self.request))

    @extend_schema(
        operation_id="leagues_members_create", request=NewMemberSerializer, responses={201: MemberSerializer}
    )
    def post(self, request: Request, slug: str) -> Response:
        """Enter a member: a person by handle, or a new guest."""
        league, by = _league(slug), viewer_of(request)
        assert by is not None  # noqa: S101 – the permission class has seen to it
        asked = NewMemberSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        data = asked.validated_data
        try:
            if "guest" in data:
                member = services.member_guest_add(
                    league=league, display_name=data["guest"], is_minor=data["is_minor"], by=by, at=timezone.now()
                )
            else:
                person = person_by_handle(data["handle"])
                if person is None:
                    raise ValidationError(
                        {"handle": [_("Nobody here has the handle @%(handle)s.") % {"handle": data["handle"]}]}
                    )
                member = services.member_add(league=league, person=person, by=by, at=timezone.now())
        except Refused as refused:
            raise _refusal(refused) from refused
        return Response(MemberSerializer(member).data, status=201)


urlpatterns = [
    re_path(r"^leagues/?$", LeagueListView.as_view(), name="api-leagues"),
    re_path(rf"^leagues/{SLUG}/?$", LeagueView.as_view(), name="api-league"),
    re_path(rf"^leagues/{SLUG}/members/?$", LeagueMembersView.as_view(), name="api-league-members"),
]

"""Persons in the API: who asks, and who can be found."""

from __future__ import annotations

from django.db.models import Q, QuerySet
from django.urls import re_path
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from people import rights
from people.handles import handle_clean
from people.models import Person
from people.selectors import viewer_of, visible_persons


class PersonSerializer(serializers.ModelSerializer[Person]):
    """A person as lists show them."""

    name = serializers.CharField(source="display_name")
    is_guest = serializers.BooleanField()

    class Meta:
        model = Person
        fields = ["id", "handle", "name", "sort_name", "is_guest"]


class GrantSerializer(serializers.Serializer[dict[str, str]]):
    """A role and where it holds."""

    role = serializers.ChoiceField(choices=rights.GRANTED)
    scope = serializers.CharField()


class MeSerializer(PersonSerializer):
    """Who asks, with the roles they hold."""

    grants = GrantSerializer(many=True)

    class Meta(PersonSerializer.Meta):
        fields = [*PersonSerializer.Meta.fields, "privacy", "grants"]


class MeView(APIView):
    """Whoever asks: person and roles."""

    permission_classes = [IsAuthenticated]

    @extend_schema(operation_id="me_retrieve", responses=MeSerializer)
    def get(self, request: Request) -> Response:
        person = viewer_of(request)
        assert person is not None  # noqa: S101 – the permission class has seen to it
        grants = [{"role": role, "scope": scope} for role, scope in rights.grants(person)]
        return Response({**PersonSerializer(person).data, "privacy": person.privacy, "grants": grants})


@extend_schema_view(
    get=extend_schema(
        operation_id="people_list",
        parameters=[OpenApiParameter("q", str, description="Part of a name, or the beginning of a handle")],
    )
)
class PersonListView(ListAPIView[Person]):
    """Persons whom the reader may find, by sort name. Nobody hidden is among them."""

    serializer_class = PersonSerializer
    queryset = Person.objects.none()

    def get_queryset(self) -> QuerySet[Person]:
        found = visible_persons(viewer_of(self.request)).select_related("account")
        if asked := self.request.query_params.get("q", "").strip():
            found = found.filter(Q(display_name__icontains=asked) | Q(handle__startswith=handle_clean(asked)))
        return found


urlpatterns = [
    re_path(r"^me/?$", MeView.as_view(), name="api-me"),
    re_path(r"^people/?$", PersonListView.as_view(), name="api-people"),
]

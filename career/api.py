"""The career in the API: a person's whole career with the evidence of every line."""

from __future__ import annotations

from django.http import Http404
from django.urls import re_path
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from career import selectors
from career.ratings.views import LeaderboardView
from people import selectors as people


class PersonView(APIView):
    """A person's career: rank, what the next one needs, badges, record and history, each line with its evidence."""

    @extend_schema(operation_id="people_retrieve", responses={200: OpenApiTypes.OBJECT, 404: OpenApiTypes.OBJECT})
    def get(self, request: Request, handle: str) -> Response:
        person = people.person_by_handle(handle)
        viewer = people.viewer_of(request)
        if person is None or not people.may_see(person, viewer):
            raise Http404(_("Nobody here has the handle @%(handle)s.") % {"handle": handle})
        return Response(selectors.career(person, viewer))


urlpatterns = [
    re_path(r"^leaderboards/(?P<game>[a-z0-9_-]+)/?$", LeaderboardView.as_view(), name="api-leaderboard"),
    re_path(r"^people/@?(?P<handle>[a-z0-9][a-z0-9_-]{1,29})/?$", PersonView.as_view(), name="api-person"),
]

"""The API's root: what each app offers, its description as OpenAPI, and a page that reads well."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import include, path, re_path, reverse
from django.utils.translation import gettext as _
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularJSONAPIView
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

METHODS = ("get", "post", "put", "patch", "delete")


class RootView(APIView):
    """Where to read on."""

    permission_classes = [AllowAny]

    @extend_schema(exclude=True)
    def get(self, request: Request) -> Response:
        return Response({"schema": _absolute(request, "api-schema"), "docs": _absolute(request, "api-docs")})


def _absolute(request: Request, name: str) -> str:
    return str(request.build_absolute_uri(reverse(name)))


@cache
def _described() -> dict[str, Any]:
    """Return the API as OpenAPI describes it; it is the same as long as the process lives."""
    return dict(SchemaGenerator().get_schema(request=None, public=True))


def docs(request: HttpRequest) -> HttpResponse:
    """Show every path of the API with what it does, takes and answers."""
    described = _described()
    groups: dict[str, list[dict[str, Any]]] = {}
    for where, methods in described["paths"].items():
        for method in METHODS:
            if method in methods:
                operation = methods[method]
                group = (operation.get("tags") or ["api"])[0]
                groups.setdefault(group, []).append({"path": where, "method": method.upper(), **_operation(operation)})
    return render(request, "api/docs.html", {"groups": sorted(groups.items()), "title": _("The API")})


def _operation(operation: dict[str, Any]) -> dict[str, Any]:
    body = operation.get("requestBody", {}).get("content", {})
    return {
        "text": operation.get("description", ""),
        "id": operation["operationId"],
        "parameters": [
            {
                "name": parameter["name"],
                "where": parameter["in"],
                "type": parameter.get("schema", {}).get("type", ""),
                "needed": parameter.get("required", False),
                "text": parameter.get("description", ""),
            }
            for parameter in operation.get("parameters", [])
        ],
        "takes": [(kind, _schema_name(content)) for kind, content in body.items()],
        "answers": [
            (code, answer.get("description", ""), next(iter(map(_schema_name, answer.get("content", {}).values())), ""))
            for code, answer in sorted(operation.get("responses", {}).items())
        ],
    }


def _schema_name(content: dict[str, Any]) -> str:
    schema = content.get("schema", {})
    return str(schema.get("$ref", schema.get("type", ""))).rsplit("/", 1)[-1]


schema = SpectacularJSONAPIView.as_view(authentication_classes=[], permission_classes=[AllowAny])
urlpatterns = [
    re_path(r"^$", RootView.as_view(), name="api-root"),
    re_path(r"^schema/?$", schema, name="api-schema"),
    re_path(r"^docs/?$", docs, name="api-docs"),
    path("", include("people.api")),
    path("", include("league.api")),
    path("", include("league.directing.api")),
    path("", include("matches.api")),
    path("", include("career.api")),
]

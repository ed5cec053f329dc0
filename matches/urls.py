"""URLs of matches, uploads and the desk. Pages answer with and without the last slash."""

from __future__ import annotations

from django.urls import re_path

from matches.views import acts, desk, detail, listing, upload

UUID = r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"

urlpatterns = [
    re_path(r"^upload/?$", upload.upload, name="upload"),
    re_path(rf"^upload/(?P<upload_id>{UUID})/?$", upload.upload_detail, name="upload-detail"),
    re_path(rf"^upload/(?P<upload_id>{UUID})/act/?$", upload.upload_act, name="upload-act"),
    re_path(r"^matches/?$", listing.match_list, name="match-list"),
    re_path(rf"^matches/(?P<match_id>{UUID})/?$", detail.match_detail, name="match-detail"),
    re_path(rf"^matches/(?P<match_id>{UUID})/log/(?P<form>[a-z]+)/?$", detail.match_download, name="match-download"),
    re_path(rf"^matches/(?P<match_id>{UUID})/acts/(?P<act>[a-z]+)/?$", acts.match_act, name="match-act"),
    re_path(r"^desk/?$", desk.desk, name="desk"),
]

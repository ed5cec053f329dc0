"""URLs of matches, uploads and the desk. Pages answer with and without the last slash."""

from __future__ import annotations

from django.urls import re_path

from matches.views import acts, checkpoints, desk, detail, identity, listing, upload

UUID = r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"

NUMBER = r"(?P<number>[1-9][0-9]{0,8})"

urlpatterns = [
    re_path(r"^upload/?$", upload.upload, name="upload"),
    re_path(rf"^upload/(?P<upload_id>{UUID})/?$", upload.upload_detail, name="upload-detail"),
    re_path(rf"^upload/(?P<upload_id>{UUID})/act/?$", upload.upload_act, name="upload-act"),
    re_path(r"^matches/?$", listing.match_list, name="match-list"),
    re_path(rf"^matches/(?P<match_id>{UUID})/?$", detail.match_detail, name="match-detail"),
    re_path(rf"^matches/(?P<match_id>{UUID})/log/(?P<form>[a-z]+)/?$", detail.match_download, name="match-download"),
    re_path(rf"^matches/(?P<match_id>{UUID})/acts/(?P<act>[a-z]+)/?$", acts.match_act, name="match-act"),
    re_path(r"^desk/?$", desk.desk, name="desk"),
    re_path(rf"^people/(?P<person_id>{UUID})/link/?$", identity.claim_link, name="person-link"),
    re_path(rf"^people/(?P<person_id>{UUID})/join/?$", identity.join, name="person-join"),
    re_path(rf"^people/(?P<person_id>{UUID})/records/?$", identity.records, name="person-records"),
    re_path(
        rf"^people/(?P<person_id>{UUID})/records/(?P<other_id>{UUID})/split/?$", identity.split, name="person-split"
    ),
    re_path(rf"^people/(?P<person_id>{UUID})/forget/?$", identity.forget_other, name="person-forget"),
    re_path(r"^claim/(?P<token>[A-Za-z0-9_:-]{20,200})/?$", identity.claim, name="claim"),
    re_path(r"^settings/forget/?$", identity.forget, name="settings-forget"),
    re_path(r"^settings/download/?$", identity.download, name="settings-download"),
    re_path(r"^log/keys\.json$", checkpoints.keys, name="log-keys"),
    re_path(r"^log/checkpoints/?$", checkpoints.checkpoint_list, name="log-checkpoint-list"),
    re_path(rf"^log/checkpoints/{NUMBER}/?$", checkpoints.checkpoint_detail, name="log-checkpoint"),
    re_path(rf"^log/checkpoints/{NUMBER}\.json$", checkpoints.checkpoint_json, name="log-checkpoint-json"),
    re_path(rf"^log/checkpoints/{NUMBER}/(?P<stream>{UUID})\.json$", checkpoints.proof, name="log-proof"),
    re_path(rf"^log/prove/(?P<stream>{UUID})/(?P<seq>\d{{1,9}})/?$", checkpoints.prove, name="log-prove"),
]

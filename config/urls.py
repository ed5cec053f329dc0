"""Root URLs. Pages answer with and without the last slash."""

from __future__ import annotations

from django.urls import include, path, re_path

from config import api, health, operations, views

urlpatterns = [
    path("", views.home, name="home"),
    path("", include("matches.codex_urls")),
    path("", include("people.urls")),
    path("", include("league.urls")),
    path("", include("matches.urls")),
    path("", include("career.urls")),
    re_path(r"^log/verify/?$", views.verify, name="log-verify-doc"),
    re_path(r"^log/verify/verify\.py$", views.verify_download, name="log-verify-program"),
    re_path(r"^operations/?$", operations.operations, name="operations"),
    path("operations/jobs/<uuid:job_id>/retry", operations.job_retry, name="operations-job-retry"),
    path("operations/jobs/<uuid:job_id>/stop", operations.job_stop, name="operations-job-stop"),
    path("operations/matches/<uuid:match_id>/retry", operations.match_retry, name="operations-match-retry"),
    path("operations/mails/<uuid:mail_id>/retry", operations.mail_retry, name="operations-mail-retry"),
    re_path(r"^api$", api.RootView.as_view()),
    path("api/", include("config.api")),
    re_path(r"^health/?$", health.alive, name="health"),
    re_path(r"^health/ready/?$", health.ready, name="health-ready"),
    path("i18n/", include("django.conf.urls.i18n")),
    path("accounts/", include("allauth.urls")),
]
handler400 = "config.views.bad_request"
handler403 = "config.views.permission_denied"
handler404 = "config.views.page_not_found"
handler500 = "config.views.server_error"

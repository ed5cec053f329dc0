"""URLs of accounts, persons and rights."""

from django.urls import re_path

from people import views

urlpatterns = [
    re_path(r"^settings/?$", views.settings, name="settings"),
    re_path(r"^settings/handle/?$", views.handle_change, name="settings-handle"),
    re_path(r"^settings/token/?$", views.token_create, name="settings-token"),
    re_path(r"^settings/token/revoke/?$", views.token_revoke, name="settings-token-revoke"),
    re_path(r"^settings/notices/?$", views.notice_settings, name="settings-notices"),
    re_path(r"^inbox/?$", views.inbox, name="inbox"),
    re_path(r"^inbox/read/?$", views.inbox_read, name="inbox-read"),
    re_path(r"^welcome/?$", views.welcome, name="welcome"),
    re_path(r"^roles/?$", views.roles, name="roles"),
    re_path(r"^accounts/(?P<rest>[a-z0-9/-]*[a-z0-9])$", views.account_page, name="account-page"),
]

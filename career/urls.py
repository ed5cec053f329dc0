"""Pages of careers. With and without the last slash."""

from django.urls import re_path

from career import views

urlpatterns = [
    re_path(r"^@(?P<handle>[a-z0-9][a-z0-9_-]{1,29})/?$", views.profile, name="profile"),
    re_path(r"^badges/?$", views.badge_list, name="badge-list"),
    re_path(r"^badges/(?P<badge_id>[A-Z0-9-]{3,12})/?$", views.badge, name="badge"),
]

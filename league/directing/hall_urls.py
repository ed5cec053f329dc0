"""URLs of the hall: projector, paper, files."""

from django.urls import re_path

from league.directing import hall

SLUG = r"(?P<slug>[a-z0-9][a-z0-9-]{1,59})"
KIND = r"(?P<kind>surname|tables|slips|standings|crosstable|bracket)"

urlpatterns = [
    re_path(rf"^tournaments/{SLUG}/hall/?$", hall.hall, name="tournament-hall"),
    re_path(rf"^tournaments/{SLUG}/print/{KIND}/?$", hall.printed, name="tournament-print"),
    re_path(
        rf"^tournaments/{SLUG}/standings\.(?P<form>csv|json)$", hall.standings_file, name="tournament-standings-file"
    ),
    re_path(rf"^tournaments/{SLUG}/pairings\.csv$", hall.pairings_file, name="tournament-pairings-file"),
]

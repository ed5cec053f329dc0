"""URLs of leagues."""

from django.urls import include, path, re_path

from league import record_views, views
from league.directing import desk
from league.directing import views as tournaments

SLUG = r"(?P<slug>[a-z0-9][a-z0-9-]{1,59})"
PERSON = r"(?P<person_id>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"

MATCH = r"(?P<match_id>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"
KEY = r"(?P<key>[a-z0-9][a-z0-9-]{0,39})"

urlpatterns = [
    path("", include("league.directing.hall_urls")),
    re_path(r"^leagues/?$", views.league_list, name="league-list"),
    re_path(r"^leagues/new/?$", views.league_new, name="league-new"),
    re_path(rf"^leagues/{SLUG}/?$", views.league_detail, name="league-detail"),
    re_path(rf"^leagues/{SLUG}/members/?$", views.member_add, name="league-member-add"),
    re_path(rf"^leagues/{SLUG}/guests/?$", views.guest_add, name="league-guest-add"),
    re_path(rf"^leagues/{SLUG}/members/{PERSON}/remove/?$", views.member_remove, name="league-member-remove"),
    re_path(rf"^leagues/{SLUG}/members/{PERSON}/privacy/?$", views.member_privacy, name="league-member-privacy"),
    re_path(rf"^leagues/{SLUG}/roles/?$", views.role_give, name="league-role-give"),
    re_path(
        rf"^leagues/{SLUG}/roles/{PERSON}/(?P<role>[a-z]+)/revoke/?$", views.role_revoke, name="league-role-revoke"
    ),
    re_path(rf"^leagues/{SLUG}/settings/?$", views.league_settings, name="league-settings"),
    re_path(rf"^leagues/{SLUG}/close/?$", views.league_close, name="league-close"),
    re_path(rf"^leagues/{SLUG}/reopen/?$", views.league_reopen, name="league-reopen"),
    re_path(rf"^leagues/{SLUG}/log/?$", record_views.league_log, name="league-log"),
    re_path(rf"^leagues/{SLUG}/log/(?P<seq>[0-9]{{1,8}})/strike/?$", record_views.conduct_strike, name="league-strike"),
    re_path(rf"^leagues/{SLUG}/record/(?P<kind>[a-z]+)/?$", record_views.record, name="league-record"),
    re_path(rf"^leagues/{SLUG}/seasons/?$", record_views.season_list, name="league-seasons"),
    re_path(rf"^leagues/{SLUG}/seasons/{KEY}/?$", record_views.season_detail, name="league-season"),
    re_path(rf"^leagues/{SLUG}/seasons/{KEY}/close/?$", record_views.season_close, name="league-season-close"),
    re_path(rf"^leagues/{SLUG}/seasons/{KEY}/reopen/?$", record_views.season_reopen, name="league-season-reopen"),
    re_path(rf"^leagues/{SLUG}/seasons/{KEY}/divisions/?$", record_views.divisions, name="league-divisions"),
    re_path(rf"^leagues/{SLUG}/champions/?$", record_views.champions, name="league-champions"),
    re_path(rf"^leagues/{SLUG}/campaigns/?$", record_views.campaign_list, name="league-campaigns"),
    re_path(rf"^leagues/{SLUG}/campaigns/{KEY}/?$", record_views.campaign_detail, name="league-campaign"),
    re_path(
        r"^matches/(?P<match_id>[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})/sportsmanship/?$",
        record_views.sportsmanship,
        name="match-sportsmanship",
    ),
    re_path(r"^tournaments/?$", tournaments.tournament_list, name="tournament-list"),
    re_path(r"^tournaments/new/?$", tournaments.tournament_new, name="tournament-new"),
    re_path(rf"^tournaments/{SLUG}/?$", tournaments.tournament_detail, name="tournament-detail"),
    re_path(rf"^tournaments/{SLUG}/standings/?$", tournaments.tournament_standings, name="tournament-standings"),
    re_path(rf"^tournaments/{SLUG}/players/{PERSON}/?$", tournaments.tournament_player, name="tournament-player"),
    re_path(rf"^tournaments/{SLUG}/entrants/?$", tournaments.tournament_entrants, name="tournament-entrants"),
    re_path(rf"^tournaments/{SLUG}/log/?$", tournaments.tournament_log, name="tournament-log"),
    re_path(rf"^tournaments/{SLUG}/about/?$", tournaments.tournament_about, name="tournament-about"),
    re_path(rf"^tournaments/{SLUG}/report\.trf$", tournaments.tournament_trf, name="tournament-trf"),
    re_path(rf"^tournaments/{SLUG}/me/?$", tournaments.tournament_me, name="tournament-me"),
    re_path(rf"^tournaments/{SLUG}/me/(?P<act>[a-z]+)/?$", tournaments.own_act, name="tournament-own-act"),
    re_path(rf"^tournaments/{SLUG}/matches/{MATCH}/?$", tournaments.tournament_match, name="tournament-match"),
    re_path(rf"^tournaments/{SLUG}/matches/{MATCH}/result/?$", tournaments.result_enter, name="tournament-result"),
    re_path(
        rf"^tournaments/{SLUG}/check-in/(?P<code>[A-Za-z0-9_-]{{10,40}})/?$",
        tournaments.check_in_page,
        name="tournament-check-in",
    ),
    re_path(rf"^tournaments/{SLUG}/desk/?$", desk.desk, name="tournament-desk"),
    re_path(rf"^tournaments/{SLUG}/desk/(?P<act>[a-z]+)/?$", desk.desk_act, name="tournament-act"),
    re_path(rf"^tournaments/{SLUG}/undo/(?P<seq>[0-9]{{1,8}})/?$", desk.undo, name="tournament-undo"),
]

"""The table of rights, cell by cell, and its conditions."""

from __future__ import annotations

from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from people import rights, services
from people.models import Grant, Person
from people.services import account_create, grant_give, grant_revoke, person_guest_create

# Fixed: they are part of test names, which every process must find alike.
LEAGUE, OTHER = f"league:{UUID(int=1)}", f"league:{UUID(int=2)}"
MATCH = (f"match:{UUID(int=3)}", LEAGUE, "site")
YES, NO, IF = True, False, None

# The table of the domain, written out a second time. IF: only under its condition.
TABLE = {
    #                   stranger player scribe mapmaster referee organizer owner
    "see": (YES, YES, YES, YES, YES, YES, YES),
    "record": (NO, IF, YES, YES, YES, YES, YES),
    "accept_irregular": (NO, NO, NO, NO, YES, IF, IF),
    "correct": (NO, NO, NO, NO, YES, IF, IF),
    "rule": (NO, NO, NO, YES, YES, IF, IF),
    "penalize": (NO, NO, NO, YES, YES, YES, YES),
    "sign": (NO, YES, NO, NO, NO, NO, NO),
    "confirm": (NO, IF, NO, YES, YES, YES, YES),
    "pair": (NO, NO, NO, NO, NO, YES, YES),
    "honors": (NO, IF, IF, IF, IF, IF, IF),
    "administer": (NO, NO, NO, NO, NO, NO, YES),
}


def someone(role: str = "", scope: str = LEAGUE) -> Person:
    person = person_guest_create(f"Holder of {role or 'nothing'}")
    if role in rights.GRANTED:
        grant_give(person=person, role=role, scope=scope, by=None)
    return person


def test_the_table_has_every_action_and_no_other():
    assert set(rights.MATRIX) == set(TABLE) == set(rights.ACTION_NAMES)


@pytest.mark.django_db
@pytest.mark.parametrize("action", TABLE)
@pytest.mark.parametrize("role", rights.ROLES)
def test_a_role_may_what_the_table_says_and_nothing_else(action, role):
    cell = TABLE[action][rights.ROLES.index(role)]
    person = None if role == "stranger" else someone(role)
    # A league in which somebody else is the referee, so that no condition is met by chance.
    may = rights.may(person, action, MATCH, sits=role == "player", referee_there=True)
    assert may is (cell is YES)


@pytest.mark.django_db
@pytest.mark.parametrize("role", rights.GRANTED)
def test_a_role_in_another_league_gives_nothing_here(role):
    person = someone(role, OTHER)
    for action in TABLE:
        assert rights.may(person, action, MATCH) is (action == "see")


@pytest.mark.django_db
@pytest.mark.parametrize("scope", ["site", LEAGUE, MATCH[0]])
def test_a_grant_holds_for_everything_below_its_scope(scope):
    assert rights.may(someone("referee", scope), "correct", MATCH)


@pytest.mark.django_db
def test_a_grant_for_a_match_does_not_hold_for_its_league():
    assert not rights.may(someone("owner", MATCH[0]), "administer", (LEAGUE,))


@pytest.mark.django_db
@pytest.mark.parametrize("action", ["accept_irregular", "correct", "rule"])
def test_an_organizer_acts_as_referee_only_where_there_is_none(action):
    organizer = someone("organizer")
    assert rights.acting_role(organizer, action, MATCH) == "organizer"
    referee = someone("referee")
    assert not rights.may(organizer, action, MATCH)
    grant_revoke(person=referee, role="referee", scope=LEAGUE)
    assert rights.may(organizer, action, MATCH)


@pytest.mark.django_db
@pytest.mark.parametrize(("role", "action"), [("referee", "correct"), ("mapmaster", "rule"), ("organizer", "correct")])
def test_nobody_acts_as_referee_in_a_match_in_which_they_sit(role, action):
    assert rights.may(someone(role), action, MATCH)
    assert not rights.may(someone(role), action, MATCH, sits=True, referee_there=role == "referee")


@pytest.mark.django_db
def test_nobody_sitting_referees_a_league_match_even_if_all_agree():
    assert not rights.may(someone("referee"), "correct", MATCH, sits=True, agreed=True)


@pytest.mark.django_db
def test_in_a_friendly_a_player_may_act_as_referee_when_all_others_agree():
    opener = someone()
    alone = {"sits": True, "friendly": True, "opened": True}
    assert not rights.may(opener, "correct", (MATCH[0],), **alone)
    assert rights.may(opener, "correct", (MATCH[0],), **alone, agreed=True)


@pytest.mark.django_db
def test_a_player_records_the_own_friendly_and_no_other_match():
    player = someone()
    assert rights.may(player, "record", (MATCH[0],), sits=True, friendly=True)
    assert not rights.may(player, "record", (MATCH[0],), friendly=True)
    assert not rights.may(player, "record", MATCH, sits=True)


@pytest.mark.django_db
def test_whoever_opens_a_friendly_confirms_it_as_its_organizer_but_does_not_own_it():
    opener = someone()
    assert rights.acting_role(opener, "confirm", (MATCH[0],), friendly=True, opened=True) == "organizer"
    assert not rights.may(opener, "administer", (MATCH[0],), friendly=True, opened=True)
    assert not rights.may(opener, "confirm", MATCH, opened=True)


@pytest.mark.django_db
def test_players_confirm_by_all_signatures():
    player = someone()
    assert not rights.may(player, "confirm", MATCH, sits=True)
    assert rights.acting_role(player, "confirm", MATCH, sits=True, all_signed=True) == "player"
    assert not rights.may(player, "confirm", MATCH, all_signed=True)


@pytest.mark.django_db
def test_honors_follow_their_procedure_alone():
    assert not rights.may(someone("owner", "site"), "honors", [])
    assert rights.may(someone("owner", "site"), "honors", [], by_procedure=True)
    assert not rights.may(None, "honors", [], by_procedure=True)


@pytest.mark.django_db
def test_the_narrowest_role_is_the_one_acted_in():
    person = someone("owner")
    grant_give(person=person, role="scribe", scope=MATCH[0], by=None)
    assert rights.acting_role(person, "record", MATCH) == "scribe"


def test_an_unknown_action_lists_the_known_ones():
    with pytest.raises(KeyError, match="the actions are see, record"):
        rights.may(None, "destroy", [])


@pytest.mark.django_db
def test_many_questions_about_a_person_are_one_query():
    person = Person.objects.get(pk=someone("owner").pk)
    with CaptureQueriesContext(connection) as queries:
        for action in ("record", "confirm", "pair", "administer", "penalize"):
            assert rights.may(person, action, MATCH)
    assert len(queries) == 1


@pytest.mark.django_db
def test_a_given_or_taken_role_is_seen_at_once():
    person = someone()
    assert not rights.may(person, "pair", MATCH)
    grant_give(person=person, role="organizer", scope=LEAGUE, by=None)
    assert rights.may(person, "pair", MATCH)
    assert grant_revoke(person=person, role="organizer", scope=LEAGUE)
    assert not rights.may(person, "pair", MATCH)
    assert not grant_revoke(person=person, role="organizer", scope=LEAGUE)


@pytest.mark.django_db
@pytest.mark.parametrize("scope", ["everywhere", "league:winter", "match:", "site:1", f"league:{UUID(int=1)}x", "SITE"])
def test_a_malformed_scope_is_refused(scope):
    with pytest.raises(ValueError, match="a scope is site, league:ID"):
        grant_give(person=someone(), role="owner", scope=scope, by=None)
    assert not Grant.objects.filter(scope=scope).exists()


@pytest.mark.django_db
def test_an_unknown_role_is_refused_with_the_known_ones():
    with pytest.raises(ValueError, match="the roles are owner, organizer"):
        grant_give(person=someone(), role="king", scope="site", by=None)


@pytest.mark.django_db
def test_who_may_says_in_words_whom_to_ask():
    said = rights.who_may("correct")
    assert said == "Referee, Organizer (where the scope has no referee), Owner (where the scope has no referee)"
    assert str(services.Forbidden("administer")).endswith("is for Owner.")


@pytest.mark.django_db
def test_an_account_without_a_grant_has_no_role():
    assert rights.roles(account_create("a@example.org", "a long enough word", "ada", "Ada").person, MATCH) == set()

"""Signing up and in, settings, tokens, mail: as a browser sees them."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.core import mail as sent
from django.test import Client
from django.utils import timezone
from rest_framework.authtoken.models import Token

from people import mail as outbox
from people import tasks
from people.models import Account, OutboxMail, Person
from people.services import account_create, handle_change

pytestmark = pytest.mark.django_db
PASSWORD = "a long enough word"


@pytest.fixture
def ada() -> Account:
    return account_create("ada@example.org", PASSWORD, "ada", "Ada Moreau")


@pytest.fixture
def browser(ada, client) -> Client:
    client.force_login(ada)
    return client


def deliver() -> None:
    for mail_id in outbox.mails_due(at=timezone.now()):
        outbox.mail_deliver(mail_id=mail_id)


def signed_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


SIGN_UP = {
    "display_name": "Bo Lindqvist", "handle": "@Bo", "email": "Bo@Example.org", "password1": PASSWORD, "password2": PASSWORD,
}  # fmt: skip


def test_somebody_signs_up_and_is_a_person(client):
    assert client.post("/accounts/signup/", SIGN_UP).status_code == 302
    assert signed_in(client)
    person = Person.objects.get(handle="bo")
    assert (person.display_name, person.account.email) == ("Bo Lindqvist", "bo@example.org")
    deliver()
    assert "@bo gave this e-mail address" in sent.outbox[0].body


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("handle", "ada", "belongs to somebody already"),
        ("handle", "b", "A handle has 2 to 30"),
        ("handle", "operator", "is kept for the site itself"),
        ("password1", "1234567890", "entirely numeric"),
        ("display_name", "  ", "required"),
        ("email", "no address", "valid"),
    ],
)
def test_a_sign_up_that_will_not_do_says_why_and_makes_nobody(client, ada, field, value, said):
    answer = client.post("/accounts/signup/", SIGN_UP | {field: value})
    assert said in answer.content.decode()
    assert Account.objects.count() == 1 and not signed_in(client)


def test_a_second_sign_up_with_an_address_makes_no_account(client, ada):
    answer = client.post("/accounts/signup/", SIGN_UP | {"email": "ADA@example.org"})
    assert Account.objects.count() == 1 and not signed_in(client)
    assert answer.status_code in (200, 302)


def test_a_handle_taken_while_the_form_was_checked_shows_the_form_again(client, monkeypatch, ada):
    monkeypatch.setattr("people.forms.handle_check", lambda handle, **more: None)
    answer = client.post("/accounts/signup/", SIGN_UP | {"handle": "ada"})
    assert answer.status_code == 409 and "belongs to somebody already" in answer.content.decode()
    assert Account.objects.count() == 1


@pytest.mark.parametrize("login", ["ada@example.org", "ADA@example.org", "ada", "@Ada", "countess"])
def test_signing_in_takes_the_address_or_any_handle_of_the_person(client, ada, login):
    handle_change(person=ada.person, handle="countess")
    answer = client.post("/accounts/login/", {"login": login, "password": PASSWORD})
    assert answer.status_code == 302 and signed_in(client)


@pytest.mark.parametrize(("login", "password"), [("ada", "wrong"), ("nobody", PASSWORD), ("x@example.org", PASSWORD)])
def test_signing_in_says_the_same_whatever_was_wrong(client, ada, login, password):
    answer = client.post("/accounts/login/", {"login": login, "password": password})
    assert "The e-mail address or handle, or the password, is not right." in answer.content.decode()
    assert not signed_in(client)


def test_too_many_failures_to_sign_in_are_stopped(client, ada):
    for _attempt in range(12):
        answer = client.post("/accounts/login/", {"login": "ada", "password": "wrong"})
    assert "Too many failed login attempts" in answer.content.decode() or answer.status_code == 429
    answer = client.post("/accounts/login/", {"login": "ada", "password": PASSWORD})
    assert not signed_in(client)


def test_a_forgotten_password_is_set_anew_by_mail_once(client, ada):
    client.post("/accounts/password/reset/", {"email": "ada@example.org"})
    deliver()
    link = re.search(r"http://testserver(/accounts/password/reset/key/\S+)", sent.outbox[0].body)[1]
    form = client.get(link, follow=True)
    new = {"password1": "another long word", "password2": "another long word"}
    client.post(form.redirect_chain[-1][0], new)
    ada.refresh_from_db()
    assert ada.check_password("another long word")
    assert "Bad Token" in Client().get(link, follow=True).content.decode()


def test_a_reset_for_an_unknown_address_answers_the_same_and_writes_there(client, ada):
    known = client.post("/accounts/password/reset/", {"email": "ada@example.org"})
    unknown = client.post("/accounts/password/reset/", {"email": "x@example.org"})
    assert (known.status_code, known.url) == (unknown.status_code, unknown.url)
    deliver()
    assert "there is no account under this address" in sent.outbox[1].body


@pytest.mark.parametrize(
    "page",
    ["login/", "signup/", "logout/", "email/", "password/change/", "password/reset/", "password/reset/done/", "reauthenticate/",
     "2fa/", "2fa/totp/activate/", "confirm-email/", "inactive/", "password/reset/key/done/"],
)  # fmt: skip
def test_every_page_of_accounts_stands_in_the_sites_frame(browser, client, page):
    for reader in (browser, Client()):
        answer = reader.get(f"/accounts/{page}", follow=True)
        said = answer.content.decode()
        assert answer.status_code == 200
        assert 'class="masthead"' in said and said.count("<h1") == 1, page


def test_pages_of_accounts_answer_without_the_last_slash(client):
    assert client.get("/accounts/login?next=/upload").url == "/accounts/login/?next=/upload"
    assert client.get("/accounts/nowhere").status_code == 404


# Settings


def test_settings_are_for_those_who_are_signed_in(client):
    assert client.get("/settings").url == "/accounts/login/?next=/settings"
    assert client.post("/settings/token").status_code == 302


def test_a_person_changes_name_privacy_and_sort_name(browser, ada):
    form = {"display_name": "Ada Byron", "sort_name": "Moreau, Ada", "privacy": "hidden"}
    assert browser.post("/settings/", form).status_code == 302
    ada.person.refresh_from_db()
    # The sort name was left as the form had it, which was made from the old name: it follows the new one.
    assert (ada.person.display_name, ada.person.sort_name, ada.person.privacy) == ("Ada Byron", "Byron, Ada", "hidden")
    browser.post("/settings/", form | {"sort_name": "Ada"})
    browser.post("/settings/", form | {"sort_name": "Ada", "privacy": "public"})
    ada.person.refresh_from_db()
    assert (ada.person.sort_name, ada.person.privacy) == ("Ada", "public")


def test_a_setting_that_will_not_do_is_not_kept(browser, ada):
    answer = browser.post("/settings/", {"display_name": " ", "privacy": "secret"})
    assert answer.status_code == 400
    ada.person.refresh_from_db()
    assert (ada.person.display_name, ada.person.privacy) == ("Ada Moreau", "public")


def test_a_minor_cannot_show_themselves(browser, ada):
    Person.objects.filter(pk=ada.person.pk).update(is_minor=True, privacy="hidden")
    browser.post("/settings/", {"display_name": "Ada", "privacy": "public"})
    ada.person.refresh_from_db()
    assert (ada.person.display_name, ada.person.privacy) == ("Ada", "hidden")


def test_a_person_takes_another_handle(browser, ada):
    assert browser.post("/settings/handle/", {"handle": "countess"}).status_code == 302
    ada.person.refresh_from_db()
    assert ada.person.handle == "countess"
    assert browser.post("/settings/handle/", {"handle": "operator"}).status_code == 400


def test_a_token_acts_as_its_account_is_shown_once_and_can_be_revoked(browser, client, ada):
    shown = browser.post("/settings/token/").content.decode()
    key = Token.objects.get(user=ada).key
    assert key in shown and key not in browser.get("/settings/").content.decode()
    browser.post("/settings/token/")
    assert Token.objects.get(user=ada).key != key
    browser.post("/settings/token/revoke/")
    assert not Token.objects.exists()


# The first owner

OWNER = {"display_name": "Olga", "handle": "olga", "email": "o@example.org", "password": PASSWORD}


def test_the_first_owner_is_made_on_the_welcome_page_and_then_there_is_none(client):
    assert client.get("/welcome/").status_code == 200
    assert client.post("/welcome/", OWNER | {"password": "short"}).status_code == 400
    assert client.post("/welcome/", OWNER).url == "/"
    assert signed_in(client)
    for reader in (client, Client()):
        assert reader.get("/welcome/").status_code == 404
        assert reader.post("/welcome/", OWNER | {"handle": "per", "email": "p@example.org"}).status_code == 404
    assert Account.objects.count() == 1


def test_the_welcome_page_does_not_give_somebodys_account_away(client, ada):
    answer = client.post("/welcome/", OWNER | {"email": "ADA@example.org"})
    assert answer.status_code == 400 and "There is an account with this e-mail address" in answer.content.decode()


# Mail


def mail(**more) -> OutboxMail:
    return outbox.mail_enqueue(to="ada@example.org", subject="Hello\nBcc: all@example.org", body="A link", **more)


def test_a_mail_is_sent_once_and_its_text_not_kept():
    row = mail()
    tasks.mail_send(mail_id=str(row.pk), whatever=1)
    tasks.mail_send(mail_id=str(row.pk))
    assert [(one.to, one.subject, one.body) for one in sent.outbox] == [
        (["ada@example.org"], "Hello Bcc: all@example.org", "A link")
    ]
    row.refresh_from_db()
    assert (row.state, row.body) == ("sent", "") and row.sent_at


def test_a_mail_that_cannot_be_sent_is_tried_again_later_and_fails_at_last(settings):
    nobody_there = {"host": "127.0.0.1", "port": 1}
    settings.MAILERS = {"default": {"BACKEND": "django.core.mail.backends.smtp.EmailBackend", "OPTIONS": nobody_there}}
    row, at = mail(), timezone.now()
    for tries in range(1, outbox.TRIES + 1):
        row = outbox.mail_deliver(mail_id=row.pk, at=at)
        assert row.tries == tries and "ConnectionRefusedError" in row.error and row.body == "A link"
        assert outbox.mails_due(at=at) == []
        at += timedelta(days=1)
    assert row.state == "failed" and outbox.mails_due(at=at) == []


def test_the_sweep_sends_what_the_queue_lost():
    mail(), mail()
    tasks.mail_sweep()
    assert len(sent.outbox) == 2


def test_without_a_mail_server_each_mail_is_a_file(settings, tmp_path):
    files = {"file_path": tmp_path / "mail"}
    settings.MAILERS = {"default": {"BACKEND": "django.core.mail.backends.filebased.EmailBackend", "OPTIONS": files}}
    outbox.mail_deliver(mail_id=mail().pk)
    (file,) = (tmp_path / "mail").iterdir()
    assert "To: ada@example.org" in file.read_text()


# Who may do what


def test_the_table_of_roles_is_for_organizers(browser, ada):
    assert browser.get("/roles").status_code == 403
    ada.person.grants.create(role="organizer", scope="league:0b9bd7a6-22a2-4d52-8a38-02a0a1f5f3f7")
    said = browser.get("/roles").content.decode()
    assert "where the scope has no referee" in said and "own friendly match" in said

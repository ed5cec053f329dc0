"""The career app: listens for changed results and brings the projections up to date."""

from django.apps import AppConfig
from django.utils.functional import lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _


class CareerConfig(AppConfig):
    name = "career"
    verbose_name = _("Careers")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Queue a catch-up whenever a result changes."""
        from career import follow, selectors
        from career.honors.catalogue import HONORS
        from matches import persons
        from people import notices

        persons.EARNED.append(selectors.earned)
        follow.listen()
        notices.register(
            "award",
            _("Ranks and badges"),
            {
                "rank": _("You have attained the rank of %(name)s."),
                "badge": _("You have earned the badge %(name)s in %(tier)s."),
            },
        )
        sentences = {
            "seconding": _("Your nomination for %(honor)s in %(league)s waits to be seconded within 30 days."),
            "vote": _("Vote on a nomination for %(honor)s in %(league)s within 14 days."),
            "decide": _("A nomination for %(honor)s in %(league)s waits for your decision."),
            "lapsed": _("Your nomination for %(honor)s in %(league)s came to nothing."),
            "bestowed": _("The honor %(honor)s of %(league)s was bestowed on you."),
            "hearing": _("Your honor %(honor)s of %(league)s is in review. You may be heard within 14 days."),
            "review": _("A review of the honor %(honor)s in %(league)s waits for your decision."),
            "kept": _("The review of your honor %(honor)s of %(league)s is over: it stays."),
            "revoked": _("Your honor %(honor)s of %(league)s was revoked."),
            "restored": _("Your honor %(honor)s of %(league)s was given back to you."),
            "left": _("Your honor %(honor)s of %(league)s stays revoked."),
        }
        told = {f"{what} {one.id}": named(text, one.name) for what, text in sentences.items() for one in HONORS}
        notices.register("honor_step", _("Honors"), told)


def _named(sentence: object, honor: str) -> str:
    return str(sentence).replace("%(honor)s", gettext(honor))


named = lazy(_named, str)
"""Returns a sentence about an honor, its name in it, in the language of whoever reads it."""

"""The career app: listens for changed results and brings the projections up to date."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CareerConfig(AppConfig):
    name = "career"
    verbose_name = _("Careers")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Queue a catch-up whenever a result changes."""
        from career import follow
        from people import notices

        follow.listen()
        notices.register(
            "award",
            _("Ranks and badges"),
            {
                "rank": _("You have attained the rank of %(name)s."),
                "badge": _("You have earned the badge %(name)s in %(tier)s."),
            },
        )
        notices.register(
            "honor_step",
            _("Honors"),
            {
                "seconding": _("Your nomination for %(honor)s in %(league)s waits to be seconded within 30 days."),
                "vote": _("Vote on a nomination for %(honor)s in %(league)s within 14 days."),
                "decide": _("A nomination for %(honor)s in %(league)s waits for your decision."),
                "bestowed": _("The honor %(honor)s of %(league)s was bestowed on you."),
                "hearing": _("Your honor %(honor)s of %(league)s is in review. You may be heard within 14 days."),
                "review": _("A review of the honor %(honor)s in %(league)s waits for your decision."),
            },
        )

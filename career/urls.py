"""Pages of careers. With and without the last slash."""

from django.urls import re_path

from career import views
from career.honors import views as honors
from career.learning import views as learning
from career.ratings import views as ratings

UUID = r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"
LESSON = r"(?P<lesson_id>LSN-[A-Z0-9-]{2,10})"

urlpatterns = [
    re_path(r"^@(?P<handle>[a-z0-9][a-z0-9_-]{1,29})/?$", views.profile, name="profile"),
    re_path(r"^@(?P<handle>[a-z0-9][a-z0-9_-]{1,29})/history/?$", views.history, name="career-history"),
    re_path(
        r"^@(?P<handle>[a-z0-9][a-z0-9_-]{1,29})/vs/@?(?P<other>[a-z0-9][a-z0-9_-]{1,29})/?$",
        views.head_to_head,
        name="head-to-head",
    ),
    re_path(r"^settings/hide/?$", views.hide, name="career-hide"),
    re_path(r"^learn/?$", learning.lesson_list, name="lesson-list"),
    re_path(rf"^learn/{LESSON}/?$", learning.lesson_detail, name="lesson"),
    re_path(rf"^learn/{LESSON}/start/?$", learning.test_start, name="lesson-start"),
    re_path(rf"^learn/{LESSON}/test/?$", learning.test, name="lesson-test"),
    re_path(r"^leagues/(?P<slug>[a-z0-9][a-z0-9-]{1,59})/lessons/?$", learning.lesson_examine, name="lesson-examine"),
    re_path(r"^leaderboards/?$", ratings.leaderboard_list, name="leaderboard-list"),
    re_path(r"^leaderboards/(?P<game>[a-z0-9_-]+)/?$", ratings.leaderboard, name="leaderboard"),
    re_path(r"^honors/?$", honors.honor_list, name="honor-list"),
    re_path(r"^honors/(?P<honor_id>HON-[0-9]{2})/?$", honors.honor, name="honor"),
    re_path(r"^honors/(?P<held_id>[0-9]{1,18})/(?P<act>decline|review)/?$", honors.honor_act, name="honor-act"),
    re_path(rf"^honors/reviews/(?P<review_id>{UUID})/?$", honors.review, name="honor-review"),
    re_path(rf"^nominations/(?P<nomination_id>{UUID})/?$", honors.nomination, name="nomination"),
    re_path(r"^leagues/(?P<slug>[a-z0-9][a-z0-9-]{1,59})/honors/?$", honors.league_honors, name="league-honors"),
    re_path(r"^leagues/(?P<slug>[a-z0-9][a-z0-9-]{1,59})/relations/?$", honors.relations, name="league-relations"),
    re_path(r"^badges/?$", views.badge_list, name="badge-list"),
    re_path(r"^badges/(?P<badge_id>[A-Z0-9-]{3,12})/?$", views.badge, name="badge"),
]

"""What others hear of: a changed result."""

from django.dispatch import Signal

# Sent inside the transaction of every entry that changes what a match says about its seats, with `match_id` and `seq`.
result_changed = Signal()

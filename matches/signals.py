"""What others hear of: a changed result, and texts that are gone."""

from django.dispatch import Signal

# Sent inside the transaction of every entry that changes what a match says about its seats, with `match_id` and `seq`.
result_changed = Signal()

# Sent inside the transaction in which texts beside the log were blanked, with `streams`, the ids of those concerned.
texts_blanked = Signal()

"""The pages of matches: uploads and their reports, the list, a match with its replay, what may be done at it, and the desk."""

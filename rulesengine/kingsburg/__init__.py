"""Kingsburg: five years of eight phases at the court of a king, with dice, advisors, buildings and winter battles."""

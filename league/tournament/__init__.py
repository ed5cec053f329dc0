"""Tournaments as pure functions: the field of a stage, pairing, points, tie-breaks, standings, report files. No database, no clock, no chance."""

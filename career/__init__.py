"""Careers: what the log of all matches says about a person. Everything here can be dropped and derived again."""

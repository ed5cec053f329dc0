"""The rules engine: pure Python, no Django, no clock, no chance, usable alone as ``python -m rulesengine``."""

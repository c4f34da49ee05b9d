"""Measurements on top of the same code that the doors use."""

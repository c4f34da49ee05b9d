"""The demo: the whole story in a throw-away home, step by step."""

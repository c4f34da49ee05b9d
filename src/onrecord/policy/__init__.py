"""Policy decides: pure functions, one rule in one place."""

"""Talking to models, where a person configured one; nothing here yet writes or reads."""

"""A store in plain dictionaries: the oracle of the property tests, and the quickest to make."""

from onrecord.storage.inmemory.store import InMemoryStore, MemoryFile

__all__ = ["InMemoryStore", "MemoryFile"]

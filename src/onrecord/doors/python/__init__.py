"""The Python door: `from onrecord import Memory, Principal`."""

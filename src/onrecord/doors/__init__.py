"""Doors parse, call, render; they know the service and not one another."""

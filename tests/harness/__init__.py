"""What the tests drive real programs with: terminals, PostgreSQL, agent CLIs, a scripted model."""

"""Finding: terms of queries and of the index, recall, ranking, and packs (all light)."""

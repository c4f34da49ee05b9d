"""What other tools keep: one module for each format, each giving the same kind of record."""

"""What agents and the outside send: read here, decided elsewhere."""

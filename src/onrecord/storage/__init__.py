"""Where memories are kept: one SQL store on SQLite or PostgreSQL, and one in memory."""

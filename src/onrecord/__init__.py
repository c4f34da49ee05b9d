"""onrecord: one governed memory that all agents share."""

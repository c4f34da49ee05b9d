"""Use cases: one facade (`memory.Memory`) over one write path (`gateway.Gateway`)."""

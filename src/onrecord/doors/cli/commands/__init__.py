"""One file for each command: `add(parser)` declares its words, `run(args, desk)` does it."""

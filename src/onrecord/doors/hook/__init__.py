"""The hook door: `onrecord-hook CLIENT EVENT`, the payload on stdin, an answer or nothing."""

"""The command line: `onrecord COMMAND`, in two phases so that a command loads only itself."""

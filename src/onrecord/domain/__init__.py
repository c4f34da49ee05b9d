"""What a memory is: values, rules and ports, from the standard library alone."""

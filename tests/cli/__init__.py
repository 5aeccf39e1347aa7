"""The command: help, completion, terminal, output."""

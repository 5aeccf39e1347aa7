"""What keizer says, in every language."""

"""What a club does, by command."""

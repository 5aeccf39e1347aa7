"""keizer.html in real browsers, from file://, without a network."""

"""Commands: on messages of members, rating lists and printed standings."""

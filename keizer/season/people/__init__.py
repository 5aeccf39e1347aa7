"""Members of the club.

Its modules:

roster   players: entered and withdrawn; prohibited pairings
members  a member corrected, merged with another, or removed
lists    a list of members as it was read
merging  a list of members, merged into the season
"""

"""Members of the club.

Its modules:

roster   who plays: entered, withdrawn; prohibited pairings
members  one member corrected, merged with another, removed
lists    a list of members as it was read
merging  such a list, merged into the season
"""

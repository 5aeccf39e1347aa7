"""Rules found from what was printed: games, absences and the standings of another program."""

"""What people send as a table, and the public views as files.

limits                how much is read of what people give
apart, confined       a file is read by a process of its own; carried: how facts come from there
sent                  what is imported: a list, games, unplayed rounds, or an add-on's season
parsing, tables       what readers share: cells, and where in a file they stand; notes: what is said
members, spreadsheets members' lists; games and unplayed rounds
stages                an import, as those see it who wait
views                 what goes out
"""

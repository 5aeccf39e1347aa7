"""Files of other programs, in and out.

limits                how much is read of what people give
apart, confined       a file is read by a process of its own; carried: how facts come from there
sent                  what is imported: which kind of file it is
parsing, tables, workbooks, databases   what readers share
members, spreadsheets, lists, standings, trf, sevilla, ...   a format each: what reads it runs
                      apart, and the other half of a module writes
facts, seasons, ratings   what is written of them into a season; figures: held beside it
views, pgn, sqbpro    what goes out
"""

"""An add-on: files and messages of other programs and people, in and out.

acts, commands        what a person does with them, on top of all
kinds, seasons        which program a file is of; its season written into a tournament
core, original, keizerforclubs, sharlychess, sevilla, trf   a program each: what reads its files
                      runs apart (keizer.formats.apart), class Season writes them
facts, figures, databases    what these share; its own standings, held beside ours
rating_lists, ratings        ratings of FIDE, KNSB and DSB, and who in them is a member
workbooks, free_lists, standings   spreadsheets; lists without a heading; printed standings
messages              what members write of coming and being away
inferring             the rules that printed standings were made with
pgn, sqbpro           what goes out, beside TRF
"""

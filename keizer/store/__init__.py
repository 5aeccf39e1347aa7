"""The season file: opened, changed in one transaction, proven, kept and brought back.

From the bottom up, and nothing in it knows of players or rounds:

    sql, definitions  where the SQL lies; its texts taken apart
    fingerprint       which SQL a file was made with (generated)
    atomic            files that are there whole or not at all
    connection        SQLite on a file: connect, a copy to try things on, its messages
    log/              a command on the log: recorded, told, taken back, sealed
    refresh           views and triggers of this keizer in a file of another
    soundness/        whether facts, code and lists agree; a file made again from its facts
    backup/           snapshots, the way back, and what SQLite leaves beside a file
    database          what commands call: reading, writing, migrating, create
    describe          what tables, views and columns mean, in the file's own words
"""

"""The season file: opened, changed in one transaction, proved, saved and restored.

The modules from the bottom up. None of them knows of players or rounds:

    sql, definitions  the texts of the SQL, compared and taken apart
    tiebreaks         the rule for the order of a table, and the triggers that it needs
    fingerprint       the hash of the SQL that a file is made with (generated)
    releases          the hashes of the SQL of earlier releases
    atomic            files that are there whole or not at all
    connection        connections of SQLite to a file, copies, and error messages
    log/              a command on the log: recorded, shown, undone, sealed
    refresh           replaces the views and triggers of another keizer in a file
    soundness/        the proof of a file, and a file made again from its facts
    backup/           snapshots, the way back, and what SQLite leaves beside a file
    warm              connections that stay open from one page to the next
    database          the calls of commands: reading, writing, migrating, create
    describe          the meaning of tables, views and columns, in the file's own words
"""

"""The season file: opened, changed in one transaction, proven, kept and brought back.

From the bottom up, and nothing in it knows of players or rounds:

    sql, definitions      where the SQL lies; its texts taken apart
    fingerprint           which SQL a file was made with (generated)
    atomic                files that are there whole or not at all
    connection            SQLite on a file: connect, a copy to try things on, its messages
    journal, undo, history   a command on the log; taken back; told
    refresh, rebuild      views and triggers renewed; the facts put through them again, migrated
    proof                 whether the two agree
    sidecar_files            a journal or WAL beside a file, and whose it is
    snapshots, restoring  the file as it was, and the way back
    database              what commands call: reading, writing, migrating, create
    describe              what tables, views and columns mean, in the file's own words
"""

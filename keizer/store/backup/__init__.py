"""The file as it was.

Its modules:

snapshots      whole copies of a season, of which the oldest go
restoring      what is in them, and the way back
sidecar_files  a journal or WAL beside a file, and whether it is of the file
"""

"""Earlier states of a file.

Its modules:

snapshots      whole copies of a season file, made in time and deleted in time
restoring      list snapshots, look into them, and restore a file from one
sidecar_files  a journal or WAL beside a file, and whether it belongs to the file
"""

"""The log of a file.

Its modules:

journal  begin, describe and end a command on the log
history  the log as entries for people
undo     take back the last command
seals    a hash over each line and the one before it
"""

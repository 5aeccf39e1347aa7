"""The log of a file.

Its modules:

journal  a command: what it did, recorded
history  what was done, told
undo     what was done, taken back
seals    a hash over each line and the one before it
"""

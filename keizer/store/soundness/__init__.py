"""Whether a file is what keizer makes of its facts.

Its modules:

proof    facts, views and computed lists held against each other
rebuild  the facts put through a new file again, and what that refuses
barring  definitions that a file may not have, as SQLite would run them unasked
"""

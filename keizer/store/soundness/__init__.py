"""Whether a file is what keizer makes of its facts.

Its modules:

proof    the check of a file: pages, definitions, facts and stored results
rebuild  the facts entered again into new tables, and the migration of a file
barring  definitions that a file may not have, as SQLite would run them by itself
"""

"""The club's page: a static site, written from the views of a season file.

data reads the file, messages translates, pages renders, build writes.
"""

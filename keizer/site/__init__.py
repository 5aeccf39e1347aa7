"""The club's page: a static site, written from the views of a season file.

data reads the file, messages translates, charts draws, pages renders, build writes;
missing lists what is to be translated.
"""

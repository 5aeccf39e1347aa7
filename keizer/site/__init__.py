"""The club's page: a static site, written from the views of a season file.

data reads the file, messages translates, drawings and charts draw, sheet measures, pages
renders, build writes.
"""

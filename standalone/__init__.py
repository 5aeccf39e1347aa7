"""keizer.html: the face in one file, with Python and SQLite in it, for a browser alone."""

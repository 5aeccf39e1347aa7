"""A round, from who comes to the last result.

Its modules:

presence      signing off and on
rounds        the file's facts to the pairing engine, and its boards to the file
drafts        what has changed since a draft was paired
swap          two players change places
publication   seats given up, the dates of rounds, publishing a round
results       results as they come in, and corrected
confirmation  results that members enter themselves, and who confirms them
"""

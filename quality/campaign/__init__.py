"""What a crash, a full disk, two programs at once and a damaged file do to a season.

`python -m quality.campaign` runs it all; README.md says what each part proves.
"""

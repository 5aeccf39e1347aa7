"""The releases of keizer whose files this one knows by their code."""

RELEASES: dict[str, str] = {}
"""The version of each release, by the hash of its views and triggers.

Each release adds its own hash, which is fingerprint.DIGEST. `keizer check` reads a file
with the code of a release by the views of today. It calls any other file unsound whose
views and triggers are not those of this keizer, as nobody can tell who changed them.
"""

"""The releases of keizer whose files this one knows by their code."""

RELEASES: dict[str, str] = {}
"""The version by fingerprint.DIGEST, the hash of its views and triggers.

Each release adds its own. `keizer check` reads a file of a release with the views of
today. Any other file whose views and triggers are not those of this keizer is called
unsound, as nobody can tell who changed them.
"""

"""The one exception a person gets to see."""


class KeizerError(Exception):
    """Something a person can put right; its text is one clear sentence."""

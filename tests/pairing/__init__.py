"""The engine beside other ways to the same pairing."""

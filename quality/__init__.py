"""Proofs that take long, or clusters: see README.md."""

"""How fast it is, beside others: see README.md."""

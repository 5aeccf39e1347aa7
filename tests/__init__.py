"""The specification of keizer: each test names the claim it proves."""

"""The specification, its cases, and who agrees with them."""

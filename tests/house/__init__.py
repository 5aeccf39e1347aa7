"""How the project is built, packed and documented."""

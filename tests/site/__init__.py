"""The club's page, as browsers show it."""

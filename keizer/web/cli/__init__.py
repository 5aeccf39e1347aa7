"""Commands: of the club night in a browser, and of the club's page."""

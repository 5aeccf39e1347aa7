"""Files of other programs, in and out: a module each."""

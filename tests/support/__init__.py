"""Plain, slow, obviously right stand-ins that tests compare the fast paths with."""

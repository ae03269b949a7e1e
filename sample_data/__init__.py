"""Small runs that ship with the program, and the scripts that make them."""

"""How a good set of picks is found."""

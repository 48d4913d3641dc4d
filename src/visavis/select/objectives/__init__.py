"""What a set of picks is worth."""

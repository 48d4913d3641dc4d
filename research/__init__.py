"""How what visavis does by default was found: scripts, judgements and tables. Not part of the package."""

"""A study played through by simulated workers over HTTP."""

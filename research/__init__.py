"""How decisions were measured: scripts and their tables. Nothing here is installed."""

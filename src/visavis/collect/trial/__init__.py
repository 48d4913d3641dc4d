"""The whole way from a topic to a compared corpus on a little web of our own, on this machine alone."""

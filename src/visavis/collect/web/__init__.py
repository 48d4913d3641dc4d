"""Requests to the web: where they may go, what they may cost, and how politely they are made."""

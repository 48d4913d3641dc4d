"""Ratios against a floor and against peers, measured side by side in one run: `python -m bench`."""

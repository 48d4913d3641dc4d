"""Measurements behind what the code decides; no part of the package."""

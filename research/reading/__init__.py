"""Blind reading: picks, sheets, tables."""

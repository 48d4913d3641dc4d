"""The state file of a collection: the only room that speaks SQL."""

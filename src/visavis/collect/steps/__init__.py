"""The steps from posts to a corpus, one file each; every one reads what the last one left in the state file."""

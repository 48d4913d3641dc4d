"""What preferences say: which method's summaries serve readers better, how clearly, and why."""

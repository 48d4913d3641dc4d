"""From a corpus to a study."""

"""What must exist once: guards, escapes, whole files, locks, confined children, small statistics, names of periods."""

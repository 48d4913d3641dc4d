"""What texts, pages and addresses say: no network, no state file."""

"""For verifying your own adapters: strategies, in-memory ports and contracts."""

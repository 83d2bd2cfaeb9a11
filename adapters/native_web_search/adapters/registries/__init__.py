"""Where chat models and credentials come from."""

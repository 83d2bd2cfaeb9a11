"""Where preferences and health are kept outside the process."""

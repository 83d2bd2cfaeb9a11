"""One codec per provider interface."""

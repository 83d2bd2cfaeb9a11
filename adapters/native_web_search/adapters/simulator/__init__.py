"""Every provider's web search on loopback, with faults to order."""

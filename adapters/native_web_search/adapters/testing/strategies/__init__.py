"""Hypothesis strategies for the values of the domain."""

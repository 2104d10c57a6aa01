"""Hypothesis spaces."""

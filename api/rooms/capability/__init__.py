"""Tokens that let an agent do something."""

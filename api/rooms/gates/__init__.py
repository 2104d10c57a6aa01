"""Obligations, conclusions, termination."""

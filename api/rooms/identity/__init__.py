"""Principals and API tokens."""

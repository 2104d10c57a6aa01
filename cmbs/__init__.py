"""CMBS, a belief server whose kernel is PostgreSQL, and the same kernel inside a Python process."""

__version__ = "0.1.0"

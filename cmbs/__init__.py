"""CMBS, a belief server whose kernel is PostgreSQL."""

__version__ = "0.1.0"

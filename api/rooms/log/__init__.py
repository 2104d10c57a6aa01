"""The log of a session."""

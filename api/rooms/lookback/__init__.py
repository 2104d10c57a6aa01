"""Looking back on a session."""

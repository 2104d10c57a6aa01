"""Bringing a policy into force: publishing, trying, applying it, and the mode."""

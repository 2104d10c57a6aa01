"""Sessions and what they believe."""

"""Tools and schemas."""

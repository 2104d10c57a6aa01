"""Proposals and what is decided of them."""
